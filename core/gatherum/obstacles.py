"""How one document does for one query, and what stands in its way."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gatherum.evidence import Evidence, searchable
from gatherum.query import Filter, Query, parse_query
from gatherum.rendering import READ_LAYERS
from gatherum.results import Match, Ranks
from gatherum.search import MAX_LIMIT
from gatherum.store.filters import where
from gatherum.store.schema import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gatherum.document import Document
    from gatherum.results import Hit, Mode, SearchResult
    from gatherum.search import Searcher
    from gatherum.store import Catalog, Entry, Store

_SHOWN: Final = 3


class Obstacles:
    """Asks a query for one document's sake.

    Args:
        store: The shelf's table.
        catalog: Its documents.
        searcher: Answers queries.
        mode: What is searched by.
        limit: How many hits an answer shows.
        reread: Reads the document's file again, whole; None if the file is not there.
    """

    def __init__(
        self,
        store: Store,
        catalog: Catalog,
        searcher: Searcher,
        *,
        mode: Mode,
        limit: int,
        reread: Callable[[], Document] | None,
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._searcher = searcher
        self._mode = mode
        self._limit = limit
        self._reread = reread

    def of(self, entry: Entry, text: str) -> tuple[tuple[Match, ...], tuple[str, ...]]:
        """Return a document's best passages for a query, and what keeps them from being found, or found early.

        Raises:
            QueryError: The query cannot be understood.
        """
        query = parse_query(text)
        result = self._searcher.search(text, mode=self._mode, limit=MAX_LIMIT)
        mine = {row["id"]: row["text_hash"] for row in self._store.scan(("id", "text_hash"), _passages(entry))}
        placed = [(place, hit) for place, hit in enumerate(result, 1) if hit.id in mine]
        matches = [_match(hit, place) for place, hit in placed[:_SHOWN]]
        unmet = [] if placed else list(self._unmet(entry, query))
        if not placed and mine and not unmet:
            matches = [_match(hit, None) for hit in self._alone(entry, text)]
        obstacles = [*unmet, *self._missing(entry, query)]
        if not placed and mine and not unmet:
            obstacles.append(self._unplaced(result, mine))
        elif placed and placed[0][0] > self._limit:
            obstacles.append(f"its best passage comes in place {placed[0][0]}, and an answer shows {self._limit}")
        return tuple(matches), (*obstacles, *result.warnings)

    def _alone(self, entry: Entry, text: str) -> list[Hit]:
        """Return the best passages of the document alone: their scores tell how far off they are."""
        own = (Filter(field="collection", value=entry.collection), Filter(field="under", value=entry.path))
        return list(self._searcher.search(text, mode=self._mode, limit=_SHOWN, filters=own))

    def _unmet(self, entry: Entry, query: Query) -> Iterator[str]:
        """Name each condition that no passage of the document meets; all together, if each is met by some."""
        if not entry.chunks:
            yield "it has no passages"
            return
        bare = Query(text="", words="")
        parts = [(f'the phrase "{text}"', replace(bare, phrases=(text,))) for text in query.phrases]
        parts += [(f"the exclusion of {text!r}", replace(bare, excluded=(text,))) for text in query.excluded]
        parts += [(f"the condition {_shown(each)}", replace(bare, filters=(each,))) for each in query.filters]
        unmet = [name for name, part in parts if not self._meets(entry, part)]
        yield from (f"{name} leaves it out" for name in unmet)
        if parts and not unmet and not self._meets(entry, query):
            yield "no single passage of it meets all conditions of the query"

    def _meets(self, entry: Entry, query: Query) -> bool:
        return self._store.count(f"{_passages(entry)} AND {where(query)}") > 0

    def _missing(self, entry: Entry, query: Query) -> Iterator[str]:
        """Name the words of the query that the document does not have, or has only where they are not searched."""
        rows = self._store.scan(("title", "heading", "text"), _passages(entry))
        text = searchable(*(part for row in rows for part in (row["title"], *(row["heading"] or ()), row["text"])))
        missing = [term for term in query.terms if not _occurs(term, text)]
        if not missing:
            return
        aside = set(entry.ledger.words) - READ_LAYERS
        elsewhere = self._aside(missing) if aside and self._reread else {}
        for term, layers in elsewhere.items():
            yield f"{term!r} stands only in text that is not searched: {', '.join(sorted(layers))}"
        nowhere = [term for term in missing if term not in elsewhere]
        if len(nowhere) == len(query.terms):
            yield "it has none of the query's words"
        elif nowhere:
            yield f"it has no {', '.join(map(repr, nowhere))}"

    def _aside(self, terms: Iterable[str]) -> dict[str, set[str]]:
        """Return the layers, of those that are not searched, in which terms occur."""
        found: dict[str, set[str]] = defaultdict(set)
        for section in self._reread().sections if self._reread else ():
            if section.layer not in READ_LAYERS:
                text = searchable(section.text)
                for term in terms:
                    if _occurs(term, text):
                        found[term].add(section.layer)
        return found

    def _unplaced(self, result: SearchResult, mine: dict[str, str]) -> str:
        """Say why none of a document's passages is in the longest answer: another says the same, or it is far off."""
        hashes = ", ".join(map(literal, sorted(set(mine.values()))))
        others = {row["id"] for row in self._store.scan(("id",), f"text_hash IN ({hashes}) AND ordinal >= 0")} - {*mine}
        twin = next((hit for hit in result if hit.id in others), None)
        if twin is not None:
            return f"{twin.path} says the same and is shown instead"
        return f"none of its passages is among the first {MAX_LIMIT} by keyword or by meaning"


def _passages(entry: Entry) -> str:
    return f"doc = {literal(entry.doc)} AND ordinal >= 0"


def _occurs(term: str, text: str) -> bool:
    return Evidence((term,), ()).share(text) > 0


def _match(hit: Hit, place: int | None) -> Match:
    ranks = hit.ranks if place else Ranks(cosine=hit.ranks.cosine, bm25=hit.ranks.bm25)
    return Match(id=hit.id, heading=hit.heading, locator=hit.locator, place=place, ranks=ranks)


def _shown(condition: Filter) -> str:
    value = condition.value or "…".join(
        moment.date().isoformat() if moment else "" for moment in (condition.start, condition.end)
    )
    return f"{'-' if condition.negated else ''}{condition.field}:{value}"
