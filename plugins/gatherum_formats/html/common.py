"""Attributes that mean the same on every element: id, lang, role, epub:type, hidden."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from gatherum_formats.html.blocks import Block, Note
from gatherum_formats.html.style import is_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Literal

    from gatherum.document import Layer
    from gatherum_formats.html.walk import Walk

    Undo = Callable[[], None]

_NOTES: Final[dict[str, Literal["footnote", "endnote"]]] = {
    "footnote": "footnote",
    "doc-footnote": "footnote",
    "endnote": "endnote",
    "rearnote": "endnote",
    "doc-endnote": "endnote",
}
_NOTE_LISTS: Final[dict[str, Literal["footnote", "endnote"]]] = {
    "footnotes": "footnote",
    "endnotes": "endnote",
    "rearnotes": "endnote",
    "doc-endnotes": "endnote",
}
_NOTE_CLASSES: Final = frozenset(("footnotes", "footnotes-list", "footnote-list"))
_FURNITURE_ROLES: Final = frozenset(("navigation", "banner", "contentinfo", "search"))
_PLAIN: Final = frozenset(("html", "body"))


def common_attributes(walk: Walk, tag: str, attrs: Mapping[str, str], block: bool) -> Undo | None:
    """Heed what an element's attributes say of its text; return what ends that with the element."""
    undo: Undo | None = None
    ident = attrs.get("id") or (attrs.get("name") if tag == "a" else None)
    if ident:
        if block or not walk.ident:
            walk.ident = ident
        if ident in walk.anchors:
            walk.post(Block(kind="anchor", anchor=ident, first=walk.line, last=walk.line))
    language = attrs.get("lang") or attrs.get("xml:lang")
    if language:
        undo = _speak(walk, tag, language, block)
    names = attrs.get("class")
    if names and "katex-html" in names and attrs.get("aria-hidden") == "true":
        walk.mute()  # the formula stands beside it as MathML
    kinds = f"{attrs.get('role', '')} {attrs.get('epub:type', '')}".split()
    if names and block and "footnote" in names and _NOTE_CLASSES.intersection(names.split()):
        kinds.append("footnotes")
    noted = walk.in_note
    if kinds:
        undo = _join(_roles(walk, tag, attrs, kinds, block), undo)
    if (
        ("style" in attrs or "hidden" in attrs or walk.hiding)
        and tag not in _PLAIN
        and walk.layer != "hidden"
        and walk.in_note == noted
        and is_hidden(attrs, walk.hiding)
    ):
        undo = _join(hide(walk, block), undo)
    return undo


def _join(first: Undo | None, second: Undo | None) -> Undo | None:
    return partial(_run, first, second) if first and second else first or second


def _run(first: Undo, second: Undo) -> None:
    first()
    second()


def _speak(walk: Walk, tag: str, language: str, block: bool) -> Undo | None:
    if tag == "html" or (tag == "body" and not walk.language):
        walk.language = walk.language or language
        return None
    outer = walk.lang
    if not block or language == (outer or walk.language):
        return None
    walk.lang = language if language != walk.language else None

    def undo() -> None:
        walk.end_block()
        walk.lang = outer

    return undo


def _roles(walk: Walk, tag: str, attrs: Mapping[str, str], kinds: list[str], block: bool) -> Undo | None:
    for kind in kinds:
        if kind in _NOTE_LISTS:
            outer, walk.notes_kind = walk.notes_kind, _NOTE_LISTS[kind]
            return partial(setattr, walk, "notes_kind", outer)
        if kind in _NOTES and block:
            return keep_note(walk, attrs, _NOTES[kind])
        if kind == "main":
            return content(walk, tag, attrs)
        if kind in _FURNITURE_ROLES and block:
            return furniture(walk)
    return None


def set_layer(walk: Walk, layer: Layer) -> Undo | None:
    """Let all text of a block belong to *layer*."""
    outer = walk.layer
    if outer in (layer, "hidden"):
        return None
    walk.end_block()
    walk.layer = layer

    def undo() -> None:
        walk.end_block()
        walk.layer = outer

    return undo


def hide(walk: Walk, block: bool) -> Undo | None:
    """Keep the text of an element out of what readers see; inside a paragraph, put it after that paragraph."""
    if block and not walk.flow.solid:
        return set_layer(walk, "hidden")
    outer, flow = walk.layer, walk.flow
    gathered: list[Block] = []
    back = walk.divert(gathered)
    walk.layer = "hidden"

    def undo() -> None:
        back()
        walk.layer = outer
        flow.after += gathered

    return undo


def furniture(walk: Walk) -> Undo | None:
    """Take a block for navigation or page furniture."""
    return set_layer(walk, "furniture") if not walk.in_note else None


def content(walk: Walk, tag: str, attrs: Mapping[str, str]) -> Undo | None:
    """Enter the content proper: headers, footers and asides in it belong to it."""
    walk.main += 1

    def undo() -> None:
        walk.main -= 1

    return undo


def keep_note(walk: Walk, attrs: Mapping[str, str], kind: Literal["footnote", "endnote"]) -> Undo | None:
    """Keep a note for the place that refers to it; where none does, it stays where it stands."""
    if walk.in_note or walk.layer == "hidden" or walk.flow.solid:
        return None
    key = walk.key("#" + attrs.get("id", ""))
    gathered: list[Block] = []
    walk.end_block()
    walk.in_note += 1
    back = walk.divert(gathered)

    def undo() -> None:
        back()
        walk.in_note -= 1
        text = "\n\n".join(block.text for block in gathered if block.text and block.layer != "hidden")
        signs, _, rest = text.partition("\n\n")
        if not any(letter.isalnum() for letter in signs):
            text = rest
        if text:
            if attrs.get("id"):
                walk.notes.setdefault(key, Note(kind=kind, text=text))
            walk.post(Block(kind=kind, text=text, layer="notes", anchor=key, first=walk.line, last=walk.line))
        for block in gathered:
            if block.layer == "hidden" or block.kind == "reference":
                walk.post(block)

    return undo
