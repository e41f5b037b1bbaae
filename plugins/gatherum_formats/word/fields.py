"""Fields of Word documents (ECMA-376 part 1, §17.16): which text is shown, and where links lead."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum_formats.word.numbering import is_on, whole
from gatherum_formats.word.parts import W

if TYPE_CHECKING:
    from lxml.etree import _Element

_LINK: Final = re.compile(r"\s*HYPERLINK\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_WORDS: Final = re.compile(r'"([^"]*)"|(\\[a-z])\b|(\S+)', re.IGNORECASE)
_CONTENTS: Final = re.compile(r"\s*(?:TOC|TOA|INDEX)\b", re.IGNORECASE)
_EQUATION: Final = re.compile(r"\s*EQ\b(.*)", re.IGNORECASE | re.DOTALL)
_MADE: Final = re.compile(r"_(?:Toc|Ref|Hlk|GoBack|bookmark)", re.IGNORECASE)


@dataclass(slots=True)
class Field:
    """A field that is open.

    Attributes:
        code: Its instruction so far.
        shown: Whether its result has begun.
        target: Where it leads, if it is a link.
        mark: Where in the paragraph its text began; -1 if it is no link.
        form: What its form data show instead of a result.
    """

    code: list[str] = field(default_factory=list)
    shown: bool = False
    target: str = ""
    mark: int = -1
    form: str = ""

    @property
    def instruction(self) -> str:
        """The instruction as one text."""
        return "".join(self.code)


def link_target(instruction: str) -> str:
    """Return where a HYPERLINK field leads, as a URL or "#bookmark"; "" if it is another field or leads nowhere."""
    match = _LINK.match(instruction)
    if match is None:
        return ""
    target = anchor = ""
    switch = ""
    for quoted, option, word in _WORDS.findall(match["rest"]):
        if option:
            switch = option.lower()
            continue
        value = (quoted or word).strip()
        if switch == "\\l":
            anchor = anchor or value
        elif switch in ("", "\\n", "\\m"):
            target = target or value
        switch = ""
    if anchor:
        return f"{target}#{anchor}" if target else internal(anchor)
    return target


def internal(anchor: str) -> str:
    """Return a bookmark as a link target; "" for those that Word makes by itself."""
    return "" if not anchor or _MADE.match(anchor) else f"#{anchor}"


def is_contents(instruction: str) -> bool:
    """Return whether a field is a table of contents, of authorities, or an index."""
    return _CONTENTS.match(instruction) is not None


def equation(instruction: str) -> str:
    """Return what an EQ field, which has no result, sets; "" for every other field."""
    match = _EQUATION.match(instruction)
    return match[1].strip() if match else ""


def form_value(data: _Element) -> str:
    """Return what a form field shows that has no text of its own: a box, ticked or not, or the choice of a list."""
    box = data.find(f"{W}checkBox")
    if box is not None:
        state = box.find(f"{W}checked")
        return "☒" if is_on(state if state is not None else box.find(f"{W}default")) else "☐"
    choices = data.find(f"{W}ddList")
    if choices is None:
        return ""
    entries = [entry.get(f"{W}val") or "" for entry in choices.iterchildren(f"{W}listEntry")]
    result = choices.find(f"{W}result")
    at = whole(result.get(f"{W}val") if result is not None else None, 0)
    return entries[at] if at < len(entries) else ""
