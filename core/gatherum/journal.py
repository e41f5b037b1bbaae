"""Note what a shelf served: in its own folder, one file a day, and nowhere else.

A note is one line appended in one write, which any number of processes may do at once. What cannot be noted is not:
a search never fails, or waits, because of its note.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from gatherum.shelf import Shelf

_FOLDER: Final = "usage"
_QUERY: Final = 300
_DOCUMENTS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a shelf served.

    Attributes:
        days: The days looked back on.
        served: How often, by surface and action: ``mcp search``.
        documents: How often each document was served, most often first.
        unused: The documents that never were.
        misses: The queries without an answer, and how often.
    """

    days: int
    served: dict[str, int]
    documents: dict[str, int]
    unused: tuple[str, ...]
    misses: dict[str, int]


def note(
    shelf: Shelf, surface: str, action: str, *, query: str = "", documents: Iterable[str] = (), strength: str = ""
) -> None:
    """Note something that was served, if the settings allow it; never raises for a folder that cannot be written.

    Args:
        shelf: What served it.
        surface: Where it was asked for: ``cli``, ``mcp`` or ``hook``.
        action: ``search``, ``fetch``, ``prompt`` or ``context``.
        query: What was asked.
        documents: The qualified paths of what was given.
        strength: The strength of the match.
    """
    if not shelf.settings.usage.enabled or not shelf.place.folder.is_dir():
        return
    now = datetime.now(UTC)
    some = list(dict.fromkeys(documents))[:_DOCUMENTS]
    row = {"at": now.isoformat(timespec="seconds"), "surface": surface, "action": action}
    row |= {"query": query[:_QUERY]} if query else {}
    line = json.dumps({**row, "documents": some, "strength": strength}, ensure_ascii=True) + "\n"
    folder = shelf.place.folder / _FOLDER
    file = folder / f"{now.date().isoformat()}.jsonl"
    try:
        if not file.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
            _expire(folder, now.date() - timedelta(days=shelf.settings.usage.retention_days))
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)
    except OSError:
        return


def usage(shelf: Shelf, *, days: int = 30) -> Usage:
    """Return what was served in the last *days*."""
    served: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    for row in _rows(shelf.place.folder / _FOLDER, datetime.now(UTC).date() - timedelta(days=days)):
        served[f"{row['surface']} {row['action']}"] += 1
        documents.update(row["documents"])
        if row["strength"] == "none" and row.get("query"):
            misses[row["query"]] += 1
    from gatherum.collection import qualified

    every = [qualified(each.collection, each.path) for each in shelf.list_documents()] if shelf.place.exists else []
    return Usage(
        days=days,
        served=dict(served.most_common()),
        documents=dict(documents.most_common()),
        unused=tuple(name for name in every if name not in documents),
        misses=dict(misses.most_common()),
    )


def clear(shelf: Shelf) -> int:
    """Delete every note; return of how many days there were any."""
    files = _files(shelf.place.folder / _FOLDER)
    for _, file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _files(folder: Path) -> list[tuple[date, Path]]:
    found = []
    for file in sorted(folder.glob("*.jsonl")):
        try:
            found.append((date.fromisoformat(file.stem), file))
        except ValueError:
            continue
    return found


def _expire(folder: Path, before: date) -> None:
    for day, file in _files(folder):
        if day < before:
            file.unlink(missing_ok=True)


def _rows(folder: Path, since: date) -> Iterator[dict[str, Any]]:
    """Give the notes, without lines that a full disk cut short."""
    for day, file in _files(folder):
        if day < since:
            continue
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                row = json.loads(line)
                complete = isinstance(row["surface"], str) and isinstance(row["documents"], list) and "strength" in row
            except (ValueError, KeyError, TypeError):
                continue
            if complete and isinstance(row.get("action"), str):
                yield row
