"""A supervised pool: each worker has one pipe and one file in flight, a deadline, and a successor."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain, repeat
from multiprocessing.connection import wait
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from gatherum.nesting import on_disk
from gatherum.problems import Problem
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
Kind = tuple[str, str]
"""What makes two files equal to a handler: the hash of their content, and "handler@version" of their name."""
Code = Literal["crashed", "memory", "timeout"]

_RETIRE_AFTER = 10_000
_AHEAD = 4
_START = 60.0
"""The time that plugins have to load, in seconds, which is not taken from the first file's."""
_END = 10.0
"""The time that a killed process has to end, in seconds: one that waits for a dead file server ends later."""
_STARTS, _PAUSE = 10, 0.1
_STRIKES = 2
"""How often a content, or a handler that is asked whether a content is its own, may fail before it is left out."""
_SAME = "reading the same content failed twice in this way; it is not tried until it or its handler changes"
_PRELOAD = ["gatherum.reader.worker", "lxml.etree", "zipfile", "json"]


@dataclass(frozen=True, slots=True)
class _Task:
    """A file to read.

    Attributes:
        number: Its place among the files.
        path: Where it is.
        kind: Its content and the handler of its name; None if unknown.
        again: Whether a worker has crashed on it before.
        faults: What befell earlier tries, by fault of a handler that need not be the one that reads it.
    """

    number: int
    path: str
    kind: Kind | None = None
    again: bool = False
    faults: tuple[Problem, ...] = ()


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    task: _Task | None = None
    deadline: float = 0.0
    seconds: float = 0.0
    served: int = 0
    ready: bool = False
    asking: str = ""


class Reader:
    """Reads many files, each within its time and memory; what a file does to its worker is reported as a problem.

    A file whose worker crashes is tried once more, in a fresh one: the fault may have been that of a file before it.
    When a content has crashed its worker, run out of time or of memory twice, no file that has it and is read by the
    same handler is tried any more. A handler that crashes or hangs while it is merely asked whether a file is its own
    costs that file nothing: it is read again, and after the second time that handler is asked no more.

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
        self._strikes: Counter[Kind] = Counter()
        self._codes: dict[Kind, Code] = {}
        self._unasked: Counter[str] = Counter()

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

    def distrust(self, kind: Kind, code: Code) -> None:
        """Count against a content that its reading ended in *code*; a crash has been seen twice."""
        self._strike(kind, code, _STRIKES if code == "crashed" else 1)

    def _strike(self, kind: Kind | None, code: Code, number: int = 1) -> None:
        if kind is not None:
            self._strikes[kind] += number
            self._codes[kind] = code

    def _kind(self, path: str, content: str) -> Kind | None:
        return (content, self.registry.named(path)) if content else None

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
        todo = (_Task(number, path, self._kind(path, content)) for number, (path, content) in enumerate(files))
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
                if task.kind is not None and self._strikes[task.kind] >= _STRIKES:
                    done.add(task.number)
                    yield task.number, failed(task.path, self._codes[task.kind], _SAME)
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
            elif now >= worker.deadline:
                document = self._late(worker, task)
            else:
                continue
            if document is None:
                continue
            worker.task = None
            if task.faults:
                document = replace(document, problems=(*document.problems, *task.faults))
            yield task.number, document

    def _answer(self, worker: _Worker, task: _Task) -> Document | None:
        """Return what came of *task*; None if its worker says how far it is, or crashed and another is trying it."""
        document: Document
        try:
            message = worker.pipe.recv()
        except Exception:  # noqa: BLE001 - it has ended, or its handler has written to the pipe whatever it liked
            return self._gone(worker, task)
        if message is READY:
            worker.ready = True
            worker.deadline = time.monotonic() + worker.seconds
            return None
        if isinstance(message, str):
            worker.asking = message
            return None
        outcome, document = message
        worker.served += 1
        worker.asking = ""
        if outcome == "spent" or worker.served >= _RETIRE_AFTER:
            self._replace(worker)
        if document.state == "unreadable" and any(problem.code == "memory" for problem in document.problems):
            self._strike(task.kind, "memory")
        return document

    def _gone(self, worker: _Worker, task: _Task) -> Document | None:
        """Try *task* once more in a fresh worker, or give it up."""
        worker.process.join(1)
        code = worker.process.exitcode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        if worker.asking:
            self._blame(worker, task, f"ended the reader process ({how})")
            return None
        self._replace(worker)
        self._strike(task.kind, "crashed")
        if not task.again and (task.kind is None or self._strikes[task.kind] < _STRIKES):
            self._send(worker, replace(task, again=True))
            return None
        return failed(task.path, "crashed", f"the reader process ended twice while reading it ({how})")

    def _late(self, worker: _Worker, task: _Task) -> Document | None:
        if worker.asking:
            self._blame(worker, task, f"did not answer within {worker.seconds:.0f} seconds")
            return None
        self._replace(worker)
        self._strike(task.kind, "timeout")
        return failed(task.path, "timeout", f"not read within {worker.seconds:.0f} seconds")

    def _blame(self, worker: _Worker, task: _Task, what: str) -> None:
        """Count a failure against the handler that was asked whether *task* is its own, and try the file again."""
        name = worker.asking
        self._unasked[name] += 1
        message = f"the handler {name} {what} when asked whether this file is its own"
        if self._unasked[name] >= _STRIKES:
            message += "; it is not asked any more"
            unasked = tuple(name for name, strikes in self._unasked.items() if strikes >= _STRIKES)
            self.recipe = replace(self.recipe, unasked=unasked)
            log.warning("the handler %s %s while it was asked whether files are its own; it is not asked", name, what)
        self._replace(worker)
        self._send(worker, replace(task, faults=(*task.faults, Problem(code="handler_failed", message=message))))

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
            self._start(process)
        theirs.close()
        return _Worker(process=process, pipe=mine)

    def _start(self, process: Any) -> None:
        """Start a worker; a fork server that something has ended is started anew, as soon as its end is known.

        Raises:
            OSError: No process can be started here.
        """
        for _ in range(_STARTS - 1):
            try:
                process.start()
            except (ConnectionError, EOFError):
                time.sleep(_PAUSE)
            else:
                return
        process.start()

    def _replace(self, worker: _Worker) -> None:
        self._end(worker)
        fresh = self._spawn()
        worker.process, worker.pipe, worker.served, worker.ready = fresh.process, fresh.pipe, 0, False
        worker.asking = ""

    def _end(self, worker: _Worker) -> None:
        with suppress(OSError, AttributeError):  # none is left, or this system has no groups
            os.killpg(worker.process.pid, signal.SIGKILL)  # with what its handlers have started
        if worker.process.is_alive():
            worker.process.kill()
        worker.process.join(_END)
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
