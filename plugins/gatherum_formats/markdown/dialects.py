"""Prepare the lines of a Markdown dialect for a CommonMark parser.

Directives, admonitions, display math, comments and the tags of MDX are not CommonMark. Each such line is replaced by
one that the block parser takes as it is meant; the number of lines never changes, so that places stay exact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum_formats.markdown.directives import (
    OPTION,
    Opening,
    colon_opening,
    fence_opening,
    indented_opening,
    spoken_option,
)
from gatherum_formats.markdown.jsx import module_end, spoken_tags
from gatherum_formats.markdown.parser import STAIRS, flattened

if TYPE_CHECKING:
    from collections.abc import Callable

ALONE: Final = "<!---->"
"""What the parser sees in place of a line that is a paragraph by itself."""
_WALL: Final = "~~~~~~~~~~~~"
_PRESENT = re.compile(
    r"^[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?::{3,}|!!![ \t]|\?\?\?|===[+!]?[ \t]+\"|%%|\$\$|(?:`{3,}|~{3,})[ \t]*"
    r"\{[\w:+-]+\}|\\begin\{|\\\[|\{/\*)",
    re.MULTILINE,
)
_HINTS = (":::", "!!!", "???", '=== "', '===! "', '===+ "', "%%", "$$", "```{", "~~~{", "``` {", "\\begin{", "\\[")
_FENCE = re.compile(r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$")
_COLONS = re.compile(r"(:{3,})[ \t]*(.*)$")
_BEGIN = re.compile(
    r"\\begin\{((?:equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|math|subequations|split|cases"
    r"|[bpvBV]?matrix)\*?)\}"
)
_REACH = 2_000
_NEAR = 20
_DEPTH = 100


@dataclass(slots=True, kw_only=True)
class Prepared:
    """The lines of a document, as many as there were.

    Attributes:
        parse: For the block parser.
        text: For the reader.
        unseen: Comments, each with the index of its first line.
        titles: Lines that are paragraphs by themselves.
        math: First lines of display math.
        aside: Lines inside boxes, whose headings are not the document's.
    """

    parse: list[str]
    text: list[str]
    unseen: list[tuple[int, str]] = field(default_factory=list)
    titles: set[int] = field(default_factory=set)
    math: set[int] = field(default_factory=set)
    aside: set[int] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class _Open:
    """A directive that is open: its fence, or the indent of its content."""

    fence: str = ""
    indent: int = 0
    line: int = 0
    aside: bool = False


def prepare(lines: list[str], *, mdx: bool = False) -> Prepared:
    """Return *lines* as the block parser should see them and as a reader should.

    Args:
        lines: The document without its front matter.
        mdx: Whether tags of components and module statements belong to the language.
    """
    text = "\n".join(lines)
    prepared = Prepared(parse=lines, text=lines)
    if mdx or (any(hint in text for hint in _HINTS) and _PRESENT.search(text)):
        prepared = _Scan(lines, mdx=mdx).run()
    if STAIRS.search(text):
        prepared.parse = [flattened(line) for line in prepared.parse]
    return prepared


class _Scan:
    """One pass over the lines."""

    def __init__(self, lines: list[str], *, mdx: bool) -> None:
        self._lines = lines
        self._mdx = mdx
        self._out = Prepared(parse=list(lines), text=list(lines))
        self._open: list[_Open] = []
        self._fence = ""
        self._barriers: dict[str, int] = {}
        self._boxes: list[tuple[int, int]] = []

    def run(self) -> Prepared:
        at = 0
        while at < len(self._lines):
            at = self._line(at)
        end = 0
        for first, last in sorted(self._boxes):
            self._out.aside.update(range(max(first, end), last))
            end = max(end, last)
        return self._out

    def _set(self, at: int, text: str, parse: str | None = None) -> None:
        self._out.text[at] = text
        self._out.parse[at] = text if parse is None else parse

    def _title(self, at: int, indent: str, title: str) -> None:
        if title:
            self._set(at, indent + title, indent + ALONE)
            self._out.titles.add(at)
        else:
            self._set(at, "")

    def _line(self, at: int) -> int:
        """Take the line at *at*; return the index of the next."""
        line = self._dedented(at)
        body = line.lstrip(" \t")
        indent = line[: len(line) - len(body)]
        if self._fence:
            self._inside_fence(at, indent, body)
            return at + 1
        first = body[:1]
        rule = self._RULES.get(first)
        if rule is None and body[:1] in "-*+0123456789" and _FENCE.match(body):
            rule = _Scan._fenced
        done = rule(self, at, indent, body) if rule else None
        if done is None and self._mdx and not indent and first in ("i", "e"):
            done = self._module(at)
        return at + 1 if done is None else done

    def _dedented(self, at: int) -> str:
        """Return the line without the indent of the admonitions that are open, closing those that it ends."""
        line = self._lines[at]
        if not self._open or not any(entry.indent for entry in self._open):
            return line
        if not line.strip():
            return ""
        wide = line.expandtabs(4)
        width = len(wide) - len(wide.lstrip(" "))
        while self._open and self._open[-1].indent > width:
            self._close(at)
        shift = max((entry.indent for entry in self._open), default=0)
        if shift:
            line = wide[shift:]
            self._set(at, line)
        return line

    def _push(self, entry: _Open) -> None:
        if len(self._open) < _DEPTH:
            self._open.append(entry)

    def _close(self, at: int) -> None:
        entry = self._open.pop()
        if entry.indent:
            self._fence = ""
        if entry.aside:
            self._boxes.append((entry.line, at))

    def _inside_fence(self, at: int, indent: str, body: str) -> None:
        mark = self._fence[0]
        if not body.startswith(self._fence) or body.strip(mark + " \t"):
            return
        if mark == ":":
            self._set(at, f"{indent}```", f"{indent}{_WALL}")
        self._fence = ""

    def _fenced(self, at: int, indent: str, body: str) -> int | None:
        match = _FENCE.match(body)
        if not match:
            return None
        if self._ends(match[1], match[2]):
            self._set(at, "")
            self._close(at)
            return at + 1
        opening = fence_opening(match[2]) if body.startswith(match[1]) else None
        if opening is None or opening.code is not None or opening.math:
            self._fence = match[1]
            return at + 1
        return self._directive(at, indent, match[1], opening)

    def _colons(self, at: int, indent: str, body: str) -> int | None:
        match = _COLONS.match(body)
        if not match:
            return None
        if not match[2]:
            self._set(at, "")
            if any(entry.fence.startswith(":") for entry in self._open):
                while not self._open[-1].fence.startswith(":"):
                    self._close(at)
                self._close(at)
            return at + 1
        opening = colon_opening(match[2])
        if opening.code is None and not opening.math:
            return self._directive(at, indent, match[1], opening)
        self._fence = match[1]
        language = "math" if opening.math else opening.code or ""
        self._set(at, f"{indent}```{language}", f"{indent}{_WALL}{language}")
        return at + 1

    def _ends(self, fence: str, rest: str) -> bool:
        top = self._open[-1].fence if self._open else ""
        return bool(top) and not rest and fence.startswith(top)

    def _directive(self, at: int, indent: str, fence: str, opening: Opening) -> int:
        self._title(at, indent, opening.title)
        self._push(_Open(fence=fence, line=at, aside=opening.aside))
        following = at + 1
        if following < len(self._lines) and self._lines[following].strip() == "---":
            end = self._find(following + 1, lambda line: line.strip() == "---", "options")
            for index in range(following, end + 1 if end else following):
                self._set(index, "")
            return end + 1 if end else following
        while following < len(self._lines) and OPTION.match(self._lines[following]):
            self._title(following, indent, spoken_option(self._lines[following]))
            following += 1
        return following

    def _admonition(self, at: int, indent: str, body: str) -> int | None:
        opening = indented_opening(body)
        if opening is None:
            return None
        self._title(at, indent, opening.title)
        shift = max((entry.indent for entry in self._open), default=0)
        inner = shift + len(indent.expandtabs(4)) + 4
        self._push(_Open(indent=inner, line=at, aside=opening.aside))
        return at + 1

    def _comment(self, at: int, _indent: str, body: str) -> int | None:
        if not body.startswith("%%") or "%%" in body[2:]:
            return None
        end = self._find(at + 1, lambda line: "%%" in line, "%%")
        return self._unseen(at, end, body[2:], "%%") if end else None

    def _expression(self, at: int, _indent: str, body: str) -> int | None:
        if not self._mdx or not body.startswith("{/*"):
            return None
        if "*/}" in body:
            inner, _, rest = body[3:].partition("*/}")
            self._out.unseen.append((at, inner))
            self._set(at, rest)
            return at + 1
        end = self._find(at + 1, lambda line: "*/}" in line, "*/}")
        return self._unseen(at, end, body[3:], "*/}") if end else None

    def _unseen(self, at: int, end: int, first: str, closing: str) -> int:
        last, _, rest = self._lines[end].partition(closing)
        self._out.unseen.append((at, "\n".join((first, *self._lines[at + 1 : end], last))))
        for index in range(at, end):
            self._set(index, "")
        self._set(end, rest)
        return end + 1

    def _dollars(self, at: int, indent: str, body: str) -> int | None:
        if not body.startswith("$$") or "$$" in body[2:]:
            return None
        return self._display(at, indent, lambda line: "$$" in line, "$$")

    def _tex(self, at: int, indent: str, body: str) -> int | None:
        if body.startswith("\\[") and "\\]" not in body:
            return self._display(at, indent, lambda line: "\\]" in line, "\\]")
        match = _BEGIN.match(body)
        if not match or f"\\end{{{match[1]}}}" in body:
            return None
        closing = f"\\end{{{match[1]}}}"
        return self._display(at, indent, lambda line: closing in line, closing)

    def _display(self, at: int, indent: str, ends: Callable[[str], bool], name: str) -> int | None:
        end = self._find(at + 1, ends, name, blank=False)
        if not end:
            return None
        self._out.parse[at], self._out.parse[end] = f"{indent}{_WALL}math", f"{indent}{_WALL}"
        for index in range(at, end + 1):
            self._dedented(index)
        self._out.parse[at], self._out.parse[end] = f"{indent}{_WALL}math", f"{indent}{_WALL}"
        self._out.math.add(at)
        return end + 1

    def _component(self, at: int, indent: str, _body: str) -> int | None:
        if not self._mdx:
            return None
        found = spoken_tags(self._lines, at, self._barriers.get("<", 0))
        if found is None:
            return None
        texts, end = found
        if texts[0] == self._lines[at]:
            self._barriers["<"] = end
            return None
        for index in range(at, end):
            self._set(index, texts[index - at])
        return end

    def _module(self, at: int) -> int | None:
        if at and self._out.text[at - 1].strip():
            return None
        barrier = self._barriers.get("module", 0)
        end, certain = module_end(self._lines, at, _REACH if at >= barrier else _NEAR)
        if not certain and at >= barrier:
            self._barriers["module"] = at + _REACH
        for index in range(at, end):
            self._set(index, "")
        return end if end > at else None

    def _find(self, start: int, wanted: Callable[[str], bool], name: str, *, blank: bool = True) -> int:
        """Return the next line that is *wanted*; 0 if none is near.

        What one search has looked through in vain is not looked through again, so that all of them take linear time.
        """
        barrier = self._barriers.get(name, 0)
        if not blank and start < barrier:
            return 0
        end = min(len(self._lines), start + _REACH)
        for index in range(max(start, barrier), end):
            if wanted(self._lines[index]):
                return index
            if not blank and not self._lines[index].strip():
                end = index
                break
        self._barriers[name] = end
        return 0

    _RULES: Final[dict[str, Callable[[_Scan, int, str, str], int | None]]] = {
        "`": _fenced,
        "~": _fenced,
        ":": _colons,
        "!": _admonition,
        "?": _admonition,
        "=": _admonition,
        "%": _comment,
        "{": _expression,
        "$": _dollars,
        "\\": _tex,
        "<": _component,
    }
