"""Less memory than the whole for a library that ends the process when it gets no more."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def within_memory(more: int) -> Iterator[None]:
    """Let this process take at most *more* bytes of address space beyond what it has.

    Nothing is changed where the memory of the process is not limited anyway, as that of workers is.

    Args:
        more: Bytes.
    """
    try:
        import resource

        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - for each file of some formats
            taken = int(file.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    usual, most = resource.getrlimit(resource.RLIMIT_AS)
    if usual == resource.RLIM_INFINITY or taken + more >= usual:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (taken + more, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (usual, most))
