"""Paths that lead into archives: ``reports.zip!/2024/notes.docx``."""

from __future__ import annotations

from typing import Final

SEPARATOR: Final = "!/"
_ENDINGS: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")
_BOOKS: Final = (".fb2.zip",)


def is_archive(path: str) -> bool:
    """Whether a file of this name holds other files; books that happen to be zipped are documents."""
    name = path.lower()
    return name.endswith(_ENDINGS) and not name.endswith(_BOOKS)


def outermost(path: str) -> tuple[str, str]:
    """Part a path at the first archive on the way; the second half is "" for a path that leads into none."""
    at = path.find(SEPARATOR)
    while at >= 0:
        if is_archive(path[:at]):
            return path[:at], path[at + len(SEPARATOR) :]
        at = path.find(SEPARATOR, at + 1)
    return path, ""


def innermost(path: str) -> tuple[str, str]:
    """Part a path at the last archive on the way: what holds the member, and what the member is called in it."""
    at = path.rfind(SEPARATOR)
    while at >= 0:
        if is_archive(path[:at]):
            return path[:at], path[at + len(SEPARATOR) :]
        at = path.rfind(SEPARATOR, 0, at)
    return path, ""


def on_disk(path: str) -> str:
    """Return the file that a path leads to or into."""
    return outermost(path)[0]
