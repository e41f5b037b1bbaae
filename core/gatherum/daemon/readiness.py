"""Whether a shelf can answer, told by asking it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatherum.errors import GatherumError

if TYPE_CHECKING:
    from gatherum.server.jobs import Jobs
    from gatherum.shelf import Shelf


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Whether a shelf can answer.

    Attributes:
        ready: Whether a row can be read and the keyword index asked.
        trouble: What keeps it from that; empty when nothing does.
        version: The version of its table; it grows with each commit.
        watching: How changed files are learnt of: ``events``, ``polling`` or ``off``.
        queue: How many index runs are going on or waiting.
    """

    ready: bool
    trouble: str
    version: int
    watching: str
    queue: int


def readiness(shelf: Shelf, *, jobs: Jobs | None = None, watching: str = "off") -> Readiness:
    """Look at a shelf as a search would.

    Args:
        shelf: The shelf.
        jobs: Its index runs, where there are any.
        watching: How changed files are learnt of.
    """
    trouble, version = "", 0
    try:
        version = shelf.check()
    except GatherumError as error:
        trouble = error.message
    except Exception as error:  # noqa: BLE001 - whatever it is, the shelf cannot answer
        trouble = f"the shelf cannot be looked at ({type(error).__name__})"
    queue = 0 if jobs is None else len({jobs.current, jobs.last} - {None})
    return Readiness(ready=not trouble, trouble=trouble, version=version, watching=watching, queue=queue)
