"""Rich Text Format, as Word, WordPad, TextEdit and mail programs write it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

_START: Final = b"{\\rtf"


class RtfHandler(Handler):
    """Read Rich Text Format."""

    name = "rtf"
    title = "Rich Text Format"
    extensions = (".rtf",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of *source*.

        Raises:
            UnreadableError: It is empty or no Rich Text Format.
        """
        data = source.data.lstrip(b"\xef\xbb\xbf \t\r\n\0")
        if not data:
            raise UnreadableError("empty", f"{source.name} is empty")
        if not data.startswith(_START):
            raise UnreadableError("corrupt", f"{source.name} does not begin as Rich Text Format does")
        from gatherum_formats.rtf.sections import read_sections

        yield from read_sections(data, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know the format by its first group."""
        return ".rtf" if glimpse.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_START) else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler of Rich Text Format."""
    return [RtfHandler()]
