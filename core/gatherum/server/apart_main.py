"""The process that `gatherum.server.apart` starts: index runs of low priority, one after the other."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import queue
import signal
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final

from gatherum.errors import GatherumError
from gatherum.server.faults import described
from gatherum.shelf import Shelf

if TYPE_CHECKING:
    from pathlib import Path

    from gatherum.results import Progress

    Runs = queue.Queue[tuple[tuple[Path, ...], threading.Event]]

_NICE: Final = 10
_MOMENT: Final = 0.05
"""Seconds between two words on where a run is, while it is in one stage."""


class _Teller(logging.Handler):
    """Says what happens, and what is logged, to the process that started this one.

    Args:
        stream: The way to it.
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self._saying = threading.RLock()
        self._told = ("", 0.0)

    def say(self, message: object) -> None:
        """Say something; if nobody hears it any more, end."""
        with self._saying:
            try:
                self._stream.write(pickle.dumps(message))
                self._stream.flush()
            except OSError:
                _end()

    def emit(self, record: logging.LogRecord) -> None:
        """Say what is logged."""
        self.say(("log", record.levelno, record.getMessage()))

    def progress(self, progress: Progress) -> None:
        """Say where the run is, now and then."""
        stage, moment = self._told
        now = time.monotonic()
        if progress.stage != stage or now - moment >= _MOMENT:
            self._told = progress.stage, now
            self.say(progress)


def main() -> None:
    """Run as standard input says; does not return."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's is for the process that started this one
    with suppress(AttributeError, OSError):
        os.nice(_NICE)
    listening, teller = _streams()
    log = logging.getLogger("gatherum")
    log.addHandler(teller)
    log.setLevel(logging.INFO)
    log.propagate = False
    shelf = Shelf(pickle.load(listening))  # noqa: S301 - from the process that started this one
    runs: Runs = queue.Queue()
    threading.Thread(target=_listen, args=(listening, runs), daemon=True).start()
    while True:
        paths, stop = runs.get()
        try:
            teller.say(shelf.add(*paths, progress=teller.progress, stop=stop))
        except GatherumError as error:
            teller.say(("refused", error.message, error.hint))
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            teller.say(described(error))


def _streams() -> tuple[BinaryIO, _Teller]:
    """Return the ways in and out, which nothing that this process runs can find by the usual numbers."""
    listening, telling = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    sink = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(sink, number)
    return listening, _Teller(telling)


def _listen(stream: BinaryIO, runs: Runs) -> None:
    """Take what is to be run, stop it when told to, and end when nobody can tell anything any more."""
    stop = threading.Event()
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            told = pickle.load(stream)  # noqa: S301 - from the process that started this one
            if told == "stop":
                stop.set()
            else:
                stop = threading.Event()
                runs.put((told, stop))
    _end()


def _end() -> None:
    """End, with the readers and what their handlers have started; the table is whole after each commit."""
    for reader in multiprocessing.active_children():
        if reader.pid is not None:
            with suppress(OSError, AttributeError):  # none is left, or this system has no groups
                os.killpg(reader.pid, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main()
