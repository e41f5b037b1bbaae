"""The worker process: reads one file at a time and sends back what came of it."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gatherum.document import Document
from gatherum.problems import Problem
from gatherum.reader import wire
from gatherum.reader.orphan import end_with_parent
from gatherum.registry import load_registry
from gatherum.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection

    from gatherum.limits.budget import Limits
    from gatherum.registry import Registry

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

READY = None
"""What a worker says once its plugins are loaded: from then on the time of its file runs."""

Outcome = tuple[Literal["done", "spent"], Document]
"""A document, and whether the worker has had its day: it lacks memory, or holds more than it gives back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What a worker needs to make the same registry as its parent.

    Attributes:
        limits: What may be read of one file.
        block: Plugins that are not loaded.
        handlers: Extension to handler name.
        memory_bytes: The address space of a worker.
        growth_bytes: How much larger its resident memory may become before it retires.
        unasked: Handlers that are not asked whether a content is their own.
    """

    limits: Limits
    block: tuple[str, ...] = ()
    handlers: Mapping[str, str] = field(default_factory=dict)
    memory_bytes: int = 2 << 30
    growth_bytes: int = 512 << 20
    unasked: tuple[str, ...] = ()

    def registry(self) -> Registry:
        """Return the registry."""
        return load_registry(blocked=self.block, preferred=dict(self.handlers), limits=self.limits)


def serve(connection: Connection, recipe: Recipe) -> None:
    """Say that all is loaded, then answer each path that arrives with an outcome, until the parent hangs up.

    Before an outcome it sends the name of each third party's handler that it asks whether the file is its own, and ""
    when it has the answer: a handler that never answers can so be named.
    """
    reset = _settle(recipe)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=connection.close)  # what a handler forks must not answer, nor seem to live
    wire.teach()
    registry = recipe.registry()
    registry.unasked, registry.asking = frozenset(recipe.unasked), connection.send
    reset()
    process, around = os.getpid(), Surroundings()
    connection.send(READY)
    most = resident() + recipe.growth_bytes
    while True:
        try:
            path = connection.recv()
        except (EOFError, OSError):
            return
        try:
            outcome = read_guarded(registry, path)
        except KeyboardInterrupt:  # from the handler: the terminal's is ignored here
            outcome = "done", failed(path, "handler_failed", "the handler raised KeyboardInterrupt")
        if os.getpid() != process:  # the handler forked, and this is the copy
            os._exit(0)
        if registry.visited:
            registry.visited = False
            if not around.restore():
                outcome = "spent", outcome[1]
        reset()
        if resident() > most:
            outcome = "spent", outcome[1]
        if not _answered(connection, outcome) or outcome[0] == "spent":
            return


def _answered(connection: Connection, outcome: Outcome) -> bool:
    """Send an outcome, or that it cannot be sent; False if nobody listens any more."""
    try:
        connection.send(outcome)
    except OSError:
        return False
    except MemoryError:
        path = outcome[1].path
        connection.send(("spent", failed(path, "memory", "what was read takes more memory than allowed")))
        return False
    return True


def read_guarded(registry: Registry, path: str) -> Outcome:
    """Read *path*; even exceptions that are no `Exception`, and exhausted memory, become problems.

    Raises:
        KeyboardInterrupt: Somebody wants to stop.
    """
    try:
        document = registry.read(path)
    except MemoryError:
        return "spent", failed(path, "memory", "reading takes more memory than allowed")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - third-party code may raise anything at all
        return "done", failed(path, "handler_failed", f"the handler raised {type(error).__name__}")
    spent = any(problem.code == "memory" for problem in document.problems)
    return ("spent" if spent else "done"), document


def failed(path: str, code: Literal["crashed", "handler_failed", "memory", "timeout"], message: str) -> Document:
    """Return the document of a file whose reading came to nothing."""
    return Document(path=path, state="unreadable", problems=(Problem(code=code, message=message),))


def resident() -> int:
    """Return how many bytes of memory this process holds; where that cannot be told, the most it ever held."""
    try:
        file = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            return int(os.read(file, 100).split()[1]) * _PAGE
        finally:
            os.close(file)
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _settle(recipe: Recipe) -> Callable[[], None]:
    """Take away what a parser must not have: the parent's streams, group and terminal, all of the memory, a long life.

    Returns:
        What puts back whatever of this a handler has changed, and the working folder; called after each file.
    """
    if hasattr(os, "setsid"):
        with suppress(OSError):
            os.setsid()
    end_with_parent()
    sink = os.open(os.devnull, os.O_RDWR)
    null = open(os.devnull, "r+", encoding="utf-8")  # noqa: PTH123, SIM115 - for the whole process
    home, depth, mask = os.getcwd(), sys.getrecursionlimit(), os.umask(0o077)  # noqa: PTH109
    os.umask(mask)

    def reset() -> None:
        for stream in (0, 1, 2):
            os.dup2(sink, stream)
        sys.stdin = sys.stdout = sys.stderr = null
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        sys.setrecursionlimit(depth)
        os.umask(mask)
        with suppress(OSError):  # the folder may be gone
            os.chdir(home)

    reset()
    try:
        import resource
    except ImportError:
        return reset
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (recipe.memory_bytes, recipe.memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    return reset
