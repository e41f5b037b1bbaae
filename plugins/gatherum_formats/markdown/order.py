"""The blocks of a Markdown text, and the order in which a reader wants them."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gatherum.document import Kind, Layer

_MARK = re.compile(r"\[\^([^\]\s]+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Some lines of one kind.

    Attributes:
        start: The first line, counted from 1.
        end: The last line.
        text: What they say, as readable Markdown; for a heading its title.
        kind: As for sections.
        layer: As for sections.
        level: A heading's, 1 to 6; 0 for everything else.
        label: The label of a footnote, or the normalized label of a link reference that nothing may have used.
    """

    start: int
    end: int
    text: str
    kind: Kind = "prose"
    layer: Layer = "body"
    level: int = 0
    label: str = ""


def in_order(blocks: list[Block], used: set[str]) -> list[Block]:
    """Put every footnote after the first block that refers to it, and drop link references that were resolved.

    Args:
        blocks: In the order of the file.
        used: The normalized labels of the references that were resolved.
    """
    notes = {block.label: block for block in reversed(blocks) if block.kind == "footnote"}
    marks = {id(block): _MARK.findall(block.text) for block in blocks if notes and "[^" in block.text}
    asked = {label for block in blocks if block.kind != "footnote" for label in marks.get(id(block), ())}
    ordered: list[Block] = []
    given: set[str] = set()
    for block in blocks:
        if block.kind == "footnote":
            if notes[block.label] is block and (block.label in asked or block.label in given):
                continue
            given.add(block.label)
        elif block.label and block.label in used:
            continue
        ordered.append(block)
        queue = deque(marks.get(id(block), ()))
        while queue:
            label = queue.popleft()
            note = notes.get(label)
            if note is not None and label not in given:
                given.add(label)
                ordered.append(note)
                queue += marks.get(id(note), ())
    return ordered
