"""A first pass over LaTeX: where groups end, and what is verbatim."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from gatherum_formats.latex.names import VERBATIM

_INTERESTING = re.compile(
    r"%[^\n]*|\\begin\{(?P<name>[A-Za-z]+)\*?\}|\\(?P<inline>verb|lstinline|mintinline(?:\[[^\]\n]*\])?\{\w+\})(?![A-Za-z])\*?"
    r"(?:\[[^\]\n]*\])?(?P<mark>[^\sA-Za-z*])|\\[\s\S]|[{}]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """Text that is taken as it is written.

    Attributes:
        name: The environment, or "verb" inside a line.
        start: Where its content begins.
        end: Where its content ends.
        after: Where the text goes on.
    """

    name: str
    start: int
    end: int
    after: int


class Scan:
    """What the first pass has found.

    Args:
        text: The source, its line ends made single.

    Attributes:
        text: The source.
        groups: Where each group ends, by where it begins.
        verbatim: Verbatim text, by where its command begins.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.groups: dict[int, int] = {}
        self.verbatim: dict[int, Verbatim] = {}
        self._lines = [match.start() for match in re.finditer("\n", text)]
        opened: list[int] = []
        missing: set[str] = set()
        at = 0
        while match := _INTERESTING.search(text, at):
            at = match.end()
            found = match[0]
            if found == "{":
                opened.append(match.start())
            elif found == "}":
                if opened:
                    self.groups[opened.pop()] = match.start()
            elif match["inline"]:
                closing = {"{": "}", "[": "]"}.get(match["mark"], match["mark"])
                end = text.find(closing, at, at + 2_000)
                if end >= 0 and "\n" not in text[at:end]:
                    self.verbatim[match.start()] = Verbatim(name="verb", start=at, end=end, after=end + 1)
                    at = end + 1
            elif match["name"]:
                self.groups[match.start() + 6] = at - 1
                name = found[7:-1]
                end = -1
                if match["name"] in VERBATIM and name not in missing:
                    end = text.find(f"\\end{{{name}}}", at)
                    if end < 0:
                        missing.add(name)
                if end >= 0:
                    after = end + len(name) + 6
                    self.verbatim[match.start()] = Verbatim(name=name.rstrip("*"), start=at, end=end, after=after)
                    at = after

    def line(self, position: int) -> int:
        """Return the number of the line of a position, counted from 1."""
        return bisect_right(self._lines, position - 1) + 1

    def blank(self, at: int, end: int) -> int:
        """Return the position after white space and comments, which no blank line interrupts."""
        found = _BLANK.match(self.text, at, end)
        return found.end() if found else at

    def group(self, at: int, end: int) -> tuple[int, int, int] | None:
        """Return where the group at *at* begins and ends inside, and where the text goes on; None if there is none."""
        at = self.blank(at, end)
        if at >= end or self.text[at] != "{":
            return None
        close = self.groups.get(at, -1)
        return (at + 1, close, close + 1) if 0 <= close < end else None

    def option(self, at: int, end: int) -> tuple[int, int, int] | None:
        """Return the same for an argument in brackets."""
        at = self.blank(at, end)
        if at >= end or self.text[at] != "[":
            return None
        place = at + 1
        for _ in range(500):
            match = _BRACKET.search(self.text, place, min(end, at + 5_000))
            if not match:
                return None
            place = match.end()
            if match[0] == "]":
                return at + 1, match.start(), place
            if match[0] != "{":
                return None
            place = max(place, self.groups.get(match.start(), place))
        return None


_BLANK: Final = re.compile(r"(?:[ \t]+|%[^\n]*\n|\n(?![ \t]*\n))*+")
_BRACKET: Final = re.compile(r"[{\]]|\n[ \t]*\n")
