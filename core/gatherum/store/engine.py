"""Import LanceDB quickly and quietly, and keep it small."""

from __future__ import annotations

import importlib.util
import os
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_M_ARENA_MAX = -8
_CLIENT = "lance_namespace_urllib3_client"


def lancedb() -> Any:
    """Return the lancedb module.

    Half of its import time goes into a REST client for remote catalogues that a local table never uses: that
    package is entered without running its ``__init__``, which happens after all should anything be looked up in it.
    """
    if "lancedb" not in sys.modules:
        os.environ.setdefault("LANCEDB_LOG", "error")
        _few_arenas()
        _defer(_CLIENT)
    import lancedb

    return lancedb


def give_back() -> None:
    """Return memory that was freed to the system: glibc keeps what LanceDB's threads leave, more with each commit."""
    if trim := _trimmer():
        trim(0)


def _few_arenas() -> None:
    """Let threads share two heaps: glibc's default of eight for each processor keeps what none of them uses."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)


@cache
def _trimmer() -> Callable[[int], int] | None:
    import ctypes

    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # other C libraries have no such function
        return None
    return trim


def _defer(name: str) -> None:
    spec = importlib.util.find_spec(name)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    loader, module = spec.loader, importlib.util.module_from_spec(spec)

    def resolve(attribute: str) -> object:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        module.__dict__.pop("__getattr__", None)
        loader.exec_module(module)
        return getattr(module, attribute)

    module.__dict__["__getattr__"] = resolve
    sys.modules[name] = module
