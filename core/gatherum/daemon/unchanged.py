"""Whether a daemon's shelf and settings are still those that it was started with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum.errors import GatherumError
from gatherum.place import find_place

if TYPE_CHECKING:
    from pathlib import Path

    from gatherum.config import Settings


class Unchanged:
    """Remembers a shelf as it is now.

    Args:
        folder: The shelf's folder.
        start: The folder from which its settings are looked for.
        config: The settings file that was named, if any.

    Raises:
        ConfigError: A setting is wrong.
        OSError: There is no shelf.
    """

    def __init__(self, folder: Path, *, start: Path, config: Path | None) -> None:
        self._folder = folder
        self._start = start
        self._config = config
        self._identity = self._look()
        self._settings = self._load()

    def reason(self) -> str:
        """Return what has changed; empty when nothing has."""
        try:
            if self._look() != self._identity:
                return "the shelf is another one now"
        except OSError:
            return "the shelf is no longer there"
        try:
            return "" if self._load() == self._settings else "the settings have changed"
        except GatherumError:
            return ""  # half-written perhaps; whoever starts next is told

    def _look(self) -> tuple[int, int]:
        status = (self._folder / "db").stat()
        return status.st_dev, status.st_ino

    def _load(self) -> Settings:
        return find_place(self._start, shelf=self._folder, config=self._config).settings
