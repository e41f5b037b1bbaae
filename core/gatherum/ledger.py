"""An account of a document's words: how many were read in each layer, and how many can be searched."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum.rendering import READ_LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gatherum.document import Section

# In scripts without spaces between words every letter counts as one.
_UNSPACED: Final = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[^\W{_UNSPACED}]+|[{_UNSPACED}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The words of one document, headings not counted.

    Attributes:
        words: How many its sections have, by layer; layers without any are left out.
        reached: How many of those that should be searchable are in its passages.
    """

    words: Mapping[str, int] = field(default_factory=dict)
    reached: int = 0

    @property
    def searchable(self) -> int:
        """How many words should be searchable: those of body, notes and annotations."""
        return sum(self.words.get(layer, 0) for layer in READ_LAYERS)

    @property
    def share(self) -> float:
        """The part of the searchable words that reached passages, from 0 to 1; less than 1 for any word lost."""
        return self.reached / self.searchable if self.searchable else 1.0


def ledger_of(sections: Sequence[Section], passages: Iterable[str]) -> Ledger:
    """Count the words of a document.

    Args:
        sections: What was read of it.
        passages: The texts that were made of it.
    """
    layers: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for section in sections:
        found = _WORD.findall(section.text)
        if found:
            layers[section.layer] += len(found)
        if section.layer in READ_LAYERS:
            wanted.update(found)
    lost = wanted - _words(passages) if wanted else Counter[str]()
    return Ledger(words=dict(sorted(layers.items())), reached=wanted.total() - lost.total())


def _words(passages: Iterable[str]) -> Counter[str]:
    """Count the words of passages; one that was cut in two, or in many, counts whole as well."""
    words: Counter[str] = Counter()
    cut = ""
    for text in passages:
        found = _WORD.findall(text)
        words.update(found)
        if not found:
            cut = ""
            continue
        if cut and text.startswith(found[0]):
            found[0] = cut + found[0]
            words[found[0]] += 1
        cut = found[-1] if text.endswith(found[-1]) or (len(found) == 1 and text == found[0][len(cut) :]) else ""
    return words
