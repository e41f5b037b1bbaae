"""Text in the making: paragraphs gather their pieces in a flow, and flows nest (cell, note, box, comment)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.fence import fenced

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from gatherum.document import Kind, Layer
    from gatherum_formats.opendocument.lists import OpenList

# White space in the file is collapsed, but not what these stand for. XML cannot hold them, so they never clash.
SPACE: Final = "\x01"
TAB: Final = "\x02"
BREAK: Final = "\x03"
_PICTURE: Final = "\x04"
_PICTURE_END: Final = "\x05"
_FORMULA: Final = "\x06"
_LINK: Final = "\x07"
_TARGET: Final = "\x08"
_LINK_END: Final = "\x0e"
_MARK: Final = "\x0f"

_RUNS = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
_LETTER = r"[^\W_\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]"  # of scripts that part words by spaces
_LINKS = re.compile(
    rf"((?<!{_LETTER}){_LETTER}{{1,40}}+)?{_LINK}([^{_TARGET}]*){_TARGET}([^{_LINK_END}]*){_LINK_END}"
    rf"({_LETTER}{{1,40}}+(?!{_LETTER}))?"
)
_SAME_LINK = re.compile(rf"{_TARGET}([^{_LINK_END}]*){_LINK_END}{_LINK}(?=[^{_TARGET}]*{_TARGET}\1{_LINK_END})")
_MARKS = re.compile(f"{_MARK}([^{_MARK}]*){_MARK}")
_PICTURES = re.compile(f"{_PICTURE}([^{_PICTURE_END}]*){_PICTURE_END}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A finished paragraph, heading, table or the like.

    Attributes:
        text: What it says, as Markdown.
        kind: What it is.
        layer: Who it is for.
        level: The heading's level; 0 for all else.
        number: The number of a heading that is not part of it.
        separator: What parts it from a block of its kind before it.
        place: The paragraph of the document that it stands in.
        boxed: Whether it belongs to a box that has headings of its own.
    """

    text: str
    kind: Kind = "prose"
    layer: Layer = "body"
    level: int = 0
    number: str = ""
    separator: str = "\n\n"
    place: int = 0
    boxed: bool = False


def demoted(block: Block) -> Block:
    """Return a heading as mere text, behind its number; other blocks as they are."""
    if not block.level:
        return block
    return replace(block, text=f"{block.number} {block.text}".lstrip(), level=0, number="")


class Flow:
    """A run of blocks that belong together, and the paragraph that is open in it.

    Attributes:
        buffer: The pieces of the open paragraph; None between paragraphs.
        owner: The element that opened it; None for stray text.
        after: Blocks to put behind the open paragraph: its notes, comments and boxes.
        blocks: Finished blocks.
        lists: The lists that are open, the outermost first.
        veiled: Whether the open paragraph is not shown.
        titled: Whether it has headings.
        counted: Whether its paragraphs count as paragraphs of the document.
    """

    __slots__ = ("_code", "after", "blocks", "buffer", "counted", "lists", "owner", "titled", "veiled")

    def __init__(self, *, counted: bool = False) -> None:
        self.buffer: list[str] | None = None
        self.owner: _Element | None = None
        self.after: list[Block] = []
        self.blocks: list[Block] = []
        self.lists: list[OpenList] = []
        self.veiled = self.titled = False
        self.counted = counted
        self._code: tuple[list[str], int] | None = None

    def add(self, block: Block) -> None:
        """Append a finished block."""
        if self._code:
            self.end_code()
        self.blocks.append(block)

    def add_code(self, line: str, place: int) -> None:
        """Append a paragraph of program text; those in a row become one block."""
        if self._code is None:
            self._code = ([], place)
        self._code[0].append(line)

    def end_code(self) -> None:
        """Finish the program text at hand."""
        if self._code is None:
            return
        (lines, place), self._code = self._code, None
        text = "\n".join(lines).strip("\n")
        if text.strip():
            self.blocks.append(Block(text=fenced(text), kind="code", place=place))


def picture(text: str) -> str:
    """Return alternative text as a piece of a paragraph."""
    return f"{_PICTURE}{text}{_PICTURE_END}"


def formula(tex: str) -> str:
    """Return TeX as a piece of a paragraph."""
    return f"{_FORMULA}${tex}$"


def link(text: str, target: str) -> str:
    """Return a link as a piece of a paragraph."""
    return f"{_LINK}{text}{_TARGET}{target}{_LINK_END}"


def mark(label: str) -> str:
    """Return the mark of a note as a piece of a paragraph."""
    return f"{_MARK}{label}{_MARK}"


def finished(pieces: list[str], *, title: bool = False) -> tuple[str, Kind | None]:
    """Join the pieces of a paragraph as its reader sees them.

    Args:
        pieces: What the paragraph was made of.
        title: Whether it is a heading, which keeps neither the targets of links nor the marks of notes.

    Returns:
        The text, and "alt" or "math" if it is nothing but pictures or one formula.
    """
    text = pieces[0] if len(pieces) == 1 else "".join(pieces)
    if "  " in text or "\n" in text or "\t" in text or "\r" in text:
        text = _RUNS.sub(" ", text)
    text = text.strip(" ").replace("\u00ad", "")
    return (text, None) if text.isprintable() else _with_stand_ins(text, title)


def _with_stand_ins(text: str, title: bool) -> tuple[str, Kind | None]:
    for stand_in, meant in ((SPACE, " "), (TAB, "\t"), (BREAK, "\n")):
        text = text.replace(stand_in, meant)
    if _LINK in text:
        text = _LINKS.sub(r"\1\2\4" if title else _linked, _SAME_LINK.sub("", text))
    if _MARK in text:
        text = _MARKS.sub("" if title else r"[^\1]", text)
    if _FORMULA in text:
        alone = text.count("$") == 2 and text.startswith(_FORMULA) and text.endswith("$")
        text = text.replace(_FORMULA, "")
        if alone:
            return text, "math"
    if _PICTURE not in text:
        return text, None
    if not _PICTURES.sub("", text).strip():
        return "\n".join(_PICTURES.findall(text)), "alt"
    return _PICTURES.sub(r"\1" if title else r"![\1]", text), None


def _linked(match: re.Match[str]) -> str:
    """Write a link; one that begins or ends inside a word takes in the whole word."""
    before, text, target, behind = match.groups(default="")
    if text[:1].isalnum():
        before, text = "", before + text
    if text[-1:].isalnum():
        text, behind = text + behind, ""
    return f"{before}[{text}]({target}){behind}"


def as_text(blocks: Iterable[Block]) -> tuple[str, list[Block]]:
    """Return the body of *blocks* as one text, and the rest: their notes, comments and hidden parts."""
    body: list[str] = []
    rest: list[Block] = []
    for block in blocks:
        if block.layer == "body":
            body.append(demoted(block).text)
        else:
            rest.append(block)
    return "\n\n".join(body), rest


def as_layer(blocks: Iterable[Block], layer: Layer, kind: Kind | None = None) -> list[Block]:
    """Return *blocks* with those of the body moved to another layer (and made another kind), headings made text."""
    return [
        replace(demoted(block), layer=layer, kind=kind or block.kind) if block.layer == "body" else block
        for block in blocks
    ]
