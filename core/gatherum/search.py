"""Answer a query: two searches, fused; what stands in the way of a good answer is said with it."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gatherum.errors import EmbedderError
from gatherum.evidence import Evidence, searchable
from gatherum.fusion import DEPTH, fuse
from gatherum.query import Filter, Query, parse_query
from gatherum.results import Hit, Mode, Ranks, SearchResult, Strength
from gatherum.snippets import snippet
from gatherum.tables import spell_out

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gatherum.document import Layer
    from gatherum.embedding import Embedder
    from gatherum.model import EmbeddingModel
    from gatherum.store import Candidate, Searches

MAX_LIMIT: Final = 1000

_LAYER_WEIGHT: Final[dict[Layer, float]] = {"annotation": 0.8, "metadata": 0.8}
_FOREIGN_SHARE: Final = 0.3
_COVERED: Final = 0.6
_JUDGED: Final = 3


class Searcher:
    """Searches one shelf.

    Args:
        searches: The searches of the shelf's table.
        model: The embedding model whose vectors the shelf holds; None if there is none.
        embedder: Loads that model.
        named: Whether hits name their collection.
    """

    def __init__(
        self, searches: Searches, model: EmbeddingModel | None, embedder: Callable[[], Embedder], *, named: bool
    ) -> None:
        self._searches = searches
        self._model = model
        self._embedder = embedder
        self._named = named

    def search(
        self,
        text: str,
        *,
        mode: Mode,
        limit: int,
        per_file: int = 0,
        max_tokens: int = 0,
        filters: tuple[Filter, ...] = (),
    ) -> SearchResult:
        """Return the best passages for a query.

        Args:
            text: The query, in the language of `gatherum.query`.
            mode: What to search by.
            limit: How many hits at most.
            per_file: How many hits of one document at most; 0 for any number.
            max_tokens: How long all hits may be together; 0 for any length. The best hit is always given.
            filters: Conditions besides those in the query.

        Raises:
            QueryError: The query cannot be understood.
        """
        query = parse_query(text)
        query = replace(query, filters=(*query.filters, *filters))
        limit = max(1, min(limit, MAX_LIMIT))
        depth = max(DEPTH, 2 * limit)
        warnings: list[str] = []
        lists: dict[str, list[Candidate]] = {}
        if not query.terms:
            lists["keyword"] = self._searches.matching(query, limit=depth)
            mode = "keyword"
        else:
            if mode != "keyword" and not self._can_embed(query, warnings):
                mode = "keyword"
            if mode != "semantic":
                lists["keyword"] = self._by_keyword(query, depth, warnings)
            if mode != "keyword":
                mode = self._semantic(query, mode, depth, lists, warnings)
        result = self._answer(query, mode, lists, limit, per_file, warnings)
        return within_budget(result, max_tokens) if max_tokens else result

    def _can_embed(self, query: Query, warnings: list[str]) -> bool:
        if self._model is None:
            warnings.append("There is no embedding model: this answer is by keyword only.")
            return False
        if self._model.scripts is not None and foreign_share(query.words, self._model.scripts) > _FOREIGN_SHARE:
            warnings.append(f"The model {self._model.name} does not know this script: this answer is by keyword only.")
            return False
        return True

    def _by_keyword(self, query: Query, depth: int, warnings: list[str]) -> list[Candidate]:
        if unsearched := self._searches.unsearched:
            warnings.append(
                f"{unsearched} passages that an index run has just written are not found by their words yet."
            )
        return self._searches.by_keyword(query, limit=depth)

    def _semantic(
        self, query: Query, mode: Mode, depth: int, lists: dict[str, list[Candidate]], warnings: list[str]
    ) -> Mode:
        """Add the semantic list and return the mode that was possible."""
        assert self._model is not None  # noqa: S101 - checked by _can_embed
        missing, total = self._searches.coverage(self._model.id)
        if missing:
            warnings.append(f"{missing} of {total} passages have no vector yet; run `gatherum index` to embed them.")
        try:
            if missing < total:
                vector = self._embedder().query(query.words)
                lists["semantic"] = self._searches.by_vector(query, vector, model=self._model.id, limit=depth)
                return mode
        except EmbedderError as error:
            warnings.append(f"{error.message}. This answer is by keyword only.")
        if "keyword" not in lists:
            lists["keyword"] = self._by_keyword(query, depth, warnings)
        return "keyword"

    def _answer(
        self,
        query: Query,
        mode: Mode,
        lists: Mapping[str, Sequence[Candidate]],
        limit: int,
        per_file: int,
        warnings: Sequence[str],
    ) -> SearchResult:
        found = {candidate.id: candidate for each in lists.values() for candidate in each}
        places = {
            name: {candidate.id: (at, candidate.score) for at, candidate in enumerate(each, 1)}
            for name, each in lists.items()
        }
        keyword = {candidate.id: _words(candidate) for candidate in lists.get("keyword", ())}
        evidence = Evidence(query.terms, keyword.values())
        weights, worth = dict.fromkeys(lists, 1.0), {}
        if self._model is not None and len(lists) > 1:
            weights["semantic"] = self._model.weight
            worth["keyword"] = {key: evidence.worth(text) for key, text in keyword.items()}
        ids = {name: [candidate.id for candidate in each] for name, each in lists.items()}
        fused = fuse(ids, weights, worth=worth)
        weighed = sorted(
            ((found[key], score * _LAYER_WEIGHT.get(found[key].layer, 1.0)) for key, score in fused),
            key=lambda pair: -pair[1],
        )
        kept = _fold(weighed, per_file)
        hits = [self._hit(candidate, score, query, places) for candidate, score in kept[:limit]]
        covered = max((evidence.share(_words(candidate)) for candidate, _ in kept[:_JUDGED]), default=0.0)
        return SearchResult(
            query=query.text,
            mode=mode,
            strength=self._strength(query, hits, covered),
            results=tuple(hits),
            more=len(kept) > limit,
            warnings=tuple(warnings),
        )

    def _hit(
        self, candidate: Candidate, score: float, query: Query, places: Mapping[str, Mapping[str, tuple[int, float]]]
    ) -> Hit:
        keyword = places.get("keyword", {}).get(candidate.id)
        semantic = places.get("semantic", {}).get(candidate.id)
        return Hit(
            id=candidate.id,
            path=candidate.path,
            collection=candidate.collection if self._named else "",
            title=candidate.title,
            heading=candidate.heading,
            kind=candidate.kind,
            text=candidate.text,
            snippet=snippet(spell_out(candidate.text), query.terms),
            locator=candidate.locator,
            line=candidate.line,
            score=round(score, 6),
            ranks=Ranks(
                keyword=keyword[0] if keyword else None,
                semantic=semantic[0] if semantic else None,
                cosine=round(semantic[1], 4) if semantic else None,
                bm25=round(keyword[1], 4) if keyword else None,
            ),
            tokens=candidate.tokens,
        )

    def _strength(self, query: Query, hits: Sequence[Hit], covered: float) -> Strength:
        """Judge the best hits: by cosine where there is one, and by the part of the query that they answer to."""
        if not hits:
            return "none"
        if not query.terms:
            return "strong"
        cosine = max((hit.ranks.cosine or 0.0 for hit in hits[:_JUDGED]), default=0.0)
        model = self._model
        if model is None or not cosine:
            return "strong" if covered >= _COVERED else "weak"
        if cosine >= model.strong or (covered >= _COVERED and cosine >= model.weak):
            return "strong"
        return "weak" if covered >= _COVERED or cosine >= model.weak else "none"


def within_budget(result: SearchResult, tokens: int) -> SearchResult:
    """Return the best hits that are no longer than *tokens* together; the first is kept in any case."""
    kept: list[Hit] = []
    for hit in result.results:
        tokens -= hit.tokens
        if kept and tokens < 0:
            break
        kept.append(hit)
    return replace(result, results=tuple(kept), more=result.more or len(kept) < len(result.results))


def foreign_share(text: str, scripts: frozenset[str]) -> float:
    """Return the share of a text's letters that belong to none of *scripts* ("LATIN", "CJK", ...)."""
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(unicodedata.name(letter, "").partition(" ")[0] not in scripts for letter in letters)
    return foreign / len(letters) if letters else 0.0


def _words(candidate: Candidate) -> str:
    return searchable(candidate.title, *candidate.heading, candidate.text)


def _fold(weighed: Sequence[tuple[Candidate, float]], per_file: int) -> list[tuple[Candidate, float]]:
    """Leave out passages that say the same as a better one, and those beyond a document's share."""
    seen: set[str] = set()
    files: dict[str, int] = {}
    kept = []
    for candidate, score in weighed:
        if candidate.text_hash in seen:
            continue
        if per_file and files.get(candidate.doc, 0) >= per_file:
            continue
        seen.add(candidate.text_hash)
        files[candidate.doc] = files.get(candidate.doc, 0) + 1
        kept.append((candidate, score))
    return kept
