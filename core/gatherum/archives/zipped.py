"""Zip archives, behind the guard that also stands before zipped documents."""

from __future__ import annotations

import stat
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gatherum.archives.member import Member
from gatherum.handler import Report
from gatherum.limits.archive import Archive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatherum.handler import Source
    from gatherum.problems import Problem

_MODE: Final = 16
"""In bits: Unix archivers keep a file's mode in the upper half of its external attributes (APPNOTE 4.4.15)."""


class Zipped:
    """A zip archive.

    Args:
        source: The archive.

    Raises:
        UnreadableError: It is damaged, locked by a password, or built to do harm.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.weight = 0
        """How many bytes of memory it holds, unpacked."""
        self._report = Report()
        # members are counted by who lists them: each is a document of its own, with a document's limits
        source.limits = replace(source.limits, archive_bytes=1 << 62)
        self._archive = Archive(source, self._report)
        self.problems: list[Problem] = self._told()
        self.members: Sequence[Member] = [self._member(name) for name in self._archive.names]

    def _told(self) -> list[Problem]:
        """Return what the guard said since it was last asked."""
        told, self._report.problems = self._report.problems, []
        self._report = self._archive.report = Report()
        return told

    def _member(self, name: str) -> Member:
        info = self._archive.info(name)
        if info.flag_bits & 1:
            return Member(
                name=name, size=info.file_size, code="password_protected", message="it is protected by a password"
            )
        mode = info.external_attr >> _MODE
        return Member(name=name, size=info.file_size, link=stat.S_ISLNK(mode))

    def read(self, name: str, report: Report) -> bytes | None:
        """Return the content of a member; one that is longer than the archive says is refused."""
        data = self._archive.read(name)
        for problem in self._told():
            report.problem(problem.code, problem.message)
        if data is not None and len(data) > self._archive.info(name).file_size:
            report.problem("corrupt", f"the part {name} is longer than the archive says")
            return None
        return data

    def close(self) -> None:
        """Let go of the file."""
        self._source.close()
