"""One slide as blocks of text in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from gatherum.tables import ABOVE, pipe_table
from gatherum_formats.powerpoint.layouts import Layout, P, identity_of, offset_of
from gatherum_formats.powerpoint.text import (
    NO_BULLETS,
    A,
    R,
    alternatives,
    inline,
    link_target,
    markdown_link,
    read_paragraphs,
)
from gatherum_formats.shared.drawing import diagram_text, read_chart, rich_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.etree import _Element

    from gatherum import Report
    from gatherum.document import Kind, Layer
    from gatherum_formats.powerpoint.layouts import Placeholder
    from gatherum_formats.powerpoint.text import Paragraph
    from gatherum_formats.shared.opc import Package, Relationship

_SHAPE: Final = f"{P}sp"
_GROUP: Final = f"{P}grpSp"
_FRAME: Final = f"{P}graphicFrame"
_SAYING: Final = frozenset((_SHAPE, _GROUP, _FRAME))
_LINK: Final = f"{A}hlinkClick"
_BODY: Final = f"{P}txBody"
_DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_DECORATIVE: Final = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_TITLES: Final = frozenset(("title", "ctrTitle"))
_FURNITURE: Final = frozenset(("ftr", "hdr", "dt"))
_UNSAID: Final = frozenset(("sldNum", "sldImg"))
_BAND: Final = 45_720
"""Shapes whose tops differ by less than a twentieth of an inch stand side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of a slide.

    Attributes:
        text: Its text.
        kind: What it is.
        layer: Who it is for.
        close: Whether it follows the block before it without a blank line.
        lead: The text that can name a slide without a title; "" where it cannot.
    """

    text: str
    kind: Kind = "prose"
    layer: Layer = "body"
    close: bool = False
    lead: str = ""


@dataclass(slots=True, kw_only=True)
class Slide:
    """What a slide says.

    Attributes:
        title: The text of its title placeholder, or "".
        blocks: The rest, in reading order.
    """

    title: str = ""
    blocks: list[Block] = field(default_factory=list)


class _Shape(NamedTuple):
    element: _Element
    properties: _Element
    placeholder: Placeholder | None


class ShapeTree:
    """Walk the shapes of one slide or notes page.

    Args:
        package: The presentation.
        report: Told of what is missing.
        edges: The relationships of the slide.
        layout: What its placeholders inherit.
    """

    def __init__(
        self, package: Package, report: Report, edges: Mapping[str, Relationship], layout: Layout | None = None
    ) -> None:
        self._package = package
        self._report = report
        self._edges = edges
        self._layout = layout or Layout()
        self._parts: set[str] = set()
        self._titled: _Element | None = None

    def read(self, root: _Element) -> Slide:
        """Return a slide's title and its blocks, from the top to the bottom."""
        slide = Slide()
        tree = root.find(f"{P}cSld/{P}spTree")
        if tree is None:
            return slide
        self._find_title(tree, slide)
        stack = [(shape, False) for shape in reversed(self._ordered(tree))]
        while stack:
            shape, hidden = stack.pop()
            hidden = hidden or _is_hidden(shape.properties)
            blocks = self._blocks(shape)
            slide.blocks += _hide(blocks) if hidden else blocks
            if shape.element.tag == _GROUP:
                stack += [(inner, hidden) for inner in reversed(self._ordered(shape.element))]
        return slide

    def _find_title(self, tree: _Element, slide: Slide) -> None:
        """Set the title to the first title placeholder that shows text."""
        for mark in tree.iter(f"{P}ph"):
            if self._layout.find(mark).kind not in _TITLES:
                continue
            shape = mark
            for _ in range(3):
                shape = parent if (parent := shape.getparent()) is not None else shape
            body = shape.find(_BODY)
            if shape.tag != _SHAPE or body is None or _is_hidden(identity_of(shape)[0]):
                continue
            slide.title = " ".join(" ".join(inline(line, {})[0] for line in body.iterchildren(f"{A}p")).split())
            if slide.title:
                self._titled = shape
                return

    def _ordered(self, group: _Element) -> list[_Shape]:
        """Return shapes in bands from the top, each from the left; a group is one shape."""
        placed: list[tuple[int, int, int, _Shape]] = []
        place = (0, 0)
        for at, element in enumerate(alternatives(group)):
            properties, mark = identity_of(element)
            if properties is None and element.tag not in _SAYING:
                continue
            shape = _Shape(
                element,
                properties if properties is not None else element,
                self._layout.find(mark) if mark is not None else None,
            )
            own = offset_of(element)
            if own is None and shape.placeholder is not None:
                own = shape.placeholder.offset
            place = own or place
            placed.append((*place, at, shape))
        placed.sort(key=_by_top)
        top = placed[0][0] if placed else 0
        for at, (y, x, order, shape) in enumerate(placed):
            if y - top > _BAND:
                top = y
            placed[at] = (top, x, order, shape)
        placed.sort(key=_by_band)
        return [shape for *_, shape in placed]

    def _blocks(self, shape: _Shape) -> Iterator[Block]:
        tag = shape.element.tag
        if tag == _FRAME:
            yield from self._frame(shape.element)
        elif shape.element is self._titled:
            yield from self._title_links(shape.element)
            return
        elif tag == _SHAPE:
            yield from self._text(shape)
        if shape.properties.get("descr") or shape.properties.get("title"):
            yield from self._alternative(shape)

    def _title_links(self, shape: _Element) -> Iterator[Block]:
        """Yield the addresses behind a title, which itself is plain text."""
        targets = (link_target(link, self._edges) for link in shape.iter(f"{A}hlinkClick"))
        for target in dict.fromkeys(targets):
            if target:
                yield Block(text=f"<{target}>")

    def _text(self, shape: _Shape) -> Iterator[Block]:
        body = shape.element.find(_BODY)
        if body is None:
            return
        bullets = NO_BULLETS
        if shape.placeholder is not None:
            kind, bullets = shape.placeholder.kind, shape.placeholder.bullets
            if kind in _UNSAID:
                return
            if kind in _FURNITURE:
                text = rich_text(body)
                if text and not (kind == "dt" and body.find(f".//{A}fld") is not None):
                    yield Block(text=text, kind="header", layer="furniture")
                return
        target = link_target(link, self._edges) if (link := shape.properties.find(_LINK)) is not None else ""
        yield from _paragraph_blocks(read_paragraphs(body, self._edges, bullets), target)

    def _frame(self, frame: _Element) -> Iterator[Block]:
        """Yield what a graphic frame shows: a table, a chart, a diagram, an embedded object, or just text."""
        data = next(frame.iter(f"{A}graphicData"), None)
        if data is not None:
            for content in alternatives(data):
                name = content.tag.rpartition("}")[2] if isinstance(content.tag, str) else ""
                if name == "tbl":
                    yield from self._table(content)
                elif name == "chart" and (root := self._part(content.get(f"{R}id"), "chart")) is not None:
                    yield from self._chart(root, content.get(f"{R}id", ""))
                elif name == "relIds" and content.tag == f"{_DGM}relIds":
                    root = self._part(content.get(f"{R}dm"), "diagram")
                    if root is not None and (text := diagram_text(root)):
                        yield Block(text=text, kind="list")
                elif name == "oleObj":
                    what = content.get("name") or "object"
                    program = content.get("progId")
                    yield Block(text=f"Embedded object: {what}{f' ({program})' if program else ''}", kind="alt")
                elif text := rich_text(content):
                    yield Block(text=text)

    def _table(self, table: _Element) -> Iterator[Block]:
        rows: list[list[str | None]] = []
        for row in table.iterchildren(f"{A}tr"):
            cells: list[str | None] = []
            for cell in row.iterchildren(f"{A}tc"):
                body = cell.find(f"{A}txBody")
                paragraphs = read_paragraphs(body, self._edges) if body is not None else []
                text = "\n\n".join([paragraph.render() for paragraph in paragraphs])
                beside, below = cell.get("hMerge") in ("1", "true"), cell.get("vMerge") in ("1", "true")
                if (beside or below) and text:
                    yield Block(text=text, layer="hidden")
                cells.append(None if beside else ABOVE if below else text)
            rows.append(cells)
        if text := pipe_table(rows):
            yield Block(text=text, kind="table")

    def _chart(self, root: _Element, edge: str) -> Iterator[Block]:
        chart = read_chart(root)
        if chart.caption:
            yield Block(text=chart.caption, kind="caption")
        if chart.table:
            yield Block(text=chart.table, kind="table")
        if chart.labels:
            yield Block(text=chart.labels)
        for drawing in self._package.relationships(self._edges[edge].target).values():
            if drawing.kind == "chartUserShapes" and not drawing.external:
                shapes = self._package.xml(drawing.target)
                if shapes is not None and (text := rich_text(shapes)):
                    yield Block(text=text)

    def _part(self, edge: str | None, what: str) -> _Element | None:
        """Return a part that the slide shows; each is shown once, however often it is named."""
        found = self._edges.get(edge or "")
        if found is None or found.external:
            self._report.problem("missing_part", f"a {what} of a slide is not in the file")
            return None
        if found.target in self._parts:
            return None
        self._parts.add(found.target)
        return self._package.xml(found.target)

    def _alternative(self, shape: _Shape) -> Iterator[Block]:
        """Yield the alternative text of a picture or shape, unless it only repeats the text in it."""
        if shape.placeholder is not None and shape.placeholder.kind in _UNSAID:
            return
        given, textual = shape.properties, shape.element.tag == _SHAPE
        text = "\n".join(dict.fromkeys(part.strip() for part in (given.get("title"), given.get("descr")) if part))
        if not text.strip() or any(mark.get("val") in ("1", "true") for mark in given.iter(_DECORATIVE)):
            return
        if textual and text.split() == rich_text(shape.element).split():
            return
        link = None if textual else given.find(_LINK)
        yield Block(text=markdown_link(text, link_target(link, self._edges) if link is not None else ""), kind="alt")


def _by_top(entry: tuple[int, int, int, _Shape]) -> tuple[int, int]:
    return entry[0], entry[2]


def _by_band(entry: tuple[int, int, int, _Shape]) -> tuple[int, int, int]:
    return entry[:3]


def _is_hidden(properties: _Element | None) -> bool:
    return properties is not None and properties.get("hidden") in ("1", "true")


def _paragraph_blocks(paragraphs: list[Paragraph], target: str) -> Iterator[Block]:
    lone = len(paragraphs) == 1 and target and "](" not in paragraphs[0].text
    before = ""
    for paragraph in paragraphs:
        text = paragraph.render()
        lead = "" if paragraph.math else paragraph.text
        close = bool(paragraph.mark) and before == "list"
        yield Block(text=markdown_link(text, target) if lone else text, kind=paragraph.kind, close=close, lead=lead)
        before = paragraph.kind
    if target and not lone and paragraphs:
        yield Block(text=f"<{target}>")


def _hide(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield Block(text=block.text, kind=block.kind, layer="hidden", close=block.close)
