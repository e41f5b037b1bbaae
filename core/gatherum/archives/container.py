"""What every kind of archive offers: its members, and the bytes of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatherum.handler import Report
    from gatherum.problems import Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A file in an archive.

    Attributes:
        name: Relative to the archive's root, with forward slashes; may try to lead out of it.
        size: In bytes, unpacked, as the archive has it.
        code: Why it cannot be read; None if nothing speaks against it.
        message: One sentence about that.
        link: Whether it is no file but points to another.
    """

    name: str
    size: int
    code: Code | None = None
    message: str = ""
    link: bool = False


class Container(Protocol):
    """An archive that was opened; closed by whoever opened it."""

    @property
    def members(self) -> Sequence[Member]:
        """Its files in the archive's order; folders are not listed."""

    def read(self, name: str, report: Report) -> bytes | None:
        """Return the content of a member; None, with a problem recorded, if there is nothing to be had."""

    def close(self) -> None:
        """Let go of the archive."""
