"""Have an old Office file read by office-oxide, and turn what it says into sections."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal

from gatherum import Locator, SectionBuilder, UnreadableError
from gatherum.tables import ABOVE, pipe_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum import Report, Section
    from gatherum.document import Kind, Layer

_FURNITURE: Final = (
    "header",
    "first_page_header",
    "even_page_header",
    "footer",
    "first_page_footer",
    "even_page_footer",
)
_METADATA: Final = {
    "title": "title",
    "subject": "subject",
    "description": "description",
    "created": "created",
    "modified": "modified",
    "language": "language",
    "company": "company",
    "manager": "manager",
    "category": "category",
    "last_modified_by": "last_modified_by",
}
_DEEPEST: Final = 40
_WIDEST: Final = 1_000
_MASTER: Final = "Slide Master"


def content(data: bytes, kind: Literal["doc", "ppt"], name: str) -> dict[str, Any]:
    """Return what office-oxide makes of a file: sections of elements of runs, as JSON has them.

    Raises:
        UnreadableError: It is not installed, or cannot read the file.
    """
    try:
        import office_oxide
    except ImportError:
        raise UnreadableError(
            "legacy_format", f"{name} is in the old binary Office format; install gatherum[legacy] to have it read"
        ) from None
    try:
        found = json.loads(office_oxide.Document.from_bytes(data, kind).to_ir_json())
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic in its Rust code is no Exception
        raise UnreadableError("corrupt", f"{name} is damaged or of an unknown version: {error}") from None
    return found if isinstance(found, dict) else {}


def sections(found: dict[str, Any], kind: str, report: Report) -> Iterator[Section]:
    """Yield the sections of a file.

    Args:
        found: What `content` returns.
        kind: "doc" or "ppt".
        report: Told of metadata, and when there is no text.
    """
    _describe(found.get("metadata") or {}, report)
    walk = _Walk(slides=kind == "ppt")
    said = False
    for section in walk.read(_dicts(found.get("sections"))):
        said = said or bool(section.text.strip() or section.heading)
        yield section
    if not said:
        report.problem("empty", "the file has no text that can be read")


def _describe(metadata: dict[str, Any], report: Report) -> None:
    authors = [author.strip() for author in str(metadata.get("author") or "").split(";")]
    report.metadata(authors=authors, tags=metadata.get("keywords") or [])
    report.metadata(**{field: metadata.get(key) for key, field in _METADATA.items()})


class _Walk:
    """Walks what office-oxide returned.

    Args:
        slides: Whether each section is a slide.
    """

    def __init__(self, *, slides: bool) -> None:
        self._slides = slides
        self._builder = SectionBuilder()
        self._told: set[str] = set()
        self._paragraph = 0

    def read(self, parts: Sequence[dict[str, Any]]) -> Iterator[Section]:
        for number, part in enumerate(parts, 1):
            elements = _dicts(part.get("elements"))
            place = Locator.slide(number)
            layer: Layer = "body"
            if self._slides:
                if part.get("title") == _MASTER:
                    layer = "furniture"
                else:
                    first = elements[0] if elements and elements[0].get("type") == "heading" else None
                    title = _inline(first).replace("\n", " ").strip() if first else ""
                    elements = elements[1:] if title else elements
                    yield from self._builder.enter(1, title or f"Slide {number}", locator=place)
            for element in elements:
                yield from self._element(element, layer, place if self._slides else None)
            if notes := _texts(_dicts(_content(part.get("speaker_notes")))):
                yield from self._builder.add(notes, kind="note", layer="notes", locator=place)
            for name in _FURNITURE:
                text = _texts(_dicts(_content(part.get(name))))
                if text and text not in self._told:
                    self._told.add(text)
                    yield from self._builder.add(text, kind="header", layer="furniture")
        yield from self._builder.close()

    def _element(self, element: dict[str, Any], layer: Layer, slide: Locator | None) -> Iterator[Section]:
        self._paragraph += 1
        place = slide or Locator.paragraph(self._paragraph)
        name = element.get("type")
        if name == "heading" and layer == "body":
            title = _inline(element)
            if title.strip():
                level = element.get("level")
                level = level if isinstance(level, int) and 0 < level < 10 else 1
                yield from self._builder.enter(min(level + bool(slide), 9), title, locator=place)
            return
        kind, text = _block(element)
        if name in ("footnote", "endnote"):
            layer = "notes"
            if element.get("marker") == "comment":
                author = str(element.get("author") or "").strip()
                kind, layer, text = "comment", "annotation", f"{author}: {text}" if author and text else text
            elif text:
                text = f"[^{element.get('id')}]: {text}"
        elif layer == "furniture":
            kind = "header"
            if text in self._told:
                return
            self._told.add(text)
        yield from self._builder.add(text, kind=kind, layer=layer, locator=place)


def _block(element: dict[str, Any], depth: int = 0) -> tuple[Kind, str]:
    """Return the kind and the text of an element."""
    name = element.get("type")
    if depth > _DEEPEST:
        return "prose", ""
    if name == "list":
        return "list", "\n".join(_items(element, 0))
    if name == "table":
        return "table", pipe_table(_rows(element))
    if name == "image":
        return "alt", str(element.get("alt_text") or "").strip()
    if name in ("text_box", "footnote", "endnote"):
        inner = _dicts(element.get("content"))
        kind: Kind = "footnote" if name == "footnote" else "endnote" if name == "endnote" else "prose"
        return kind, _texts(inner, depth + 1)
    return "prose", _inline(element)


def _texts(elements: Sequence[dict[str, Any]], depth: int = 0) -> str:
    blocks = (_block(element, depth)[1].strip() for element in elements)
    return "\n\n".join(block for block in blocks if block)


def _items(listing: dict[str, Any], depth: int) -> Iterator[str]:
    """Yield the items of a list and of the lists in it, indented by depth."""
    ordered = bool(listing.get("ordered")) and "bullet" not in str(listing.get("style") or "").casefold()
    start = listing.get("start_number")
    number = start if isinstance(start, int) and 0 <= start < 1 << 31 else 1
    indent = "  " * depth
    for item in _dicts(listing.get("items")):
        mark = f"{number}." if ordered else "-"
        text = _texts(_dicts(item.get("content")), depth).replace("\n", f"\n{indent}  ")
        if text.strip():
            yield f"{indent}{mark} {text}"
            number += 1
        nested = item.get("nested")
        if isinstance(nested, dict) and depth < _DEEPEST:
            yield from _items(nested, depth + 1)


def _rows(table: dict[str, Any]) -> list[list[str | None]]:
    rows: list[list[str | None]] = []
    hanging: dict[int, tuple[int, int]] = {}
    for row in _dicts(table.get("rows")):
        cells: list[str | None] = []
        begun: dict[int, tuple[int, int]] = {}
        for cell in _dicts(row.get("cells")):
            _cover(cells, hanging)
            width, height = _span(cell.get("col_span")), _span(cell.get("row_span"))
            if height > 1:
                begun[len(cells)] = height - 1, width
            cells += [_texts(_dicts(cell.get("content")), 1), *[None] * (width - 1)]
        _cover(cells, hanging)
        rows.append(cells)
        hanging = {at: (left - 1, width) for at, (left, width) in hanging.items() if left > 1} | begun
    return rows


def _cover(cells: list[str | None], hanging: dict[int, tuple[int, int]]) -> None:
    """Fill the places that cells from rows above reach down to."""
    while len(cells) in hanging:
        width = hanging[len(cells)][1]
        cells += [ABOVE, *[None] * (width - 1)]


def _span(value: object) -> int:
    return min(max(value, 1), _WIDEST) if isinstance(value, int) else 1


def _inline(element: dict[str, Any]) -> str:
    """Return the runs of a paragraph as text; the runs of one link become one link."""
    parts: list[str] = []
    link, linked = "", list[str]()
    for run in [*_dicts(element.get("content")), {}]:
        target = str(run.get("hyperlink") or "")
        if target != link:
            parts.append(f"[{''.join(linked)}]({link})" if link and "".join(linked).strip() else "".join(linked))
            link, linked = target, []
        name = run.get("type")
        if name == "text":
            linked.append(str(run.get("text") or ""))
        elif name == "line_break":
            linked.append("\n")
        elif name in ("footnote_ref", "endnote_ref"):
            linked.append(f"[^{run.get('note_id')}]")
    return "".join([*parts, *linked]).strip()


def _content(value: object) -> object:
    return value.get("content") if isinstance(value, dict) else value


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
