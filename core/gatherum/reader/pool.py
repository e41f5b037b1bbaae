"""A supervised pool: each worker has one pipe and one file in flight, a deadline, and a successor."""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, repeat
from multiprocessing.connection import wait
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from gatherum.nesting import on_disk
from gatherum.reader.worker import READY, Recipe, failed, read_guarded, serve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from types import TracebackType

    from gatherum.document import Document
    from gatherum.registry import Registry

log = logging.getLogger("gatherum")

Isolation = Literal["auto", "always", "never"]

_RETIRE_AFTER = 10_000
_AHEAD = 4
_START = 60.0
"""The time that plugins have to load, in seconds, which is not taken from the first file's."""
_SAME = "another file with the same content ended the reader process twice; this one was not tried"
_PRELOAD = ["gatherum.reader.worker", "lxml.etree", "zipfile", "json"]


@dataclass(frozen=True, slots=True)
class _Task:
    """A file to read.

    Attributes:
        number: Its place among the files.
        path: Where it is.
        content: The hash of its content; "" if unknown.
        again: Whether a worker has crashed on it before.
    """

    number: int
    path: str
    content: str
    again: bool = False

    @property
    def kind(self) -> tuple[str, str] | None:
        """What makes two files equal to a handler: their content and their extension; None if unknown."""
        return (self.content, os.path.splitext(self.path)[1].lower()) if self.content else None  # noqa: PTH122


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    task: _Task | None = None
    deadline: float = 0.0
    seconds: float = 0.0
    served: int = 0
    ready: bool = False


