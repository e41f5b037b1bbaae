"""OpenDocument tables: rows, merged cells, and repeated ones that may claim to be a billion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gatherum.tables import ABOVE, pipe_table
from gatherum_formats.opendocument.names import number

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.opendocument.flow import Block

_MOST_REPEATS = 64
_MOST_COLUMNS = 4096


@dataclass(slots=True)
class Allowance:
    """How many characters all repeated cells of a document may add."""

    left: int = 500_000

    def repeats(self, wanted: int, size: int) -> int:
        """Return how often something of *size* characters may stand instead of the *wanted* times."""
        times = max(1, min(wanted, _MOST_REPEATS, 1 + self.left // (size + 1)))
        self.left -= (times - 1) * (size + 1)
        return times


@dataclass(slots=True)
class Table:
    """A table in the making.

    Attributes:
        allowance: What repeated cells may add.
        side: Notes, comments and hidden text of its cells, to follow the table.
        sole: The blocks of its first cell, for tables that are but a frame around one.
    """

    allowance: Allowance
    side: list[Block] = field(default_factory=list)
    sole: list[Block] = field(default_factory=list)
    _rows: list[list[str | None]] = field(default_factory=list)
    _row: list[str | None] = field(default_factory=list)
    _above: dict[int, int] = field(default_factory=dict)
    _below: dict[int, int] = field(default_factory=dict)
    _cells: int = 0

    def begin_row(self) -> None:
        """Begin a row."""
        self._row = []
        self._above |= self._below
        self._below = {}

    def end_row(self, element: _Element) -> None:
        """Finish a row, and repeat it as its element says; rows without text stand once."""
        row = self._row
        while row and not row[-1]:
            row.pop()
        times = number(element, "table:number-rows-repeated", 1, least=1, most=_MOST_REPEATS)
        size = sum(len(text or "") for text in row)
        if times > 1:
            times = self.allowance.repeats(times, size) if size else 1
            self._cells += times
        self._rows.extend([row] * times)
        self._row = []

    def cell(self, element: _Element, text: str, blocks: list[Block]) -> None:
        """Add a cell.

        Args:
            element: The cell.
            text: Its text.
            blocks: The same as blocks.
        """
        if not self._cells:
            self.sole = blocks
        self._cells += 1
        columns = number(element, "table:number-columns-spanned", 1, least=1, most=_MOST_REPEATS)
        rows = number(element, "table:number-rows-spanned", 1, least=1, most=1 << 20)
        if rows > 1:
            for column in range(len(self._row), len(self._row) + columns):
                self._below[column] = rows - 1
        times = number(element, "table:number-columns-repeated", 1, least=1, most=_MOST_REPEATS)
        if times > 1:
            times = self.allowance.repeats(times, len(text)) if text else times
            self._cells += 1
        self._extend(text, times)

    def cover(self, element: _Element) -> None:
        """Add a cell that a merged one lies over."""
        times = number(element, "table:number-columns-repeated", 1, least=1, most=_MOST_REPEATS)
        for _ in range(times):
            left = self._above.pop(len(self._row), 0)
            if left > 1:
                self._above[len(self._row)] = left - 1
            self._extend(ABOVE if left else None, 1)

    def _extend(self, text: str | None, times: int) -> None:
        if len(self._row) < _MOST_COLUMNS:
            self._row.extend([text] * times)

    @property
    def is_frame(self) -> bool:
        """Whether it has a single cell: such tables only draw a line around their text."""
        return self._cells == 1

    def text(self, *, nested: bool) -> str:
        """Return it as a pipe table, or within a cell of another table as plain rows."""
        if not nested:
            return pipe_table(self._rows)
        lines = ("; ".join(cell for cell in row if cell and cell != ABOVE) for row in self._rows)
        return "\n\n".join(line for line in lines if line)
