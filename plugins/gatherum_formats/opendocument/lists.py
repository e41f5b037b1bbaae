"""OpenDocument lists: what label stands before an item, counted through nested and continued lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum_formats.opendocument.names import attribute, clark, inner_text, number
from gatherum_formats.shared.heading_numbers import is_named
from gatherum_formats.shared.numerals import letters, numeral, spelled

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.opendocument.styles import Styles

BULLET: Final = "-"
DEEPEST: Final = 10

_MOST = 10**9
_TELLING = frozenset("☐☑☒□■✓✔✗✘→⇒")  # marks that say something, unlike dots and dashes
_FORMS: Final = {  # OpenDocument shows the first number of a form, ECMA-376 names the form
    "i": "lowerRoman",
    "I": "upperRoman",
    "①": "decimalEnclosedCircle",
    "一": "chineseCounting",
    "甲": "ideographTraditional",
    "子": "ideographZodiac",
    "ア": "aiueoFullWidth",
    "가": "ganada",
    "א": "hebrew2",
    "α": "lowerGreek",
    "а": "russianLower",
    "А": "russianUpper",
}
_SLOT = re.compile(r"%(\d{1,2})%")


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelStyle:
    """How one level of a list is labelled.

    Attributes:
        numbered: Whether by numbers; else by a mark or not at all.
        form: How its number is written: 1, a, A, i, I, or the first numerals of a script; "" for no number.
        doubled: Whether the letter after z is aa, then bb; else aa, then ab.
        prefix: What stands before the number.
        suffix: What stands behind it.
        shown: How many levels the label shows.
        start: The first number.
        template: The whole label with ``%1%`` for the first level's number, if the file gives one.
        mark: The bullet.
    """

    numbered: bool = False
    form: str = ""
    doubled: bool = False
    prefix: str = ""
    suffix: str = ""
    shown: int = 1
    start: int = 1
    template: str = ""
    mark: str = ""


ListStyle = Mapping[int, LevelStyle]
_BULLETS = LevelStyle()


def read_list_style(element: _Element | None) -> ListStyle:
    """Return the levels of a ``text:list-style`` or ``text:outline-style``."""
    levels: dict[int, LevelStyle] = {}
    for child in element if element is not None else ():
        level = number(child, "text:level", 1, least=1, most=DEEPEST)
        numbered = child.tag in (clark("text:list-level-style-number"), clark("text:outline-level-style"))
        levels[level] = LevelStyle(
            numbered=numbered,
            form=attribute(child, "style:num-format"),
            doubled=attribute(child, "style:num-letter-sync") == "true",
            prefix=attribute(child, "style:num-prefix"),
            suffix=attribute(child, "style:num-suffix"),
            shown=number(child, "text:display-levels", 1, least=1, most=DEEPEST),
            start=number(child, "text:start-value", 1, most=_MOST),
            template=attribute(child, "loext:num-list-format"),
            mark=attribute(child, "text:bullet-char"),
        )
    return levels


def names_its_numbers(style: ListStyle) -> bool:
    """Return whether the labels of a list name what they count, as in "Article 3"."""
    return is_named(
        _SLOT.sub(" ", level.template) if level.template else f"{level.prefix} {level.suffix}"
        for level in style.values()
        if level.numbered
    )


@dataclass(slots=True)
class Run:
    """The numbers that a list has reached, by level; lists that continue one another share it."""

    counts: dict[int, int] = field(default_factory=dict)

    def advance(self, style: ListStyle, level: int, start: int | None = None) -> str:
        """Count one more item at *level* and return its label."""
        if start is not None or level not in self.counts:
            self.counts[level] = style.get(level, _BULLETS).start if start is None else start
        else:
            self.counts[level] += 1
        for deeper in range(level + 1, DEEPEST + 1):
            self.counts.pop(deeper, None)
        return self._label(style, level)

    def _label(self, style: ListStyle, level: int) -> str:
        own = style.get(level, _BULLETS)
        if not own.numbered:
            return f"{BULLET} {own.mark}" if own.mark in _TELLING and own.mark else BULLET
        if not own.form:
            return ""
        if own.template:
            return _SLOT.sub(lambda match: self._number(style, int(match[1])), own.template).strip()
        first = max(1, level - own.shown + 1)
        numbers = (self._number(style, shown) for shown in range(first, level + 1))
        return f"{own.prefix}{'.'.join(filter(None, numbers))}{own.suffix}".strip()

    def _number(self, style: ListStyle, level: int) -> str:
        own = style.get(level, _BULLETS)
        return written(self.counts.get(level, own.start), own.form, doubled=own.doubled)


def written(count: int, form: str, *, doubled: bool = False) -> str:
    """Return a number in a form that OpenDocument names; "" for no form, digits for forms that are unknown."""
    if not form:
        return ""
    if form in ("a", "A"):
        text = letters(count) if doubled else spelled(count)
        return text.upper() if form == "A" else text
    return numeral(count, _FORMS.get(form[0], "decimal"))


@dataclass(slots=True, kw_only=True)
class OpenList:
    """A list that the walk is inside of.

    Attributes:
        style: How its levels are labelled.
        name: The style's name, which inner lists inherit.
        run: Its numbers.
        level: Its depth, 1 for the outermost.
        waiting: Whether the item at hand has not had its label yet.
        start: The number that the item at hand is set to, if it is.
        given: The label of the item at hand, if the file spells it out.
    """

    style: ListStyle
    name: str
    run: Run
    level: int
    waiting: bool = False
    start: int | None = None
    given: str = ""

    def item(self, element: _Element) -> None:
        """Begin an item."""
        self.waiting = True
        value = number(element, "text:start-value", -1, most=_MOST)
        self.start = None if value < 0 else value
        self.given = inner_text(element.find(clark("text:number")))

    def label(self) -> str | None:
        """Return the label for the next paragraph of the item at hand; None from its second paragraph on."""
        if not self.waiting:
            return None
        self.waiting = False
        counted = self.run.advance(self.style, min(self.level, DEEPEST), self.start)
        return self.given or counted


class ListRuns:
    """Open lists so that each goes on counting where the file says it does."""

    def __init__(self) -> None:
        self._by_id: dict[str, Run] = {}
        self._by_style: dict[str, Run] = {}

    def open(self, element: _Element, styles: Styles, outer: OpenList | None, inherited: str = "") -> OpenList:
        """Return the list that *element* (``text:list`` or ``text:numbered-paragraph``) opens.

        Args:
            element: The list.
            styles: Where its style is found.
            outer: The list around it.
            inherited: The list style that its first paragraph's style names, for lists that name none.
        """
        name = attribute(element, "text:style-name") or (outer.name if outer else inherited)
        level = outer.level + 1 if outer else number(element, "text:level", 1, least=1, most=DEEPEST)
        if outer:
            run = outer.run
        elif (earlier := attribute(element, "text:continue-list") or attribute(element, "text:list-id")) in self._by_id:
            run = self._by_id[earlier]
        elif attribute(element, "text:continue-numbering") == "true":
            run = self._by_style.get(name) or Run()
        else:
            run = Run()
        for key in (attribute(element, "xml:id"), attribute(element, "text:list-id")):
            if key:
                self._by_id[key] = run
        self._by_style[name] = run
        return OpenList(style=styles.list_style(name), name=name, run=run, level=level)
