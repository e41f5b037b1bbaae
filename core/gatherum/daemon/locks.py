"""Locks that the system lets go of when their holder ends, however it ends. Standard library only."""

from __future__ import annotations

import os
import sys
import time
from typing import Final

_STEP: Final = 0.02


def lock(path: str, *, seconds: float) -> int | None:
    """Lock a file, which is made if it is not there; return its descriptor, or None when others hold it for so long.

    Closing the descriptor, or ending the process, lets it go. The file stays: were it deleted, two could hold it.

    Args:
        path: The file.
        seconds: How long to wait.
    """
    end = time.monotonic() + seconds
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    while not _take(descriptor):
        if time.monotonic() >= end:
            os.close(descriptor)
            return None
        time.sleep(_STEP)
    return descriptor


def _take(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # a byte beyond the text, which others may then read
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
