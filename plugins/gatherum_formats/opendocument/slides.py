"""OpenDocument presentations and drawings: one page after the other, its title first, then from top to bottom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.opendocument.flow import Block, as_layer, as_text
from gatherum_formats.opendocument.names import attribute, clark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum import Report, Section
    from gatherum_formats.opendocument.walk import Walker

_PLAIN_NAME = re.compile(
    r"(page|slide|folie|seite|diapo\w*|p[áa]gina|dia|lapa|sida|side|strona|slajd|str[áa]nka|oldal|слайд|страница"
    r"|幻灯片|投影片|スライド|슬라이드)?[ _-]?\d+$",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)(cm|mm|in|pt|pc|px)?$")
_MOVED = re.compile(r"translate\s*\(\s*(\S{1,16})\s+(\S{1,16}?)\s*\)")
_UNITS: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 0.0353, "pc": 0.423, "px": 0.0265}
_LONGEST_LEAD = 100  # a slide without a title or name is called by its first text, if that is no longer
_BAND = 1.0  # centimetres: shapes that start within one row of this height are read from left to right
_REPEATED: Final = frozenset(("header", "footer", "date-time", "page-number"))
_NOT_SHOWN: Final = frozenset(
    (
        *("title", "subtitle", "outline", "text", "notes", "page", "handout", "graphic", "object", "chart", "table"),
        *("orgchart", "date-time", "page-number"),
    )
)


@dataclass(frozen=True, slots=True)
class _Shape:
    top: float
    left: float
    framed: bool
    blocks: list[Block]


class Slides:
    """Read the pages of a presentation or drawing.

    Args:
        walker: Reads each shape.
        report: Told which slides are hidden.
    """

    def __init__(self, walker: Walker, report: Report) -> None:
        self._walker = walker
        self._report = report
        self._hidden: list[int] = []

    def sections(self, body: _Element) -> Iterator[Section]:
        """Yield the sections of every page."""
        builder = SectionBuilder()
        furniture: dict[str, None] = {}
        pages = 0
        for child in body:
            if child.tag == clark("draw:page"):
                pages += 1
                yield from self._page(child, pages, builder)
            elif child.tag in (clark("presentation:header-decl"), clark("presentation:footer-decl")):
                text, _ = as_text(self._walker.blocks(child))
                furniture[text] = None
            else:
                for block in self._walker.blocks(child):
                    yield from builder.add(block.text, kind=block.kind, layer=block.layer)
        yield from builder.close()
        self._report.metadata(hidden_slides=self._hidden)
        last = SectionBuilder()
        for text in furniture:
            yield from last.add(text, kind="header", layer="furniture")
        yield from last.close()

    def _page(self, page: _Element, number: int, builder: SectionBuilder) -> Iterator[Section]:
        where = Locator.slide(number)
        if self._walker.styles.hides_page(attribute(page, "draw:style-name")):
            self._hidden.append(number)
        shapes: list[_Shape] = []
        title, rest = "", []
        for shape in page:
            role = attribute(shape, "presentation:class")
            if shape.tag == clark("presentation:notes"):
                rest += self._notes(shape)
            elif role in _REPEATED:
                continue
            elif shape.tag == clark("office:annotation"):
                rest += self._walker.blocks(shape)
            else:
                blocks = list(self._walker.blocks(shape))
                if role == "title" and not title:
                    title, blocks = as_text(blocks)
                shapes.append(_Shape(*_position(shape), shape.tag == clark("draw:frame"), blocks))
        shapes = _by_rows([shape for shape in shapes if shape.blocks])
        heading = title or _name(page) or _lead(shapes) or f"Slide {number}"
        yield from builder.enter(1, heading, locator=where)
        for block in (*(block for shape in shapes for block in shape.blocks), *rest):
            if block.level:
                yield from builder.enter(min(block.level + 1, 9), block.text, locator=where)
                yield from builder.add(block.number, locator=where)
            else:
                yield from builder.add(
                    block.text, kind=block.kind, layer=block.layer, separator=block.separator, locator=where
                )

    def _notes(self, page: _Element) -> list[Block]:
        blocks: list[Block] = []
        for shape in page:
            if attribute(shape, "presentation:class") not in (*_REPEATED, "page", "handout"):
                blocks += self._walker.blocks(shape)
        return as_layer(blocks, "notes", "note")


def master_shapes(master: _Element) -> Iterator[_Element]:
    """Yield what a master page shows on its slides besides prompts and counters."""
    for shape in master:
        role = attribute(shape, "presentation:class")
        prompt = attribute(shape, "presentation:placeholder") == "true"
        if shape.tag != clark("presentation:notes") and not prompt and role not in _NOT_SHOWN:
            yield shape


def _name(page: _Element) -> str:
    """Return a page's name unless it is the one that programs give."""
    name = attribute(page, "draw:name").strip()
    return "" if _PLAIN_NAME.match(name) else name


def _lead(shapes: list[_Shape]) -> str:
    """Take the first text of a page for its title, if it stands in a frame and is short."""
    first = shapes[0].blocks[0] if shapes and shapes[0].framed else None
    if first is None or first.kind != "prose" or first.layer != "body" or len(first.text) > _LONGEST_LEAD:
        return ""
    return shapes[0].blocks.pop(0).text


def _position(shape: _Element) -> tuple[float, float]:
    """Return how far from the top and from the left a shape stands, in centimetres."""
    if shape.tag == clark("draw:g"):
        shape = next((inner for inner in shape.iter() if inner.get(clark("svg:y"))), shape)
    moved = _MOVED.search(attribute(shape, "draw:transform"))
    top = attribute(shape, "svg:y") or attribute(shape, "svg:y1") or (moved[2] if moved else "")
    left = attribute(shape, "svg:x") or attribute(shape, "svg:x1") or (moved[1] if moved else "")
    return _length(top), _length(left)


def _length(text: str) -> float:
    match = _LENGTH.match(text.strip())
    return float(match[1]) * _UNITS.get(match[2] or "cm", 1.0) if match else 0.0


def _by_rows(shapes: list[_Shape]) -> list[_Shape]:
    """Sort shapes from top to bottom, and those that stand side by side from left to right."""
    rows: list[list[_Shape]] = []
    for shape in sorted(shapes, key=lambda shape: shape.top):
        if rows and shape.top - rows[-1][0].top < _BAND:
            rows[-1].append(shape)
        else:
            rows.append([shape])
    return [shape for row in rows for shape in sorted(row, key=lambda shape: shape.left)]
