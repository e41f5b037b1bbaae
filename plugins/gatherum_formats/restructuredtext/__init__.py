"""reStructuredText: titles, lists, tables, directives, notes; files that it includes are named, never read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum import Handler, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


class RestructuredTextHandler(Handler):
    """Read reStructuredText into sections."""

    name = "rst"
    title = "reStructuredText"
    extensions = (".rst", ".rest")
    version = 1

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a reStructuredText file."""
        text = source.text(report)
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.restructuredtext.blocks import RstParser
        from gatherum_formats.shared.lines import sections

        parser = RstParser(text.split("\n"))
        yield from sections(parser.blocks(), report)
        fields = parser.fields
        authors = [*fields.pop("author", []), *(name for text in fields.pop("authors", []) for name in _parted(text))]
        report.metadata(
            title=parser.title or " ".join(fields.pop("title", [])),
            authors=authors,
            created=" ".join(fields.get("date", [])) or " ".join(fields.get("created", [])),
            language=" ".join(fields.pop("language", [])),
            description=" ".join(fields.pop("abstract", []) + fields.pop("description", [])),
            tags=[word.strip() for text in fields.pop("keywords", []) for word in text.split(",")],
        )
        report.metadata(**{name: "; ".join(values) for name, values in fields.items() if name != "self"})


def _parted(text: str) -> list[str]:
    return [name.strip(" -*") for name in re.split(r"[;\n]" if ";" in text or "\n" in text else ",", text)]


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [RestructuredTextHandler()]
