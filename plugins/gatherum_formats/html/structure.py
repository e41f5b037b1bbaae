"""Elements that shape the page: headings, code, quotations, tables, navigation, pages inside pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from gatherum_formats.html.common import furniture
from gatherum_formats.html.inline import code_language
from gatherum_formats.html.lists import whole_number
from gatherum_formats.html.table import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum_formats.html.walk import Walk

    Attrs = Mapping[str, str]
    Undo = Callable[[], None]

_MACHINES: Final = frozenset(("page-list", "landmarks"))
_DEEPEST_FRAME: Final = 3
_DEEPEST_TABLE: Final = 8
_NO_TABLE: Final = ("presentation", "none")
_WIDEST_SPAN: Final = 1000
_LONGEST_SPAN: Final = 65_534


def heading(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Begin a heading of a given rank."""
    return begin_heading(walk, int(tag[1]))


def titled(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Begin a heading that is one by its role."""
    return begin_heading(walk, min(max(whole_number(attrs.get("aria-level"), 2), 1), 9))


def begin_heading(walk: Walk, level: int) -> Undo | None:
    """Begin a heading, unless it heads no section: in hidden text, a note, the head of a table."""
    if walk.layer == "hidden" or walk.in_note or (walk.kind == "caption" and walk.flow.tables):
        return None
    walk.end_heading()
    tables = walk.flow.tables
    if tables and tables[-1].rows and tables[-1].rows[-1] and tables[-1].rows[-1][-1].head:
        return None
    if tables and not tables[-1].layout:
        arrange(walk)
    walk.level, walk.flow.solid = level, "heading"
    return walk.end_heading


def preformatted(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Begin a block of code."""
    if walk.flow.solid:
        return None
    walk.flow.solid = "pre"
    walk.code = code_language(attrs) or walk.code
    return walk.end_pre


def division(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Learn the language of the code in a division."""
    if "class" not in attrs or "highlight-" not in attrs["class"]:
        return None
    walk.code = code_language(attrs)
    return partial(setattr, walk, "code", "")


def quotation(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Begin a quotation."""
    flow = walk.flow
    flow.quotes += 1

    def undo() -> None:
        flow.quotes -= 1

    return undo


def caption(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Begin the caption of a table or figure."""
    outer, walk.kind = walk.kind, "caption"
    return partial(setattr, walk, "kind", outer)


def boilerplate(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Take headers, footers and asides of the page, not those of its content, for furniture."""
    if walk.main or "footnote" in attrs.get("class", ""):
        return None
    return furniture(walk)


def navigation(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Take navigation for furniture; lists of printed pages and landmarks are for machines."""
    if _MACHINES.intersection(attrs.get("epub:type", "").split()):
        walk.mute()
        return None
    return furniture(walk)


def frame(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Read the page inside a frame."""
    inner = attrs.get("srcdoc")
    if inner and walk.depth < _DEEPEST_FRAME:
        walk.end_block()
        walk.nest(inner)
    walk.mute()


def fallback(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Keep what is for browsers without scripts or frames, in case there is nothing else."""
    return walk.divert(walk.fallback)


def table(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Begin a table."""
    flow = walk.flow
    if flow.solid:
        return None
    walk.flush()
    opened = Table(
        outer=flow.sink, layout=attrs.get("role") in _NO_TABLE or len(flow.tables) >= _DEEPEST_TABLE, first=walk.line
    )
    flow.tables.append(opened)

    def undo() -> None:
        walk.flush()
        flow.tables.remove(opened)
        finish_table(walk, opened)

    return undo


def finish_table(walk: Walk, opened: Table) -> None:
    """Say a table that has ended."""
    if opened.arranges:
        walk.flow.sink += opened.blocks
        return
    apart = opened.take_apart(walk.layer)
    text, flat = opened.text()
    for block in apart:
        if block.kind == "anchor":
            walk.post(block)
    if text:
        walk.place("table", text, flat, first=opened.first)
    for block in apart:
        if block.kind != "anchor":
            walk.post(block)


def row(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Begin a row."""
    tables = walk.flow.tables
    if tables and not walk.flow.solid:
        tables[-1].rows.append([])


def cell(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Begin a cell, with a stream of text of its own."""
    flow = walk.flow
    if not flow.tables or flow.solid:
        return None
    opened = flow.tables[-1]
    if opened.layout:
        return None
    across = min(max(whole_number(attrs.get("colspan"), 1), 1), _WIDEST_SPAN)
    down = whole_number(attrs.get("rowspan"), 1)
    begun = Cell(across=across, down=down if down > 0 else _LONGEST_SPAN, head=tag == "th")
    opened.add(begun)
    back = walk.divert(begun.blocks, flow.tables)

    def undo() -> None:
        back()
        if opened.layout:
            walk.flow.sink = opened.outer

    return undo


def arrange(walk: Walk) -> None:
    """Take the open tables for layout: what their cells hold becomes text of the page."""
    walk.flush()
    tables = walk.flow.tables
    outer = tables[0].outer
    for opened in tables:
        outer += opened.blocks
        opened.rows, opened.layout, opened.outer = [], True, outer
    walk.flow.sink = outer
