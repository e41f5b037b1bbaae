"""What a daemon does unasked: gather what changes, look whether it is needed still, tell the service manager."""

from __future__ import annotations

import json
import logging
import threading
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread

from gatherum.daemon.freshness import Freshness
from gatherum.daemon.notify import notify, watchdog_seconds
from gatherum.server.apart import Apart
from gatherum.server.jobs import Jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum.daemon.unchanged import Unchanged
    from gatherum.server.jobs import Job
    from gatherum.shelf import Shelf

log = logging.getLogger("gatherum")

LOOK_SECONDS: Final = 3.0
"""How often the shelf and its settings are looked at."""

_NUMBERS: Final = ("added", "changed", "moved", "removed", "failed", "embedded")


class Upkeep:
    """Keeps one shelf.

    Args:
        shelf: The shelf.
        unchanged: Tells whether the shelf and its settings are what they were.
    """

    def __init__(self, shelf: Shelf, unchanged: Unchanged) -> None:
        self.jobs = Jobs(Apart(shelf.place))
        self._unchanged = unchanged
        self._fresh = Freshness(shelf, self.jobs)
        self.jobs.on_done(self._ran)

    @property
    def watching(self) -> str:
        """How changed files are learnt of: ``events``, ``polling`` or ``off``."""
        return self._fresh.watching

    async def run(self, end: Callable[[], None]) -> None:
        """Work until cancelled; *end* is called when there is a reason to."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._fresh.run)
            group.start_soon(self._look, end)

    async def close(self) -> None:
        """Let the index run that is going on come to a consistent state; none begins any more."""
        closing = threading.Thread(target=self.jobs.close, name="gatherum-close", daemon=True)
        closing.start()
        while closing.is_alive():
            await anyio.sleep(0.02)

    async def _look(self, end: Callable[[], None]) -> None:
        watchdog = watchdog_seconds()
        while True:
            await anyio.sleep(min(LOOK_SECONDS, watchdog / 3 if watchdog else LOOK_SECONDS))
            notify("WATCHDOG=1")
            if reason := await anyio.to_thread.run_sync(self._unchanged.reason):
                log.info("%s", reason)
                end()

    def _ran(self, job: Job) -> None:
        self._fresh.finished(busy=job.report is not None and job.report.state == "busy")
        log.info("index run: %s", json.dumps(summary(job)))


def summary(job: Job) -> dict[str, Any]:
    """Return what the log says of an index run."""
    report = job.report
    if report is None:
        return {"state": job.state, "error": job.error}
    numbers = {name: getattr(report, name) for name in _NUMBERS}
    return {"state": report.state, **{name: each for name, each in numbers.items() if each}, "seconds": report.seconds}
