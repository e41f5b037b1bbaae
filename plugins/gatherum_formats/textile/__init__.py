"""Textile: headings, lists, tables, code and notes of a lightweight markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class TextileHandler(Handler):
    """Read Textile into sections with exact lines."""

    name = "textile"
    title = "Textile"
    extensions = (".textile",)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a text in reading order."""
        text = source.text(report).replace("\x00", " ")
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.textile.blocks import read_blocks

        yield from read_blocks(text, report)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [TextileHandler()]
