"""Subtitles and captions: SubRip, WebVTT, SubStation Alpha, YouTube's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl
from gatherum.text import is_binary

if TYPE_CHECKING:
    from collections.abc import Iterator

_WEBVTT: Final = (b"WEBVTT\n", b"WEBVTT\r", b"WEBVTT ", b"WEBVTT\t")


class SubtitlesHandler(Handler):
    """Read subtitles in stretches of about a minute."""

    name = "subtitles"
    title = "Subtitles"
    extensions = (".srt", ".vtt", ".ass", ".ssa", ".sbv")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield what is said, a minute or so at a time."""
        if is_binary(source.data):
            raise UnreadableError("corrupt", f"{source.name} is not text")
        text = source.text(report)
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} is empty")
        from gatherum_formats.subtitles.cues import read_cues

        yield from read_cues(text, source.name, source.extension, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know WebVTT by its first word."""
        head = glimpse.head.removeprefix(b"\xef\xbb\xbf")
        return ".vtt" if head.startswith(_WEBVTT) else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [SubtitlesHandler()]
