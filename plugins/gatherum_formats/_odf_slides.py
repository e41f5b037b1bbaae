"""OpenDocument presentations and drawings: one page after the other, its title first, then from top to bottom."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats._odf_flow import Block, as_layer, as_text
from gatherum_formats._odf_names import attribute, clark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum import Report, Section
    from gatherum_formats._odf_walk import Walker

_PLAIN_NAME = re.compile(r"(page|slide|folie|seite|diapo\w*|p[áa]gina|lapa|[^\W\d]{1,12})?[ _-]?\d+$", re.IGNORECASE)
_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)(cm|mm|in|pt|pc|px)?$")
_UNITS: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 0.0353, "pc": 0.423, "px": 0.0265}
_BAND = 1.0  # centimetres: shapes that start within one row of this height are read from left to right
_REPEATED: Final = frozenset(("header", "footer", "date-time", "page-number"))
_PROMPTS: Final = frozenset(
    (
        "title",
        "subtitle",
        "outline",
        "text",
        "notes",
        "page",
        "handout",
        "graphic",
        "object",
        "chart",
        "table",
        "orgchart",
    )
)


class Slides:
    """Read the pages of a presentation or drawing.

    Args:
        walker: Reads each shape.
        report: Told of hidden slides.
    """

    def __init__(self, walker: Walker, report: Report) -> None:
        self._walker = walker
        self._report = report

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
        last = SectionBuilder()
        for text in furniture:
            yield from last.add(text, kind="header", layer="furniture")
        yield from last.close()

    def _page(self, page: _Element, number: int, builder: SectionBuilder) -> Iterator[Section]:
        where = Locator.slide(number)
        title, shapes, notes = self._shapes(page)
        name = attribute(page, "draw:name").strip()
        heading = title or ("" if _PLAIN_NAME.match(name) else name) or f"Slide {number}"
        yield from builder.enter(1, heading, locator=where)
        hidden = self._walker.styles.hides_page(attribute(page, "draw:style-name"))
        if hidden:
            self._report.problem("hidden_text", f"slide {number} is hidden", where)
        blocks = [*shapes, *notes]
        for block in as_layer(blocks, "hidden") if hidden else blocks:
            if block.level:
                yield from builder.enter(min(block.level + 1, 9), block.text, locator=where)
            else:
                yield from builder.add(
                    block.text, kind=block.kind, layer=block.layer, separator=block.separator, locator=where
                )

    def _shapes(self, page: _Element) -> tuple[str, list[Block], list[Block]]:
        """Return a page's title, the blocks of its shapes in reading order, and its notes."""
        title: list[str] = []
        placed: list[tuple[float, float, list[Block]]] = []
        notes: list[Block] = []
        for shape in page:
            role = attribute(shape, "presentation:class")
            if shape.tag == clark("presentation:notes"):
                notes += self._notes(shape)
            elif role not in _REPEATED:
                blocks = list(self._walker.blocks(shape))
                if role == "title" and not title and (text := as_text(blocks)[0]):
                    title.append(text)
                    blocks = [block for block in blocks if block.layer != "body"]
                placed.append((*_position(shape), blocks))
        return "".join(title), [block for _, _, blocks in _by_rows(placed) for block in blocks], notes

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
        if shape.tag != clark("presentation:notes") and role not in _PROMPTS | {"date-time", "page-number"}:
            yield shape


def _position(shape: _Element) -> tuple[float, float]:
    """Return how far from the top and from the left a shape stands, in centimetres."""
    return _length(attribute(shape, "svg:y")), _length(attribute(shape, "svg:x"))


def _length(text: str) -> float:
    match = _LENGTH.match(text.strip())
    return float(match[1]) * _UNITS.get(match[2] or "cm", 1.0) if match else 0.0


def _by_rows(placed: list[tuple[float, float, list[Block]]]) -> list[tuple[float, float, list[Block]]]:
    """Sort shapes from top to bottom, and those that stand side by side from left to right."""
    rows: list[list[tuple[float, float, list[Block]]]] = []
    for shape in sorted(placed, key=lambda shape: shape[0]):
        if rows and shape[0] - rows[-1][0][0] < _BAND:
            rows[-1].append(shape)
        else:
            rows.append([shape])
    return [shape for row in rows for shape in sorted(row, key=lambda shape: shape[1])]
