"""The properties of an Outlook message in its compound file, [MS-OXMSG] section 2."""

from __future__ import annotations

import datetime as dt
import io
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from gatherum import UnreadableError
from gatherum.text import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIXED: Final = "__properties_version1.0"
_STREAM: Final = "__substg1.0_"
_ENTRY: Final = 16
_NAMED: Final = 0x8000
_MOST: Final = 100
_TEXT: Final = 0x001F
_BYTES_TEXT: Final = 0x001E
_TEXTS: Final = 0x101F
_BINARY: Final = 0x0102
_INTEGER: Final = 0x0003
_TIME: Final = 0x0040
_EPOCH: Final = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
_UTF8: Final = 65001
_CODE_PAGE: Final = 0x3FFD
_INTERNET_CODE_PAGE: Final = 0x3FDE
_LANGUAGES: Final = {0x19: 1251, 0x08: 1253, 0x1F: 1254, 0x0D: 1255, 0x01: 1256, 0x11: 932, 0x12: 949, 0x05: 1250}
"""Primary language (the lower ten bits of a locale) to its Windows code page."""
_LOCALE: Final = 0x3FF1


class Properties:
    """The properties of one storage: a message, a recipient or an attachment.

    Args:
        file: The compound file.
        path: The storage; empty for the message itself.
        header: What stands before the list of fixed properties, in bytes: 32 for the message, 24 for one in it, 8 for
            recipients and attachments.
        parent: The message that it belongs to, which says the code page.
    """

    def __init__(self, file: Any, path: tuple[str, ...], header: int, parent: Properties | None = None) -> None:
        self._file = file
        self.path = path
        self._fixed: dict[tuple[int, int], bytes] = {}
        data = self._stream(_FIXED) or b""
        for at in range(header, len(data) - _ENTRY + 1, _ENTRY):
            kind, name = int.from_bytes(data[at : at + 2], "little"), int.from_bytes(data[at + 2 : at + 4], "little")
            self._fixed[name, kind] = data[at + 8 : at + _ENTRY]
        self._charset: str | None = parent._charset if parent else self._code_page()

    def _code_page(self) -> str | None:
        number = self.number(_CODE_PAGE) or self.number(_INTERNET_CODE_PAGE)
        if not number and (locale := self.number(_LOCALE)):
            number = _LANGUAGES.get(locale & 0x3FF, 0)
        return "utf-8" if number == _UTF8 else f"cp{number}" if number else None

    def _stream(self, name: str) -> bytes | None:
        path = [*self.path, name]
        try:
            if not self._file.exists(path) or self._file.get_size(path) > self._file.fp.getbuffer().nbytes:
                return None  # a size beyond the file's comes with a chain of sectors that runs in a circle
            data: bytes = self._file.openstream(path).read()
        except (OSError, ValueError, TypeError, IndexError, AttributeError):
            return None
        return data

    def text(self, name: int) -> str:
        """Return a property as text; "" if there is none."""
        data = self._stream(f"{_STREAM}{name:04X}{_TEXT:04X}")
        if data is not None:
            return data.decode("utf-16-le", errors="replace").rstrip("\0")
        data = self._stream(f"{_STREAM}{name:04X}{_BYTES_TEXT:04X}")
        return decode(data.rstrip(b"\0"), declared=self._charset).text if data else ""

    def binary(self, name: int) -> bytes:
        """Return a property as bytes; empty if there is none."""
        return self._stream(f"{_STREAM}{name:04X}{_BINARY:04X}") or b""

    def number(self, name: int) -> int:
        """Return a property as a number; 0 if there is none."""
        return int.from_bytes(self._fixed.get((name, _INTEGER), b"")[:4], "little")

    def time(self, name: int) -> dt.datetime | None:
        """Return a moment, if there is one: stored as tenths of a microsecond since 1601."""
        value = int.from_bytes(self._fixed.get((name, _TIME), b""), "little")
        try:
            return _EPOCH + dt.timedelta(microseconds=value // 10) if value else None
        except OverflowError:
            return None

    def keywords(self) -> list[str]:
        """Return the categories: a property that has a name instead of a fixed number, [MS-OXMSG] section 2.2.3."""
        names = Properties(self._file, ("__nameid_version1.0",), 0, self)
        entries, strings = names.binary(0x0003), names.binary(0x0004)
        for at in range(0, len(entries) - 7, 8):
            start = int.from_bytes(entries[at : at + 4], "little")
            if not entries[at + 4] & 1 or start + 4 > len(strings):
                continue
            length = int.from_bytes(strings[start : start + 4], "little")
            if strings[start + 4 : start + 4 + length].decode("utf-16-le", errors="replace") == "Keywords":
                number = _NAMED + int.from_bytes(entries[at + 6 : at + 8], "little")
                found = (self._several(f"{_STREAM}{number:04X}{_TEXTS:04X}-{index:08X}") for index in range(_MOST))
                return [text for text in takewhile(lambda text: text is not None, found) if text]
        return []

    def _several(self, stream: str) -> str | None:
        data = self._stream(stream)
        return None if data is None else data.decode("utf-16-le", errors="replace").rstrip("\0")

    def inner(self, prefix: str) -> Iterator[Properties]:
        """Return the recipients or attachments, in their order."""
        depth = len(self.path)
        names = {
            entry[depth]
            for entry in self._file.listdir(streams=False, storages=True)
            if len(entry) > depth and tuple(entry[:depth]) == self.path and entry[depth].startswith(prefix)
        }
        for name in sorted(names):
            yield Properties(self._file, (*self.path, name), 8, self)

    def message(self, name: str) -> Properties | None:
        """Return a message in a storage of this one; None if there is none."""
        path = (*self.path, name)
        return Properties(self._file, path, 24) if self._file.exists([*path, _FIXED]) else None


def open_message(data: bytes, name: str) -> Properties:
    """Return the properties of a message.

    Raises:
        UnreadableError: It is damaged, or no message.
    """
    import olefile

    try:
        file = olefile.OleFileIO(io.BytesIO(data))
        properties = Properties(file, (), 32)
        is_message = file.exists(_FIXED)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - damage shows in many ways
        raise UnreadableError("corrupt", f"{name} is damaged: {error}") from None
    if not is_message:
        raise UnreadableError("corrupt", f"{name} is no Outlook message")
    return properties
