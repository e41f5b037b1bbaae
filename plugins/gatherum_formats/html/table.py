"""A table on its way from cells to Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum.tables import pipe_table
from gatherum_formats.shared import grid

if TYPE_CHECKING:
    from gatherum.document import Layer
    from gatherum_formats.html.blocks import Block

_MARKS: Final = frozenset(("anchor", "reference"))
_WIDEST: Final = 100
_BULKY_BLOCKS: Final = 4
_BULKY_CHARS: Final = 1500


@dataclass(slots=True, kw_only=True, eq=False)
class Cell:
    """A cell while its content is gathered."""

    across: int = 1
    down: int = 1
    head: bool = False
    blocks: list[Block] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its blocks in one line, parted as table cells part them."""
        return "\n\n".join(block.flat or block.text.replace("\n", "\n\n") for block in self.blocks if block.text)

    @property
    def bulky(self) -> bool:
        """Whether it holds more than anyone puts into a cell of data."""
        size = sum(len(block.text) for block in self.blocks)
        parts = sum(block.text.count("\n\n") + 1 for block in self.blocks)
        return size > _BULKY_CHARS and parts >= _BULKY_BLOCKS


@dataclass(slots=True, kw_only=True, eq=False)
class Table:
    """A table while its rows are gathered.

    Attributes:
        outer: Where its text goes.
        rows: Its cells; emptied when it turns out to be layout.
        layout: Whether it only arranges parts of the page.
        first: The line where it begins.
    """

    outer: list[Block]
    first: int = 0
    rows: list[list[Cell]] = field(default_factory=list)
    layout: bool = False

    def add(self, cell: Cell) -> None:
        """Put a cell into the last row."""
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append(cell)

    @property
    def arranges(self) -> bool:
        """Whether its cells are parts of the page rather than data."""
        if self.layout:
            return True
        cells = [cell for row in self.rows for cell in row]
        if any(cell.head for cell in cells):
            return False
        return max((len(row) for row in self.rows), default=0) <= 1 or any(cell.bulky for cell in cells)

    @property
    def blocks(self) -> list[Block]:
        """What its cells hold, one after the other."""
        return [block for row in self.rows for cell in row for block in cell.blocks]

    def take_apart(self, layer: Layer) -> list[Block]:
        """Take out what is not data: anchors, references to notes, and text of other layers than the table's."""
        apart: list[Block] = []
        for row in self.rows:
            for cell in row:
                kept = [block for block in cell.blocks if block.kind not in _MARKS and block.layer == layer]
                if len(kept) < len(cell.blocks):
                    apart += [block for block in cell.blocks if block.kind in _MARKS or block.layer != layer]
                    cell.blocks = kept
        return apart

    def text(self) -> tuple[str, str]:
        """Return it as a pipe table, and flat for the cell of another table."""
        flat = "\n\n".join(text for row in self.rows for cell in row if (text := cell.text))
        cells = [[grid.Cell(text=cell.text, across=cell.across, down=cell.down) for cell in row] for row in self.rows]
        return pipe_table(grid.lay_out(cells, widest=_WIDEST)), flat
