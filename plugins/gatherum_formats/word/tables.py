"""Rows and cells of Word tables as a grid, in time that grows with the cells alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.tables import ABOVE, pipe_table
from gatherum_formats.word.graphics import alternative
from gatherum_formats.word.numbering import is_on, whole
from gatherum_formats.word.parts import MC, W

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lxml.etree import _Element

_TR, _TC, _P, _TBL = f"{W}tr", f"{W}tc", f"{W}p", f"{W}tbl"
_WIDEST: Final = 512
"""Columns that a row may claim by spans; Word itself allows 63."""
_LARGEST: Final = 2_000_000
"""Cells of a table once its rows are padded to one width."""
_SKIPPED: Final = frozenset(
    W + name for name in ("del", "moveFrom", "tblPr", "tblGrid", "tblPrEx", "trPr", "tcPr", "sdtPr", "sdtEndPr")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a row.

    Attributes:
        element: The ``w:tc``.
        span: The columns it covers.
        above: Whether it is merged with the cell above it.
        left: Whether it is merged with the cell to its left.
    """

    element: _Element
    span: int = 1
    above: bool = False
    left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row.

    Attributes:
        cells: Its cells.
        before: The columns that it leaves free at its start.
        hidden: Whether it is not shown.
    """

    cells: list[Cell]
    before: int = 0
    hidden: bool = False


def table_rows(table: _Element) -> list[Row]:
    """Return the rows of a ``w:tbl``, those in content controls included and deleted ones left out."""
    rows = []
    for element in _inside(table, _TR):
        properties = element.find(f"{W}trPr")
        before, hidden = 0, False
        if properties is not None:
            if properties.find(f"{W}del") is not None:
                continue
            before = _count(properties, "gridBefore", 0)
            hidden = is_on(properties.find(f"{W}hidden"))
        rows.append(Row(cells=[_cell(cell) for cell in _inside(element, _TC)], before=before, hidden=hidden))
    return rows


def grid(rows: Sequence[Row], text_of: Callable[[_Element], str]) -> list[list[str | None]]:
    """Return the texts of all cells; None and `ABOVE` for those that are merged with others."""
    lines: list[list[str | None]] = []
    widest = min(_WIDEST, max(1, _LARGEST // max(1, len(rows))))
    for row in rows:
        line: list[str | None] = [""] * min(row.before, widest)
        for cell in row.cells:
            text = text_of(cell.element)
            span = min(cell.span, max(1, widest - len(line)))
            line.append(text or (ABOVE if cell.above and lines else None if cell.left else ""))
            line += [None] * (span - 1)
        lines.append(line)
    return lines


def table_text(lines: Sequence[Sequence[str | None]]) -> str:
    """Return a grid as a pipe table; as one line a row where one row is so long that padding explodes."""
    width = max(map(len, lines), default=0)
    return pipe_table(lines) if width * len(lines) <= _LARGEST else flat(lines)


def flat(lines: Sequence[Sequence[str | None]]) -> str:
    """Return a table inside a table as one paragraph a row."""
    rows = ("; ".join([" ".join(text.split()) for text in line if text and text != ABOVE]) for line in lines)
    return "\n\n".join([row for row in rows if row])


def _inside(element: _Element, wanted: str) -> Iterator[_Element]:
    """Yield rows of a table or cells of a row, through content controls and the like."""
    stack = [iter(element)]
    while stack:
        for child in stack[-1]:
            tag = child.tag
            if tag == wanted:
                yield child
            elif tag in _SKIPPED or tag in (_P, _TBL):
                continue
            elif tag == f"{MC}AlternateContent":
                chosen = alternative(child)
                if chosen is not None:
                    stack.append(iter(chosen))
                    break
            elif len(child):
                stack.append(iter(child))
                break
        else:
            stack.pop()


def _cell(element: _Element) -> Cell:
    properties = element.find(f"{W}tcPr")
    if properties is None:
        return Cell(element=element)
    vertical, horizontal = properties.find(f"{W}vMerge"), properties.find(f"{W}hMerge")
    return Cell(
        element=element,
        span=_count(properties, "gridSpan", 1),
        above=vertical is not None and vertical.get(f"{W}val") != "restart",
        left=horizontal is not None and horizontal.get(f"{W}val") != "restart",
    )


def _count(properties: _Element, name: str, least: int) -> int:
    found = properties.find(W + name)
    return whole(found.get(f"{W}val"), least, low=least, high=_WIDEST) if found is not None else least
