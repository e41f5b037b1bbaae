"""Index runs beside the conversation: one at a time, and at most one that waits for it."""

from __future__ import annotations

import logging
import secrets
import threading
from typing import TYPE_CHECKING, Literal, Protocol

from gatherum.errors import GatherumError, ShelfError
from gatherum.server.faults import described

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gatherum.results import IndexReport, Progress

log = logging.getLogger("gatherum")

State = Literal["waiting", "running", "done", "stopped", "failed"]


class Gatherer(Protocol):
    """What brings a shelf up to date: `gatherum.server.apart.Apart`, or the shelf itself."""

    def add(self, *paths: Path, progress: Callable[[Progress], None], stop: threading.Event) -> IndexReport:
        """As `Shelf.add`."""


class Job:
    """One index run.

    Args:
        paths: Files and folders to look at; none for all that the shelf gathers.

    Attributes:
        id: Names it.
        state: How far it is; "done" also when another process was writing, which the report says.
        asked: How often this run was asked for: more than one may wait for the same run.
        progress: Where it is; None before it starts.
        report: What it did; None before it ends, or when it failed.
        error: Why it failed, for people; "" if it did not.
    """

    def __init__(self, paths: tuple[Path, ...] = ()) -> None:
        self.id = secrets.token_hex(4)
        self.paths = paths
        self.state: State = "waiting"
        self.asked = 1
        self.progress: Progress | None = None
        self.report: IndexReport | None = None
        self.error = ""
        self._stop = threading.Event()
        self._ended = threading.Event()

    def __repr__(self) -> str:
        return f"Job({self.id}, {self.state})"

    @property
    def ended(self) -> bool:
        """Whether it is over, however it went."""
        return self._ended.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended; return whether it has."""
        return self._ended.wait(seconds)

    def cancel(self) -> None:
        """End it soon; if it has not begun, it never will."""
        self._stop.set()

    def _join(self, paths: tuple[Path, ...]) -> bool:
        """Before it begins, do also what another one asks for; False if it was cancelled."""
        if self._stop.is_set():
            return False
        self.asked += 1
        self.paths = tuple(dict.fromkeys((*self.paths, *paths))) if self.paths and paths else ()
        return True

    def _end(self) -> None:
        if self.state == "waiting":
            self.state = "stopped"
        self._ended.set()

    def _run(self, gatherer: Gatherer) -> None:
        try:
            if self._stop.is_set():
                return
            self.state = "running"
            self.report = gatherer.add(*self.paths, progress=self._note, stop=self._stop)
            self.state = "stopped" if self.report.state == "stopped" else "done"
        except GatherumError as error:
            self.error = f"{error.message}. {error.hint}".strip()
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            log.error("an index run failed: %s", described(error))
            self.error = "Indexing failed unexpectedly; the server's log says more."
        finally:
            if self.error:
                self.state = "failed"

    def _note(self, progress: Progress) -> None:
        self.progress = progress


class Jobs:
    """Has index runs of one shelf done, one after the other.

    Args:
        gatherer: Does them.
    """

    def __init__(self, gatherer: Gatherer) -> None:
        self._gatherer = gatherer
        self._lock = threading.Lock()
        self._running: Job | None = None
        self._waiting: Job | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._listeners: list[Callable[[Job], None]] = []

    @property
    def current(self) -> Job | None:
        """The run that is going on."""
        return self._running

    @property
    def last(self) -> Job | None:
        """The run that was asked for last and has not ended: the one that waits, or the one that is going on."""
        return self._waiting or self._running

    def on_done(self, callback: Callable[[Job], None]) -> None:
        """Call *callback*, in the thread of the runs, with each run that has ended."""
        self._listeners.append(callback)

    def start(self, paths: tuple[Path, ...] = ()) -> Job:
        """Ask for a run over *paths*, or over all that the shelf gathers.

        A run that is going on may have passed by what has changed, so another one follows it; all who ask meanwhile
        get that one.

        Raises:
            ShelfError: `close` was called.
        """
        with self._lock:
            if self._closed:
                raise ShelfError("this server is ending and begins no index run", hint="Ask again in a moment.")
            if self._waiting is not None:
                if self._waiting._join(paths):
                    return self._waiting
                self._waiting._end()
            self._waiting = job = Job(paths)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="gatherum-index", daemon=True)
                self._thread.start()
            return job

    def close(self) -> None:
        """End the run that is going on, begin no other, and wait until it has ended."""
        with self._lock:
            self._closed = True
            thread = self._thread
            for job in (self._running, self._waiting):
                if job is not None:
                    job.cancel()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                self._running, self._waiting = self._waiting, None
                job = self._running
                if job is None:
                    self._thread = None
                    return
            job._run(self._gatherer)
            with self._lock:
                self._running = None
            job._end()
            for listener in self._listeners:
                try:
                    listener(job)
                except Exception as error:  # noqa: BLE001 - the others are to be told
                    log.error("what follows an index run failed: %s", described(error))
