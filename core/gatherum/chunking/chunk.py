"""The unit that is embedded, ranked and returned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.tables import spell_out

if TYPE_CHECKING:
    from gatherum.document import Kind, Layer
    from gatherum.locator import Locator

CHUNKER: Final = "1"
"""Raised whenever passages come out differently: documents are then cut again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document.

    Attributes:
        text: Readable Markdown.
        heading: The titles above it, root first.
        context: What is indexed before the text: the document's title and the headings.
        kind: What most of it is.
        layer: Whom it is for.
        locator: Its place in the file.
        line: Its first line in the rendered document, from 1.
        tokens: Its length, the context not counted.
    """

    text: str
    heading: tuple[str, ...]
    context: str
    kind: Kind
    layer: Layer
    locator: Locator
    line: int
    tokens: int

    @property
    def indexed(self) -> str:
        """The text for searching, where each table row stands alone, after its context."""
        body = spell_out(self.text)
        return f"{self.context}\n{body}" if self.context else body


def context_of(title: str, heading: tuple[str, ...]) -> str:
    """Return the titles under which a passage stands, the document's own first unless a heading repeats it."""
    known = {" ".join(part.split()).casefold() for part in heading}
    parts = heading if not title or title.casefold() in known else (title, *heading)
    return " › ".join(part for part in parts if part)
