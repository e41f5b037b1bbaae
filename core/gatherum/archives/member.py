"""A file in an archive, of whatever kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
