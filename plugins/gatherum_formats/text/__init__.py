"""Plain text in any encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl
from gatherum.text import is_binary

if TYPE_CHECKING:
    from collections.abc import Iterator


class TextHandler(Handler):
    """Read plain text into sections with exact lines."""

    name = "text"
    title = "Plain text"
    extensions = (".txt", ".text", ".log", ".nfo", ".diz", ".readme", ".utf8", ".dat")
    names = (
        *("readme", "license", "licence", "copying", "authors", "contributors", "changelog", "changes", "contributing"),
        *("credits", "faq", "history", "install", "news", "notice", "roadmap", "security", "thanks", "todo"),
    )
    version = 1

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a text in reading order."""
        if is_binary(source.data):
            raise UnreadableError("corrupt", f"{source.name} is not text")
        from gatherum_formats.text.reading import read_text

        yield from read_text(source.text(report).replace("\ufeff", ""), source.name, report)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Bring the handler of plain text."""
    return [TextHandler()]
