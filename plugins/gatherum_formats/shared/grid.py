"""Tables whose cells cover several columns and rows, laid out on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.tables import ABOVE

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST: Final = 1_000_000


@dataclass(slots=True, kw_only=True)
class Cell:
    """A cell with the columns and rows that it covers.

    Attributes:
        text: What it says.
        start: Its first column, counted from 0; None if it follows its neighbour.
        across: How many columns it covers.
        down: How many rows it covers.
    """

    text: str
    start: int | None = None
    across: int = 1
    down: int = 1


def lay_out(rows: Sequence[Sequence[Cell]], *, widest: int, columns: int = 0) -> list[list[str | None]]:
    """Return the texts of a grid, for `gatherum.tables.pipe_table`; spans that lead out of an honest table are cut.

    Args:
        rows: The cells, row by row, where they begin. In a table that is too large for a grid, they simply follow
            each other.
        widest: The most columns that spans may reach.
        columns: How many there are at least.
    """
    width = min(widest, max((sum(cell.across for cell in row) for row in rows), default=0))
    if width * len(rows) > _LARGEST:
        return [[cell.text for cell in row] for row in rows]
    width = max(width, columns)
    above: dict[int, int] = {}
    grid: list[list[str | None]] = []
    for row in rows:
        line: list[str | None] = []
        below: dict[int, int] = {}
        for cell in row:
            while len(line) in above or (cell.start is not None and len(line) < cell.start):
                line.append(ABOVE if len(line) in above else None)
            start = len(line)
            line.append(cell.text)
            line.extend([None] * min(cell.across - 1, max(0, width - len(line))))
            if cell.down > 1:
                below.update(dict.fromkeys(range(start, len(line)), cell.down - 1))
        while len(line) in above:
            line.append(ABOVE)
        grid.append(line)
        above = {column: left - 1 for column, left in above.items() if left > 1} | below
    return grid
