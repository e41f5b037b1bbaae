"""What makes a line of AsciiDoc more than words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gatherum.document import Kind

ATTRIBUTE = re.compile(r":(!?)(\w[\w-]{0,100}!?):(?:[ \t]+(.*)|$)")
AUTHOR = re.compile(r"[^\W\d_{][^\[\]=:|]{0,300}$|\{author\}|[^\W\d_][^<>\[\]=:|]{0,100}<[^>]{0,200}>")
BLOCK_ATTRIBUTES = re.compile(r"\[((?:[\w.#%\"',+*!|:;<^>=-]|\[[\w.:, -]*\]).*|)\]$")
CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::[^\s\[]{0,500}\[.*\]$")
SECTION = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?$")
MACRO = re.compile(r"(image|include|video|audio|toc|[a-z][a-z0-9_]{1,30})::(\S[^\[]*|)\[(.*)\]$")
ITEM = re.compile(
    r"[ \t]*(?P<mark>\*{1,30}|-|•|\.{1,30}|\d{1,9}\.|[A-Za-z]\.|[ivxIVX]{1,8}\)|<(?:\d{1,4}|\.)>)[ \t]+(?P<text>\S.*)"
)
LABEL = re.compile(r"[ \t]*(?P<term>[^\s/:][^\n]{0,300}?)(?P<label>:::?:?|;;)(?:[ \t]+(?P<text>.*)|$)")
_DELIMITERS: Final = {"-": "listing", ".": "literal", "=": "example", "*": "sidebar", "_": "quote", "+": "pass"}
_TABLE = re.compile(r"[|,:!]={3,}$")
_UNDERLINES: Final = "=-~^+"


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A delimited block whose end has not come yet.

    Attributes:
        line: The line that opens it, and closes it.
        kind: What the paragraphs in it are.
        items: The list that it stands in.
    """

    line: str
    kind: Kind
    items: list[tuple[str, int]]


@dataclass(slots=True, kw_only=True)
class Attributes:
    """What the lines above a block say of it.

    Attributes:
        style: What it is taken for.
        language: The language of source code.
        cited: Who said it, and where.
        named: Attributes with names.
        title: Its title.
    """

    style: str = ""
    language: str = ""
    cited: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    title: str = ""

    def take(self, text: str) -> None:
        """Add what stands between brackets."""
        if text.startswith("["):
            return
        positional: list[str] = []
        for number, part in enumerate(_parts(text[:20_000])):
            name, parted, value = part.partition("=")
            if parted and name.strip().isidentifier():
                self.named[name.strip()] = value.strip().strip("\"'")
            elif number == 0 or part.strip():
                positional.append(part.strip().strip("\"'"))
        style = re.split(r"[#.%]", positional[0])[0] if positional else ""
        if style:
            self.style = style
        elif len(positional) > 1 and not self.style:
            self.style = "source"
        if self.style in ("source", "listing") and len(positional) > 1:
            self.language = positional[1]
        if self.style in ("quote", "verse"):
            self.cited = positional[1:3]
        self.language = self.named.get("language", self.language)


def _parts(text: str) -> list[str]:
    """Split at commas that do not stand in quotes."""
    parts, start, quoted = [], 0, False
    for at, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def is_comment(line: str) -> bool:
    """Whether *line* is a remark that readers do not see."""
    return line.startswith("//") and not line.startswith("///")


def delimiter(line: str) -> str:
    """Return what kind of block *line* opens or closes; "" if none."""
    first = line[0]
    if line == "--":
        return "open"
    if line.startswith("```") and "`" not in line[3:] and " " not in line.strip():
        return "fence"
    if len(line) < 4:
        return ""
    if first == "/" and not line.strip("/"):
        return "comment"
    if first in _DELIMITERS and line == first * len(line):
        return _DELIMITERS[first]
    return "table" if first in "|,:!" and _TABLE.match(line) else ""


def breaks(line: str, *, listed: bool) -> bool:
    """Whether *line* ends the paragraph above it."""
    first = line[0]
    if first == "[":
        return BLOCK_ATTRIBUTES.match(line) is not None
    if delimiter(line) or (line == "+" and listed):
        return True
    if first == "i" and line.startswith("include::") and MACRO.match(line):
        return True
    return listed and bool(ITEM.match(line) or LABEL.match(line))


def underlined(title: str, under: str) -> int:
    """Return the level of a title that is underlined; 0 if it is not."""
    if len(under) < 3 or under[0] not in _UNDERLINES or under != under[0] * len(under):
        return 0
    if abs(len(title) - len(under)) > 1 or (not title[0].isalnum() and title[0] not in "\"'`{*_"):
        return 0
    return _UNDERLINES.index(under[0]) + 1
