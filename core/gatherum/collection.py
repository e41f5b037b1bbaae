"""A named folder that a shelf gathers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatherum.nesting import is_archive

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A folder to gather.

    Attributes:
        name: Its name.
        root: The folder.
        below: Only this file or folder in it, relative to the root; "" for all.
    """

    name: str
    root: Path
    below: str = ""

    def full(self, path: str) -> str:
        """Return the whole path of a file of this collection."""
        return os.path.join(self.root, path)  # noqa: PTH118 - no object per file


def qualified(collection: str, path: str) -> str:
    """Return a path as people see it: after the name of its collection, where there are several."""
    return f"{collection}/{path}" if collection else path


def holds(folder: str, path: str) -> bool:
    """Whether *path* is *folder*, an archive perhaps, or lies in it; "" is the root, which holds everything."""
    if not folder or path == folder or path.startswith(f"{folder}/"):
        return True
    return path.startswith(f"{folder}!/") and is_archive(folder)
