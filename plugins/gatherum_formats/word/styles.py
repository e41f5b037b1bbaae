"""What the styles of a Word document say about its paragraphs: outline level, role, numbering, visibility."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from gatherum_formats.word.numbering import is_on, whole
from gatherum_formats.word.parts import W

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

Role = Literal["", "title", "code", "quote", "caption", "toc"]

_HEADING: Final = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|títol|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|"
    r"titlu|antraštė|virsraksts|pealkiri|naslov|başlık|заголовок|επικεφαλίδα|כותרת|عنوان|标题|標題|見出し|제목|judul)"
    r"[ _-]?([1-9])"
)
_LETTERED: Final = re.compile(r"head(?:ing)? ?([a-e])(?: ?number(?:ed)?)?")
_PART: Final = re.compile(r"(?:chapter|part|appendix|front ?matter|back ?matter) ?(?:title|heading)")
_LONGEST: Final = 50
"""Styles that one style may be based on, one on another."""
_ROLES: Final[tuple[tuple[re.Pattern[str], Role], ...]] = (
    (re.compile(r"title"), "title"),
    (
        re.compile(
            r"(?:source ?|program ?|inline ?|block ?)?code(?: ?(?:block|text|example|snippet|listing|sample))?|verbatim"
            r"|html preformatted|preformatted(?: text)?|(?:program ?)?listing|macro(?: text)?|quellcode|quelltext"
        ),
        "code",
    ),
    (re.compile(r"(?:intense )?quot(?:e|ations?)|block ?quote|block ?text|quote block|zitat|citation"), "quote"),
    (re.compile(r"(?:table |image |figure )?caption|beschriftung"), "caption"),
    (re.compile(r"toc ?[1-9]|toc heading|contents(?: heading| [1-9]\d?)|table of (?:figures|authorities)"), "toc"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What a style, with all it is based on, says.

    Attributes:
        level: The outline level, 1 to 9; 0 for body text.
        role: What its paragraphs are.
        number: The list that its paragraphs belong to; "" for none.
        depth: Their level in that list.
        hidden: Whether its text is hidden.
    """

    level: int = 0
    role: Role = ""
    number: str = ""
    depth: int = 0
    hidden: bool = False


@dataclass(slots=True, kw_only=True)
class _Stated:
    """What one style states itself; None where it is silent."""

    name: str
    base: str
    level: int | None = None
    number: str | None = None
    depth: int | None = None
    hidden: bool | None = None


class Styles:
    """The styles of one document by id, inheritance worked out on demand.

    Args:
        root: The styles part, if there is one.
        level_of_style: Finds the level of a list that a style stands for.
    """

    def __init__(self, root: _Element | None, level_of_style: Callable[[str, str], int]) -> None:
        self._elements: dict[str, _Element] = {}
        self._known: dict[str, Style] = {}
        self._said: dict[str, _Stated] = {}
        self._level_of_style = level_of_style
        self.usual = ""
        for element in root.iterchildren(f"{W}style") if root is not None else ():
            identity = element.get(f"{W}styleId") or ""
            self._elements.setdefault(identity, element)
            if element.get(f"{W}type") == "paragraph" and element.get(f"{W}default") in ("1", "true", "on"):
                self.usual = identity

    def __getitem__(self, identity: str) -> Style:
        """Return what a style says; one that is not defined is judged by its id."""
        style = self._known.get(identity)
        if style is None:
            style = self._known[identity] = self._work_out(identity)
        return style

    def _work_out(self, identity: str) -> Style:
        level: int | None = None
        role: Role = ""
        number = depth = hidden = None
        holder, seen = identity, {identity}
        stated = self._stated(identity)
        while True:
            if level is None:
                level = _named_level(stated.name) if stated.level is None else stated.level
            role = role or _role(stated.name)
            if number is None and stated.number is not None:
                number, holder = stated.number, identity
            depth = stated.depth if depth is None else depth
            hidden = stated.hidden if hidden is None else hidden
            identity = stated.base
            if identity in seen or identity not in self._elements or len(seen) > _LONGEST:
                break
            seen.add(identity)
            stated = self._stated(identity)
        if number and depth is None:
            depth = self._level_of_style(number, holder)
        style = Style(role=role, number=number or "", depth=depth or 0, hidden=bool(hidden))
        return style if role == "toc" or not level else replace(style, level=level, role="")

    def _stated(self, identity: str) -> _Stated:
        """Return what a style says itself; many may be based on it, so it is looked at once."""
        stated = self._said.get(identity)
        if stated is None:
            element = self._elements.get(identity)
            stated = _Stated(name=identity.casefold(), base="") if element is None else _stated(element)
            self._said[identity] = stated
        return stated


def outline(text: str | None) -> int | None:
    """Return a stated outline level as 1 to 9, 0 for body text; None if it makes no sense."""
    value = whole(text, -1, low=-1, high=10)
    return value + 1 if 0 <= value < 9 else 0 if value == 9 else None


def _named_level(name: str) -> int | None:
    """Return the outline level that a style's name stands for: Word's own, and those of publishers' templates."""
    if match := _HEADING.fullmatch(name):
        return int(match[1])
    if match := _LETTERED.fullmatch(name):
        return ord(match[1]) - ord("a") + 2
    return 1 if _PART.fullmatch(name) else None


def _role(name: str) -> Role:
    return next((role for pattern, role in _ROLES if pattern.fullmatch(name)), "")


def _stated(element: _Element) -> _Stated:
    stated = _Stated(name="", base="")
    for child in element.iterchildren(f"{W}name", f"{W}basedOn", f"{W}pPr", f"{W}rPr"):
        value = child.get(f"{W}val") or ""
        if child.tag == f"{W}name":
            stated.name = " ".join(value.casefold().split())
        elif child.tag == f"{W}basedOn":
            stated.base = value
        elif child.tag == f"{W}rPr":
            vanish = child.find(f"{W}vanish")
            stated.hidden = is_on(vanish) if vanish is not None else None
        else:
            level = child.find(f"{W}outlineLvl")
            stated.level = outline(level.get(f"{W}val")) if level is not None else None
            stated.number, stated.depth = numbering_of(child.find(f"{W}numPr"))
    return stated


def numbering_of(element: _Element | None) -> tuple[str | None, int | None]:
    """Return the list and the level that a ``w:numPr`` states."""
    if element is None:
        return None, None
    number, depth = element.find(f"{W}numId"), element.find(f"{W}ilvl")
    return (
        number.get(f"{W}val") if number is not None else None,
        whole(depth.get(f"{W}val"), 0, high=8) if depth is not None else None,
    )
