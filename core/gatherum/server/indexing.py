"""The tool that brings the shelf up to date: the only one that writes, and only to the shelf."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import mcp.types as wire

from gatherum.errors import GatherumError, ShelfError
from gatherum.server.answers import IndexAnswer
from gatherum.server.arguments import IndexArguments
from gatherum.server.toolbox import Context, Tool, described_by
from gatherum.server.visible import one_line

if TYPE_CHECKING:
    from gatherum.results import Progress
    from gatherum.server.jobs import Job, Jobs
    from gatherum.shelf import Shelf

_TICK: Final = 0.1
"""Seconds between two looks at a run; progress is told no more often."""

_STAGES: Final = ("scan", "read", "embed", "optimize")


class Indexing:
    """Begins index runs and waits for them.

    Args:
        shelf: The shelf.
        jobs: Its runs.
    """

    def __init__(self, shelf: Shelf, jobs: Jobs) -> None:
        self._shelf = shelf
        self._jobs = jobs

    def tool(self) -> Tool:
        """Return the tool."""
        return Tool(
            name="index",
            title="Update the index",
            description=described_by(self.index),
            takes=IndexArguments,
            gives=IndexAnswer,
            call=self.index,
            annotations=wire.ToolAnnotations(
                read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
            ),
        )

    async def index(self, context: Context, arguments: IndexArguments) -> IndexAnswer:
        """Bring the index up to date with the user's files, after they have changed.

        Reads only files in folders that are gathered already, and only those that are new or changed. A run that
        takes longer than wait_s goes on; call again to see how far it is.
        """
        path = arguments.path.strip()
        paths = (await anyio.to_thread.run_sync(located, self._shelf, path),) if path else ()
        job = self._jobs.start(paths)
        try:
            await _wait(context, job, arguments.wait_s)
        except anyio.get_cancelled_exc_class():
            if job.asked == 1:
                job.cancel()
            raise
        if job.state == "failed":
            raise ShelfError(job.error or "indexing failed")
        return _answer(job, self._jobs.current)


def located(shelf: Shelf, path: str) -> Path:
    """Return the file or folder that an argument means.

    Args:
        shelf: The shelf.
        path: Absolute, relative to a gathered folder, or that after the name of its collection.

    Raises:
        GatherumError: It is not gathered, or not there.
    """
    shown = one_line(path)
    refused = GatherumError(
        f"{shown!r} is outside the gathered folders", hint="Only the user can add folders: `gatherum index FOLDER`."
    )
    if "\0" in path:
        raise refused
    roots = shelf.collections
    collection, _, rest = path.partition("/")
    candidates = [root / path for root in roots.values()]
    if collection in roots:
        candidates.append(roots[collection] / rest)
    try:
        inside = [Path(os.path.realpath(each)) for each in candidates]
        inside = [each for each in inside if shelf.gathers(each)]
        existing = [each for each in inside if os.path.lexists(each)]
    except (OSError, ValueError):
        raise refused from None
    if not inside:
        raise refused
    if not existing:
        raise GatherumError(
            f"there is no file or folder {shown!r} in the gathered folders",
            hint="If it was deleted, call index without path.",
        )
    return existing[0]


async def _wait(context: Context, job: Job, seconds: float) -> None:
    """Wait for a run, telling the client where it is; what is told only ever grows."""
    told = 0.0
    deadline = anyio.current_time() + seconds
    while not job.ended and (left := deadline - anyio.current_time()) > 0:
        await anyio.sleep(min(_TICK, left))
        progress = job.progress
        if progress is not None and (reached := _reached(progress)) > told:
            told = reached
            await context.session.report_progress(reached, len(_STAGES), _words(progress))


def _reached(progress: Progress) -> float:
    share = min(1.0, progress.done / progress.total) if progress.total else 0.0
    return round(_STAGES.index(progress.stage) + share, 4)


def _words(progress: Progress) -> str:
    place = one_line(progress.path.rpartition("/")[2])
    count = f"{progress.done}/{progress.total}" if progress.total else str(progress.done)
    return f"{progress.stage} {count} {place}".strip()


def _answer(job: Job, current: Job | None) -> IndexAnswer:
    """Return how far a run is, or what it did."""
    numbers: dict[str, Any] = {}
    warnings: list[str] = []
    state: str = job.state
    if (report := job.report) is not None:
        names = ("added", "changed", "moved", "removed", "unchanged", "skipped", "failed")
        numbers = {name: getattr(report, name) for name in names}
        warnings = [one_line(each) for each in report.warnings]
        state = report.state
    elif job.progress is not None:
        warnings.append(f"The run goes on: {_words(job.progress)}.")
    elif state == "waiting":
        where = f" ({_words(current.progress)})" if current and current.progress else ""
        warnings.append(f"Another run is going on{where}; this one follows it.")
    return IndexAnswer(state=state, job=job.id, warnings=warnings, **numbers)
