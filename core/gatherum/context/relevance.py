"""Measure how much a prompt is about the documents of a shelf.

Cosines of the bundled model lie close together: those of any prompt and any passage are about 0.8. What tells a prompt
about the documents from others is how much nearer it is to a passage than to prompts that no document has to answer,
and, less so, how many of its words that passage has. The weights are those of a logistic regression over seven sets of
documents in three languages; docs/explanation/prompt-hook.md has the figures.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from gatherum.embedding.embedder import NO_MODEL
from gatherum.evidence import Evidence, searchable
from gatherum.query import parse_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatherum.results import Hit
    from gatherum.shelf import Shelf

_CANDIDATES: Final = 20
_FIRST, _CLOSEST = 3, 2
_NEAREST: Final = 10
_BACKGROUND: Final = 0.8
_WORDS: Final = 0.02
_SAME: Final = 0.999
_LONGEST: Final = 1500

_lock = threading.Lock()
_backgrounds: dict[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """How a prompt relates to a shelf.

    Attributes:
        relevance: The best cosine, less 0.8 of the mean of the ten greatest with prompts that are about no document,
            plus 0.02 of the share of the prompt's words, rare ones counting more, that one of the best passages has.
        hits: The candidates, best first.
    """

    relevance: float
    hits: tuple[Hit, ...] = ()


def probe(shelf: Shelf, prompt: str, *, unknown: bool = False) -> Probe | None:
    """Return how a prompt relates to a shelf; None where that cannot be told.

    Args:
        shelf: The shelf.
        prompt: The prompt.
        unknown: Whether to act as if the prompt were not among the built-in ones, so that these can be tested.

    Raises:
        GatherumError: The shelf cannot be searched.
    """
    query = plain(prompt)
    terms = parse_query(query).terms
    if not terms or not shelf.place.exists:
        return None
    hits = [hit for hit in shelf.search(query, mode="hybrid", limit=_CANDIDATES) if hit.ranks.cosine is not None]
    if not hits:
        return None
    background = map(float, _background(shelf) @ shelf.query_vector(query))
    nearest = sorted(near for near in background if not unknown or near < _SAME)[-_NEAREST:]
    relevance = max(map(cosine, hits)) - _BACKGROUND * sum(nearest) / len(nearest) + _WORDS * _covered(terms, hits)
    return Probe(relevance=relevance, hits=tuple(hits))


def cosine(hit: Hit) -> float:
    """Return a candidate's nearness in meaning."""
    return hit.ranks.cosine or 0.0


def plain(prompt: str) -> str:
    """Return a prompt as words only: it was not written in the language of queries."""
    words = "".join(" " if letter in '":*' else letter for letter in prompt[:_LONGEST]).split()
    return " ".join(word for each in words if (word := each.lstrip("-")))


def off_topic() -> list[str]:
    """Return prompts that people give an assistant and that no document has to answer."""
    text = (files("gatherum.context") / "off_topic.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def warm(shelf: Shelf) -> None:
    """Make what the first prompt needs, if there is a model: a second's work for each process.

    Raises:
        EmbedderError: The embedding model cannot be loaded.
    """
    if shelf.settings.embedding.model != NO_MODEL:
        _background(shelf)


def _covered(terms: Sequence[str], hits: Sequence[Hit]) -> float:
    """Return the share of a prompt's words in the best passage, by both searches."""
    texts = {hit.id: searchable(hit.title, *hit.heading, hit.text) for hit in hits}
    evidence = Evidence(terms, texts.values())
    best = (*hits[:_FIRST], *sorted(hits, key=cosine)[-_CLOSEST:])
    return max(evidence.share(texts[hit.id]) for hit in best)


def _background(shelf: Shelf) -> Any:
    """Return the vectors of prompts that are about no document, made once a process and model."""
    import numpy as np

    key = shelf.settings.embedding.model
    with _lock:
        if key not in _backgrounds:
            _backgrounds[key] = np.array([shelf.query_vector(plain(line)) for line in off_topic()])
        return _backgrounds[key]
