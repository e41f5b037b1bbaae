"""What a whole process shares and the code of others may change: seen, told, put back."""

from __future__ import annotations

import builtins
import gc
import locale
import os
import signal
import sys
import threading
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

_SHARED_MODULES: Final = ("codecs", "io", "json", "json.decoder", "json.encoder", "os", "re", "zipfile", "zlib")
_THREADS: Final = 16
_FILES: Final = 64


class _Aspect(NamedTuple):
    """One thing that a process has once.

    Attributes:
        what: What it is for people.
        look: Returns its state, which can be compared.
        put: Makes it as it was; None where that cannot be done.
    """

    what: str
    look: Callable[[], Any]
    put: Callable[[Any], object] | None = None


class Surroundings:
    """The state of this process at the time when the object is made."""

    def __init__(self) -> None:
        modules = tuple(name for name in _SHARED_MODULES if name in sys.modules)
        aspects = (*_ASPECTS, _Aspect("modules of the standard library", lambda: _contents(modules), _put_contents))
        self._kept = tuple((aspect, aspect.look()) for aspect in aspects)
        self._threads, self._file = frozenset(threading.enumerate()), _next_file()

    def changed(self) -> tuple[str, ...]:
        """Return what differs from then, for people."""
        different = [aspect.what for aspect, kept in self._kept if aspect.look() != kept]
        started = len(frozenset(threading.enumerate()) - self._threads)
        return (*different, f"its threads ({started} more)") if started else tuple(different)

    def restore(self) -> bool:
        """Put back what differs and can be put back.

        Returns:
            Whether all is well: nothing has been replaced that cannot be put back, and no great number of threads or
            open files was left behind. A few threads are kept: libraries have pools of them.
        """
        well = True
        for aspect, kept in self._kept:
            if aspect.look() == kept:
                continue
            if aspect.put is not None:
                with suppress(OSError, ValueError, locale.Error):  # a folder that is gone; a thread that may not
                    aspect.put(kept)
            well = well and aspect.look() == kept
        started = frozenset(threading.enumerate()) - self._threads
        return well and len(started) <= _THREADS and _next_file() - self._file <= _FILES


def _next_file() -> int:
    """Return the number that the next file to be opened has: the lowest that is free."""
    try:
        number = os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return sys.maxsize
    os.close(number)
    return number


def _put_environment(kept: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(kept)
    if hasattr(time, "tzset"):
        time.tzset()


def _put_path(kept: list[str]) -> None:
    sys.path[:] = kept


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - it is compared as a string
    except OSError:
        return ""


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _put_filters(kept: list[Any]) -> None:
    warnings.filters[:] = kept  # type: ignore[index]  # typed as a sequence, and a list
    with warnings.catch_warnings():  # leaving it tells Python that the filters are others now
        pass


def _signals() -> dict[int, Any]:
    return {number: signal.getsignal(number) for number in signal.valid_signals()}


def _put_signals(kept: dict[int, Any]) -> None:
    for number, handler in kept.items():
        if handler is not None and signal.getsignal(number) != handler:
            signal.signal(number, handler)


def _collecting() -> tuple[bool, tuple[int, int, int]]:
    return gc.isenabled(), gc.get_threshold()


def _put_collecting(kept: tuple[bool, tuple[int, int, int]]) -> None:
    (gc.enable if kept[0] else gc.disable)()
    gc.set_threshold(*kept[1])


def _tracing() -> tuple[Any, Any]:
    return sys.gettrace(), sys.getprofile()


def _put_tracing(kept: tuple[Any, Any]) -> None:
    sys.settrace(kept[0])
    sys.setprofile(kept[1])


def _functions() -> dict[str, Any]:
    functions = dict(vars(builtins))
    functions.pop("_", None)  # what an interactive interpreter has shown last
    return functions


def _put_functions(kept: dict[str, Any]) -> None:
    vars(builtins).update(kept)


def _contents(modules: Iterable[str]) -> dict[str, tuple[ModuleType, dict[str, Any]]]:
    return {name: (sys.modules[name], dict(vars(sys.modules[name]))) for name in modules if name in sys.modules}


def _put_contents(kept: dict[str, tuple[ModuleType, dict[str, Any]]]) -> None:
    for name, (module, contents) in kept.items():
        sys.modules[name] = module
        vars(module).update(contents)
        for more in vars(module).keys() - contents.keys():
            delattr(module, more)


def _limits() -> list[tuple[int, int]]:
    try:
        import resource
    except ImportError:
        return []
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)
    return [resource.getrlimit(kind) for kind in kinds]


def _priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else 0


_ASPECTS: Final = (
    _Aspect("built-in functions", _functions, _put_functions),
    _Aspect("the environment", lambda: dict(os.environ), _put_environment),
    _Aspect("the module search path", lambda: list(sys.path), _put_path),
    _Aspect("the working folder", _folder, os.chdir),
    _Aspect("the file mode mask", _umask, os.umask),
    _Aspect("the locale", lambda: locale.setlocale(locale.LC_ALL), lambda kept: locale.setlocale(locale.LC_ALL, kept)),
    _Aspect("the warnings filters", lambda: list(warnings.filters), _put_filters),
    _Aspect("the signal handlers", _signals, _put_signals),
    _Aspect("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    _Aspect("the limit of digits", sys.get_int_max_str_digits, sys.set_int_max_str_digits),
    _Aspect("garbage collection", _collecting, _put_collecting),
    _Aspect("tracing", _tracing, _put_tracing),
    _Aspect("its limits", _limits),
    _Aspect("its priority", _priority),
)
