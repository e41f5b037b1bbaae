"""What a LaTeX document defines for itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.latex.blocks import Macro

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum_formats.latex.walk import Walk


def define(walk: Walk, name: str, _start: int, at: int, end: int) -> int:
    """Learn a macro; its meaning is not text."""
    if name.endswith("def") or name == "let":
        match = re.compile(r"\s*\\([A-Za-z@]+|.)\s*((?:#\d)*)([^{}\\\n]*)").match(walk.text, at, end)
        if not match:
            return at
        if name == "let":
            rest = re.compile(r"\s*=?\s*(?:\\(?:[A-Za-z@]+|.)|\S)").match(walk.text, match.end(1), end)
            return rest.end() if rest else match.end()
        meaning = walk.scan.group(match.end(), end)
        if meaning and not match[3].strip():
            walk.macros[match[1]] = Macro(arguments=match[2].count("#"), start=meaning[0], end=meaning[1])
        return meaning[2] if meaning else match.end()
    match = re.compile(r"\s*\{?\s*\\([A-Za-z@]+|.)\s*\}?\s*(?:\[(\d)\])?\s*(\[[^\]]*\])?").match(walk.text, at, end)
    if not match:
        return at
    meaning = walk.scan.group(match.end(), end)
    if meaning:
        walk.macros[match[1]] = Macro(
            arguments=int(match[2] or 0), start=meaning[0], end=meaning[1], default=bool(match[3])
        )
    return meaning[2] if meaning else match.end()


def new_environment(walk: Walk, _name: str, _start: int, at: int, end: int) -> int:
    """The definition of an environment is not text."""
    return walk.skipped(at, end, 3)


def new_theorem(walk: Walk, _name: str, _start: int, at: int, end: int) -> int:
    """Learn what a theorem-like environment is called."""
    name = walk.scan.group(at, end)
    if name is None:
        return at
    at = walk.skipped(name[2], end, 0)
    title = walk.scan.group(at, end)
    if title is None:
        return at
    walk.theorems[walk.text[name[0] : name[1]].strip()] = walk.said(title[0], title[1])
    return walk.skipped(title[2], end, 0)


def never(walk: Walk, _name: str, _start: int, at: int, end: int) -> int:
    """What is switched off is not text."""
    close = -1 if "\\fi" in walk.absent else walk.text.find("\\fi", at)
    if close < 0:
        walk.absent.add("\\fi")
    return close + 3 if 0 <= close < end else at


DEFINITIONS: Final[dict[str, Callable[[Walk, str, int, int, int], int]]] = {
    **dict.fromkeys(
        ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "def", "gdef", "edef", "xdef", "let"),
        define,
    ),
    "newenvironment": new_environment,
    "renewenvironment": new_environment,
    "newtheorem": new_theorem,
    "iffalse": never,
}
