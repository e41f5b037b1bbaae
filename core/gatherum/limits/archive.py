"""One guard for every format that is a zip archive."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from itertools import pairwise
from typing import TYPE_CHECKING

from gatherum.errors import UnreadableError
from gatherum.limits.markup import parse_xml

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from gatherum.handler import Report, Source

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_RATIO = 200
_RATIO_FROM = 10 << 20
_HEADER = 30
_USUAL = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_STEP = 64
"""Damaged streams are unpacked in steps: what a step has given is safe when the next one fails."""


class Archive:
    """A zip archive that cannot hurt: parts are unpacked on demand, within limits, and never onto the disk.

    Pictures, sound and other parts that nobody asks for are never unpacked.

    Args:
        source: The archive.
        report: Told of parts that are missing or damaged.

    Raises:
        UnreadableError: It is no archive, locked by a password, or built to do harm.
    """

    def __init__(self, source: Source, report: Report) -> None:
        self._source = source
        self.report = report
        self._limits = source.limits
        self._left = self._limits.archive_bytes
        head = source.head(len(_OLE))
        if head == _OLE:
            raise _ole(source.head(1 << 20), source.name)
        if not head:
            raise UnreadableError("empty", f"{source.name} is empty")
        try:
            self._zip = source.zipped
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError):
            kind = f"{source.extension} file" if source.extension else "such file"
            raise UnreadableError("corrupt", f"{source.name} is damaged, or no {kind}: it is no zip archive") from None
        self._infos = self._check(self._zip.infolist())
        self._folded = {name.casefold(): name for name in reversed(self._infos)}

    def _check(self, infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
        name = self._source.name
        if len(infos) > self._limits.archive_entries:
            raise UnreadableError("too_large", f"{name} has {len(infos)} parts, {self._limits.archive_entries} allowed")
        spans = sorted((info.header_offset, info.compress_size) for info in infos)
        if any(start + size > following for (start, size), (following, _) in pairwise(spans)):
            raise UnreadableError("corrupt", f"{name} has parts that overlap each other")
        infos = [info for info in infos if not info.filename.endswith("/")]
        if infos and all(info.flag_bits & 1 for info in infos):
            raise UnreadableError("password_protected", f"{name} is protected by a password")
        found: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            key = posixpath.normpath(info.filename.replace("\\", "/")).lstrip("/")
            if key in found:
                self.report.problem("partial", f"two parts are called {key}; the first was read")
            found.setdefault(key, info)
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The parts, in the archive's order; never absolute, with forward slashes."""
        return tuple(self._infos)

    def info(self, name: str) -> zipfile.ZipInfo:
        """Return what the archive says of a part; *name* is one of `names`."""
        return self._infos[name]

    def find(self, name: str) -> str | None:
        """Return the part of this name, another case of letters tolerated; None if there is none."""
        name = posixpath.normpath(name.replace("\\", "/")).lstrip("/")
        return name if name in self._infos else self._folded.get(name.casefold())

    def __contains__(self, name: str) -> bool:
        return self.find(name) is not None

    def read(self, name: str) -> bytes | None:
        """Return the content of a part; None, with a problem recorded, if it is missing, damaged or too large."""
        found = self.find(name)
        if found is None:
            self.report.problem("missing_part", f"the part {name} is not in the file")
            return None
        info = self._infos[found]
        if info.flag_bits & 1:
            self.report.problem("password_protected", f"the part {name} is protected by a password")
            return None
        limit = min(self._limits.member_bytes, self._left, max(_RATIO_FROM, info.compress_size * _RATIO))
        try:
            data = self._unpacked(info, limit + 1)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - each compression method fails in a way of its own
            self.report.problem("partial", f"the part {name} is damaged: {error}")
            return self._salvage(info, limit)
        if len(data) > limit:
            self.report.problem("too_large", f"the part {name} unpacks to more than {limit >> 20} MiB")
            return None
        self._left -= len(data)
        return data

    def _unpacked(self, info: zipfile.ZipInfo, limit: int) -> bytes:
        """Unpack a part, at most *limit* bytes of it; the usual methods at once, which takes a third of the time.

        Raises:
            Exception: It is damaged.
        """
        if info.compress_type not in _USUAL:
            with self._zip.open(info) as member:
                return member.read(limit)
        packed = self._packed(info)
        if packed is None:
            raise zipfile.BadZipFile("it does not begin where the archive says")
        data = packed[:limit]
        if info.compress_type == zipfile.ZIP_DEFLATED:
            stream = zlib.decompressobj(-zlib.MAX_WBITS)
            data = stream.decompress(packed, limit)
            if not stream.eof and len(data) < limit:
                raise zipfile.BadZipFile("it is cut short")
        if len(data) < limit and zlib.crc32(data) != info.CRC:
            raise zipfile.BadZipFile("its checksum does not fit")
        return data

    def _packed(self, info: zipfile.ZipInfo) -> bytes | None:
        """Return a part as it stands in the file; None if it is not where the archive says."""
        file = self._source.file
        if info.header_offset < 0:
            return None
        file.seek(info.header_offset)
        head = file.read(_HEADER)
        if len(head) < _HEADER:
            return None
        file.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), io.SEEK_CUR)
        return file.read(info.compress_size)

    def _salvage(self, info: zipfile.ZipInfo, limit: int) -> bytes | None:
        """Unpack what comes before the damage; a checksum that does not fit is no reason to throw text away."""
        packed = self._packed(info)
        if packed is None or info.compress_type not in _USUAL:
            return None
        data = packed[:limit] if info.compress_type == zipfile.ZIP_STORED else _inflate(packed, limit)
        self._left -= len(data)
        return data or None

    def xml(self, name: str) -> _Element | None:
        """Return the root of an XML part; None, with a problem recorded, if it cannot be had."""
        data = self.read(name)
        if data is None:
            return None
        return parse_xml(data, lambda message: self.report.problem("partial", f"the part {name}: {message}"))

    def slim(
        self, wanted: Callable[[str], bool], mended: Callable[[str, bytes], bytes] = lambda _, content: content
    ) -> io.BytesIO:
        """Return a clean copy for a library to open.

        Args:
            wanted: Whether a part has its content in the copy; others are there but empty.
            mended: What becomes of a part's content, given its name.
        """
        copy = io.BytesIO()
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as archive:
            for name in self._infos:
                content = mended(name, self.read(name) or b"") if wanted(name) else b""
                archive.writestr(zipfile.ZipInfo(name), content)
        copy.seek(0)
        return copy


def _inflate(packed: bytes, limit: int) -> bytes:
    """Return what can be had of a deflated stream, at most *limit* bytes."""
    stream, data = zlib.decompressobj(-zlib.MAX_WBITS), bytearray()
    for at in range(0, len(packed), _STEP):
        try:
            data += stream.decompress(packed[at : at + _STEP], limit - len(data) + 1)
        except zlib.error:
            break
        if stream.eof or len(data) > limit:
            break
    return bytes(data[:limit])


def _ole(data: bytes, name: str) -> UnreadableError:
    """Tell a password-protected Office file from one in the old binary format: both are OLE containers."""
    if "EncryptedPackage".encode("utf-16-le") in data[: 1 << 20]:
        return UnreadableError("password_protected", f"{name} is protected by a password")
    return UnreadableError("legacy_format", f"{name} is in the old binary Office format")
