"""Calls in a Typst source: their names and arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from gatherum_formats.typst.scan import Groups, comment_end, is_comment, math_end, raw_end, string_end

NAME: Final = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*")
_CHAIN: Final = re.compile(r"\.[^\W\d][\w-]*(?=[(\[])")
_NAMED: Final = re.compile(r"\s*([^\W\d][\w-]*)\s*:(?!:)\s*")
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.))", re.DOTALL)
_LETTERS: Final = {"n": "\n", "t": "\t", "r": ""}


@dataclass(slots=True, kw_only=True)
class Call:
    """A function and what it is given.

    Attributes:
        name: With dots, as it is written; "" for a bare group.
        end: Where the text goes on.
        given: Where each argument that has no name begins and ends, content in brackets included.
        named: Where each argument with a name begins and ends.
    """

    name: str
    end: int
    given: list[tuple[int, int]] = field(default_factory=list)
    named: dict[str, tuple[int, int]] = field(default_factory=dict)


def parse_call(text: str, at: int, groups: Groups, stop: int) -> Call:
    """Return the call whose name begins at *at*, with all its arguments; a chain of calls has the first one's name."""
    match = NAME.match(text, at, stop)
    call = Call(name=match[0] if match else "", end=match.end() if match else at)
    while call.end < stop:
        mark = text[call.end]
        if mark == "(":
            close = min(groups.end(call.end), stop)
            arguments(text, call.end + 1, close, groups, call)
        elif mark == "[":
            close = min(groups.end(call.end), stop)
            call.given.append((call.end, close + 1))
        elif (
            mark == "." and (more := NAME.match(text, call.end + 1, stop)) and text[more.end() : more.end() + 1] in "(["
        ):
            call.end = more.end()
            continue
        else:
            break
        call.end = min(close + 1, stop)
    return call


def arguments(text: str, at: int, close: int, groups: Groups, call: Call) -> None:
    """Add the arguments in a pair of round brackets to a call."""
    for start, end in split(text, at, close, groups):
        if match := _NAMED.match(text, start, end):
            if match.end() < end:
                call.named.setdefault(match[1], (match.end(), end))
        else:
            call.given.append((start, end))


def split(text: str, at: int, close: int, groups: Groups) -> list[tuple[int, int]]:
    """Return where the items of a list begin and end, without the white space around them."""
    found: list[tuple[int, int]] = []
    start = at
    while at < close:
        mark = text[at]
        if mark == ",":
            found.append((start, at))
            start = at = at + 1
        elif mark in "([{":
            at = groups.end(at) + 1
        elif mark == '"':
            at = string_end(text, at)
        elif mark == "`":
            at = raw_end(text, at)
        elif mark == "$":
            at = math_end(text, at)
        elif mark == "/" and is_comment(text, at):
            if not text[start:at].strip():
                start = comment_end(text, at)
            at = comment_end(text, at)
        else:
            at += 1
    found.append((start, close))
    stripped = ((_skip(text, start, min(end, close)), min(end, close)) for start, end in found)
    return [(start, end) for start, end in stripped if start < end and text[start:end].strip()]


def _skip(text: str, at: int, end: int) -> int:
    while at < end and text[at].isspace():
        at += 1
    return at


def string(text: str, start: int, end: int) -> str | None:
    """Return the string that is all there is between two places; None for anything else."""
    piece = text[start:end].strip()
    if len(piece) < 2 or piece[0] != '"' or string_end(piece, 0) != len(piece):
        return None
    return _ESCAPE.sub(_unescape, piece[1:-1])


def _unescape(match: re.Match[str]) -> str:
    if match[1]:
        number = int(match[1], 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return _LETTERS.get(match[2], match[2])
