"""Charts and diagrams (DrawingML) as text, for Word and PowerPoint alike."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.tables import ABOVE, pipe_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"

_LABEL_RANGE: Final = "{http://schemas.microsoft.com/office/drawing/2012/chart}datalabelsRange"

_LINKS: Final = 200_000
_CELLS: Final = 200_000
"""A chart whose table would have more cells, most of them empty, is written as one row a value."""
_DEEPEST: Final = 8
_DATE: Final = re.compile(r"yy|mmm|(?<![a-z])d{1,4}(?![a-z])", re.IGNORECASE)
_LITERAL: Final = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')

_BINARY: Final = re.compile(r"-?\d{1,15}\.\d{14,17}(?:E[+-]?\d{1,2})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What a chart says.

    Attributes:
        caption: Its title, and the titles of its axes.
        table: Its categories and series, as a pipe table.
        labels: What else is written on it.
    """

    caption: str
    table: str
    labels: str


def chart_text(root: _Element) -> str:
    """Return a chart part's title, axis titles, a pipe table of its cached values, and its labels."""
    chart = read_chart(root)
    return "\n\n".join(filter(None, (chart.caption, chart.table, chart.labels)))


def read_chart(root: _Element) -> Chart:
    """Read a chart part (``c:chartSpace`` or ``cx:chartSpace``) from its cached values."""
    extended = isinstance(root.tag, str) and root.tag.startswith(_CX)
    return _read_extended(root) if extended else _read_classic(root)


def outermost(root: _Element, *tags: str) -> Iterator[_Element]:
    """Yield the descendants with one of these tags that are not inside one another, in document order.

    Whatever is done with each of them then takes no more time than the document is long.
    """
    stack = list(reversed(root))
    while stack:
        element = stack.pop()
        if element.tag in tags:
            yield element
        else:
            stack += reversed(element)


def rich_text(element: _Element) -> str:
    """Return the DrawingML text inside an element, a line for each paragraph."""
    lines = []
    for paragraph in outermost(element, f"{_A}p"):
        parts = paragraph.iter(f"{_A}t", f"{_A}br", f"{_A}tab")
        line = " ".join("".join([" " if part.tag != f"{_A}t" else part.text or "" for part in parts]).split())
        if line:
            lines.append(line)
    return "\n".join(lines)


# Charts of the 2006 schema


def _read_classic(root: _Element) -> Chart:
    base = datetime.date(1904, 1, 1) if _is_on(root.find(f"{_C}date1904")) else datetime.date(1899, 12, 30)
    title, axes, others = "", [], []
    for element in outermost(root, f"{_C}title", f"{_C}tx", f"{_C}name", _LABEL_RANGE, f"{_C}cat", f"{_C}val"):
        parent = element.getparent()
        owner = parent.tag if parent is not None else ""
        if element.tag == f"{_C}title":
            if owner == f"{_C}chart" and not title:
                title = _title(element)
            else:
                axes.append(_title(element))
        elif element.tag == _LABEL_RANGE:
            others += [value.text for value in element.iter(f"{_C}v") if value.text]
        elif element.tag == f"{_C}name" and owner == f"{_C}trendline":
            others.append((element.text or "").strip())
        elif element.tag == f"{_C}tx" and owner != f"{_C}ser":
            others.append(_title(element))
    columns: list[tuple[str, dict[int, str]]] = []
    keys: list[list[tuple[str, dict[int, str]]]] = []
    for number, series in enumerate(outermost(root, f"{_C}ser"), 1):
        name = _title(series.find(f"{_C}tx")) or f"Series {number}"
        categories = series.find(f"{_C}cat")
        if categories is None:
            categories = series.find(f"{_C}xVal")
        key = [("", level) for level in _levels(categories, base)]
        if key and key not in keys[-1:]:
            keys.append(key)
            columns += key
        for part, suffix in (("val", ""), ("yVal", ""), ("bubbleSize", " (size)")):
            values = series.find(_C + part)
            if values is not None:
                columns.append((name + suffix, next(iter(_levels(values, None)), {})))
    return Chart(caption=_caption(title, axes), table=_table(columns), labels="\n".join(_distinct(others)))


def _title(element: _Element | None) -> str:
    """Return a text given as paragraphs, as a plain value, or as the cached value of cells."""
    if element is None:
        return ""
    return rich_text(element) or " ".join(value.text.strip() for value in element.iter(f"{_C}v") if value.text)


def _levels(element: _Element | None, base: datetime.date | None) -> list[dict[int, str]]:
    """Return the cached values by their index: one level, or the outermost first of several."""
    if element is None:
        return []
    levels = list(outermost(element, f"{_C}lvl"))
    if not levels:
        form = next(element.iter(f"{_C}formatCode"), None)
        dated = base if form is not None and _DATE.search(_LITERAL.sub("", form.text or "")) else None
        return [_points(element, dated)]
    found = [_points(level, None) for level in reversed(levels)]
    every = range(max((max(level, default=-1) for level in found), default=-1) + 1)
    if len(every) <= _CELLS:
        found = [{at: level.get(at, ABOVE) for at in every} for level in found[:-1]] + found[-1:]
    return found


