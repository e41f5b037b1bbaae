"""Answer a prompt with the passages that bear on it, or with nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum.collection import qualified
from gatherum.context.passages import rendered, selected
from gatherum.context.relevance import probe
from gatherum.errors import GatherumError
from gatherum.journal import note

if TYPE_CHECKING:
    from gatherum.shelf import Shelf


def answer(shelf: Shelf, prompt: str) -> str:
    """Return what to put beside a prompt; "" for nothing, also where the shelf cannot be searched."""
    settings = shelf.settings.hook
    try:
        found = probe(shelf, prompt)
    except GatherumError:
        return ""
    if found is None:
        return ""
    hits = selected(found, threshold=settings.threshold, margin=settings.margin, passages=settings.passages)
    given, text = rendered(hits, prompt, settings.max_tokens, shelf.count_tokens)
    if given:
        note(shelf, "hook", "prompt", query=prompt, documents=[qualified(hit.collection, hit.path) for hit in given])
    return text
