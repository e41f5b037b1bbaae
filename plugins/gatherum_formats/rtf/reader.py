"""Walk Rich Text Format: groups, destinations and character text become pieces of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.rtf.characters import RtfCharacters
from gatherum_formats.rtf.state import Flow, Piece, State, Tables
from gatherum_formats.rtf.text import (
    BRACE,
    HEX,
    NUMBERED,
    SYMBOL,
    TEXT,
    TOKEN,
    WORD,
    code_page,
    day_of,
    group_end,
    joined,
    link,
    link_target,
    read_fonts,
    read_styles,
    split,
)
from gatherum_formats.rtf.words import (
    BREAKS,
    CAPTURED,
    CHARACTERS,
    DATE,
    FLOWS,
    INFORMATION,
    MUTE,
    SIGNS,
    SKIPPED,
    STARRED,
    What,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatherum import Report

_DEEPEST: Final = 5_000


class RtfReader(RtfCharacters):
    """Read one document.

    Args:
        data: Its bytes.
        report: Told of metadata and of damage.
    """

    def __init__(self, data: bytes, report: Report) -> None:
        super().__init__()
        self._data = data
        self._report = report
        self._at = 0
        self._tables = Tables()
        self._stack: list[State] = []
        self._in_row = False
        self._merging = ""
        self._merged: list[str] = []
        self._notes = 0
        self._author = self._day = self._property = ""
        self._date: dict[str, int] = {}
        self._after: list[Piece] = []
        self._pieces: list[Piece] = []

    def read(self) -> Iterator[Piece]:
        """Yield the pieces in reading order."""
        data, match, pieces = self._data, TOKEN.match, self._pieces
        while self._at < len(data):
            token = match(data, self._at)
            if token is None:
                self._at += 1
                continue
            self._at = token.end()
            kind = token.lastindex
            if kind == TEXT:
                self.text(token[TEXT])
            elif kind == HEX:
                self.hex(token[HEX])
            elif kind is not None:
                self.flush()
                if kind == BRACE:
                    self._brace(token[BRACE])
                elif kind == SYMBOL:
                    self._symbol(token[SYMBOL])
                else:
                    number = int(token[NUMBERED]) if kind == NUMBERED else None
                    self._word(token[WORD].decode("ascii"), number)
                if pieces:
                    yield from pieces
                    pieces.clear()
        self.flush()
        if self._stack:
            self._report.problem("partial", "the file ends before its groups do: it was cut short")
        while self._stack:
            self._brace(b"}")
        self._end_paragraph()
        self._pieces.append(Piece(what="row", merged=()))
        yield from pieces

    # Groups

    def _brace(self, brace: bytes) -> None:
        self.unread, self.starred, self.fresh = 0, False, brace == b"{"
        if brace == b"{":
            if len(self._stack) >= _DEEPEST:
                self._report.problem("too_deep", "groups are nested deeper than in any honest document")
                self._at = group_end(self._data, self._at) + 1
                return
            self._stack.append(self.state)
            self.state = self.state.child()
        elif self._stack:
            closed, self.state = self.state, self._stack.pop()
            if closed.close is not None:
                closed.close(closed)

    def _skip_group(self) -> None:
        self._at = group_end(self._data, self._at)

    def _skip_first(self) -> None:
        """Skip the first of two groups that say the same, the one without Unicode."""
        while self._data[self._at : self._at + 1].isspace():
            self._at += 1
        if self._data[self._at : self._at + 1] == b"{":
            self._at = group_end(self._data, self._at + 1) + 1

    def _capture(self, done: Callable[[str], None]) -> None:
        """Collect the text of the group at hand and hand it to *done* when the group closes."""
        sink: list[str] = []
        self.state.sink, self.state.deleted, self.state.hidden = sink, False, False
        self.state.close = lambda _: done(joined(sink))

    def _open_flow(self, what: What) -> None:
        flow = Flow(what)
        state = self.state
        outer = state.flow
        state.flow, state.sink, state.close = flow, flow.parts, lambda _: self._close_flow(flow, outer)
        state.table, state.level, state.hidden = False, 0, False

    def _close_flow(self, flow: Flow, outer: Flow) -> None:
        flow.finish()
        text = "\n\n".join(flow.paragraphs)
        what = flow.what
        if what == "comment":
            who = ", ".join(filter(None, (self._author, self._day)))
            text = f"{who}: {text}" if who and text else text
            self._author = self._day = ""
        elif what in ("footnote", "endnote") and text:
            self._notes += 1
            outer.parts.append(f"[^{self._notes}]")
            text = f"[^{self._notes}]: {text}"
        if text or flow.hidden:
            self._after.append(Piece(what=what, text=text, hidden=joined(flow.hidden)))

    # Control words and symbols

    def _symbol(self, symbol: bytes) -> None:
        if self.unread:
            self.unread -= 1
        elif symbol == b"*":
            self.starred = self.fresh
        elif symbol in (b"\n", b"\r"):
            self._end_paragraph()
        elif sign := SIGNS.get(symbol):
            self.emit(sign)

    def _word(self, word: str, number: int | None) -> None:
        starred, self.starred, self.fresh = self.starred, False, False
        state = self.state
        if word == "u" and number is not None:
            self.unicode(number)
            return
        self.unread = 0
        if word == "bin":
            self._at += max(number or 0, 0)
        elif word in SKIPPED or (starred and word not in STARRED):
            self._skip_group()
        elif word in CHARACTERS:
            self.emit(CHARACTERS[word])
        elif word in BREAKS:
            self._end_paragraph()
        elif word in FLOWS:
            self._open_flow(FLOWS[word])
        elif word in MUTE:
            state.spare, state.sink = state.sink, None
        elif word == "result":
            state.sink = state.spare
        elif word == "upr":
            self._skip_first()
        elif word in CAPTURED:
            self._captured(word)
        elif state.sink is None and word in INFORMATION:
            self._capture(lambda text: self._report.metadata(**{INFORMATION[word]: split(word, text)}))
        elif state.sink is None and word in ("creatim", "revtim"):
            self._date = {}
            state.close = lambda _: self._dated("created" if word == "creatim" else "modified")
        elif word in DATE and number is not None:
            self._date[word] = number
        else:
            self._format(state, word, number)

    def _captured(self, word: str) -> None:
        state = self.state
        if word == "fldinst":
            self._capture(state.instruction.append)
        elif word in ("listtext", "pntext"):
            flow = state.flow
            self._capture(lambda text: setattr(flow, "mark", text))
        elif word == "atnauthor":
            self._capture(lambda text: setattr(self, "_author", " ".join(text.split())))
        elif word == "atndate":
            self._capture(lambda text: setattr(self, "_day", day_of(text)))
        elif word == "sn":
            self._capture(lambda text: setattr(self, "_property", text.strip()))
        else:
            self._capture(self._shape_value)

    def _shape_value(self, text: str) -> None:
        if self._property == "wzDescription" and text.strip():
            self._after.append(Piece(what="alt", text=text.strip()))

    def _dated(self, name: str) -> None:
        date = {key: self._date.get(key, 0) for key in ("yr", "mo", "dy", "hr", "min")}
        if date["yr"] and 0 < date["mo"] < 13 and 0 < date["dy"] < 32:
            text = f"{date['yr']:04}-{date['mo']:02}-{date['dy']:02}T{date['hr']:02}:{date['min']:02}:00"
            self._report.metadata(**{name: text})

    def _format(self, state: State, word: str, number: int | None) -> None:
        if state.format(word, number, self._tables):
            return
        if word in ("field", "fldrslt", "ftnalt"):
            self._field(state, word)
        elif word in ("fonttbl", "stylesheet"):
            start = self._at
            self._skip_group()
            table = self._data[start : self._at]
            if word == "fonttbl":
                self._tables.fonts = read_fonts(table)
            else:
                self._tables.styles = read_styles(table)
        elif word in ("ansicpg", "mac", "pc", "pca"):
            page = {"mac": 10000, "pc": 437, "pca": 850}.get(word, number or 1252)
            self.codec = code_page(page) or self.codec
        elif word == "deff":
            self._tables.default = number or 0
        else:
            self._table(state, word)

    def _field(self, state: State, word: str) -> None:
        if word == "field":
            state.instruction = []
        elif word == "ftnalt":
            if state.flow.what == "footnote":
                state.flow.what = "endnote"
        elif state.sink is not None:
            instruction = "".join(state.instruction).strip()
            kind = instruction.split(" ", 1)[0].upper()
            state.toc = state.toc or kind == "TOC"
            if state.flow.what == "header" and kind in ("PAGE", "NUMPAGES", "SECTIONPAGES"):
                state.sink = None
            elif kind == "HYPERLINK" and not state.linked and (target := link_target(instruction)):
                state.linked = True
                sink, flow, start, ended = state.sink, state.flow, len(state.sink), state.flow.ended
                state.close = lambda _: link(sink, start, target) if flow.ended == ended else None

    def _table(self, state: State, word: str) -> None:
        if word == "trowd":
            self._in_row, self._merged, self._merging = state.flow.what == "paragraph", [], ""
        elif word == "clmrg":
            self._merging = "left"
        elif word == "clvmrg":
            self._merging = self._merging or "above"
        elif word == "cellx":
            self._merged.append(self._merging)
            self._merging = ""
        elif word == "cell":
            self._end_paragraph(cell=True)
        elif word == "row":
            self._in_row = False
            if state.flow.what == "paragraph":
                self._pieces.append(Piece(what="row", merged=tuple(self._merged)))

    def _end_paragraph(self, *, cell: bool = False) -> None:
        state = self.state
        flow = state.flow
        if state.sink is not flow.parts:
            return
        if flow.what != "paragraph":
            flow.finish()
            return
        text, hidden = joined(flow.parts), joined(flow.hidden)
        flow.ended += 1
        flow.parts.clear()
        flow.hidden.clear()
        inside = state.table or self._in_row or cell
        if text.strip() or hidden.strip():
            piece = Piece(
                what="paragraph",
                text=text,
                hidden=hidden,
                level=0 if inside else state.level,
                mark=flow.mark,
                indent=(state.left, state.depth),
                inside=inside,
                toc=state.toc,
            )
            self._pieces.append(piece)
        flow.mark = ""
        if cell:
            self._pieces.append(Piece(what="cell"))
        self._pieces += self._after
        self._after.clear()
