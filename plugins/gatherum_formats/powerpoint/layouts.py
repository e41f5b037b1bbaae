"""What a slide's placeholders inherit from its layout and master: their type, place and bullets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum_formats.powerpoint.text import NO_BULLETS, A, alternatives, level_bullets
from gatherum_formats.shared.drawing import rich_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum_formats.shared.opc import Package

P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_PROPERTIES: Final = f"{P}cNvPr"
_MORE: Final = f"{P}nvPr"
_PLACEHOLDER: Final = f"{P}ph"
_FRAMES: Final = (f"{P}spPr", f"{P}grpSpPr", f"{P}xfrm")
_TRANSFORM: Final = f"{A}xfrm"
_OFFSET: Final = f"{A}off"

_MASTER_TYPES: Final = {"ctrTitle": "title", "title": "title", "dt": "dt", "ftr": "ftr", "sldNum": "sldNum"}
_STYLES: Final = {"title": "titleStyle", "body": "bodyStyle"}
_DEFAULT_INDEX: Final = "0"


def identity_of(shape: _Element) -> tuple[_Element | None, _Element | None]:
    """Return a shape's ``p:cNvPr``, and the ``p:ph`` that makes it a placeholder, if it is one."""
    properties = placeholder = None
    for part in shape:
        for child in part:
            tag = child.tag
            if tag == _PROPERTIES:
                properties = child
            elif tag == _MORE and len(child):
                placeholder = child.find(_PLACEHOLDER)
        break
    return properties, placeholder


def offset_of(shape: _Element) -> tuple[int, int] | None:
    """Return the top and the left of a shape; None where it does not say."""
    for part in shape.iterchildren(*_FRAMES):
        frame = part if part.tag == _FRAMES[-1] else part.find(_TRANSFORM)
        corner = frame.find(_OFFSET) if frame is not None else None
        return (_integer(corner.get("y")), _integer(corner.get("x"))) if corner is not None else None
    return None


def _integer(text: str | None) -> int:
    try:
        return int(text or 0) if len(text or "") < 19 else 0
    except ValueError:
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """A placeholder of a layout as slides inherit it.

    Attributes:
        kind: Its type, "obj" by default.
        offset: Its top and left, if known.
        bullets: The bullet of each level, see `level_bullets`.
    """

    kind: str = "obj"
    offset: tuple[int, int] | None = None
    bullets: tuple[str | None, ...] = NO_BULLETS


@dataclass(slots=True, kw_only=True)
class Layout:
    """A slide layout, with what its master adds.

    Attributes:
        by_index: Its placeholders by their ``idx``.
        by_kind: The first of each type; what the master has for the types that the layout leaves out.
        furniture: Text that stands on every slide of the layout.
    """

    by_index: dict[str, Placeholder] = field(default_factory=dict)
    by_kind: dict[str, Placeholder] = field(default_factory=dict)
    furniture: tuple[str, ...] = ()
    _known: dict[tuple[str, str], Placeholder] = field(default_factory=dict)

    def find(self, placeholder: _Element) -> Placeholder:
        """Return what a slide's ``p:ph`` inherits."""
        kind, index = placeholder.get("type", ""), placeholder.get("idx", _DEFAULT_INDEX)
        known = self._known.get((kind, index))
        if known is None:
            known = self._known[kind, index] = self._inherited(kind, index)
        return known

    def _inherited(self, kind: str, index: str) -> Placeholder:
        found = self.by_index.get(index)
        if found is None or (kind and kind != found.kind and found.kind in _MASTER_TYPES):
            found = self.by_kind.get(kind or "obj") or self.by_kind.get(_MASTER_TYPES.get(kind, "body"))
        if found is None:
            return Placeholder(kind=kind or "obj")
        return Placeholder(kind=kind, offset=found.offset, bullets=found.bullets) if kind else found


class Layouts:
    """The layouts and masters of a presentation, each read once and only when a slide needs it."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._layouts: dict[str, Layout] = {}
        self._masters: dict[str, Layout] = {}

    def of(self, part: str | None) -> Layout:
        """Return a layout by its part's name; an empty one where there is none."""
        if not part or part not in self._package.archive:
            return Layout()
        if part not in self._layouts:
            self._layouts[part] = self._read(part)
        return self._layouts[part]

    def _read(self, part: str) -> Layout:
        root = self._package.xml(part)
        if root is None:
            return Layout()
        edges = self._package.relationships(part).values()
        master = self._master(next((edge.target for edge in edges if edge.kind == "slideMaster"), ""))
        layout = Layout(by_kind=dict(master.by_kind))
        own = _placeholders(root, {}, master.by_kind)
        for index, placeholder in own:
            layout.by_index.setdefault(index, placeholder)
        layout.by_kind.update({placeholder.kind: placeholder for _, placeholder in reversed(own)})
        shared = master.furniture if root.get("showMasterSp", "1") not in ("0", "false") else ()
        layout.furniture = (*shared, *_fixed_texts(root))
        return layout

    def _master(self, part: str) -> Layout:
        if not part or part not in self._package.archive:
            return Layout()
        if part not in self._masters:
            root = self._package.xml(part)
            if root is None:
                return Layout()
            styles = {
                kind: tuple(level_bullets(style))
                for kind, name in _STYLES.items()
                for style in root.iterfind(f"{P}txStyles/{P}{name}")
            }
            own = _placeholders(root, styles, {})
            by_kind = {placeholder.kind: placeholder for _, placeholder in reversed(own)}
            by_kind.setdefault("body", Placeholder(kind="body", bullets=styles.get("body", NO_BULLETS)))
            self._masters[part] = Layout(by_kind=by_kind, furniture=_fixed_texts(root))
        return self._masters[part]


def _shapes(root: _Element) -> Iterator[_Element]:
    tree = root.find(f"{P}cSld/{P}spTree")
    return iter(()) if tree is None else alternatives(tree)


def _placeholders(
    root: _Element, styles: dict[str, tuple[str | None, ...]], above: dict[str, Placeholder]
) -> list[tuple[str, Placeholder]]:
    """Return a layout's or master's placeholders with their index, completed by what stands above them."""
    found = []
    for shape in _shapes(root):
        mark = identity_of(shape)[1]
        if mark is None:
            continue
        kind = mark.get("type", "obj")
        wider = _MASTER_TYPES.get(kind, "body")
        given = above.get(wider) or Placeholder(bullets=styles.get(wider, NO_BULLETS))
        style = shape.find(f"{P}txBody/{A}lstStyle")
        bullets = given.bullets
        if style is not None and len(style):
            levels = zip(level_bullets(style), bullets, strict=True)
            bullets = tuple(mine if mine is not None else inherited for mine, inherited in levels)
        found.append(
            (
                mark.get("idx", _DEFAULT_INDEX),
                Placeholder(kind=kind, offset=offset_of(shape) or given.offset, bullets=bullets),
            )
        )
    return found


def _fixed_texts(root: _Element) -> tuple[str, ...]:
    """Return the text of shapes that are no placeholders: it shows on every slide."""
    texts = []
    for shape in _shapes(root):
        properties, placeholder = identity_of(shape)
        if placeholder is None and properties is not None and properties.get("hidden") not in ("1", "true"):
            texts.append(rich_text(shape))
    return tuple(text for text in texts if text)
