"""Where the daemon of a shelf is reached. Standard library only."""

from __future__ import annotations

import os
import socket
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 103
"""The longest path of a Unix socket in bytes that every system takes: macOS has room for 104, with the NUL."""

TCP: Final = "GATHERUM_TCP"
"""Set in the environment to reach daemons over TCP on the loopback where Unix sockets could be had."""


class AddressError(Exception):
    """There is no folder that only this user can write to."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """How a daemon is reached. The files stand in a folder that only this user can enter.

    Attributes:
        base: The path of the daemon's files, without their endings.
        tcp: Whether it listens on a TCP port of the loopback and asks for a token, in place of a Unix socket.
    """

    base: str
    tcp: bool = False

    @property
    def socket(self) -> str:
        """The Unix socket."""
        return f"{self.base}.sock"

    @property
    def port(self) -> str:
        """The file with port and token, for TCP."""
        return f"{self.base}.port"

    @property
    def lock(self) -> str:
        """The file that a running daemon holds locked; who runs it is written in it."""
        return f"{self.base}.lock"

    @property
    def starting(self) -> str:
        """The file that is locked by whoever starts a daemon."""
        return f"{self.base}.start"

    @property
    def complaint(self) -> str:
        """The file for what a daemon says that cannot start."""
        return f"{self.base}.err"


def address_of(folder: str) -> Address:
    """Return the address of the daemon of the shelf in *folder*, which need not exist.

    Raises:
        AddressError: There is no folder for sockets that is safe from other users.
    """
    import hashlib

    real = os.fsencode(os.path.realpath(folder))
    name = hashlib.blake2b(os.path.normcase(real), digest_size=8).hexdigest()
    unix = hasattr(socket, "AF_UNIX") and sys.platform != "win32" and not os.environ.get(TCP)
    for parent in _parents():
        base = os.path.join(parent, name)
        if unix and len(os.fsencode(f"{base}.sock")) > LONGEST:
            continue
        if _private(parent):
            return Address(base=base, tcp=not unix)
    raise AddressError("there is no folder for sockets that only you can write to; set XDG_RUNTIME_DIR to one")


def _parents() -> list[str]:
    """Return the folders that sockets may be in, best first."""
    import tempfile

    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return [os.path.join(local or os.path.expanduser("~"), "gatherum", "run")]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return [
        *([os.path.join(runtime, "gatherum")] if runtime and os.path.isdir(runtime) else ()),
        os.path.join(tempfile.gettempdir(), f"gatherum-{os.getuid()}"),
        os.path.join(os.path.expanduser("~"), ".cache", "gatherum"),
    ]


def _private(folder: str) -> bool:
    """Make *folder* for this user alone; say whether it is: in /tmp, somebody else may have been first."""
    with suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    try:
        status = os.lstat(folder)
        if not stat.S_ISDIR(status.st_mode):
            return False
        if sys.platform == "win32":  # the profile's folders are the user's own
            return True
        if status.st_uid != os.getuid():
            return False
        if status.st_mode & 0o077:
            os.chmod(folder, 0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
