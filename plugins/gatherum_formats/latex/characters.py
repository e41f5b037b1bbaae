"""Characters of LaTeX that are more than themselves: accents, symbols, mathematics, marks of emphasis."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.latex.blocks import BREAK
from gatherum_formats.latex.environments import end_cell
from gatherum_formats.latex.names import ACCENTS, accented

if TYPE_CHECKING:
    from gatherum_formats.latex.walk import Walk

_DOLLAR = re.compile(r"(?:[^$\\]|\\[\s\S])*?(?:\$|\n[ \t]*\n)")
_LETTER = re.compile(r"\\([ij])(?![A-Za-z])[ \t]*|[^\W\d_]")
_FORMULA: Final = 20_000
_LONGEST: Final = 2_000


def dollars(walk: Walk, start: int, end: int) -> int:
    """Mathematics between dollars."""
    text = walk.text
    if text.startswith("$$", start):
        close = text.find("$$", start + 2, min(end, start + _FORMULA))
        if close < 0:
            return start + 2
        walk.display(text[start + 2 : close], start, close)
        return close + 2
    match = _DOLLAR.match(text, start + 1, min(end, start + 5_000))
    if not match or not match[0].endswith("$"):
        walk.put("$", start)
        return start + 1
    walk.put(f"${' '.join(match[0][:-1].split())}$", start)
    return match.end()


def symbol(walk: Walk, sign: str, start: int, at: int, end: int) -> int:
    """A command of one character that is no letter."""
    if sign in ACCENTS and not sign.isalpha():
        return accent(walk, sign, at, end)
    if sign in "([":
        mark = "\\)" if sign == "(" else "\\]"
        close = -1 if mark in walk.absent else walk.text.find(mark, at, min(end, at + _FORMULA))
        if close < 0 and mark not in walk.absent and walk.text.find(mark, at) < 0:
            walk.absent.add(mark)
        if close >= 0 and sign == "(":
            walk.put(f"${' '.join(walk.text[at:close].split())}$", start)
        elif close >= 0:
            walk.display(walk.text[at:close], start, close)
        return close + 2 if close >= 0 else at
    if sign == "\\":
        option = walk.scan.option(at, end) if walk.text[at : at + 1] in ("[", "*") else None
        entry = walk.open[-1] if walk.open else None
        if entry is not None and entry.rows:
            end_cell(walk, at)
            entry.rows.append([])
        else:
            walk.put(BREAK, start)
        return option[2] if option else at + (walk.text[at : at + 1] == "*")
    if sign in " \n\t,;:":
        walk.put(" ", start)
    elif sign not in "-/!@)]>+":
        walk.put(sign, start)
    return at


def accent(walk: Walk, sign: str, at: int, end: int) -> int:
    """An accent over a letter or a group."""
    group = walk.scan.group(at, end)
    if group and group[1] - group[0] < 40:
        walk.put(accented(walk.said(group[0], group[1]).strip(), sign), at)
        return group[2]
    at = walk.scan.blank(at, end)
    match = _LETTER.match(walk.text, at, end)
    if match:
        walk.put(accented(match[1] or match[0], sign), at)
        return match.end()
    return at


def emphasis(walk: Walk, mark: str, start: int, at: int, end: int) -> int:
    """Words with marks of emphasis around them."""
    group = walk.scan.group(at, end)
    if group is None or group[1] - group[0] > _LONGEST:
        return at
    inner = walk.text[group[0] : group[1]]
    if not inner.strip() or "\n\n" in inner or (mark == "`" and re.search(r"[\\`$]", inner)):
        return at
    if inner == inner.strip():
        walk.put(mark, start)
        walk.closers.append((group[1], mark))
    return group[0]
