"""How much more a larger document costs: linear work passes, quadratic work does not."""

from __future__ import annotations

import time
import tracemalloc
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES: Final = 8
"""How much larger the second document is."""
_ROUNDS: Final = 3
_SECONDS: Final = 0.2
_BYTES: Final = 16 << 20


def time_growth(work: Callable[[bytes], object], small: bytes, large: bytes) -> float:
    """Return how many times the processor time of *small* it takes to work on *large*; 0 if that is next to none.

    The best of several rounds counts, so that other programs on the machine matter little.
    """
    slow = min(_seconds(work, large) for _ in range(_ROUNDS))
    if slow < _SECONDS:
        return 0.0
    return slow / max(min(_seconds(work, small) for _ in range(_ROUNDS)), 1e-4)


def memory_growth(work: Callable[[bytes], object], small: bytes, large: bytes) -> float:
    """Return how many times the memory of *small* it takes to work on *large*; 0 if that is next to none."""
    most = _peak(work, large)
    return most / max(_peak(work, small), 1) if most > _BYTES else 0.0


def _seconds(work: Callable[[bytes], object], data: bytes) -> float:
    start = time.process_time()
    work(data)
    return time.process_time() - start


def _peak(work: Callable[[bytes], object], data: bytes) -> int:
    """Return the most memory that Python objects took meanwhile, in bytes."""
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        work(data)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not tracing:
            tracemalloc.stop()
