"""The daemon's log: what it did and what failed, never what documents say."""

from __future__ import annotations

import logging
import os
import traceback
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

NAME: Final = "daemon.log"

_BYTES: Final = 1 << 20
_KEPT: Final = 2


class _Wordless(logging.Formatter):
    """Writes of an exception where it was raised and its type: its message may quote a document."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name that logging calls
        kind, _, frames = ei
        return "".join((*traceback.format_tb(frames), str(getattr(kind, "__name__", kind))))


class _Private(RotatingFileHandler):
    def _open(self) -> Any:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, self.mode, encoding=self.encoding, errors=self.errors)


def log_to(folder: Path, otherwise: Path) -> Path:
    """Write gatherum's own log to a file of limited size; return which.

    Args:
        folder: The shelf's folder, where the file is looked for.
        otherwise: The file for a shelf that cannot be written to.
    """
    file = folder / NAME
    try:
        handler = _handler(file)
    except OSError:
        file = otherwise
        handler = _handler(file)
    log = logging.getLogger("gatherum")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    logging.getLogger().addHandler(logging.NullHandler())  # libraries may quote requests
    return file


def _handler(file: Path) -> logging.Handler:
    handler = _Private(file, maxBytes=_BYTES, backupCount=_KEPT, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(_Wordless("%(asctime)s %(process)d %(levelname)s %(message)s"))
    return handler
