"""Where a shelf is, and which folders it gathers."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gatherum.collection import Collection, holds
from gatherum.config import SHELF, Settings, find_config, load_settings
from gatherum.errors import ConfigError, ShelfError
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE: Final = "shelf.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A shelf's folder with the settings that hold there.

    Attributes:
        folder: The shelf's folder, which need not exist yet.
        settings: The settings.
        config: The file that they come from, if any.
    """

    folder: Path
    settings: Settings
    config: Path | None = None

    @property
    def exists(self) -> bool:
        """Whether anything was ever gathered here."""
        return (self.folder / "db").is_dir()


def find_place(
    start: Path, *, shelf: Path | None = None, config: Path | None = None, environ: Mapping[str, str] | None = None
) -> Place:
    """Find the shelf that holds for a folder.

    It is the one named; else the one that the nearest gatherum.toml names; else the nearest ``.gatherum`` at or above
    *start*; else one that would be made in *start*.

    Args:
        start: A folder, or a file in it.
        shelf: The shelf's folder, if it was named.
        config: The settings file, if it was named.
        environ: The environment; by default the process's own.

    Raises:
        ConfigError: A setting is unknown or has a wrong value.
    """
    start = start if start.is_dir() else start.parent
    if config is not None and not config.is_file():
        raise ConfigError(f"there is no settings file {config}")
    file = config or find_config(start)
    settings = load_settings(file, environ=environ)
    if shelf is not None:
        return Place(folder=shelf.absolute(), settings=settings, config=file)
    if file is not None or "shelf.path" in settings.origins:
        base = file.parent if file else start
        return Place(folder=base / settings.shelf.path, settings=settings, config=file)
    for folder in (start, *start.parents):
        if (folder / SHELF / "db").is_dir():
            return Place(folder=folder / SHELF, settings=settings)
    return Place(folder=start / SHELF, settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Root:
    """A folder that was added by hand.

    Attributes:
        path: The folder.
        parts: The files and folders in it that were named; empty for all of it.
    """

    path: Path
    parts: tuple[str, ...] = ()


class Collections:
    """The folders that a shelf gathers: those of the settings, and those that were added by hand.

    Args:
        place: The shelf.
    """

    def __init__(self, place: Place) -> None:
        self._place = place

    def all(self) -> dict[str, Path]:
        """Return root by name; what the settings name comes first."""
        named = {name: Path(root) for name, root in self._place.settings.collections.items()}
        return {**{name: root.path for name, root in self._stored().items()}, **named}

    def wanted(self) -> list[Collection]:
        """Return what a run over everything looks at: whole folders, and the named parts of others."""
        stored = self._stored()
        wanted = []
        for name, path in self.all().items():
            real = Path(os.path.realpath(path))
            parts = stored[name].parts if name in stored and stored[name].path == path else ()
            wanted += [Collection(name=name, root=real, below=below) for below in parts or ("",)]
        return wanted

    def everything(self) -> list[Collection]:
        """Return what a run over everything looks at; where nothing was named, the folder of the settings file.

        Raises:
            ShelfError: There is no such folder either.
        """
        if wanted := self.wanted():
            return wanted
        if self._place.config is None:
            raise ShelfError("this shelf gathers nothing yet", hint="Name a folder: `gatherum index FOLDER`.")
        return [self.add(self._place.config.parent)]

    def locate(self, path: Path) -> Collection | None:
        """Return the collection that holds *path*, reduced to it; the innermost if there are several."""
        path = Path(os.path.realpath(path))
        best: Collection | None = None
        for name, root in self.all().items():
            real = Path(os.path.realpath(root))
            if path.is_relative_to(real) and (best is None or len(real.parts) > len(best.root.parts)):
                below = path.relative_to(real).as_posix()
                best = Collection(name=name, root=real, below="" if below == "." else below)
        return best

    def add(self, path: Path) -> Collection:
        """Return the collection for *path*, made if there is none. Of a file's folder only the file is gathered.

        Raises:
            ShelfError: There is nothing at *path*.
        """
        stored = self._stored()
        if found := self.locate(path):
            if (root := stored.get(found.name)) and root.parts and found.below not in root.parts:
                parts = (*root.parts, found.below) if found.below else ()
                self._store({**stored, found.name: replace(root, parts=parts)})
            return found
        real = Path(os.path.realpath(path))
        if not real.exists():
            raise ShelfError(f"there is no file or folder {path}")
        folder = real if real.is_dir() else real.parent
        parts = () if real == folder else (real.name,)
        name = self._free_name(clean(folder.name) or "root")
        self._store({**stored, name: _Root(path=folder, parts=parts)})
        return Collection(name=name, root=folder, below=parts[0] if parts else "")

    def remove(self, name: str) -> None:
        """Forget a collection that was added by hand."""
        self._store({key: root for key, root in self._stored().items() if key != name})

    def _free_name(self, wish: str) -> str:
        taken, name, number = self.all(), wish, 1
        while name in taken:
            number += 1
            name = f"{wish}-{number}"
        return name

    def _stored(self) -> dict[str, _Root]:
        file = self._place.folder / _FILE
        try:
            rows = json.loads(file.read_text(encoding="utf-8"))["collections"]
            return {
                name: _Root(path=Path(os.path.normpath(self._place.folder / row["root"])), parts=tuple(row["parts"]))
                for name, row in rows.items()
            }
        except FileNotFoundError:
            return {}
        except NotADirectoryError:
            raise ShelfError(f"{self._place.folder} cannot hold a shelf: it is, or lies in, no folder") from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise ShelfError(f"{file} is damaged", hint="Delete it and index your folders again.") from None

    def _store(self, roots: Mapping[str, _Root]) -> None:
        """Write the roots; one that holds the shelf is written relative to it, so that both can move together."""
        folder = self._place.folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        real = Path(os.path.realpath(folder))
        rows = {}
        for name, root in roots.items():
            inside = real.is_relative_to(os.path.realpath(root.path))
            path = os.path.relpath(root.path, real) if inside else str(root.path)
            rows[name] = {"root": path, "parts": list(root.parts)}
        fresh = folder / f"{_FILE}.new"
        fresh.write_text(json.dumps({"collections": rows}, indent=2), encoding="utf-8")
        fresh.replace(folder / _FILE)


def distinct(collections: list[Collection]) -> list[Collection]:
    """Drop what lies within another that was named as well."""
    kept: dict[tuple[str, str], Collection] = {}
    for each in sorted(collections, key=lambda collection: (collection.name, collection.below)):
        inside = any(name == each.name and holds(below, each.below) for name, below in kept)
        if not inside:
            kept[each.name, each.below] = each
    return list(kept.values())