def _points(element: _Element, dated: datetime.date | None) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in element.iter(f"{_C}pt"):
        value = point.find(f"{_C}v")
        text = ((value.text or "") if value is not None else "").strip()
        if text:
            found[_number(point.get("idx"), len(found))] = _as_date(text, dated) if dated else _shorter(text)
    return found


def _shorter(text: str) -> str:
    """Return a number without the digits that only its binary form has: 4.4 for 4.4000000000000004."""
    return f"{float(text):.15g}" if _BINARY.fullmatch(text) else text


def _as_date(text: str, base: datetime.date) -> str:
    """Return a day that a spreadsheet counts from *base* as ISO 8601; anything else as it is."""
    try:
        days = float(text)
        return (base + datetime.timedelta(days=days)).isoformat() if 0 < days < 2_958_466 else text
    except (ValueError, OverflowError):
        return text


# Charts of the 2014 schema: waterfall, treemap, sunburst, funnel, box and whisker, map


def _read_extended(root: _Element) -> Chart:
    title, axes, others = "", [], []
    for element in outermost(root, f"{_CX}title"):
        parent = element.getparent()
        text = _extended_title(element)
        if parent is not None and parent.tag == f"{_CX}chart":
            title = title or text
        else:
            axes.append(text)
    names: dict[str, str] = {}
    for series in outermost(root, f"{_CX}series"):
        link = series.find(f"{_CX}dataId")
        label = series.find(f"{_CX}tx")
        if link is not None and label is not None:
            names.setdefault(link.get("val", ""), _extended_title(label))
    columns: list[tuple[str, dict[int, str]]] = []
    for data in outermost(root, f"{_CX}data"):
        for dimension in data:
            numeric = dimension.tag == f"{_CX}numDim"
            for level in reversed(list(dimension.iterchildren(f"{_CX}lvl"))):
                values = {
                    _number(point.get("idx"), at): point.text.strip()
                    for at, point in enumerate(level.iterchildren(f"{_CX}pt"))
                    if point.text and point.text.strip()
                }
                columns.append((names.get(data.get("id", ""), "") if numeric else "", values))
    others = [rich_text(label) for label in outermost(root, f"{_CX}dataLabel")]
    return Chart(caption=_caption(title, axes), table=_table(columns), labels="\n".join(_distinct(others)))


def _extended_title(element: _Element) -> str:
    return rich_text(element) or " ".join(value.text.strip() for value in element.iter(f"{_CX}v") if value.text)


# What both have in common


def _caption(title: str, axes: list[str]) -> str:
    axes = _distinct(axes)
    return "\n".join(filter(None, (title, f"Axes: {'; '.join(axes)}" if axes else "")))


def _table(columns: list[tuple[str, dict[int, str]]]) -> str:
    indices = sorted({at for _, values in columns for at in values})
    if len(indices) * len(columns) > _CELLS:
        return pipe_table(
            [
                ["Series", "Point", "Value"],
                *([name, str(at + 1), text] for name, v in columns for at, text in v.items()),
            ]
        )
    rows = [[values.get(at, "") for _, values in columns] for at in indices]
    return pipe_table([[name for name, _ in columns], *rows])


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else default


def _is_on(element: _Element | None) -> bool:
    return element is not None and element.get("val", "1") in ("1", "true", "on")


# Diagrams (SmartArt)


def diagram_text(root: _Element) -> str:
    """Return the points of a diagram's data part as a nested list, in the order of their connections."""
    points = {point.get("modelId", ""): point for point in outermost(root, f"{_DGM}pt")}
    children: dict[str, list[tuple[int, str]]] = {}
    for at, link in enumerate(root.iter(f"{_DGM}cxn")):
        if at < _LINKS and link.get("type", "parOf") == "parOf":
            place = (_number(link.get("srcOrd"), 0), link.get("destId", ""))
            children.setdefault(link.get("srcId", ""), []).append(place)
    roots = dict.fromkeys(name for name, point in points.items() if point.get("type") == "doc")
    rest = [name for name, point in points.items() if point.get("type") not in ("doc", "pres")]
    lines: list[str] = []
    seen: set[str] = set()
    for first in (*roots, *rest):
        stack = [(first, -1 if first in roots else 0)]
        while stack:
            name, depth = stack.pop()
            if name in seen or name not in points:
                continue
            seen.add(name)
            text = points[name].find(f"{_DGM}t")
            said = rich_text(text) if text is not None else ""
            if said:
                indent = "  " * min(max(depth, 0), _DEEPEST)
                lines.append(f"{indent}- " + said.replace("\n", f"\n{indent}  "))
            below = sorted(children.get(name, ()), key=lambda place: place[0])
            stack += [(child, depth + 1 if said or depth < 0 else depth) for _, child in reversed(below)]
    return "\n".join(lines)
