"""Where the pieces of a Typst source end: strings, comments, raw text, groups, statements."""

from __future__ import annotations

import re
from typing import Final

_RAW: Final = re.compile(r"`+")
_SPECIAL: Final = re.compile(r"[\\\"`()\[\]{}$]|//|/\*")
_CODE_MARKS: Final = re.compile(r"[\"`()\[\]{}$\n;]|//|/\*")
_GOES_ON: Final = re.compile(r"(?:[-+*/=<>,.:(]|\b(?:and|or|not|in|else|=>))[ \t]*\Z")
_ELSE: Final = re.compile(r"\s*else\b")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


def string_end(text: str, at: int) -> int:
    """Return where the string that begins at *at* ends; a quote after a backslash does not end it."""
    at += 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == '"':
            return at + 1
        else:
            at += 1
    return len(text)


def comment_end(text: str, at: int) -> int:
    """Return where the comment that begins at *at* ends; those with stars may lie in one another."""
    if text.startswith("//", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    depth, at = 1, at + 2
    while depth:
        opening, closing = text.find("/*", at), text.find("*/", at)
        if closing < 0:
            return len(text)
        inner = 0 <= opening < closing
        depth += 1 if inner else -1
        at = (opening if inner else closing) + 2
    return at


def is_comment(text: str, at: int) -> bool:
    """Whether a comment begins here: the slashes of an address, after a colon, begin none."""
    return text.startswith("/*", at) or (text.startswith("//", at) and (at == 0 or text[at - 1] != ":"))


def raw_end(text: str, at: int) -> int:
    """Return where the raw text that begins at *at* ends."""
    match = _RAW.match(text, at)
    ticks = len(match[0]) if match else 0
    if ticks == 2:
        return at + 2
    end = text.find("`" * ticks, at + ticks)
    return len(text) if end < 0 else end + ticks


def math_end(text: str, at: int) -> int:
    """Return where the formula that begins at *at* ends."""
    at += 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == '"':
            at = string_end(text, at)
        elif text[at] == "$":
            return at + 1
        else:
            at += 1
    return len(text)


class Groups:
    """Where each bracket is closed, found in one pass.

    In markup only square brackets count, in code all; strings, comments, raw text and formulas hide theirs.

    Args:
        text: The source.
    """

    def __init__(self, text: str) -> None:
        self._ends: dict[int, int] = {}
        self._size = len(text)
        stack: list[tuple[str, int]] = []
        at = 0
        while match := _SPECIAL.search(text, at):
            mark, start = match[0], match.start()
            at = match.end()
            code = bool(stack) and stack[-1][0] in "({"
            if mark == "\\":
                at += 0 if code else 1
            elif mark in ("//", "/*"):
                at = comment_end(text, start) if is_comment(text, start) else at
            elif mark == "`":
                at = raw_end(text, start)
            elif mark == '"':
                at = string_end(text, start) if code else at
            elif mark == "$":
                at = math_end(text, start)
            elif mark == "[" or (mark in "({" and (code or _after_hash(text, start))):
                stack.append((mark, start))
            elif mark in ")]}":
                self._close(stack, mark, start)

    def _close(self, stack: list[tuple[str, int]], mark: str, at: int) -> None:
        """Close the nearest bracket of this kind; those within it were never closed."""
        if mark != "]" and (not stack or stack[-1][0] == "["):
            return
        for index in range(len(stack) - 1, max(-1, len(stack) - 20), -1):
            if _CLOSING[stack[index][0]] == mark:
                self._ends[stack[index][1]] = at
                del stack[index:]
                return

    def end(self, at: int) -> int:
        """Return where the bracket at *at* is closed; the end of the text if it is not."""
        return self._ends.get(at, self._size)


def _after_hash(text: str, at: int) -> bool:
    """Whether a bracket in markup begins code: right after "#", or after a name or call that does."""
    start = at
    lowest = max(0, at - 200)
    while start > lowest and (text[start - 1].isalnum() or text[start - 1] in "_-.)]"):
        start -= 1
    if start > 0 and text[start - 1] == "#":
        return True
    line = text[text.rfind("\n", lowest, at) + 1 : at].lstrip()
    return line.startswith("#") and line[1:2].isalpha()


def statement_end(text: str, at: int, groups: Groups, stop: int) -> int:
    """Return where a statement ends: at the end of its line, unless a bracket or an operator leads on."""
    begin = at
    while match := _CODE_MARKS.search(text, at, stop):
        mark, start = match[0], match.start()
        at = match.end()
        if mark in ("//", "/*"):
            at = comment_end(text, start)
        elif mark == '"':
            at = string_end(text, start)
        elif mark == "`":
            at = raw_end(text, start)
        elif mark == "$":
            at = math_end(text, start)
        elif mark in "([{":
            at = min(groups.end(start) + 1, stop)
        elif (
            mark == ";"
            or mark in ")]}"
            or not (_GOES_ON.search(text, max(begin, start - 20), start) or _ELSE.match(text, start))
        ):
            return start
    return stop
