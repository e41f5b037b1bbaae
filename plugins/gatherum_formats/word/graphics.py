"""Drawings, pictures and objects inside Word runs: alternative text, and what they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum_formats.word.parts import MC, M, R, W

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from gatherum_formats.shared.opc import Relationship

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_V: Final = "{urn:schemas-microsoft-com:vml}"
_LINK: Final = f"{_A}hlinkClick"
_SAYING: Final = (f"{W}t", f"{M}t", f"{_A}t")
_SPACE: Final = frozenset((f"{W}tab", f"{W}br", f"{W}cr", f"{W}p"))
_UNREAD: Final = frozenset((f"{W}del", f"{W}moveFrom", f"{MC}Fallback"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """Something that hangs on a paragraph and is read after it.

    Attributes:
        what: "footnote", "endnote", "comment", "box", "chart", "diagram" or "object".
        element: The note itself, the box's content, or the reference to the part.
        mark: The mark of a note.
    """

    what: str
    element: _Element
    mark: str = ""


def graphic(element: _Element, edges: Mapping[str, Relationship]) -> tuple[list[str], list[Attached]]:
    """Return the alternative texts in a drawing and what is attached to it, in order.

    Args:
        element: A ``w:drawing``, ``w:pict``, ``w:object`` or what holds them.
        edges: The relationships of its part.
    """
    texts: dict[str, None] = {}
    attached: list[Attached] = []
    stack = [element]
    while stack:
        current = stack.pop()
        tag = current.tag
        name = tag.rpartition("}")[2] if isinstance(tag, str) else ""
        if tag == f"{W}txbxContent":
            attached.append(Attached(what="box", element=current))
            continue
        if tag == f"{MC}AlternateContent":
            chosen = alternative(current)
            if chosen is not None:
                stack.append(chosen)
            continue
        if name in ("docPr", "cNvPr"):
            text = " ".join((current.get("descr") or "").split())
            link = current.find(_LINK)
            edge = edges.get(link.get(f"{R}id") or "") if link is not None else None
            if text and edge is not None and edge.external:
                text = f"[{text}]({edge.target})"
            texts[text] = None
        elif tag in (f"{_V}shape", f"{_V}rect", f"{_V}textpath"):
            text = " ".join((current.get("string" if name == "textpath" else "alt") or "").split())
            texts[text] = None
        elif tag == f"{_A}t":
            texts[(current.text or "").strip()] = None
        elif name == "chart" and current.get(f"{R}id"):
            attached.append(Attached(what="chart", element=current))
        elif name == "relIds":
            attached.append(Attached(what="diagram", element=current))
        elif name == "OLEObject":
            attached.append(Attached(what="object", element=current))
        stack.extend(reversed(current))
    return [text for text in texts if text], attached


def alternative(element: _Element) -> _Element | None:
    """Return the branch of an ``mc:AlternateContent`` to read: the newer one, unless only the fallback has a text."""
    choice, fallback = element.find(f"{MC}Choice"), element.find(f"{MC}Fallback")
    if choice is None or fallback is None:
        return fallback if choice is None else choice
    says = next(choice.iter(*_SAYING, "{*}chart", "{*}relIds"), None) is not None
    return choice if says or next(fallback.iter(*_SAYING), None) is None else fallback


def plain_text(element: _Element) -> str:
    """Return all text inside an element as one string: no deleted text, alternatives once."""
    pieces: list[str] = []
    stack = [element]
    while stack:
        current = stack.pop()
        tag = current.tag
        if tag in _SAYING:
            pieces.append(current.text or "")
        elif tag in _SPACE:
            pieces.append(" ")
        if tag not in _UNREAD:
            stack.extend(reversed(current))
    return " ".join("".join(pieces).split())
