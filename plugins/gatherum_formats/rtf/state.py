"""What holds while Rich Text Format is walked, and the pieces that come out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gatherum_formats.rtf.text import Font, joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum_formats.rtf.words import What


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One step of a document: a paragraph, the end of a cell or row, or what belongs to the paragraph before it.

    Attributes:
        what: Which.
        text: Its text.
        hidden: The part of the text that readers do not see.
        level: The heading level of a paragraph; 0 for none.
        mark: The number or sign in front of a list item.
        indent: How far a list item is moved in: its left indent in twips, and its level.
        inside: Whether a paragraph stands in a table.
        toc: Whether it belongs to a table of contents.
        merged: For each cell of a row, "" or the side of the cell that it is merged with: "left" or "above".
    """

    what: What
    text: str = ""
    hidden: str = ""
    level: int = 0
    mark: str = ""
    indent: tuple[int, int] = (0, 0)
    inside: bool = False
    toc: bool = False
    merged: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Tables:
    """What the head of the file defines: fonts, heading levels of styles, and the font to begin with."""

    fonts: dict[int, Font] = field(default_factory=dict)
    styles: dict[int, int] = field(default_factory=dict)
    default: int = 0


@dataclass(slots=True)
class Flow:
    """A stream of paragraphs: the body, or a note, header, comment or text box."""

    what: What = "paragraph"
    parts: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    mark: str = ""
    ended: int = 0

    def finish(self) -> None:
        """End the paragraph of a flow that is handed over as a whole."""
        text = joined(self.parts).strip()
        self.ended += 1
        self.parts.clear()
        if text:
            mark = " ".join(self.mark.split())
            self.paragraphs.append(f"{mark} {text}" if mark else text)
        self.mark = ""


@dataclass(slots=True)
class State:
    """What holds inside one group."""

    flow: Flow
    sink: list[str] | None
    font: Font
    skip: int = 1
    hidden: bool = False
    deleted: bool = False
    level: int = 0
    table: bool = False
    left: int = 0
    depth: int = 0
    toc: bool = False
    instruction: list[str] = field(default_factory=list)
    spare: list[str] | None = None
    linked: bool = False
    close: Callable[[State], None] | None = None

    def child(self) -> State:
        """Return the state of a group that opens here."""
        return State(
            self.flow,
            self.sink,
            self.font,
            self.skip,
            self.hidden,
            self.deleted,
            self.level,
            self.table,
            self.left,
            self.depth,
            self.toc,
            self.instruction,
            self.spare,
            self.linked,
        )

    def format(self, word: str, number: int | None, tables: Tables) -> bool:
        """Apply a control word to the text that follows; return whether it was one that formats."""
        on, value = number != 0, number or 0
        if word == "f":
            self.font = tables.fonts.get(value, Font())
        elif word == "uc":
            self.skip = min(max(value, 0), 16)
        elif word == "v":
            self.hidden = on
        elif word == "deleted":
            self.deleted = on
        elif word == "plain":
            self.hidden = self.deleted = False
            self.font = tables.fonts.get(tables.default, Font())
        elif word == "pard":
            self.level, self.table, self.left, self.depth = 0, False, 0, 0
        elif word == "s":
            self.level = tables.styles.get(value, 0)
        elif word == "outlinelevel":
            self.level = value + 1 if 0 <= value < 9 else 0
        elif word == "ilvl":
            self.depth = value
        elif word == "li":
            self.left = value
        elif word == "intbl":
            self.table = on
        else:
            return False
        return True
