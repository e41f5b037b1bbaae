"""What a walk through LaTeX carries along."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum_formats.latex.names import LEVELS

if TYPE_CHECKING:
    from gatherum.document import Kind, Layer

BREAK: Final = "\x01"
"""Stands for a line break while words are gathered."""
DEPTH: Final = 30
"""How deep commands are followed into each other."""
_HEADINGS = re.compile(r"\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?\s*[\[{]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Some text of one kind, or a heading.

    Attributes:
        text: What it says.
        start: Where it begins in the source.
        end: Where it ends.
        kind: As for sections.
        layer: As for sections.
        level: A heading's rank, from 0; -1 for everything else.
    """

    text: str
    start: int
    end: int
    kind: Kind = "prose"
    layer: Layer = "body"
    level: int = -1


@dataclass(slots=True, kw_only=True)
class Flow:
    """Where text goes: the document itself, a cell, a note."""

    blocks: list[Block] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    notes: list[Block] = field(default_factory=list)
    first: int = -1


@dataclass(slots=True, kw_only=True)
class Environment:
    """An environment that is open."""

    name: str
    number: int = 0
    mark: str = ""
    rows: list[list[str | None]] = field(default_factory=list)
    outer: Flow | None = None
    start: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Macro:
    """What a document defines: the number of arguments, and where its meaning stands."""

    arguments: int
    start: int
    end: int
    default: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """What a macro was given: where it stands, and what the arguments inside it mean."""

    start: int
    end: int
    outer: tuple[Argument, ...] = ()


def least_rank(text: str) -> int:
    """Return the rank of the highest heading in *text*."""
    return min((LEVELS[name] for name in set(_HEADINGS.findall(text))), default=0)


def tidy(text: str) -> str:
    """Return words with single spaces, and lines where breaks were asked for."""
    lines = (" ".join(line.split()) for line in text.split(BREAK))
    return "\n".join(lines).strip()


def plain(text: str) -> str:
    """Return a title without emphasis and marks of notes."""
    return re.sub(r"\*+(?=\S)([^*]*)\*+|`([^`]*)`|\[\^[^\]]*\]", lambda match: match[1] or match[2] or "", text)
