"""What has changed since the last run: by stat first, by content hash where stat says so."""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from gatherum.archives import Archives
from gatherum.collection import holds
from gatherum.errors import ShelfError
from gatherum.limits.budget import Limits
from gatherum.nesting import outermost
from gatherum.walk import Found, Skipped, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum.collection import Collection
    from gatherum.config import IndexSettings
    from gatherum.indexer.recipe import Recipes
    from gatherum.reader.pool import Code
    from gatherum.store import FileState, Store

_RACY_NS: Final = 2_000_000_000
"""A file changed so shortly before it was seen may change again without a trace in its stat values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A file to read.

    Attributes:
        collection: Where it is.
        found: The file; its stat values are those to store.
        file_hash: Of its bytes; "" if it cannot be read.
        known: Whether the shelf has an older state of it.
    """

    collection: Collection
    found: Found
    file_hash: str
    known: bool


@dataclass(slots=True, kw_only=True)
class Changes:
    """How a collection differs from the shelf.

    Attributes:
        tasks: Files to read.
        refused: Files and folders that something is wrong with, and that the shelf does not know as such.
        left_out: How many were left out by rule.
        unchanged: How many are as they were.
        touched: Files with new stat values but their old content.
        removed: Files that are gone.
        emptied: Whether nothing is left of a collection that had files.
        ended: The content, the "handler@version" and the problem of files whose reading came to nothing before.
        orphaned: How many are kept as they were because the handler that read them is gone, by its name.
    """

    tasks: list[Task] = field(default_factory=list)
    refused: list[Skipped] = field(default_factory=list)
    left_out: int = 0
    unchanged: int = 0
    touched: list[tuple[str, Found]] = field(default_factory=list)
    removed: list[FileState] = field(default_factory=list)
    emptied: bool = False
    ended: list[tuple[str, str, Code]] = field(default_factory=list)
    orphaned: Counter[str] = field(default_factory=Counter)


def compare(
    collection: Collection, store: Store, recipes: Recipes, settings: IndexSettings, seen: Callable[[str], None]
) -> Changes:
    """Compare the files of a collection with what the shelf holds of them.

    Args:
        collection: The folder.
        store: The shelf's table.
        recipes: How files are read now.
        settings: What is gathered.
        seen: Called with each path.

    Raises:
        ShelfError: The folder is not there; nothing is taken off the shelf for that.
    """
    if not collection.root.is_dir():
        raise ShelfError(
            f"the folder {collection.root} is not there",
            hint="Nothing was changed. `gatherum remove` takes a collection off the shelf.",
        )
    changes = Changes()
    known = store.states(collection.name)
    before = len(known)
    changes.ended += [
        (state.file_hash, *how) for state in known.values() if state.file_hash and (how := recipes.ended(state.recipe))
    ]
    blocked: list[str] = []
    archives = Archives(Limits(file_bytes=settings.max_file_mb << 20))
    for item in walk(collection.root, settings, below=collection.below, archives=archives):
        seen(item.path)
        state = known.pop(item.path, None)
        if isinstance(item, Skipped):
            if item.code is None:
                changes.left_out += 1
                if state:
                    changes.removed.append(state)
                continue
            if item.folder:
                blocked.append(item.path)
            if state is None or state.file_hash != refusal(item):
                changes.refused.append(item)
            else:
                changes.unchanged += 1
            continue
        _judge(collection, item, state, recipes, changes, archives)
    archives.close()
    changes.emptied = before > 0 and len(known) == before and not collection.below
    changes.removed += [state for path, state in known.items() if _is_gone(path, collection.below, blocked)]
    return changes


def _judge(
    collection: Collection,
    found: Found,
    state: FileState | None,
    recipes: Recipes,
    changes: Changes,
    archives: Archives,
) -> None:
    if state is not None and (handler := recipes.orphaned(found.path, state.recipe)):
        changes.unchanged += 1
        changes.orphaned[handler] += 1
        return
    valid = state is not None and recipes.holds(found.path, state.recipe)
    if valid and state is not None and state.same_stat(found):
        changes.unchanged += 1
        return
    full = collection.full(found.path)
    inside = outermost(found.path)[1] and not os.path.lexists(full)
    file_hash = archives.digest(full) if inside else hash_file(full)
    if time.time_ns() - found.mtime_ns < _RACY_NS:
        found = replace(found, inode=0)
    if valid and state is not None and file_hash and state.file_hash == file_hash:
        changes.unchanged += 1
        changes.touched.append((state.id, found))
        return
    changes.tasks.append(Task(collection=collection, found=found, file_hash=file_hash, known=state is not None))


def _is_gone(path: str, below: str, blocked: list[str]) -> bool:
    """Whether a file that was not met is gone, rather than elsewhere or in a folder that could not be entered."""
    if not holds(below, path):
        return False
    return not any(holds(folder, path) for folder in blocked)


def refusal(skipped: Skipped) -> str:
    """Return what stands for the content hash of something that is not read."""
    return f"refused:{skipped.code}:{skipped.message}"


def hash_file(path: str) -> str:
    """Return the BLAKE2b hash of a file's bytes; "" if it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        with os.fdopen(handle, "rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError:
        return ""
