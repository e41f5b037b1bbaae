"""All files of an archive, those of the archives in it included."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatherum.archives.opened import is_package
from gatherum.errors import UnreadableError
from gatherum.nesting import SEPARATOR, is_archive
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatherum.archives.opened import Archives
    from gatherum.limits.budget import Limits
    from gatherum.problems import Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A file in an archive, or an archive that something is wrong with.

    Attributes:
        path: Where it is: ``archive.zip!/folder/file.txt``.
        size: In bytes, unpacked.
        code: Why it cannot be read; None if nothing speaks against it.
        message: One sentence about that.
        link: Whether it is no file but points to another.
    """

    path: str
    size: int = 0
    code: Code | None = None
    message: str = ""
    link: bool = False


def listing(
    archives: Archives, full: str, path: str, limits: Limits, enter: Callable[[str], bool]
) -> Iterator[Listed] | None:
    """Return what is in an archive; None if it is no archive but a document.

    Args:
        archives: Opens it.
        full: Where it is on the disk.
        path: What it is called, relative to its collection.
        limits: How much all its members may have together, and how deep archives may lie in it.
        enter: Says whether an archive in it is looked into; one that is not is listed.

    Raises:
        UnreadableError: It cannot be opened.
        OSError: It cannot be read.
    """
    if is_package(archives.open(full)):
        return None
    return _Listing(archives, limits, enter).run(full, path, 1)


class _Listing:
    def __init__(self, archives: Archives, limits: Limits, enter: Callable[[str], bool]) -> None:
        self._archives = archives
        self._limits = limits
        self._enter = enter
        self._left = limits.archive_bytes
        self._count = limits.archive_entries

    def run(self, full: str, path: str, depth: int) -> Iterator[Listed]:
        container = self._archives.open(full)
        members, faults = container.members, container.problems
        for problem in faults:
            yield Listed(path=path, code=problem.code, message=problem.message)
        for member in members:
            self._count -= 1
            if self._count < 0:
                message = f"the archives in it have more than {self._limits.archive_entries} parts together"
                yield Listed(path=path, code="too_large", message=message)
                return
            name = clean(member.name).replace("\n", " ").replace("\r", " ")
            inner = f"{path}{SEPARATOR}{_tamed(name)}"
            if _leads_out(member.name):
                yield Listed(path=inner, code="outside", message="its name leads out of the archive")
            elif name != member.name:
                yield Listed(path=inner, code="unnameable", message="its name holds control characters")
            elif member.code or member.link:
                yield Listed(path=inner, size=member.size, code=member.code, message=member.message, link=member.link)
            elif member.size > min(self._left, self._limits.member_bytes):
                yield Listed(path=inner, code="too_large", message=self._too_much(member.size))
            elif not is_archive(name):
                self._left -= member.size
                yield Listed(path=inner, size=member.size)
            elif not self._enter(inner):
                continue
            elif depth >= self._limits.children:
                message = f"it lies more than {self._limits.children} archives deep"
                yield Listed(path=inner, code="too_deep", message=message)
            else:
                self._left -= member.size
                yield from self._nested(f"{full}{SEPARATOR}{name}", inner, member.size, depth + 1)

    def _nested(self, full: str, path: str, size: int, depth: int) -> Iterator[Listed]:
        try:
            if is_package(self._archives.open(full)):
                yield Listed(path=path, size=size)
                return
        except UnreadableError as error:
            yield Listed(path=path, code=error.code, message=error.message)
            return
        yield from self.run(full, path, depth)

    def _too_much(self, size: int) -> str:
        if size > self._limits.member_bytes:
            return f"it unpacks to more than {self._limits.member_bytes >> 20} MiB"
        return f"the archive unpacks to more than {self._limits.archive_bytes >> 20} MiB"


def _leads_out(name: str) -> bool:
    return name in ("", ".", "..") or name.startswith("../") or name[1:3] == ":/"


def _tamed(name: str) -> str:
    """Return a name that can only mean something in the archive."""
    return "/".join(part for part in posixpath.normpath(name).split("/") if part not in ("", ".", "..")) or "unnamed"
