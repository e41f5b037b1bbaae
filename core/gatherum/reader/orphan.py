"""A worker ends with the process that reads through it, even one that is killed while the worker is busy."""

from __future__ import annotations

import multiprocessing
import os
import select
import signal
import threading
from contextlib import suppress


def end_with_parent() -> None:
    """End this process and its group as soon as the process that asked for it has ended, however it did.

    Workers are children of the fork server, which outlives its client as long as a worker lives, so that asking the
    kernel for a signal at the parent's death (``PR_SET_PDEATHSIG``) would not help. What each worker has is the reading
    end of a pipe whose other end only the client holds. Linux sends SIGKILL when that one is closed: no handler, in
    whatever loop or library it may be, keeps a process from that. Elsewhere a thread waits for it, which a library
    that never lets go of the interpreter keeps from running.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if not _signalled(parent.sentinel):
        threading.Thread(target=_wait, args=(parent,), name="gatherum-parent", daemon=True).start()


def _signalled(pipe: int) -> bool:
    """Have the kernel send SIGKILL when the other end of *pipe* is closed; False if it knows no such thing."""
    try:
        import fcntl

        owner = -os.getpid() if os.getpgrp() == os.getpid() else os.getpid()
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETOWN, owner)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    except (ImportError, AttributeError, OSError):
        return False
    if select.select([pipe], [], [], 0)[0]:  # closed before anybody listened
        _end()
    return True


def _wait(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    _end()


def _end() -> None:
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        with suppress(OSError):
            os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
