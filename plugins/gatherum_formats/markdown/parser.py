"""The block parser for Markdown: CommonMark with tables, footnotes and definition lists."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

CELLS: Final = re.compile(r"(?<!\\)\|")
"""What parts the cells of a row."""
_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*$")
_NESTING: Final = 250
_MARK = r"(?:[-+*](?=[ \t])|>|\d{1,9}[.)](?=[ \t]))"
STAIRS: Final = re.compile(rf"^(?:[ \t]{{100}}|(?:[ \t]*{_MARK}){{40}})", re.MULTILINE)
"""Finds lines that are nested deeper than any that people write."""


@lru_cache(maxsize=2)
def block_parser(mdx: bool) -> MarkdownIt:
    """Return the parser; only its block rules are set up with care.

    Args:
        mdx: Whether indented text is text rather than code.
    """
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table")
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.use(footnote_plugin, move_to_end=False).use(deflist_plugin)
    return parser.disable("code") if mdx else parser


def flattened(line: str) -> str:
    """Limit the depth of nesting that the parser sees: it calls itself for every level."""
    indent = len(line) - len(line.lstrip(" \t"))
    if indent > 100:
        line = " " * 100 + line[indent:]
    match = re.match(rf"(?:[ \t]*{_MARK}){{40}}", line)
    return f"{match[0]} x" if match else line


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Recognise a GFM table as one token: its cells are read from its lines, so they need no tokens of their own."""
    if start + 2 > end or state.sCount[start + 1] < state.blkIndent:
        return False
    rule = _content(state, start + 1)
    if rule[:1] not in ("|", "-", ":") or rule[:2] in ("- ", "-\t") or len(rule) < 2:
        return False
    if state.is_code_block(start) or state.is_code_block(start + 1) or not _DELIMITER.match(rule):
        return False
    header = _content(state, start).strip()
    if "|" not in header or _count(header) != len(re.findall("-+", rule)):
        return False
    if silent:
        return True
    outer, state.parentType = state.parentType, "table"
    enders = state.md.block.ruler.getRules("blockquote")
    line = start + 2
    while line < end and state.sCount[line] >= state.blkIndent:
        if any(ender(state, line, end, True) for ender in enders):
            break
        if state.isEmpty(line) or state.is_code_block(line):
            break
        line += 1
    state.parentType = outer
    token = state.push("table", "table", 0)
    token.map = [start, line]
    state.line = line
    return True


def _content(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _count(header: str) -> int:
    cells = CELLS.split(header)
    if cells and not cells[0]:
        cells.pop(0)
    if cells and not cells[-1]:
        cells.pop()
    return len(cells)
