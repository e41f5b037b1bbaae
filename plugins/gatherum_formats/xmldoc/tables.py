"""Tables of XML vocabularies, in the model of CALS and in that of HTML, laid out on a grid."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum.tables import pipe_table
from gatherum_formats.shared.grid import Cell, lay_out
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

_WIDEST: Final = 200
_NUMBER: Final = re.compile(r"\s*(\d{1,6})")


@dataclass(slots=True, kw_only=True)
class Table:
    """A table while its rows are gathered.

    Attributes:
        line: The line where it begins.
        rows: Its rows.
        foot: Rows that are shown last.
        columns: Names of columns, with their places.
        spans: Names of spans, with the first column and the last.
        footing: Whether the rows that follow are shown last.
    """

    line: int
    rows: list[list[Cell]] = field(default_factory=list)
    foot: list[list[Cell]] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    spans: dict[str, tuple[str, str]] = field(default_factory=dict)
    footing: bool = False

    def open_row(self) -> None:
        """Begin a row."""
        (self.foot if self.footing else self.rows).append([])

    def add(self, cell: Cell) -> None:
        """Put a cell into the last row."""
        rows = self.foot if self.footing else self.rows
        if not rows:
            rows.append([])
        rows[-1].append(cell)

    def column(self, element: _Element) -> None:
        """Learn the name of a column or of a span."""
        if short_name(element) == "spanspec":
            self.spans[attribute(element, "spanname")] = attribute(element, "namest"), attribute(element, "nameend")
            return
        place = number(attribute(element, "colnum"), max(self.columns.values(), default=-1) + 2) - 1
        self.columns[attribute(element, "colname") or f"\0{place}"] = min(place, _WIDEST)

    def cell(self, element: _Element, text: str) -> Cell:
        """Return the cell that an element describes, its spans bounded."""
        first, last = self.spans.get(attribute(element, "spanname"), ("", ""))
        start = self.columns.get(first or attribute(element, "namest", "colname"))
        end = self.columns.get(last or attribute(element, "nameend"))
        across = number(attribute(element, "colspan"), 1)
        if start is not None and end is not None:
            across = end - start + 1
        return Cell(
            text=text,
            start=start,
            across=max(1, min(across, _WIDEST)),
            down=max(number(attribute(element, "morerows"), 0) + 1, number(attribute(element, "rowspan"), 1)),
        )

    @property
    def flat(self) -> str:
        """Its texts, one after the other, for the cell of another table."""
        return "\n\n".join(cell.text for row in (*self.rows, *self.foot) for cell in row if cell.text)

    @property
    def text(self) -> str:
        """It as a pipe table."""
        return pipe_table(lay_out(self.rows + self.foot, widest=_WIDEST, columns=len(self.columns)))


def number(text: str, default: int) -> int:
    """Read a number of at most six digits."""
    match = _NUMBER.match(text)
    return int(match[1]) if match else default
