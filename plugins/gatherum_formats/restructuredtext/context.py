"""Where a line of reStructuredText stands, and what makes a title of it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gatherum.document import Kind, Layer

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the lines at one indentation belong to.

    Attributes:
        column: How far they are indented.
        kind: What their paragraphs are.
        layer: Whom they are for.
        depth: How many lists they stand in.
    """

    column: int
    kind: Kind
    layer: Layer
    depth: int


def adornment(line: str) -> bool:
    """Whether *line* is one punctuation mark, repeated."""
    return _ADORNMENT.match(line) is not None


def is_title(text: str, under: str, *, over: str = "") -> bool:
    """Whether *text* is a title over *under*; a short line is enough if it is no shorter than four."""
    if not under or not adornment(under) or (over and (over[0] != under[0] or (adornment(text) and len(text) > 1))):
        return False
    if over:
        return len(over) >= 4 or (len(over) >= _width(text) and len(under) == len(over))
    return len(under) >= 4 or len(under) >= _width(text)


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text if not unicodedata.combining(char))


def titled(text: str) -> str:
    """Return a title without code marks, emphasis, addresses and notes."""
    text = re.sub(r"\s*\[\^[^\]\s]*\]", "", text)
    text = re.sub(r"\[([^\[\]]*)\]\([^()\s]*\)", r"\1", text)
    return re.sub(r"(\*\*?)(?=\S)([^*]+)(?<=\S)\1", r"\2", text.replace("`", ""))
