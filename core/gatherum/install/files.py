"""Read and replace settings files: whole or not at all, through links, with their mode."""

from __future__ import annotations

import codecs
import contextlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gatherum.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

_BOM = codecs.BOM_UTF8


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """A file as it was read.

    Attributes:
        path: The file itself, behind any links.
        data: Its bytes; None if there is no such file.
    """

    path: Path
    data: bytes | None

    @property
    def text(self) -> str:
        """What it says, without a byte order mark.

        Raises:
            ConfigError: It is not UTF-8.
        """
        try:
            return (self.data or b"").removeprefix(_BOM).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConfigError(
                f"{self.path} is not UTF-8: byte {error.start + 1} is wrong",
                hint="Nothing was changed. Save the file as UTF-8, then try again.",
            ) from None

    @property
    def missing(self) -> tuple[Path, ...]:
        """The folders that are to be made for it, outermost first."""
        return tuple(reversed([each for each in self.path.parents if not each.exists()]))

    def write(self, text: str) -> None:
        """Replace the file, and make its folders.

        Raises:
            ConfigError: It is read-only, or it was changed since it was read.
            OSError: It cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        bom = _BOM if (self.data or b"").startswith(_BOM) else b""
        self._ready()
        handle, name = tempfile.mkstemp(prefix=f".{self.path.name}.", suffix=".tmp", dir=self.path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(bom + text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(stat.S_IMODE(self.path.stat().st_mode) if self.data is not None else 0o600)
            if read(self.path).data != self.data:
                raise ConfigError(f"{self.path} was changed meanwhile", hint="Nothing was written. Try again.")
            Path(name).replace(self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(self.path.parent)

    def delete(self, folders: Sequence[Path]) -> None:
        """Remove the file and, if they are empty, the folders that were made for it."""
        self._ready()
        self.path.unlink()
        for folder in reversed(folders):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _ready(self) -> None:
        if self.data is not None and not self.path.stat().st_mode & stat.S_IWUSR:
            raise ConfigError(
                f"{self.path} is read-only", hint="Nothing was changed. Make it writable, then try again."
            )


def read(path: Path) -> SettingsFile:
    """Read a file, which need not exist."""
    real = Path(os.path.realpath(path))
    try:
        return SettingsFile(path=real, data=real.read_bytes())
    except FileNotFoundError:
        return SettingsFile(path=real, data=None)
    except OSError as error:
        raise ConfigError(f"{real} cannot be read: {error.strerror}", hint="Nothing was changed.") from None


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
