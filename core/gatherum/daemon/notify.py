"""Tell systemd how the service is: sd_notify(3)."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send a state such as ``READY=1``; nothing happens where nobody listens."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if path[:1] not in ("/", "@"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.connect("\0" + path[1:] if path.startswith("@") else path)
        sender.sendall(state.encode())


def watchdog_seconds() -> float | None:
    """Return within how many seconds ``WATCHDOG=1`` is expected each time; None if it is not."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    if not microseconds.isdecimal() or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(microseconds) / 1e6
