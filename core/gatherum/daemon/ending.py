"""End the daemon of a shelf, also one that no longer listens."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gatherum.daemon.client import tell_to_stop
from gatherum.daemon.locks import lock

if TYPE_CHECKING:
    from gatherum.daemon.address import Address

_SECONDS: Final = 10.0


def end(address: Address) -> int | None:
    """End the daemon and wait until it has; return its process id, None if there was none.

    It is asked first; one that does not answer is told by the system.

    Args:
        address: Where it is.
    """
    if _ended(address, 0):
        return None
    pid = _pid(address)
    tell_to_stop(address)
    if not _ended(address, _SECONDS) and pid is not None:
        for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            with suppress(OSError):
                os.kill(pid, number)
            if _ended(address, _SECONDS):
                break
    return pid


def _ended(address: Address, seconds: float) -> bool:
    """Tell whether nobody holds the daemon's lock, or lets go of it in time."""
    held = lock(address.lock, seconds=seconds)
    if held is None:
        return False
    os.close(held)
    return True


def _pid(address: Address) -> int | None:
    """Return who holds the lock, as its file says."""
    try:
        return int(json.loads(Path(address.lock).read_text("ascii"))["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
