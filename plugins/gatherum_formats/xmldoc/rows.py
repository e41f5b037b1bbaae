"""Rules for tables that the XML vocabularies share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import block
from gatherum_formats.xmldoc.tables import Table

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Walk

_LINE: Final = re.compile(r"(?<!\n)\n(?!\n)")
"""A line that is no paragraph yet: in cells of tables inside cells, what is one already must not grow at each level."""


def table(walk: Walk, element: _Element) -> Leave:
    """Read a table."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    outer, frame.table = frame.table, Table(line=walk.line)

    def undo() -> None:
        walk.flush()
        put_table(walk)
        frame.table = outer

    return Leave(undo=undo)


def put_table(walk: Walk) -> None:
    """Put the table at hand, if it has rows."""
    gathered = walk.frame.table
    if gathered is None or not (gathered.rows or gathered.foot):
        return
    last, walk.line = walk.line, gathered.line
    text = gathered.text
    if text:
        walk.put(text, kind="table", flat=gathered.flat, end=last)
    walk.line = last
    gathered.rows, gathered.foot, gathered.columns = [], [], {}


def table_group(walk: Walk, element: _Element) -> Leave:
    """Read one of the groups of a table."""
    if walk.frame.table is None:
        return table(walk, element)
    walk.flush()
    put_table(walk)
    walk.frame.table.line = walk.place(element)
    return STAY


def column(walk: Walk, element: _Element) -> Leave:
    """Learn about a column."""
    if walk.frame.table is not None:
        walk.frame.table.column(element)
    return SKIP


def foot(walk: Walk, element: _Element) -> Leave:
    """Read rows that are shown last."""
    gathered = walk.frame.table
    if gathered is None:
        return STAY
    gathered.footing = True

    def undo() -> None:
        gathered.footing = False

    return Leave(undo=undo)


def row(walk: Walk, element: _Element) -> Leave:
    """Read a row."""
    walk.flush()
    walk.line = walk.place(element)
    if walk.frame.table is None:
        return Leave(undo=walk.flush)
    walk.frame.table.open_row()
    return STAY


def cell(walk: Walk, element: _Element) -> Leave:
    """Read a cell."""
    gathered = walk.frame.table
    if gathered is None:
        return block(walk, element)
    walk.flush()
    walk.line = walk.place(element)
    end = walk.open_frame()

    def undo() -> None:
        text = "\n\n".join(_LINE.sub("\n\n", part) for part in end())
        gathered.add(gathered.cell(element, text))

    return Leave(undo=undo)
