"""The pieces of a rich text document as sections: tables of cells, lists of items, notes after their paragraphs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum.tables import ABOVE, pipe_table
from gatherum_formats.rtf.reader import RtfReader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind, Layer
    from gatherum_formats.rtf.state import Piece

_NUMBER: Final = re.compile(r"\(?\w{1,8}(?:\.\w{1,4}){0,8}[.)]*")
_TITLE: Final = 250
_DEEPEST: Final = 8
_KINDS: Final[dict[str, tuple[Kind, Layer]]] = {
    "box": ("prose", "body"),
    "footnote": ("footnote", "notes"),
    "endnote": ("endnote", "notes"),
    "comment": ("comment", "annotation"),
    "alt": ("alt", "body"),
}


def read_sections(data: bytes, report: Report) -> Iterator[Section]:
    """Yield the sections of a document.

    Args:
        data: Its bytes, which begin as Rich Text Format does.
        report: Told of metadata, and of what is damaged or hidden.
    """
    composer = _Composer(report)
    for piece in RtfReader(data, report).read():
        yield from composer.take(piece)
    yield from composer.close()


class _Composer:
    """Make sections of pieces: tables of cells, lists of items, notes after their paragraphs."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._builder = SectionBuilder()
        self._number = 0
        self._cell: list[str] = []
        self._row: list[str] = []
        self._rows: list[list[str | None]] = []
        self._waiting: list[Piece] = []
        self._said: set[str] = set()
        self._listing = False
        self._indents: list[tuple[int, int]] = []

    def take(self, piece: Piece) -> Iterator[Section]:
        """Yield the sections that *piece* completes."""
        if piece.what == "cell":
            self._row.append("\n\n".join(self._cell))
            self._cell.clear()
        elif piece.what == "row":
            self._end_row(piece)
        elif piece.what == "paragraph" and piece.inside:
            self._cell.append(_item(piece, 0).strip())
        elif piece.what != "paragraph" and self._in_table():
            self._waiting.append(piece)
        else:
            yield from self._end_table()
            yield from self._block(piece)
        if piece.hidden.strip():
            self._report.problem("hidden_text", "there is text that is marked as hidden")
            yield from self._builder.add(piece.hidden.strip(), layer="hidden", locator=self._place())

    def close(self) -> Iterator[Section]:
        """Yield what is left at the end of the document."""
        yield from self._end_table()
        yield from self._builder.close()

    def _place(self) -> Locator:
        return Locator.paragraph(max(self._number, 1))

    def _in_table(self) -> bool:
        return bool(self._rows or self._row or self._cell)

    def _end_row(self, piece: Piece) -> None:
        if self._cell:
            self._row.append("\n\n".join(self._cell))
            self._cell.clear()
        cells: list[str | None] = []
        for at, text in enumerate(self._row):
            side = piece.merged[at] if at < len(piece.merged) else ""
            cells.append(text if text or not side else None if side == "left" else ABOVE)
        if cells:
            self._rows.append(cells)
        self._row.clear()

    def _end_table(self) -> Iterator[Section]:
        if not self._in_table():
            return
        if self._cell or self._row:
            self._rows.append([*self._row, *self._cell])
            self._row.clear()
            self._cell.clear()
        rows, waiting = self._rows, self._waiting
        self._rows, self._waiting, self._listing = [], [], False
        self._number += 1
        yield from self._builder.add(pipe_table(rows), kind="table", locator=self._place())
        for piece in waiting:
            yield from self._block(piece)

    def _block(self, piece: Piece) -> Iterator[Section]:
        text = piece.text.strip()
        if not text:
            return
        if piece.what == "header":
            if text not in self._said:
                self._said.add(text)
                yield from self._builder.add(text, kind="header", layer="furniture", locator=self._place())
            return
        if piece.what != "paragraph":
            kind, layer = _KINDS[piece.what]
            self._listing = False
            yield from self._builder.add(text, kind=kind, layer=layer, locator=self._place())
            return
        self._number += 1
        if piece.level and not piece.toc and len(text) <= _TITLE:
            self._listing = False
            mark = " ".join(piece.mark.split())
            title = f"{mark} {text}" if _NUMBER.fullmatch(mark) else text
            yield from self._builder.enter(piece.level, title, locator=self._place())
            return
        listed = bool(piece.mark.strip())
        separator = "\n" if piece.toc or (listed and self._listing) else "\n\n"
        while self._indents and (self._indents[-1] >= piece.indent or not (listed and self._listing)):
            self._indents.pop()
        block = _item(piece, min(len(self._indents), _DEEPEST))
        self._indents.append(piece.indent)
        self._listing = listed
        kind = "toc" if piece.toc else "list" if listed else "prose"
        yield from self._builder.add(block, kind=kind, locator=self._place(), separator=separator)


def _item(piece: Piece, depth: int) -> str:
    """Return a paragraph with the number or sign in front of it."""
    text, mark = piece.text.strip(), " ".join(piece.mark.split())
    if not mark:
        return text
    indent = "  " * depth
    sign = mark if _NUMBER.fullmatch(mark) and mark not in ("o", "n", "q", "l", "v", "w") else "-"
    return f"{indent}{sign} " + text.replace("\n", f"\n{indent}  ")
