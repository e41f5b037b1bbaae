"""A member of an archive as a source to read from."""

from __future__ import annotations

import io
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

from gatherum.handler import Report, Source

if TYPE_CHECKING:
    from gatherum.archives.opened import Archives
    from gatherum.limits.budget import Limits


class MemberSource(Source):
    """A member of an archive.

    Args:
        path: Where it is: ``/folder/archive.zip!/file.txt``.
        archives: Opens archives.
        limits: What may be read of it.
    """

    def __init__(self, path: str, archives: Archives, *, limits: Limits) -> None:
        super().__init__(path, limits=limits)
        self._member = path
        self._archives = archives

    @cached_property
    def data(self) -> bytes:
        """The whole content.

        Raises:
            UnreadableError: It cannot be had.
            OSError: The archive cannot be read.
        """
        report = Report()
        data = self._archives.read(self._member, report)
        self.faults = tuple(report.problems)
        return data

    @cached_property
    def file(self) -> BinaryIO:
        """The content as a file that can be sought in."""
        return io.BytesIO(self.data)

    def head(self, count: int = 4096) -> bytes:
        """Return the first *count* bytes."""
        return self.data[:count]
