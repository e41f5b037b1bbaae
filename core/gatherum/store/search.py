"""The searches of the table, each giving ranked candidates."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from gatherum.locator import Locator
from gatherum.store.filters import where
from gatherum.store.schema import literal
from gatherum.store.table import UNINDEXED_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatherum.document import Kind, Layer
    from gatherum.embedding.embedder import Vectors
    from gatherum.query import Query
    from gatherum.store.table import Store

COLUMNS: Final = (
    *("id", "doc", "path", "collection", "ordinal", "title", "heading", "kind", "layer"),
    *("locator", "line", "text", "text_hash", "tokens"),
)
_REFINE: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage found by one search.

    Attributes:
        id: The passage.
        doc: Its document.
        path: The document's path.
        collection: The document's collection.
        ordinal: The passage's place in the document, from 0.
        title: The document's title.
        heading: The titles above the passage.
        kind: What it is.
        layer: Whom it is for.
        locator: Its place in the file.
        line: Its first line in the rendered document.
        text: Its text.
        text_hash: Equal for equal passages.
        tokens: Its length.
        score: BM25, or cosine.
    """

    id: str
    doc: str
    path: str
    collection: str
    ordinal: int
    title: str
    heading: tuple[str, ...]
    kind: Kind
    layer: Layer
    locator: Locator
    line: int
    text: str
    text_hash: str
    tokens: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Indexes:
    """What a search must know of the indexes of one version of the table.

    Attributes:
        version: The version.
        behind: How many rows the index of words does not have yet.
        quantized: Whether vectors are indexed by short codes, so that what is found by them must be compared exactly.
    """

    version: int
    behind: int
    quantized: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vectors:
    """Likewise of the vectors of one model.

    Attributes:
        version: The version.
        model: The model.
        missing: How many passages have none of it.
        total: How many passages there are.
        mixed: Whether some have one of another model.
    """

    version: int
    model: str
    missing: int
    total: int
    mixed: bool


class Searches:
    """The searches of a table.

    Args:
        store: The table.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known_indexes: _Indexes | None = None
        self._known_vectors: _Vectors | None = None

    @property
    def unsearched(self) -> int:
        """How many rows `by_keyword` leaves out, as there are too many that the index of words does not have yet."""
        behind = self._indexes().behind
        return behind if behind > UNINDEXED_ROWS else 0

    def by_keyword(self, query: Query, *, limit: int) -> list[Candidate]:
        """Return the passages with the best BM25 scores."""
        from lancedb.query import MatchQuery

        def run() -> list[dict[str, Any]]:
            search = self._store.table.search(MatchQuery(query.keywords, "fts"))
            if self.unsearched:
                search = search.fast_search()
            return _rows(search, where(query), limit, "_score")

        return _ranked(candidate(row, row["_score"]) for row in self._store.patiently(run))

    def by_vector(self, query: Query, vector: Vectors, *, model: str, limit: int) -> list[Candidate]:
        """Return the passages with the greatest cosine to *vector* among those with vectors of *model*."""
        vectors = self._vectors(model)
        of_model = f"model = {literal(model)}" if vectors.mixed else None
        conditions = [part for part in (where(query), of_model) if part]

        def run() -> list[dict[str, Any]]:
            search = self._store.table.search(vector, vector_column_name="vector").distance_type("cosine")
            if self._indexes().quantized:
                search = search.refine_factor(_REFINE)
            return _rows(search, " AND ".join(conditions) or None, limit, "_distance")

        rows = self._store.patiently(run)
        return _ranked(candidate(row, 1.0 - row["_distance"]) for row in rows if row["_distance"] is not None)

    def matching(self, query: Query, *, limit: int) -> list[Candidate]:
        """Return the passages that meet the conditions of a query without words, newest files first."""
        condition = where(query)
        if condition is None:
            return []
        rows = self._store.scan((*COLUMNS, "mtime_ns"), f"ordinal >= 0 AND {condition}")
        rows.sort(key=lambda row: (-row["mtime_ns"], row["collection"], row["path"], row["ordinal"]))
        return [candidate(row) for row in rows[:limit]]

    def coverage(self, model: str) -> tuple[int, int]:
        """Return how many passages have no vector of *model*, and how many there are."""
        vectors = self._vectors(model)
        return vectors.missing, vectors.total

    def _indexes(self) -> _Indexes:
        """Look once at each version of the table."""
        version, known = self._store.version, self._known_indexes
        if known is None or known.version != version:
            known = self._known_indexes = _Indexes(
                version=version, behind=self._store.behind, quantized=self._store.quantized
            )
        return known

    def _vectors(self, model: str) -> _Vectors:
        """Count once for each version of the table."""
        version, known = self._store.version, self._known_vectors
        if known is None or (known.version, known.model) != (version, model):
            total = self._store.count("ordinal >= 0")
            missing = self._store.count(self._store.lacks_vector(model)) if total else 0
            mixed = missing > 0 and self._store.count(f"model <> {literal(model)}") > 0
            known = _Vectors(version=version, model=model, missing=missing, total=total, mixed=mixed)
            self._known_vectors = known
        return known


def _rows(search: Any, condition: str | None, limit: int, score: str) -> list[dict[str, Any]]:
    if condition:
        search = search.where(condition, prefilter=True)
    rows: list[dict[str, Any]] = search.limit(limit).select([*COLUMNS, score]).to_list()
    return rows


def _ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort by score; ties by place, so that two runs agree."""
    return sorted(candidates, key=lambda found: (-found.score, found.collection, found.path, found.ordinal))


def candidate(row: dict[str, Any], score: float = 0.0) -> Candidate:
    """Return a row of the table as a candidate."""
    return Candidate(
        id=row["id"],
        doc=row["doc"],
        path=row["path"],
        collection=row["collection"],
        ordinal=row["ordinal"],
        title=row["title"] or "",
        heading=tuple(row["heading"] or ()),
        kind=cast("Kind", row["kind"]),
        layer=cast("Layer", row["layer"]),
        locator=Locator(**json.loads(row["locator"])),
        line=row["line"],
        text=row["text"],
        text_hash=row["text_hash"],
        tokens=row["tokens"],
        score=float(score),
    )
