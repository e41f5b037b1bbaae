"""Learn that files have changed: a hint, never the truth, which only a look at all files tells."""

from __future__ import annotations

import logging
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from gatherum.config import FILE, SHELF
from gatherum.walk import GENERATED, LOCKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from watchfiles import Change

log = logging.getLogger("gatherum")

Mode = Literal["events", "polling"]

QUIET_MS: Final = 400
"""Changes are told of when there were no others for so long."""

LONGEST_MS: Final = 5000
"""They are told of after this time in any case."""

_TEMPORARY: Final = (".tmp", ".swp", ".swx", ".part", ".crdownload", "~")
_NAMES: Final = frozenset({"4913", ".DS_Store", "Thumbs.db"})  # the first is what vim tries out a folder with
_RULES: Final = frozenset({".gitignore", ".gatherumignore"})
_SILENT: Final = frozenset(
    {"9p", "afs", "ceph", "cifs", "drvfs", "nfs", "nfs4", "smb3", "smbfs", "fuse.sshfs", "fuse.rclone", "virtiofs"}
)


class Watcher:
    """Sets `hinted` when something in the folders may have changed.

    Args:
        roots: The folders.
        own: A folder whose changes are no news: the shelf.
        hidden: Whether files whose name starts with a dot matter.
    """

    def __init__(self, roots: Sequence[Path], *, own: Path, hidden: bool = False) -> None:
        self.roots = tuple(roots)
        self.hinted = threading.Event()
        self.mode: Mode = "events"
        self._own = os.path.realpath(own)
        self._hidden = hidden
        self._real = sorted({os.path.realpath(root) for root in roots}, key=len, reverse=True)
        self._stop = threading.Event()
        if silent := next((root for root in self._real if _is_silent(root)), None):
            self._poll(f"the file system of {silent} tells of no changes")
            return
        self._thread = threading.Thread(target=self._watch, name="gatherum-watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Watch no more."""
        self._stop.set()

    def _poll(self, why: str) -> None:
        self.mode = "polling"
        log.warning("files are looked at now and then, for %s", why)

    def _watch(self) -> None:
        from watchfiles import watch

        there = [root for root in self._real if Path(root).is_dir()]
        if len(there) < len(self._real):
            self._poll("a folder is not there")
        if not there:
            return
        try:
            for _ in watch(
                *there,
                watch_filter=self._matters,
                debounce=LONGEST_MS,
                step=QUIET_MS,
                stop_event=self._stop,
                raise_interrupt=False,
                ignore_permission_denied=True,
                force_polling=False,
            ):
                self.hinted.set()
        except OSError as error:
            self._poll(error.strerror or str(error).splitlines()[0])
        except Exception as error:  # noqa: BLE001 - whatever the watcher ran into, polling goes on
            self._poll(f"watching failed ({type(error).__name__})")

    def _matters(self, change: Change, path: str) -> bool:
        if path == self._own or path.startswith(self._own + os.sep):
            return False
        root = next((root for root in self._real if path == root or path.startswith(root + os.sep)), "")
        parts = Path(path[len(root) :].lstrip(os.sep)).parts if root else Path(path).parts
        return not any(self._is_noise(part) for part in parts)

    def _is_noise(self, name: str) -> bool:
        if name in _RULES or name == FILE:
            return False
        if name == SHELF or name in GENERATED or name in _NAMES or name.startswith(LOCKS) or name.endswith(_TEMPORARY):
            return True
        return name.startswith(".") and not self._hidden


def _is_silent(folder: str) -> bool:
    """Tell whether a folder is on a file system that tells nothing of changes made elsewhere."""
    if sys.platform != "linux":
        return False
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    kind, longest = "", -1
    for line in lines:
        _, point, type_, *_ = line.split(" ")
        point = point.replace("\\040", " ")
        within = folder == point or folder.startswith(point.rstrip("/") + "/")
        if within and len(point) >= longest:
            kind, longest = type_, len(point)
    return kind in _SILENT
