"""The archives that were opened last: their members are mostly read one after another."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from gatherum.archives.tarred import Tarred
from gatherum.errors import UnreadableError
from gatherum.handler import Report, Source
from gatherum.limits.budget import Limits
from gatherum.nesting import innermost, on_disk

if TYPE_CHECKING:
    from gatherum.archives.zipped import Zipped

_KEPT: Final = 4
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_PACKAGES: Final = ("[Content_Types].xml", "mimetype", "META-INF/container.xml")

_Key = tuple[str, int, int, int]


class Archives:
    """Opens archives, also those in archives, and keeps a few of them open.

    Args:
        limits: What may be read of each.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._open: OrderedDict[_Key, Zipped | Tarred] = OrderedDict()
        self._lock = threading.RLock()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close them all; they are opened again when needed."""
        while self._open:
            self._open.popitem()[1].close()

    def open(self, path: str) -> Zipped | Tarred:
        """Return an archive on the disk or in another; it is valid until some others were asked for.

        Raises:
            UnreadableError: It is none, damaged, or built to do harm.
            OSError: It cannot be read.
        """
        with self._lock:
            status = os.stat(on_disk(path))  # noqa: PTH116 - no object per member
            key = (path, status.st_size, status.st_mtime_ns, status.st_ino)
            found = self._open.get(key) or self._opened(path)
            self._open[key] = found
            self._open.move_to_end(key)
            while len(self._open) > _KEPT or (len(self._open) > 1 and self._weight > self._limits.archive_bytes):
                self._open.popitem(last=False)[1].close()
            return found

    @property
    def _weight(self) -> int:
        return sum(container.weight for container in self._open.values())

    def _opened(self, path: str) -> Zipped | Tarred:
        outer, name = innermost(path)
        data = self._bytes(outer, name, Report()) if name else None
        source = Source(path, data, limits=self._limits)
        try:
            head = source.head(4)
            if not head:
                raise UnreadableError("empty", f"{source.name} is empty")
            if head not in _ZIP:
                return Tarred(source)
            from gatherum.archives.zipped import Zipped

            return Zipped(source)
        except BaseException:
            source.close()
            raise

    def read(self, path: str, report: Report) -> bytes:
        """Return the content of a member, with what is wrong about it told to *report*.

        Raises:
            UnreadableError: There is no such member, or nothing of it can be had.
            OSError: The archive cannot be read.
        """
        with self._lock:
            return self._bytes(*innermost(path), report)

    def _bytes(self, archive: str, name: str, report: Report) -> bytes:
        told = Report()
        data = self.open(archive).read(name, told)
        if data is None:
            problem = told.problems[0]
            code = "vanished" if problem.code == "missing_part" else problem.code
            raise UnreadableError(code if code != "partial" else "corrupt", problem.message)
        for problem in told.problems:
            report.problem(problem.code, problem.message)
        return data

    def digest(self, path: str) -> str:
        """Return the BLAKE2b hash of a member's content; "" if it cannot be read."""
        try:
            return hashlib.blake2b(self.read(path, Report()), digest_size=16).hexdigest()
        except (UnreadableError, OSError, MemoryError):
            return ""


def is_package(container: Zipped | Tarred) -> bool:
    """Whether an archive is really one document, whatever its name says."""
    names = {member.name for member in container.members[:50]}
    return any(name in names for name in _PACKAGES)
