"""Word and PowerPoint files in the binary formats of before 2007.

They are read by office-oxide where it is installed (the extra ``legacy``); elsewhere they are named, with what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from gatherum import Glimpse, Handler, Section, UnreadableError, hookimpl
from gatherum.text import is_binary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Source

_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WORD: Final = "WordDocument".encode("utf-16-le")
_SLIDES: Final = "PowerPoint Document".encode("utf-16-le")
_PACKAGE: Final = "EncryptedPackage".encode("utf-16-le")
_SUMMARY: Final = "EncryptedSummary".encode("utf-16-le")
_LOCKED_USER: Final = b"\xdf\xc4\xd1\xf3"
"""What a presentation's first record says when the rest is encrypted."""
_WORD_HEADS: Final = (b"\xec\xa5", b"\xdc\xa5")
_SECTOR: Final = 512


class LegacyHandler(Handler):
    """Read documents and presentations in the old binary formats."""

    name = "legacy"
    title = "Word and PowerPoint 97–2003"
    extensions = (".doc", ".dot", ".ppt", ".pps", ".pot")

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of *source*.

        Raises:
            UnreadableError: It is empty, protected by a password, damaged, older than its reader knows, or there is no
                reader.
        """
        data = source.data
        if not data.strip(b"\0 \t\r\n"):
            raise UnreadableError("empty", f"{source.name} is empty")
        if not data.startswith(_MAGIC):
            if is_binary(data):
                raise UnreadableError("legacy_format", f"{source.name} is in a format older than Office 97")
            yield from report.child(f"{source.path.stem}.txt", data)
            return
        kind = _kind(data, source.extension)
        if kind is None:
            raise UnreadableError("corrupt", f"{source.name} holds neither a document nor slides")
        if _is_locked(data, kind):
            raise UnreadableError("password_protected", f"{source.name} is protected by a password")
        from gatherum_formats.legacy.content import content, sections

        yield from sections(content(data, kind, source.name), kind, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a file whose list of streams stands near its beginning; others are known by their names."""
        if not glimpse.head.startswith(_MAGIC) or _PACKAGE in glimpse.head:
            return None
        return ".doc" if _WORD in glimpse.head else ".ppt" if _SLIDES in glimpse.head else None


def _kind(data: bytes, extension: str) -> Literal["doc", "ppt"] | None:
    """Return "doc" or "ppt", whichever the streams say; the extension decides where both are there."""
    has_text, has_slides = _WORD in data or _PACKAGE in data, _SLIDES in data
    if has_text and has_slides:
        return "ppt" if extension in (".ppt", ".pps", ".pot") else "doc"
    return "doc" if has_text else "ppt" if has_slides else None


def _is_locked(data: bytes, kind: str) -> bool:
    if _PACKAGE in data:
        return True
    if kind == "ppt":
        return _SUMMARY in data or _LOCKED_USER in data
    for at in range(_SECTOR, len(data), _SECTOR):
        if data[at : at + 2] in _WORD_HEADS and data[at + 2 : at + 4] != b"\0\0":
            return bool(data[at + 11] & 1) if at + 11 < len(data) else False
    return False


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler of the old formats."""
    return [LegacyHandler()]
