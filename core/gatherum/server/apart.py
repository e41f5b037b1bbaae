"""Index runs in a process of their own: searches keep the processor, LanceDB's threads and the memory of this one.

The process is told by pickles on its standard input, and says by pickles on its standard output how it goes. It ends
with this one, however this one ends: its input then does.
"""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, cast

from gatherum.errors import GatherumError, ShelfError
from gatherum.results import IndexReport, Progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gatherum.place import Place

log = logging.getLogger("gatherum")

STOP_SECONDS: Final = 3.0
"""How long a run that was told to stop may take for the file at hand, or a commit; it is ended then."""

LINGER_SECONDS: Final = 60.0
"""How long the process waits for another run: while somebody writes, a file that is saved need not wait for it."""

_END_SECONDS: Final = 1.0
_TICK: Final = 0.05
_COMMAND: Final = ("-P", "-m", "gatherum.server.apart_main")


class Apart:
    """Gathers for one shelf as `Shelf.add` does.

    Args:
        place: The shelf's folder and settings.
        linger: How long in seconds the process is kept for the next run.
    """

    def __init__(self, place: Place, *, linger: float = LINGER_SECONDS) -> None:
        self._place = place
        self._linger = linger
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._timer: threading.Timer | None = None

    def add(self, *paths: Path, progress: Callable[[Progress], None], stop: threading.Event) -> IndexReport:
        """Bring the shelf up to date; see `Shelf.add`.

        Raises:
            GatherumError: The run failed, or its process ended early: what it had committed is kept.
        """
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._process is None or not self._process.idle:
                self._drop()
                self._process = _Process(self._place)
            process = self._process
            try:
                return process.run(paths, progress, stop)
            finally:
                if process.idle:
                    self._timer = threading.Timer(self._linger, self._expire, (process,))
                    self._timer.daemon = True
                    self._timer.start()
                else:
                    self._drop()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._drop()

    def _expire(self, process: _Process) -> None:
        """End a process that nobody has needed for a while."""
        with self._lock:
            if self._process is process and self._timer is threading.current_thread():
                self._drop()

    def _drop(self) -> None:
        process, self._process = self._process, None
        if self._timer is not None:
            self._timer.cancel()
        if process is not None:
            process.end()


class _Process:
    """A process that has been started.

    Args:
        place: The shelf's folder and settings.

    Raises:
        ShelfError: None can be started.
    """

    def __init__(self, place: Place) -> None:
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        self._running = False
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter
                (sys.executable, *_COMMAND),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=flags,
            )
        except OSError as error:
            raise ShelfError(
                f"no process can be started to index in: {error.strerror}", hint="Run `gatherum index` yourself."
            ) from None
        self._in, self._out = cast("Any", self._process.stdin), cast("Any", self._process.stdout)
        self._tell(place)

    @property
    def idle(self) -> bool:
        """Whether it waits for a run."""
        return not self._running and self._process.poll() is None

    def run(self, paths: tuple[Path, ...], progress: Callable[[Progress], None], stop: threading.Event) -> IndexReport:
        """Have a run done."""
        over, self._running = threading.Event(), True
        keeper = threading.Thread(target=self._keep, args=(stop, over), name="gatherum-stop", daemon=True)
        keeper.start()
        try:
            self._tell(paths)
            report = self._follow(progress)
        finally:
            over.set()
            keeper.join()
        if report is not None:
            return report
        self.end()
        if stop.is_set():
            return IndexReport(state="stopped")
        code = self._process.returncode
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise ShelfError(
            f"the process that indexes was ended ({how})",
            hint="What it had written is kept. Index again; if that fails too, memory may have run out.",
        )

    def end(self) -> None:
        """End it: at first by ending its input, so that it can end what it has started."""
        with suppress(OSError):
            self._in.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._out.close()

    def _tell(self, message: object) -> None:
        """Say something; that nobody hears it, its silence will tell."""
        with suppress(OSError, ValueError):
            self._in.write(pickle.dumps(message))
            self._in.flush()

    def _keep(self, stop: threading.Event, over: threading.Event) -> None:
        """Pass on that the run is to stop, and end a process that goes on."""
        while not over.wait(_TICK):
            if stop.is_set():
                self._tell("stop")
                if not over.wait(STOP_SECONDS):
                    with suppress(OSError):
                        self._in.close()
                    if not over.wait(_END_SECONDS):
                        self._process.kill()
                return

    def _follow(self, progress: Callable[[Progress], None]) -> IndexReport | None:
        """Pass on what the process says; return its report, None if it ended without one."""
        while True:
            try:
                said = pickle.load(self._out)  # noqa: S301 - from our own process
            except (EOFError, OSError, pickle.UnpicklingError):  # it ended, perhaps in the middle of a word
                return None
            match said:
                case Progress():
                    progress(said)
                case "log", int(level), str(text):
                    log.log(level, "%s", text)
                case _:
                    self._running = False
                    return _outcome(said)


def _outcome(said: object) -> IndexReport:
    """Return the report of a run that has ended, or raise why there is none."""
    match said:
        case IndexReport():
            return said
        case "refused", str(message), str(hint):
            raise GatherumError(message, hint=hint)
        case _:
            log.error("an index run failed: %s", said)
            raise GatherumError("indexing failed unexpectedly", hint="The server's log says more.")
