"""Whether a daemon's shelf and settings are still those that it was started with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum.errors import GatherumError
from gatherum.place import find_place

if TYPE_CHECKING:
    from pathlib import Path

    from gatherum.place import Place


class Unchanged:
    """Remembers a shelf as it is now.

    Args:
        place: The shelf.
        start: The folder from which its settings are looked for.
        config: The settings file that was named, if any.
    """

    def __init__(self, place: Place, *, start: Path, config: Path | None) -> None:
        self._place = place
        self._start = start
        self._config = config
        self._identity = self._look()

    def reason(self) -> str:
        """Return what has changed; empty when nothing has."""
        try:
            if self._look() != self._identity:
                return "the shelf is another one now"
        except OSError:
            return "the shelf is no longer there"
        try:
            now = find_place(self._start, shelf=self._place.folder, config=self._config)
        except GatherumError:
            return ""  # half-written perhaps; whoever starts next is told
        return "the settings have changed" if now.settings != self._place.settings else ""

    def _look(self) -> tuple[int, int]:
        status = (self._place.folder / "db").stat()
        return status.st_dev, status.st_ino
