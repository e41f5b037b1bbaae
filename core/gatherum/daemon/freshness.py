"""Keep a shelf as its folders are: index runs at start, when files change, and every few minutes."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread

from gatherum.context.relevance import warm
from gatherum.errors import GatherumError
from gatherum.watch import Watcher

if TYPE_CHECKING:
    from gatherum.server.jobs import Jobs
    from gatherum.shelf import Shelf

log = logging.getLogger("gatherum")

FIRST_SECONDS: Final = 1.0
"""The first run waits for so long, so that the first client's handshake has the processor."""

EVERY_SECONDS: Final = 300.0
"""The longest time between two runs: what no event told of is found then."""

POLLING_SECONDS: Final = 15.0
"""The same, where there are no events."""

_SHARE: Final = 5
_BUSY_SECONDS: Final = 2.0
_STEP: Final = 0.1


class Freshness:
    """Starts index runs. What changed is a hint only: each run compares all files, by their stat values, as any other.

    A run is followed by a pause of five times its length, so that a large folder with a busy user does not keep the
    processor for itself.

    Args:
        shelf: The shelf.
        jobs: Its index runs.
    """

    def __init__(self, shelf: Shelf, jobs: Jobs) -> None:
        self._shelf = shelf
        self._jobs = jobs
        self._watcher: Watcher | None = None
        self._begun = 0.0
        self._running = False
        self._next = float("-inf")

    @property
    def watching(self) -> str:
        """How changed files are learnt of: ``events``, ``polling`` or ``off``."""
        return "off" if self._watcher is None else self._watcher.mode

    def finished(self, *, busy: bool = False) -> None:
        """Take note that a run has ended.

        Args:
            busy: Whether it did nothing because another process was writing, so that another run must follow.
        """
        now = time.monotonic()
        if self._running:
            self._next = now + max(_BUSY_SECONDS if busy else 0.0, _SHARE * (now - self._begun))
        self._running = False
        if busy and self._watcher is not None:
            self._watcher.hinted.set()

    async def run(self) -> None:
        """Start runs until cancelled."""
        await anyio.sleep(FIRST_SECONDS)
        await anyio.to_thread.run_sync(self._warm, abandon_on_cancel=True)
        if self._shelf.settings.server.watch:
            self._watch()
        self._start()
        try:
            while self._watcher is not None:
                await anyio.sleep(_STEP)
                self._step()
        finally:
            if self._watcher is not None:
                self._watcher.close()

    def _warm(self) -> None:
        """Search once, so that the first client's search, and the first prompt, find everything loaded."""
        try:
            self._shelf.warm()
            self._shelf.check()
            warm(self._shelf)
        except GatherumError as error:
            log.warning("%s", error.message)

    def _step(self) -> None:
        watcher, now = self._watcher, time.monotonic()
        if watcher is None or self._running or now < self._next:
            return
        longest = EVERY_SECONDS if watcher.mode == "events" else POLLING_SECONDS
        if watcher.hinted.is_set() or now - self._begun >= longest:
            watcher.hinted.clear()
            self._watch()
            self._start()

    def _start(self) -> None:
        self._running, self._begun = True, time.monotonic()
        with suppress(GatherumError):  # the daemon is ending
            self._jobs.start()

    def _watch(self) -> None:
        """Watch the folders that are gathered now."""
        roots = tuple(self._shelf.collections.values())
        if self._watcher is not None and self._watcher.roots == roots:
            return
        if self._watcher is not None:
            self._watcher.close()
        self._watcher = Watcher(roots, own=self._shelf.place.folder, hidden=self._shelf.settings.index.hidden)
