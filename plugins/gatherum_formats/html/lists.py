"""Lists in HTML: how items are counted and marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum_formats.html.common import keep_note
from gatherum_formats.shared.numerals import roman, spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum_formats.html.walk import Walk

_NUMBER: Final = re.compile(r"\s*([-+]?\d{1,9})")


@dataclass(slots=True, kw_only=True)
class OpenList:
    """A list whose items are being read.

    Attributes:
        style: "1", "a", "A", "i" or "I"; "" for bullets and definitions.
        following: The number of the next item.
        step: Whether numbers rise or fall.
    """

    style: str = ""
    following: int = 1
    step: int = 1

    def mark(self, value: str | None) -> str:
        """Return the mark of the next item, whose own number may be given."""
        if not self.style:
            return "- "
        number = whole_number(value, self.following)
        self.following = number + self.step
        return f"{_counted(number, self.style)}. "


def whole_number(text: str | None, default: int) -> int:
    """Read a number of at most nine digits."""
    match = _NUMBER.match(text or "")
    return int(match[1]) if match else default


def _counted(number: int, style: str) -> str:
    if style in "aA" and number <= 10_000:
        text = spelled(number)
    elif style in "iI":
        text = roman(number)
    else:
        return str(number)
    return text.upper() if style.isupper() else text


def open_list(walk: Walk, tag: str, attrs: Mapping[str, str]) -> Callable[[], None] | None:
    """Begin a list of items or definitions."""
    flow = walk.flow
    if flow.solid:
        return None
    opened = OpenList()
    if tag == "ol":
        style = attrs.get("type", "1")
        opened.style = style if style in ("a", "A", "i", "I") else "1"
        opened.following = whole_number(attrs.get("start"), 1)
        opened.step = -1 if "reversed" in attrs else 1
    if not flow.lists:
        flow.joined = False
    flow.lists.append(opened)

    def undo() -> None:
        if flow.lists:
            flow.lists.pop()
        flow.mark = None

    return undo


def open_item(walk: Walk, tag: str, attrs: Mapping[str, str]) -> Callable[[], None] | None:
    """Begin an item, a term or its definition."""
    flow = walk.flow
    if flow.solid:
        return None
    if tag == "li" and walk.notes_kind and attrs.get("id"):
        return keep_note(walk, attrs, walk.notes_kind)
    if walk.in_note and not flow.lists:
        return None
    if tag == "dt":
        flow.mark = ""
    elif tag == "dd":
        flow.mark = ": "
    else:
        flow.mark = flow.lists[-1].mark(attrs.get("value")) if flow.lists else "- "

    def undo() -> None:
        flow.mark = None

    return undo
