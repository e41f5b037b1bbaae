"""List and heading numbers of Word documents (ECMA-376 part 1, §17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.heading_numbers import is_named
from gatherum_formats.shared.numerals import numeral
from gatherum_formats.word.parts import W
from gatherum_formats.word.symbols import symbol

if TYPE_CHECKING:
    from lxml.etree import _Element

LEVELS: Final = 9
_LONGEST: Final = 100
"""Characters of a label's pattern."""
_PLACE: Final = re.compile(r"%([1-9])")
_BOXES: Final = "☐☑☒"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How one level of a list is numbered.

    Attributes:
        start: Its first number.
        form: The form of its numbers, "bullet" for none.
        text: The label, with %1 to %9 for the numbers of the levels.
        restart: The level whose paragraphs start it again, counted from 1; 0 for never.
        legal: Whether the numbers of all levels are shown as digits.
        style: The paragraph style that stands for it.
    """

    start: int = 1
    form: str = "decimal"
    text: str = ""
    restart: int = LEVELS
    legal: bool = False
    style: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    abstract: str
    levels: list[Level]
    starts: dict[int, int]


class Numbering:
    """Gives each numbered paragraph its label; asked once for each of them, in the document's order.

    Args:
        root: The numbering part, if there is one.
    """

    def __init__(self, root: _Element | None) -> None:
        self._abstract: dict[str, _Element] = {}
        self._elements: dict[str, _Element] = {}
        self._levels: dict[str, list[Level]] = {}
        self._lists: dict[str, _List | None] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()
        if root is not None:
            self._find(root)

    def level_of_style(self, number: str, style: str) -> int:
        """Return the level of list *number* that a paragraph style stands for; 0 if there is none."""
        found = self._list(number)
        return next((at for at, level in enumerate(found.levels) if level.style == style), 0) if found else 0

    def is_named(self, number: str) -> bool:
        """Return whether a list's labels name what they count, as in "Article 3" or "§ 3"."""
        found = self._list(number)
        return found is not None and is_named(_PLACE.sub(" ", level.text) for level in found.levels)

    def label(self, number: str, depth: int) -> str:
        """Count one paragraph and return its label: "-" for a bullet, "" for none, else the number as shown."""
        found = self._list(number)
        if found is None or not found.levels:
            return "-" if number not in ("", "0") else ""
        depth = max(0, min(depth, len(found.levels) - 1))
        counts = self._counts.setdefault(found.abstract, [None] * LEVELS)
        if depth in found.starts and (number, depth) not in self._begun:
            self._begun.add((number, depth))
            counts[depth] = None
            start = found.starts[depth]
        else:
            start = found.levels[depth].start
        count = counts[depth]
        counts[depth] = start if count is None else count + 1
        for at in range(depth):
            if counts[at] is None:
                counts[at] = found.levels[at].start
        for at in range(depth + 1, len(found.levels)):
            if depth < found.levels[at].restart:
                counts[at] = None
        level = found.levels[depth]
        if level.form == "bullet":
            return f"- {level.text}" if level.text in _BOXES and level.text else "-"
        return " ".join(
            _PLACE.sub(lambda match: _shown(found.levels, counts, int(match[1]) - 1, level), level.text).split()
        )

    def _find(self, root: _Element) -> None:
        linked: dict[str, str] = {}
        styled: dict[str, str] = {}
        for child in root:
            name = child.get(f"{W}abstractNumId") or ""
            if child.tag == f"{W}abstractNum":
                self._abstract[name] = child
                if link := _value(child, "numStyleLink"):
                    linked[name] = link
                if style := _value(child, "styleLink"):
                    styled[style] = name
        for name, link in linked.items():
            self._abstract[name] = self._abstract.get(styled.get(link, ""), self._abstract[name])
        self._elements = {child.get(f"{W}numId") or "": child for child in root.iterchildren(f"{W}num")}

    def _list(self, number: str) -> _List | None:
        """Return a list, read when it is first used: files define far more of them than they use."""
        if number not in self._lists:
            element = self._elements.get(number)
            self._lists[number] = None if element is None else self._read(element)
        return self._lists[number]

    def _read(self, element: _Element) -> _List:
        name = _value(element, "abstractNumId")
        levels = self._levels.get(name)
        if levels is None:
            abstract = self._abstract.get(name)
            levels = self._levels[name] = [] if abstract is None else _levels(abstract)
        starts: dict[int, int] = {}
        for override in element.iterchildren(f"{W}lvlOverride"):
            at = whole(override.get(f"{W}ilvl"), 0, high=LEVELS - 1)
            own = override.find(f"{W}lvl")
            if own is not None and at < len(levels):
                levels = [*levels[:at], _level(own, at), *levels[at + 1 :]]
            if start := _value(override, "startOverride"):
                starts[at] = whole(start, 1)
        return _List(abstract=name, levels=levels, starts=starts)


def whole(text: str | None, default: int, *, low: int = 0, high: int = 1_000_000) -> int:
    """Return a number from a file, held between *low* and *high*; *default* if it is none."""
    try:
        return max(low, min(high, int(text or "")))
    except ValueError:
        return default


def is_on(element: _Element | None) -> bool:
    """Return whether a switch such as ``w:vanish`` is there and not turned off."""
    return element is not None and element.get(f"{W}val") not in ("0", "false", "off", "none")


def _value(element: _Element, name: str) -> str:
    found = element.find(W + name)
    return (found.get(f"{W}val") or "") if found is not None else ""


def _levels(abstract: _Element) -> list[Level]:
    levels = [Level()] * LEVELS
    last = 0
    for child in abstract.iterchildren(f"{W}lvl"):
        at = whole(child.get(f"{W}ilvl"), 0, high=LEVELS - 1)
        levels[at] = _level(child, at)
        last = max(last, at + 1)
    return levels[:last]


def _level(element: _Element, at: int) -> Level:
    text = _value(element, "lvlText")[:_LONGEST]
    form = _value(element, "numFmt") or "decimal"
    if form == "bullet" and len(text) == 1:
        fonts = element.find(f"{W}rPr/{W}rFonts")
        font = fonts.get(f"{W}ascii") if fonts is not None else None
        text = symbol(ord(text), font or ("Wingdings" if text > "\uefff" else ""))
    return Level(
        start=whole(_value(element, "start"), 0),
        form=form,
        text=text,
        restart=whole(_value(element, "lvlRestart"), at, high=LEVELS),
        legal=is_on(element.find(f"{W}isLgl")),
        style=_value(element, "pStyle"),
    )


def _shown(levels: list[Level], counts: list[int | None], at: int, level: Level) -> str:
    count = counts[at] if at < len(levels) else None
    if count is None:
        return ""
    return numeral(count, "decimal" if level.legal and levels[at].form != "none" else levels[at].form)
