"""The blocks that a walk through HTML gives, and how they become sections."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from gatherum import Section, SectionBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from gatherum import Locator
    from gatherum.document import Kind, Layer

BREAK: Final = "\0"
"""Stands for a line break in text that is still being gathered; no parser passes it."""

BlockKind = Literal["heading", "anchor", "reference"]
_READ: Final = frozenset(("body", "notes"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Text of one kind, a heading, or a mark in the text.

    Attributes:
        kind: A section's kind; ``heading``; ``anchor`` for a place that was asked for; ``reference`` for the place
            after a paragraph that refers to a note.
        text: What it says; for a reference, the label of the note.
        layer: As for sections.
        level: A heading's.
        first: The line where it begins.
        last: The line where it ends.
        anchor: A fragment identifier: of a heading, a note or an anchor, or the target of a reference.
        language: Where it differs from the document's.
        flat: How it reads inside a table cell, where that is not ``text``.
    """

    kind: Kind | BlockKind
    text: str = ""
    layer: Layer = "body"
    level: int = 0
    first: int = 0
    last: int = 0
    anchor: str = ""
    language: str | None = None
    flat: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A footnote or endnote, kept until something refers to it."""

    kind: Literal["footnote", "endnote"]
    text: str


def settle(blocks: list[Block]) -> list[Block]:
    """Return *blocks* with navigation and page furniture made body text, if there is no other text."""
    if any(block.layer in _READ and block.text and block.kind not in ("heading", "alt") for block in blocks):
        return blocks
    return [replace(block, layer="body") if block.layer == "furniture" else block for block in blocks]


def block_sections(
    blocks: Iterable[Block], notes: Mapping[str, Note], builder: SectionBuilder, place: Callable[[Block], Locator]
) -> Iterator[Section]:
    """Yield the sections of *blocks*; each note stands right after the paragraph that first refers to it.

    Args:
        blocks: In reading order.
        notes: Every note by its identifier.
        builder: Takes headings and text; what is left in it is for the caller to take.
        place: Says where a block stands.
    """
    blocks = list(blocks)
    outer = builder.heading
    above: list[tuple[int, str]] = []
    wanted = {block.anchor for block in blocks if block.kind == "reference"}
    given: set[str] = set()
    aside: SectionBuilder | None = None
    margin: list[Section] = []
    resuming = _resuming(blocks)
    for at, block in enumerate(blocks):
        kind = block.kind
        if aside is not None and block.layer != "furniture" and kind != "anchor":
            yield from _margin([*margin, *aside.close()])
            aside, margin = None, []
        if kind == "heading":
            if block.layer == "furniture":
                if aside is None:
                    yield from builder.close()
                    path = tuple(title for level, title in above if level < block.level)
                    aside = SectionBuilder(builder.heading if at in resuming else (*outer, *path))
                margin += aside.enter(block.level, block.text, locator=place(block))
            else:
                while above and above[-1][0] >= block.level:
                    above.pop()
                above.append((block.level, block.text))
                yield from builder.enter(block.level, block.text, locator=place(block))
        elif kind == "reference":
            note = notes.get(block.anchor)
            if note is not None and block.anchor not in given:
                given.add(block.anchor)
                text = f"[^{block.text}]: {_without_label(note.text, block.text)}"
                yield from builder.add(text, kind=note.kind, layer="notes", locator=place(block))
        elif kind != "anchor" and not (block.anchor and block.anchor in wanted and block.anchor in notes):
            target = builder if aside is None else aside
            done = target.add(block.text, kind=kind, layer=block.layer, locator=place(block), language=block.language)
            if aside is None:
                yield from done
            else:
                margin += done
    if aside is not None:
        yield from _margin([*margin, *aside.close()])


def _margin(sections: list[Section]) -> Iterator[Section]:
    """Yield sections of furniture; those without text only where nothing else speaks of their heading."""
    told = {section.heading for section in sections if section.text}
    for section in sections:
        if section.text or section.heading not in told:
            yield replace(section, layer="furniture")


def _resuming(blocks: list[Block]) -> set[int]:
    """Return the headings of furniture after which the section that was open goes on: they stand inside it."""
    found: set[int] = set()
    following: Block | None = None
    for at in range(len(blocks) - 1, -1, -1):
        block = blocks[at]
        if block.layer != "furniture":
            following = following if block.kind in ("anchor", "reference") else block
        elif block.kind == "heading" and following is not None and following.level not in range(1, block.level + 1):
            found.add(at)
    return found


def _without_label(text: str, label: str) -> str:
    """Drop what only points back: the note's own number, which its place already says."""
    return re.sub(rf"^[\[(]?{re.escape(label)}[\])]?[.:]?\s+", "", text, count=1)
