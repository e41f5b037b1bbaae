"""Tar archives, packed or not: unpacked once, within limits, and read from there."""

from __future__ import annotations

import io
import posixpath
import tarfile
import zlib
from typing import IO, TYPE_CHECKING, Any, Final

from gatherum.archives.member import Member
from gatherum.errors import UnreadableError
from gatherum.problems import Problem
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatherum.handler import Report, Source

_STEP: Final = 1 << 20
_BROKEN: Final = (tarfile.TarError, OSError, EOFError, ValueError, OverflowError, zlib.error)


class Tarred:
    """A tar archive, on its own or packed by gzip, bzip2 or xz.

    Nothing is ever written under a member's name: links, devices and names that lead elsewhere have no effect.

    Args:
        source: The archive.

    Raises:
        UnreadableError: It is no tar archive, or too large.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.problems: list[Problem] = []
        self.weight = 0
        """How many bytes of memory it holds, unpacked."""
        self._file = self._unpacked()
        self._infos: dict[str, tarfile.TarInfo] = {}
        try:
            self._tar = tarfile.TarFile(fileobj=self._file)
            self._list()
        except UnreadableError:
            self.close()
            raise
        except _BROKEN as error:
            self.close()
            raise UnreadableError("corrupt", f"{source.name} is damaged, or no tar archive: {error}") from None
        self.members: Sequence[Member] = [_member(name, info) for name, info in self._infos.items()]

    def _unpacked(self) -> IO[bytes]:
        """Return the tar archive itself; what is cut short is kept up to there."""
        head = self._source.head(6)
        packed = self._source.file
        packed.seek(0)
        stream: Any
        if head.startswith(b"\x1f\x8b"):
            import gzip

            stream = gzip.GzipFile(fileobj=packed)
        elif head.startswith(b"BZh"):
            import bz2

            stream = bz2.BZ2File(packed)
        elif head == b"\xfd7zXZ\0":
            import lzma

            stream = lzma.LZMAFile(packed)  # noqa: SIM115 - reads from a file that the source closes
        else:
            return packed
        limit = self._source.limits.archive_bytes
        plain = io.BytesIO()  # not on the disk: workers may write next to nothing there
        try:
            for piece in iter(lambda: stream.read1(_STEP), b""):
                plain.write(piece)
                if plain.tell() > limit:
                    plain.close()
                    raise UnreadableError("too_large", f"{self._source.name} unpacks to more than {limit >> 20} MiB")
        except UnreadableError:
            raise
        except Exception as error:  # noqa: BLE001 - each method fails in a way of its own
            self.problems.append(Problem(code="partial", message=f"{self._source.name} is damaged: {error}"))
        self.weight = plain.tell()
        plain.seek(0)
        return plain

    def _list(self) -> None:
        """Note every member; of two with one name the later replaces the earlier, as it does when unpacked."""
        most = self._source.limits.archive_entries
        count = 0
        while True:
            try:
                info = self._tar.next()
            except _BROKEN as error:
                if not self._infos:
                    raise
                self.problems.append(Problem(code="partial", message=f"{self._source.name} is damaged: {error}"))
                return
            if info is None:
                break
            count += 1
            if count > most:
                raise UnreadableError("too_large", f"{self._source.name} has more than {most} parts")
            if info.isdir():
                continue
            name = posixpath.normpath(info.name.replace("\\", "/")).lstrip("/")
            self._infos.pop(name, None)
            self._infos[name] = info
        if not count and self._source.head(1):
            raise UnreadableError("corrupt", f"{self._source.name} is no tar archive, or holds nothing")

    def read(self, name: str, report: Report) -> bytes | None:
        """Return the content of a member."""
        info = self._infos.get(name)
        limit = self._source.limits.member_bytes
        if info is None:
            report.problem("missing_part", f"the part {name} is not in the file")
            return None
        if info.size > limit:
            report.problem("too_large", f"the part {name} unpacks to more than {limit >> 20} MiB")
            return None
        try:
            file = self._tar.extractfile(info) if info.isreg() else None
            data = file.read() if file is not None else None
        except _BROKEN as error:
            report.problem("partial", f"the part {name} is damaged: {error}")
            return None
        if data is None:
            report.problem("not_a_file", f"the part {name} is no ordinary file")
        elif len(data) < info.size:
            report.problem("partial", f"the part {name} is cut short")
        return data

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
        self._source.close()


def _member(name: str, info: tarfile.TarInfo) -> Member:
    try:
        name.encode()
    except UnicodeEncodeError:
        return Member(
            name=clean(name.encode("utf-8", "replace").decode()),
            size=info.size,
            code="unnameable",
            message="the name is not valid UTF-8",
        )
    if info.issym() or info.islnk():
        return Member(name=name, size=0, link=True)
    if not info.isreg():
        return Member(name=name, size=0, code="not_a_file", message="this is a device or pipe")
    return Member(name=name, size=info.size)
