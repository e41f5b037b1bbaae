"""Typst: headings, lists, tables, figures, notes and mathematics of a source that is never run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class TypstHandler(Handler):
    """Read Typst into sections with exact lines."""

    name = "typst"
    title = "Typst"
    extensions = (".typ",)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a text in reading order; files that it includes are not opened.

        Raises:
            UnreadableError: It is empty.
        """
        text = source.text(report).replace("\x00", " ").replace("\r\n", "\n").replace("\r", "\n")
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.typst.blocks import read_blocks

        yield from read_blocks(text, report)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [TypstHandler()]
