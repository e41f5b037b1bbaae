"""AsciiDoc: sections, blocks, tables and lists; files that it includes are named, never read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


class AsciidocHandler(Handler):
    """Read AsciiDoc into sections."""

    name = "asciidoc"
    title = "AsciiDoc"
    extensions = (".adoc", ".asciidoc", ".asc")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of an AsciiDoc file; what stands under a condition is read in any case."""
        text = source.text(report)
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.asciidoc.blocks import AsciidocParser
        from gatherum_formats.shared.lines import sections

        parser = AsciidocParser(text.split("\n"))
        yield from sections(parser.blocks(), report)
        attributes = parser.attributes
        report.metadata(
            title=parser.title,
            authors=parser.authors or attributes.get("author", ""),
            created=attributes.get("revdate"),
            language=attributes.get("lang"),
            tags=[word.strip() for word in attributes.get("keywords", "").split(",")],
            description=attributes.get("description"),
            version=attributes.get("revnumber"),
        )


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [AsciidocHandler()]
