"""Org: outlines with their keywords, lists, blocks, tables and notes; nothing in them is run, nothing included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


class OrgHandler(Handler):
    """Read Org files into sections."""

    name = "org"
    title = "Org"
    extensions = (".org",)
    version = 1

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of an Org file; subtrees that are commented out or archived are hidden."""
        text = source.text(report)
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.org.blocks import OrgParser
        from gatherum_formats.shared.lines import sections

        parser = OrgParser(text)
        yield from sections(parser.blocks(), report)
        fields, tags = parser.fields, parser.tags
        report.metadata(
            title=" ".join(fields.pop("title", [])),
            authors=fields.pop("author", []),
            created=" ".join(fields.pop("date", [])),
            language=" ".join(fields.pop("language", [])),
            description=" ".join(fields.pop("description", [])),
            tags=[
                *(word for text in fields.pop("filetags", []) for word in text.replace(":", " ").split()),
                *(word.strip() for text in fields.pop("keywords", []) for word in text.split(",")),
                *tags,
            ],
        )
        report.metadata(**{name: ", ".join(values) for name, values in fields.items() if name != "self"})


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [OrgHandler()]
