"""How much of a query a passage answers to by its words: what a place in the keyword list is worth.

BM25 always ranks something first, even where the only word in common is a chance one. In fusion such a hit must not
outdo the best by meaning, so its place counts for no more than the words that it matches.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from gatherum.text import fold
from gatherum.tokens import expand, normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_UNSPACED: Final = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_STEM_OFF: Final = 3
_STEM_MIN: Final = 4
_ENOUGH: Final = 4
"""Words matched that are full evidence however long the query is."""


class Evidence:
    """Judges passages by the words of one query; rare words count for more.

    Args:
        terms: The query's words.
        pool: The texts among which a word is rare or common: those that the keyword search found.
    """

    def __init__(self, terms: Sequence[str], pool: Iterable[str]) -> None:
        texts = list(pool)
        self._probes = {
            probe: math.log((len(texts) + 1) / (sum(probe in text for text in texts) + 0.5)) + 0.2
            for probe in _probes(terms)
        }
        self._total = sum(self._probes.values())

    def share(self, text: str) -> float:
        """Return the part of the query, from 0 to 1, whose words are in a folded text."""
        return self._matched(text) / self._total if self._total else 0.0

    def worth(self, text: str) -> float:
        """Return what a place in the keyword list is worth, from 0 to 1: all, from a few words matched on."""
        if not self._total:
            return 1.0
        enough = self._total * min(1.0, _ENOUGH / len(self._probes))
        return min(1.0, self._matched(text) / enough)

    def _matched(self, text: str) -> float:
        return sum(weight for probe, weight in self._probes.items() if probe in text)


def searchable(*parts: str) -> str:
    """Return texts as one, folded, for `Evidence`."""
    return fold(normal(" ".join(parts)))


def _probes(terms: Sequence[str]) -> tuple[str, ...]:
    """Return what to look for: words without their endings; pairs of letters where words are not spaced."""
    found: dict[str, None] = {}
    for term in map(fold, terms):
        if _UNSPACED.search(term):
            found.update(dict.fromkeys(expand(term).split() or [term]))
        else:
            found[term[: max(_STEM_MIN, len(term) - _STEM_OFF)]] = None
    return tuple(found)
