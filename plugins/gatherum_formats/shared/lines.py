"""What the formats of marked-up lines share: blocks with their lines, and looking ahead in linear time."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.shared import fence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind, Layer

_BRACKET: Final = re.compile(r"[\[\]]")
LIST_DEPTH: Final = 20
"""Items further inside are indented no more."""
SPANS: Final = 200
"""The most columns or copies that one cell may ask for."""
_ITEM = re.compile(r"\s*(?:[-*+]|\w{1,6}[.)]) ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Some text of one kind, or a heading.

    Attributes:
        text: What it says, as Markdown.
        first: The index of its first line, from 0.
        last: The index of its last line.
        kind: As for sections.
        layer: As for sections.
        level: A heading's level, from 1; 0 for everything else.
    """

    text: str
    first: int
    last: int
    kind: Kind = "prose"
    layer: Layer = "body"
    level: int = 0


class Ahead:
    """Find marks ahead in a text; however often a mark is sought, the text is searched for it once.

    Args:
        text: What is searched, from left to right.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, int] = {}
        self._closings: dict[int, int] | None = None

    def closing(self, start: int) -> int:
        """Return where the square bracket that opens at *start* is closed; -1 if nowhere."""
        if self._closings is None:
            self._closings = {}
            open_: list[int] = []
            for bracket in _BRACKET.finditer(self._text):
                if bracket[0] == "[":
                    open_.append(bracket.start())
                elif open_:
                    self._closings[open_.pop()] = bracket.start()
        return self._closings.get(start, -1)

    def find(self, mark: str, start: int) -> int:
        """Return where *mark* is next found at or after *start*; -1 if nowhere."""
        known = self._found.get(mark, -2)
        if known == -1 or known >= start:
            return known
        at = self._found[mark] = self._text.find(mark, start)
        return at


def sections(blocks: Iterable[Block], report: Report) -> Iterator[Section]:
    """Build sections of *blocks*, and report hidden text."""
    builder = SectionBuilder()
    for block in blocks:
        place = Locator.lines(block.first + 1, block.last + 1)
        if block.level:
            yield from builder.enter(block.level, block.text, locator=place)
            continue
        if block.layer == "hidden" and block.text.strip():
            report.problem("hidden_text", "the document has parts that are kept from its readers")
        separator = "\n" if block.kind == "list" and _ITEM.match(block.text) else "\n\n"
        yield from builder.add(block.text, kind=block.kind, layer=block.layer, locator=place, separator=separator)
    yield from builder.close()


def fenced(lines: list[str], language: str = "") -> str:
    """Return *lines* as a fenced block; "" if they are blank."""
    return fence.fenced(dedent(lines), language)


def dedent(lines: list[str]) -> str:
    """Return *lines* without the indentation that they share, and without blank ones at their ends."""
    margin = min((indent(line) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:].rstrip() if line.strip() else "" for line in lines).strip("\n")


def indent(line: str) -> int:
    """Return how far *line* is indented."""
    return len(line) - len(line.lstrip())


def item(text: str, depth: int, mark: str = "") -> str:
    """Return an item of a list, or a paragraph in it when there is no *mark*, *depth* lists deep."""
    margin = "  " * min(depth - 1 if mark else depth, LIST_DEPTH)
    inner = margin + " " * (len(mark) + 1) if mark else margin
    return f"{margin}{mark}{' ' if mark else ''}" + text.replace("\n", "\n" + inner)


def separated(text: str, delimiter: str = ",") -> list[list[str | None]]:
    """Return the rows of comma-separated *text*, even if it is broken."""
    try:
        reader = csv.reader(text.split("\n"), delimiter=delimiter, skipinitialspace=True)
        return [list(row) for row in reader if row]
    except csv.Error:
        return [list(line.split(delimiter)) for line in text.split("\n") if line.strip()]
