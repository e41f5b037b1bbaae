"""What can be asked of a daemon beside MCP: one method a function."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gatherum import __version__
from gatherum.daemon.readiness import readiness
from gatherum.jsonable import jsonable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum.daemon.upkeep import Upkeep
    from gatherum.shelf import Shelf


@dataclass(frozen=True, kw_only=True)
class Session:
    """What methods may use. They run in threads.

    Attributes:
        shelf: The shelf.
        upkeep: What the daemon does unasked.
        log: The log file.
        started: When the daemon started, by the monotonic clock.
        connections: Returns how many clients of MCP there are.
        stop: Ends the daemon once what is being asked is answered.
    """

    shelf: Shelf
    upkeep: Upkeep
    log: str
    started: float
    connections: Callable[[], int]
    stop: Callable[[], None]


def status(session: Session, params: Mapping[str, Any]) -> dict[str, Any]:
    """Tell who runs and how it is."""
    job = session.upkeep.jobs.last
    return {
        "version": __version__,
        "pid": os.getpid(),
        "shelf": str(session.shelf.place.folder),
        "connections": session.connections(),
        "seconds": round(time.monotonic() - session.started),
        "memory_bytes": _memory(),
        "log": session.log,
        "job": None if job is None else {"state": job.state, "progress": jsonable(job.progress)},
        "readiness": jsonable(readiness(session.shelf, jobs=session.upkeep.jobs, watching=session.upkeep.watching)),
    }


def stop(session: Session, params: Mapping[str, Any]) -> dict[str, Any]:
    """End the daemon; editors that are connected start another with their next request."""
    session.stop()
    return {"pid": os.getpid()}


def index(session: Session, params: Mapping[str, Any]) -> dict[str, Any]:
    """Bring the shelf up to date; the answer does not wait for it."""
    return {"job": session.upkeep.jobs.start().id}


def prompt_hook(session: Session, params: Mapping[str, Any]) -> dict[str, Any]:
    """Answer an editor's hook that runs when a prompt is sent."""
    from gatherum.context import service

    return service.prompt_hook(session.shelf, params)


def context(session: Session, params: Mapping[str, Any]) -> dict[str, Any]:
    """Answer an editor's hook that runs before a tool is used."""
    from gatherum.context import service

    return service.context_hook(session.shelf, params)


METHODS: Final[Mapping[str, Callable[[Session, Mapping[str, Any]], Any]]] = {
    "status": status,
    "stop": stop,
    "index": index,
    "prompt_hook": prompt_hook,
    "context": context,
}
"""Every method by its name on the wire."""


def _memory() -> int:
    """Return the resident memory in bytes; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0
