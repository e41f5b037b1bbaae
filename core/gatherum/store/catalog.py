"""The documents of the table: which there are, what they say, what is wrong with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from gatherum.document import Metadata
from gatherum.ledger import Ledger
from gatherum.locator import Locator
from gatherum.problems import Problem
from gatherum.results import FileLoss, FileProblem, OutlineEntry
from gatherum.store.rows import DOCUMENT
from gatherum.store.schema import literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatherum.document import State
    from gatherum.store.table import Store

_COLUMNS: Final = (
    *("doc", "path", "collection", "title", "format", "handler", "state"),
    *("size", "mtime_ns", "chunks", "problems", "ledger", "indexed"),
)
_OWN: Final = f"ordinal = {DOCUMENT}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document's own row, without its text.

    Attributes:
        doc: Its id.
        path: Relative to its collection.
        collection: Its collection.
        title: Its title.
        format: What it is.
        handler: Who read it.
        state: How well it was read.
        size: The file's size in bytes.
        mtime_ns: When the file changed.
        chunks: How many passages it has.
        problems: What could not be read.
        ledger: How many words it has, and how many can be searched.
        indexed: When it was written, as ISO 8601.
    """

    doc: str
    path: str
    collection: str
    title: str
    format: str
    handler: str
    state: State
    size: int
    mtime_ns: int
    chunks: int
    problems: tuple[Problem, ...]
    ledger: Ledger
    indexed: str

    def file_problems(self, *, named: bool) -> tuple[FileProblem, ...]:
        """Return its problems as reports give them."""
        return file_problems(self.problems, path=self.path, collection=self.collection if named else "")

    def loss(self, *, named: bool) -> FileLoss:
        """Return how many of its words can be searched, as reports give it."""
        return FileLoss(
            path=self.path,
            collection=self.collection if named else "",
            searchable=self.ledger.searchable,
            reached=self.ledger.reached,
        )


def file_problems(problems: Iterable[Problem], *, path: str, collection: str) -> tuple[FileProblem, ...]:
    """Return the problems of a file as reports give them."""
    return tuple(
        FileProblem(
            path=path,
            collection=collection,
            code=problem.code,
            message=problem.message,
            advice=problem.advice,
            locator=problem.locator,
        )
        for problem in problems
    )


class Catalog:
    """The documents of a table.

    Args:
        store: The table.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def entries(self, where: str = "") -> list[Entry]:
        """Return the documents' own rows, sorted by place."""
        rows = self._store.scan(_COLUMNS, f"{_OWN} AND ({where})" if where else _OWN)
        return sorted(map(_entry, rows), key=lambda entry: (entry.collection, entry.path))

    def outside(self, collections: Iterable[str]) -> list[Entry]:
        """Return the documents of all other collections."""
        names = ", ".join(map(literal, collections))
        return self.entries(f"collection NOT IN ({names})" if names else "")

    def by_id(self, identity: str) -> Entry | None:
        """Return the document with this id."""
        return next(iter(self.entries(f"doc = {literal(identity)}")), None)

    def chunk(self, identity: str) -> tuple[str, int] | None:
        """Return the document and the line of the passage with this id."""
        rows = self._store.scan(("doc", "line"), f"id = {literal(identity)} AND ordinal >= 0", 1)
        return (rows[0]["doc"], rows[0]["line"]) if rows else None

    def content(self, entry: Entry) -> tuple[str, Metadata]:
        """Return a document's rendered text and what it says about itself."""
        row = self._own(entry, "content", "metadata")
        fields: dict[str, Any] = json.loads(row["metadata"] or "{}")
        for name in ("authors", "tags"):
            fields[name] = tuple(fields.get(name, ()))
        return row["content"] or "", Metadata(**fields)

    def outline(self, entry: Entry) -> tuple[OutlineEntry, ...]:
        """Return a document's headings."""
        rows = json.loads(self._own(entry, "outline")["outline"] or "[]")
        return tuple(
            OutlineEntry(
                **{**row, "heading": tuple(row["heading"]), "locator": Locator(**row["locator"])},
            )
            for row in rows
        )

    def _own(self, entry: Entry, *columns: str) -> dict[str, Any]:
        return self._store.scan(columns, f"id = {literal(entry.doc)}", 1)[0]

    def remove(self, entries: list[Entry]) -> None:
        """Take documents off the shelf."""
        self._store.write([], [entry.doc for entry in entries])


def _entry(row: dict[str, Any]) -> Entry:
    problems = []
    for item in json.loads(row["problems"] or "[]"):
        place = item.get("locator")
        problems.append(
            Problem(code=item["code"], message=item["message"], locator=Locator(**place) if place else None)
        )
    return Entry(
        doc=row["doc"],
        path=row["path"],
        collection=row["collection"],
        title=row["title"],
        format=row["format"],
        handler=row["handler"],
        state=cast("State", row["state"]),
        size=row["size"],
        mtime_ns=row["mtime_ns"],
        chunks=row["chunks"],
        problems=tuple(problems),
        ledger=Ledger(**json.loads(row["ledger"] or "{}")),
        indexed=row["indexed"],
    )
