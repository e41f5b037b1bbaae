"""What a walk through a document keeps while it reads: streams of text, open lists, ends of elements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum_formats.xmldoc.tables import Table


@dataclass(slots=True, kw_only=True)
class Leave:
    """What is to be done at the end of an element; nothing of it is read when it is to be skipped."""

    undo: Callable[[], None] | None = None
    skip: bool = False


STAY: Final = Leave()


SKIP: Final = Leave(skip=True)


@dataclass(slots=True, kw_only=True)
class OpenList:
    """A list whose items are being read: how its items are marked, and how many there were."""

    mark: Callable[[int], str] | None = None
    count: int = 0
    begun: bool = False


@dataclass(slots=True, kw_only=True)
class Frame:
    """One stream of text: the document's, that of a cell, of a note.

    Attributes:
        blocks: What is finished; None for the document's own stream, whose blocks become sections.
        inline: The pieces of the paragraph at hand.
        lists: The lists that are open.
        mark: The mark of the item at hand, until its first text is said.
        lead: What is said before the next paragraph.
        quotes: Depth of quotations.
        alts: The alternative texts in the paragraph at hand.
        table: The table whose rows are being gathered.
    """

    blocks: list[str] | None = None
    inline: list[str] = field(default_factory=list)
    lists: list[OpenList] = field(default_factory=list)
    mark: str | None = None
    lead: str = ""
    quotes: int = 0
    alts: list[str] = field(default_factory=list)
    table: Table | None = None
