"""Sections as blocks: the smallest pieces that packing moves about, none longer than the budget allows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatherum.locator import Locator
from gatherum.rendering import quoted
from gatherum.tables import parse_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gatherum.document import Kind, Layer, Section

    Count = Callable[[Sequence[str]], Sequence[int]]

_WHOLE = frozenset(("code", "table", "math", "output"))
_FENCE = re.compile(r"(`{3,})[^`\n]*$|(~{3,})[^\n]*$")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\w\"'“‘(\[¿¡])|(?<=[。！？．])[」』”’）]*(?=\S)|\n")
_FINEST = 16
"""Frames (a table's head, a fence) never leave less room than this for what they frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, a table, a listing, or a part of one that is too long.

    Attributes:
        text: Its text.
        kind: What it is.
        layer: Whom it is for.
        locator: Its place in the file.
        line: Its first line in the rendered document.
        tokens: Its length.
        glue: What joins it to the block before.
    """

    text: str
    kind: Kind
    layer: Layer
    locator: Locator
    line: int
    tokens: int
    glue: str = "\n\n"


def blocks_of(sections: Sequence[tuple[Section, int]], count: Count, *, target: int, whole: int) -> list[Block]:
    """Return the blocks of the pieces of one section.

    Args:
        sections: Pieces with the line on which each starts in the rendered document.
        count: Counts the tokens of many texts at once.
        target: The longest block of prose, in tokens.
        whole: The longest table, listing or formula that is not cut.
    """
    drafts = [(section, start, offset, text) for section, start in sections for offset, text in _paragraphs(section)]
    lengths = count([text for *_, text in drafts])
    blocks: list[Block] = []
    for (section, start, offset, text), tokens in zip(drafts, lengths, strict=True):
        limit = whole if section.kind in _WHOLE else target
        if tokens <= limit:
            blocks.append(_block(section, text, start, offset, tokens, "\n\n"))
        else:
            blocks.extend(_cut(section, text, start, offset, count, limit=limit))
    return blocks


def _block(section: Section, text: str, start: int, offset: int, tokens: int, glue: str) -> Block:
    """Make a block; in a file of lines its place is exact if the section's text has the lines of the file."""
    place = section.locator
    if place.unit == "line" and place.end - place.start == section.text.count("\n"):
        first = place.start + offset
        place = Locator.lines(first, min(place.end, first + text.count("\n")))
    return Block(
        text=text,
        kind=section.kind,
        layer=section.layer,
        locator=place,
        line=start + offset,
        tokens=tokens,
        glue=glue,
    )


def _paragraphs(section: Section) -> Iterator[tuple[int, str]]:
    """Yield (line offset, text) for each paragraph, table and listing; what is fenced is one, blank lines and all."""
    text = quoted(section)
    apart = section.kind in _WHOLE
    if apart and not _FENCE.match(text.partition("\n")[0]) and parse_table(text) is None:
        if text.strip():
            yield 0, text
        return
    first, fence = 0, ""
    lines = text.split("\n")
    for number, line in enumerate([*lines, ""]):
        if fence:
            if line.strip().startswith(fence):
                fence = ""
                if apart:
                    yield first, "\n".join(lines[first : number + 1])
                    first = number + 1
        elif match := _FENCE.match(line.lstrip()):
            fence = match[1] or match[2]
        elif not line.strip():
            if number > first:
                yield first, "\n".join(lines[first:number])
            first = number + 1
    if fence and first < len(lines):
        yield first, "\n".join(lines[first:])


def _cut(section: Section, text: str, start: int, offset: int, count: Count, *, limit: int) -> Iterator[Block]:
    """Yield the parts of a text that is too long; each part of a table or listing can be read on its own."""
    head, foot, glue = "", "", "\n"
    if table := parse_table(text):
        head, units = f"{table[0]}\n", list(enumerate(table[1], 2))
    elif section.kind in _WHOLE:
        units = list(enumerate(text.split("\n")))
        match = _FENCE.match(units[0][1])
        if match and len(units) > 2 and units[-1][1].strip().startswith(match[1] or match[2]):
            head, foot, units = f"{units[0][1]}\n", f"\n{match[1] or match[2]}", units[1:-1]
    else:
        units, glue = _sentences(text), ""
    framing = count([head + foot])[0] if head else 0
    if framing > limit // 2:  # a head of such length is text itself, and repeating it would drown the rows
        head, foot, framing, units = "", "", 0, list(enumerate(text.split("\n")))
    room = max(_FINEST, limit - framing)
    fitted = list(_fit(units, count, room))
    before = "\n\n"
    for begin, end, tokens in _runs([length for *_, length in fitted], room):
        body = glue.join(unit for _, unit, _ in fitted[begin:end])
        inner = body.strip("\n")
        blank = len(body) - len(body.lstrip("\n"))
        whole = f"{head}{inner}{foot}" if head else inner.rstrip()
        yield _block(section, whole, start, offset + fitted[begin][0] + blank, tokens + framing, before)
        before = "\n\n" if head else glue or _joint(body)


def _joint(text: str) -> str:
    """Return what must stand between a part that ends like *text* and the next one."""
    space = text[len(text.rstrip()) :]
    return "\n" if "\n" in space else " " if space else ""


def _fit(units: list[tuple[int, str]], count: Count, room: int) -> Iterator[tuple[int, str, int]]:
    """Yield (line offset, unit, tokens), units longer than *room* cut at spaces, or anywhere if there are none."""
    for (offset, unit), tokens in zip(units, count([unit for _, unit in units]), strict=True):
        if tokens <= room:
            yield offset, unit, tokens
            continue
        size = max(1, len(unit) * room // tokens)
        at = 0
        while at < len(unit):
            space = unit.rfind(" ", at + size // 2, at + size)
            end = space + 1 if space > 0 and at + size < len(unit) else at + size
            part = unit[at:end]
            yield offset, part, min(room, -(-tokens * len(part) // len(unit)))
            at = end


def _runs(lengths: Sequence[int], room: int) -> Iterator[tuple[int, int, int]]:
    """Yield (begin, end, tokens) for runs of units that fit into *room*, of nearly equal length."""
    total = sum(lengths)
    goal = total / max(1, -(-total // room))
    begin = used = 0
    for number, length in enumerate(lengths):
        if used and (used + length > room or used + length / 2 > goal):
            yield begin, number, used
            begin, used = number, 0
        used += length
    if begin < len(lengths):
        yield begin, len(lengths), used


def _sentences(text: str) -> list[tuple[int, str]]:
    """Return (line offset, sentence with the white space after it) for each sentence."""
    units: list[tuple[int, str]] = []
    at = lines = 0
    for end in [*(match.end() for match in _SENTENCE.finditer(text)), len(text)]:
        unit = text[at:end]
        if unit.strip():
            units.append((lines, unit))
            at, lines = end, lines + unit.count("\n")
    return units
