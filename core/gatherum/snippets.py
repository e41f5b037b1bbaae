"""The lines of a passage that show best why it was found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

LENGTH: Final = 240

_CUT: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")
_RULE: Final = re.compile(r"[\s|:-]+$")


def snippet(text: str, terms: Sequence[str], *, length: int = LENGTH) -> str:
    """Return about *length* characters of *text* on one line, around the sentences with most of the *terms*.

    Args:
        text: A passage.
        terms: The words of the query; a word counts where a text word starts with its first five letters, so that
            endings do not matter.
        length: The most characters, ellipses not counted.
    """
    parts = [part for part in (" ".join(part.split()) for part in _CUT.split(text)) if part and not _RULE.match(part)]
    if not parts:
        return ""
    stems = {fold(term)[:5] for term in terms if term}
    scores = [sum(stem in fold(part) for stem in stems) for part in parts]
    best = max(range(len(parts)), key=lambda at: (scores[at], -at))
    first = last = best
    used = len(parts[best])
    while used < length:
        before = scores[first - 1] if first else -1
        after = scores[last + 1] if last + 1 < len(parts) else -1
        if before < 0 and after < 0:
            break
        at = first - 1 if before > after else last + 1
        if used + len(parts[at]) + 1 > length:
            break
        used += len(parts[at]) + 1
        first, last = min(first, at), max(last, at)
    shown = " ".join(parts[first : last + 1])
    if len(shown) > length:
        shown = _around(shown, stems, length)
    else:
        shown = f"{'… ' if first else ''}{shown}{' …' if last + 1 < len(parts) else ''}"
    return shown


def _around(text: str, stems: set[str], length: int) -> str:
    """Cut a long sentence to the part around the first term in it."""
    folded = fold(text)
    hits = [at for stem in stems if (at := folded.find(stem)) >= 0]
    start = max(0, min(hits, default=0) - length // 4)
    if start:
        space = text.find(" ", start, start + 20)
        start = space + 1 if space > 0 else start
    end = start + length
    if end < len(text):
        space = text.rfind(" ", end - 20, end)
        end = space if space > 0 else end
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"
