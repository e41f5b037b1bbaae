"""Rules for lists that the XML vocabularies share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum_formats.shared.numerals import numeral
from gatherum_formats.xmldoc.frame import Leave, OpenList

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Walk


def bullets(walk: Walk, element: _Element) -> Leave:
    """Read a list without numbers."""
    return open_list(walk, element, lambda count: "- ")


def numbers(form: str = "decimal", start: int = 1) -> Callable[[int], str]:
    """Return how the items of a numbered list are marked, in a form of `numeral`."""
    return lambda count: f"{numeral(start + count, form)}. "


def open_list(walk: Walk, element: _Element, mark: Callable[[int], str] | None) -> Leave:
    """Begin a list."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    outer, frame.mark = frame.mark, None
    if outer:
        frame.mark = outer
        walk.put("", kind="list")
    frame.lists.append(OpenList(mark=mark))

    def undo() -> None:
        walk.flush()
        if frame.lists:
            frame.lists.pop()
        frame.mark = None
        if frame.lists:
            frame.lists[-1].begun = True

    return Leave(undo=undo)


def item(walk: Walk, element: _Element) -> Leave:
    """Read an item of a list."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    if not frame.lists:
        return Leave(undo=walk.flush)
    opened = frame.lists[-1]
    frame.mark = opened.mark(opened.count) if opened.mark else "- "
    opened.count += 1

    def undo() -> None:
        walk.flush()
        frame.mark = None

    return Leave(undo=undo)


def term(walk: Walk, element: _Element) -> Leave:
    """Read a term of a list of definitions."""
    return marked(walk, element, "")


def definition(walk: Walk, element: _Element) -> Leave:
    """Read what a term means."""
    return marked(walk, element, ": ")


def marked(walk: Walk, element: _Element, mark: str) -> Leave:
    """Read an item that has a mark of its own."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    if not frame.lists:
        return Leave(undo=walk.flush)
    frame.mark = mark

    def undo() -> None:
        walk.flush()
        frame.mark = None

    return Leave(undo=undo)
