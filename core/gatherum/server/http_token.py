"""The secret that clients show: a random token in a file that only its owner can read."""

from __future__ import annotations

import os
import re
import secrets
import stat
from typing import TYPE_CHECKING, Final

from gatherum.errors import GatherumError

if TYPE_CHECKING:
    from pathlib import Path

TOKEN_FILE: Final = "token.key"  # noqa: S105 - its name; *.key is never gathered
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)  # a pipe would keep us waiting
_TOKEN: Final = re.compile(rb"[A-Za-z0-9._~+/-]{20,512}=*")
"""What a bearer token may consist of (RFC 6750, section 2.1), and long enough not to be guessed."""


class TokenError(GatherumError):
    """The file with the token cannot be used."""

    code = "token"


def token_of(file: Path) -> bytes:
    """Return the token in a file, which is made, with a new one, if it is not there.

    Raises:
        TokenError: It cannot be made or read, others can read it, or it holds no token.
    """
    make(file)
    try:
        with open(os.open(file, os.O_RDONLY | _AT_ONCE), "rb") as opened:  # noqa: PTH123 - by its handle
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise TokenError(f"{file} is no file", hint="Set server.token_file to another.")
            _check_owner(file, status)
            token = opened.read(1024).strip()
    except OSError as error:
        raise TokenError(
            f"the token in {file} cannot be read: {error.strerror}", hint="Set server.token_file to another."
        ) from None
    if not _TOKEN.fullmatch(token):
        raise TokenError(
            f"{file} holds no token of at least 20 letters and digits", hint="Delete it: a new one is made."
        )
    return token


def make(file: Path) -> None:
    """Write a new token where none is; nobody but the owner can read it at any time.

    Raises:
        TokenError: It cannot be written.
    """
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    except OSError as error:
        raise TokenError(
            f"no token can be written to {file}: {error.strerror}", hint="Set server.token_file to another file."
        ) from None
    with os.fdopen(handle, "w", encoding="ascii") as opened:
        opened.write(f"{secrets.token_urlsafe(32)}\n")


def _check_owner(file: Path, status: os.stat_result) -> None:
    if os.name != "posix":
        return
    if status.st_uid not in (os.geteuid(), 0):
        raise TokenError(f"{file} belongs to somebody else", hint="Set server.token_file to a file of your own.")
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise TokenError(
            f"others can read or write {file}", hint=f"Only you may: chmod 600 {file}. Then choose a new token."
        )
