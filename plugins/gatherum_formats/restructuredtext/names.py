"""The names that a reStructuredText file defines, gathered before it is read."""

from __future__ import annotations

import re
from typing import Final

from gatherum_formats.restructuredtext.inline import Names, key
from gatherum_formats.shared.lines import indent

_TARGET = re.compile(r"\s*\.\. _(?:`([^`]+)`|((?:\\.|[^\\:]|:(?=\S))+)):(?:\s+(.*)|$)")
_SUBSTITUTION = re.compile(r"\s*\.\. \|([^|]+)\|\s+([\w-]+)::\s*(.*)")
_ANONYMOUS = re.compile(r"\s*(?:\.\. __:|__)\s+(\S+)")
_NOTE = re.compile(r"\s*\.\. \[(\d{1,6})\]")
_CODE_POINT = re.compile(r"(?:0x|x|\\x|U\+|u|\\u|&#x)([0-9A-Fa-f]{1,6});?|(\d{1,7})$")
_LONGEST: Final = 20_000
"""Longer lines hold no names."""


def names(lines: list[str]) -> Names:
    """Return what the names in *lines* stand for."""
    found = Names()
    waiting: list[str] = []
    for at, line in enumerate(lines):
        if "__" in line[:100] and (match := _ANONYMOUS.match(line)):
            found.anonymous.append(match[1])
            continue
        if ".. " not in line[:200] or len(line) > _LONGEST or not line.lstrip().startswith(".. "):
            if line.strip():
                waiting.clear()
            continue
        if match := _NOTE.match(line):
            found.numbers.add(int(match[1]))
        elif match := _TARGET.match(line):
            name = key((match[1] or match[2]).replace("\\", ""))
            address = "".join([match[3] or "", *continued(lines, at)]).strip()
            if not address:
                waiting.append(name)
                continue
            for alias in (*waiting, name):
                found.targets.setdefault(alias, address)
        elif match := _SUBSTITUTION.match(line):
            found.substitutions.setdefault(" ".join(match[1].split()), _meaning(match[2], match[3], lines, at))
        waiting.clear()
    return found


def continued(lines: list[str], at: int) -> list[str]:
    """Return the lines right after *at* that are indented further."""
    margin, out = indent(lines[at]), []
    for line in lines[at + 1 : at + 200]:
        if not line.strip() or indent(line) <= margin:
            break
        out.append(line.strip())
    return out


def _meaning(name: str, text: str, lines: list[str], at: int) -> str:
    if name == "unicode":
        words = re.split(r"\s\.\.\s", text)[0].split()
        return "".join(_character(word) for word in words)
    rest = continued(lines, at)
    if name == "image":
        return " ".join(line[5:].strip() for line in rest if line.startswith(":alt:"))
    if name == "date":
        return ""
    return " ".join([text, *(line for line in rest if not line.startswith((":ltrim:", ":rtrim:", ":trim:")))]).strip()


def _character(word: str) -> str:
    match = _CODE_POINT.match(word)
    if not match:
        return word
    code = int(match[1], 16) if match[1] else int(match[2])
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
