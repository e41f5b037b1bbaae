"""Spreadsheets of OpenDocument: cells as they are shown, bounded where they claim to repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum.tables import ABOVE
from gatherum_formats.opendocument.flow import Block, as_text
from gatherum_formats.opendocument.names import attribute, clark, number
from gatherum_formats.opendocument.tables import Allowance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum_formats.opendocument.walk import Walker
    from gatherum_formats.spreadsheet.grid import Row

_MOST_COLUMNS: Final = 16_384
_MOST_GAP: Final = 64
_MOST_ROWS: Final = 1 << 20


class Cells:
    """Read the tables of one spreadsheet.

    Args:
        walker: Reads cells that hold more than plain text.

    Attributes:
        comments: Comments of the table that was read last, each with its cell's row number.
        drawn: What else it holds: shapes, charts, notes.
    """

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._allowance = Allowance()
        self._cell = clark("table:table-cell")
        self._covered = clark("table:covered-table-cell")
        self._paragraph = clark("text:p")
        self._repeated = clark("table:number-columns-repeated")
        self._spanned = clark("table:number-rows-spanned")
        self.comments: list[tuple[int, Block]] = []
        self.drawn: list[Block] = []

    def rows(self, table: _Element) -> Iterator[tuple[int, Row]]:
        """Yield the rows of a table that have text, with their numbers."""
        self.comments, self.drawn = [], []
        at = 0
        above: dict[int, int] = {}
        groups = {clark(f"table:table-{name}") for name in ("rows", "row-group", "header-rows")}
        stack = [iter(table)]
        while stack:
            for element in stack[-1]:
                if element.tag in groups:
                    stack.append(iter(element))
                    break
                if element.tag == clark("table:table-row"):
                    times = number(element, "table:number-rows-repeated", 1, least=1, most=_MOST_ROWS)
                    row = self._row(element, at + 1, above)
                    if any(text and text != ABOVE for text in row):
                        for copy in range(self._allowance.repeats(times, sum(len(text or "") for text in row))):
                            yield at + 1 + copy, row
                    at += times
                elif element.tag == clark("table:shapes"):
                    self.drawn += self._walker.blocks(element)
            else:
                stack.pop()

    def _row(self, element: _Element, at: int, above: dict[int, int]) -> Row:
        row: Row = []
        below: dict[int, int] = {}
        for cell in element:
            covered = cell.tag == self._covered
            if not covered and cell.tag != self._cell:
                continue
            times = 1
            if cell.get(self._repeated) is not None:
                times = number(cell, "table:number-columns-repeated", 1, least=1, most=_MOST_COLUMNS)
            text = "" if covered or not len(cell) else self._text(cell, at)
            if text:
                if cell.get(self._spanned) is not None:
                    below[len(row)] = number(cell, "table:number-rows-spanned", 1, least=1, most=_MOST_ROWS) - 1
                row.extend([text] * (self._allowance.repeats(times, len(text)) if times > 1 else 1))
            elif covered and (left := above.pop(len(row), 0)):
                below[len(row)] = left - 1
                row.extend([ABOVE, *[None] * (min(times, _MOST_GAP) - 1)])
            elif len(row) < _MOST_COLUMNS:
                row.extend([None] * min(times, _MOST_GAP))
        above |= {column: left for column, left in below.items() if left}
        while row and not row[-1]:
            row.pop()
        return row

    def _text(self, cell: _Element, at: int) -> str:
        if len(cell) == 1 and cell[0].tag == self._paragraph and not len(cell[0]):
            return " ".join((cell[0].text or "").split())
        text, rest = as_text(block for block in self._walker.blocks(cell) if not self._keep(block))
        for block in rest:
            if block.kind == "comment":
                self.comments.append((at, block))
            else:
                self.drawn.append(block)
        return text

    def _keep(self, block: Block) -> bool:
        """Set aside what is drawn over a cell: charts and the like are no part of its text."""
        if block.layer != "body" or block.kind not in ("table", "alt", "caption"):
            return False
        self.drawn.append(block)
        return True


def hidden_styles(styles: _Element | None) -> frozenset[str]:
    """Return the names of the table styles that keep a sheet from being shown.

    Args:
        styles: The automatic styles of the document.
    """
    return frozenset(
        attribute(style, "style:name")
        for style in (styles if styles is not None else ())
        if attribute(style, "style:family") == "table"
        and (properties := style.find(clark("style:table-properties"))) is not None
        and attribute(properties, "table:display") == "false"
    )