class Reader:
    """Reads many files, each within its time and memory; what a file does to its worker is reported as a problem.

    A file whose worker crashes is tried once more, in a fresh one: the fault may have been that of a file before it.
    After a second crash, no file with the same content and extension is tried by this reader.

    Use it as a context manager; workers start with the first file that needs one.

    Args:
        recipe: How to make the registry.
        isolation: ``always`` reads files in workers; ``never`` in this process, without time or memory limits; ``auto``
            in workers, unless this system lets none be started.
        workers: How many; 0 for one per processor, at most 4.
        seconds: The time for one file; one second more for each MB.
    """

    def __init__(
        self, recipe: Recipe, *, isolation: Isolation = "always", workers: int = 0, seconds: float = 30
    ) -> None:
        self.recipe = recipe
        self._isolation = isolation
        self._count = workers or min(os.cpu_count() or 1, 4)
        self._seconds = seconds
        self._workers: list[_Worker] = []
        self._context: BaseContext | None = None
        self._registry: Registry | None = None
        self._crashed: set[tuple[str, str]] = set()

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def registry(self) -> Registry:
        """The registry of this process."""
        if self._registry is None:
            self._registry = self.recipe.registry()
        return self._registry

    def read(self, paths: Iterable[str], hashes: Iterable[str] = ()) -> Iterator[Document]:
        """Yield a document for each path, in the order of *paths*.

        Args:
            paths: The files.
            hashes: The hashes of their contents, where they are known, in the same order.
        """
        if self._isolation == "never" or (self._isolation == "auto" and not self._can_isolate()):
            yield from (read_guarded(self.registry, path)[1] for path in paths)
            return
        waiting: dict[int, Document] = {}
        expected = 0
        for number, document in self._unordered(zip(paths, chain(hashes, repeat("")), strict=False)):
            waiting[number] = document
            while expected in waiting:
                yield waiting.pop(expected)
                expected += 1

    def _can_isolate(self) -> bool:
        """Whether workers can be started here; some sandboxes forbid it."""
        try:
            if not self._workers:
                self._workers.append(self._spawn())
        except (OSError, ImportError, NotImplementedError) as error:
            log.warning("files are read without limits of time and memory: no reader process can start (%s)", error)
            return False
        return True

    def _unordered(self, files: Iterable[tuple[str, str]]) -> Iterator[tuple[int, Document]]:
        """Yield (place in *files*, document) as documents come; none is read far ahead of one that is slow."""
        todo = (_Task(number, path, content) for number, (path, content) in enumerate(files))
        held: _Task | None = None
        open_numbers: deque[int] = deque()
        done: set[int] = set()
        while True:
            while open_numbers and open_numbers[0] in done:
                done.discard(open_numbers.popleft())
            while held is not None or len(open_numbers) < _AHEAD * self._count:
                task = held or next(todo, None)
                if task is None:
                    break
                if held is None:
                    open_numbers.append(task.number)
                held = None
                if task.kind in self._crashed:
                    done.add(task.number)
                    yield task.number, failed(task.path, "crashed", _SAME)
                elif not self._give(task):
                    held = task
                    break
            if not open_numbers:
                return
            for number, document in self._collect([worker for worker in self._workers if worker.task]):
                done.add(number)
                yield number, document

    def _give(self, task: _Task) -> bool:
        """Hand *task* to an idle worker; False if there is none."""
        worker = next((worker for worker in self._workers if worker.task is None), None)
        if worker is None:
            if len(self._workers) >= self._count:
                return False
            worker = self._spawn()
            self._workers.append(worker)
        self._send(worker, task)
        return True

    def _send(self, worker: _Worker, task: _Task) -> None:
        for _ in range(3):
            try:
                worker.pipe.send(task.path)
                break
            except (BrokenPipeError, ConnectionResetError, OSError):
                self._replace(worker)
        try:
            megabytes = os.path.getsize(on_disk(task.path)) / 1e6  # noqa: PTH202
        except OSError:
            megabytes = 0.0
        worker.task, worker.seconds = task, self._seconds + megabytes
        worker.deadline = time.monotonic() + worker.seconds + (0 if worker.ready else _START)

    def _collect(self, busy: list[_Worker]) -> Iterator[tuple[int, Document]]:
        """Wait until a worker answers, dies, or runs out of time."""
        if not busy:
            return
        patience = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
        ready = set(map(id, wait([worker.pipe for worker in busy], patience)))
        now = time.monotonic()
        for worker in busy:
            task = worker.task
            if task is None:
                continue
            if id(worker.pipe) in ready:
                document = self._answer(worker, task)
                if document is None:
                    continue
            elif now >= worker.deadline:
                document = failed(task.path, "timeout", f"not read within {worker.seconds:.0f} seconds")
                self._replace(worker)
            else:
                continue
            worker.task = None
            yield task.number, document

    def _answer(self, worker: _Worker, task: _Task) -> Document | None:
        """Return what came of *task*; None if its worker is only now ready, or crashed and another is trying it."""
        document: Document
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(1)
            code = worker.process.exitcode
            self._replace(worker)
            if not task.again and task.kind not in self._crashed:
                self._send(worker, replace(task, again=True))
                return None
            if task.kind:
                self._crashed.add(task.kind)
            how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
            return failed(task.path, "crashed", f"the reader process ended twice while reading it ({how})")
        if message is READY:
            worker.ready = True
            worker.deadline = time.monotonic() + worker.seconds
            return None
        outcome, document = message
        worker.served += 1
        if outcome == "spent" or worker.served >= _RETIRE_AFTER:
            self._replace(worker)
        return document

    def _spawn(self) -> _Worker:
        if self._context is None:
            methods = multiprocessing.get_all_start_methods()
            self._context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
            self._context.set_forkserver_preload(_PRELOAD)
        mine, theirs = self._context.Pipe()
        process = self._context.Process(  # type: ignore[attr-defined]
            target=serve, args=(theirs, self.recipe), daemon=True, name="gatherum-reader"
        )
        with _blank_main():
            process.start()
        theirs.close()
        return _Worker(process=process, pipe=mine)

    def _replace(self, worker: _Worker) -> None:
        self._end(worker)
        fresh = self._spawn()
        worker.process, worker.pipe, worker.served, worker.ready = fresh.process, fresh.pipe, 0, False

    def _end(self, worker: _Worker) -> None:
        if worker.process.is_alive():
            worker.process.kill()
        worker.process.join()
        worker.pipe.close()

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            self._end(worker)
        self._workers = []


@contextmanager
def _blank_main() -> Iterator[None]:
    """Keep workers from importing the caller's script, which need not guard its own start."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
