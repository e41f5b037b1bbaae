"""The lines of a page, with the place, size and weight of their letters."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from gatherum_formats.pdf.library import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

Shade = Literal["plain", "none", "white"]

SOFT: Final = "\ufffe"
"""A hyphen at the end of a line, as pdfium writes most of them."""

_ENDS: Final = re.compile("\r\n|[\r\n]|(?<=\ufffe)")
_LIGATURES: Final = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
LEADER: Final = "…"
"""What is left of the dots that lead from a title to its page."""

_LEADER: Final = re.compile(r"\.(?:\s?\.){3,}")
_HYPHEN: Final = re.compile(r"[^\W\d_][-\u2010]$")
_SPACES: Final = re.compile(r"[^\S\u3000]+")
_BOLD: Final = re.compile(r"bold|black|heavy|semibold|demi|[-,_]bd\b", re.IGNORECASE)
_GAP: Final = 0.9
_WIDE: Final = 0.4
_HEAVY: Final = 600
_WHITE: Final = 252


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of text, or the piece of one between two wide gaps.

    Attributes:
        text: What it says; a hyphen at its end is `SOFT`.
        left: Its left edge in points, with the page turned so that its text stands upright.
        bottom: Its lower edge.
        right: Its right edge.
        top: Its upper edge; larger than ``bottom``, as PDF counts upwards.
        size: The height of its letters.
        bold: Whether it is set in a bold font.
        turn: Quarters of a circle by which its text is turned on the page.
        shade: How it is painted: "plain", "none" (not at all, as text recognised in a picture is), or "white".
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool = False
    turn: int = 0
    shade: Shade = "plain"

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return (self.bottom + self.top) / 2


class Letters:
    """The letters of one page as pdfium has them, in the order in which they are drawn.

    Args:
        page: An open text page of pdfium.
        width: The width of the page, to tell long lines.
    """

    def __init__(self, page: Any, width: float) -> None:
        import ctypes

        import pypdfium2.raw as pdfium

        self._pdfium = pdfium
        self._page = page
        self._width = width
        self._count = max(0, min(pdfium.FPDFText_CountChars(page), LONGEST))
        buffer = (ctypes.c_ushort * (self._count + 1))()
        size = pdfium.FPDFText_GetText(page, 0, self._count, buffer)
        self.text = bytes(buffer)[: 2 * max(0, size - 1)].decode("utf-16-le", errors="replace")
        self._exact = len(self.text) == self._count
        self._box, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._name, self._flags = ctypes.create_string_buffer(128), ctypes.c_int()
        self._colour = [ctypes.c_uint() for _ in range(4)]
        self._fonts: dict[bytes, bool] = {}

    def rows(self) -> list[list[Line]]:
        """Return the lines, each in the pieces between its wide gaps."""
        return [row for text, start in _pieces(self.text) if (row := self._row(text, start))]

    def _row(self, text: str, start: int) -> list[Line]:
        body = text.rstrip(f" \t{SOFT}")
        lead = len(body) - len(body.lstrip())
        body = body.lstrip()
        if not body:
            return []
        first, last = self._index(start + lead), self._index(start + lead + len(body) - 1)
        size, turn = self._size(first)
        left, bottom, right, top = self._bounds(first, last)
        line = Line(
            text="",
            left=left,
            bottom=bottom,
            right=right,
            top=top,
            size=size,
            bold=self._is_bold(first, last),
            turn=turn,
            shade=self._shade(first),
        )
        ends = SOFT if text.endswith(SOFT) else ""
        if _HYPHEN.search(body[-2:]):
            body, ends = body[:-1], SOFT
        cuts = self._gaps(body, start + lead, size) if turn == 0 and right - left > _WIDE * self._width else []
        if not cuts:
            return [replace(line, text=_tidy(body) + ends)]
        row = []
        for at, (begin, end) in enumerate(zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(body)], strict=True)):
            piece = body[begin:end].strip()
            if piece:
                edges = self._bounds(self._index(start + lead + begin), self._index(start + lead + end - 1))
                piece = _tidy(piece) + (ends if at == len(cuts) else "")
                row.append(replace(line, text=piece, left=edges[0], right=max(edges[0], edges[2])))
        return row

    def _index(self, at: int) -> int:
        """Return the number of the letter at a place in the text; they differ where letters have no text."""
        if self._exact:
            return at
        found: int = self._pdfium.FPDFText_GetCharIndexFromTextIndex(self._page, at)
        return found if found >= 0 else min(at, self._count - 1)

    def _bounds(self, first: int, last: int) -> tuple[float, float, float, float]:
        box, ask = self._box, self._pdfium.FPDFText_GetLooseCharBox
        if not ask(self._page, first, box):
            return 0.0, 0.0, 0.0, 0.0
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        if last != first and ask(self._page, last, box):
            left, bottom = min(left, box.left), min(bottom, box.bottom)
            right, top = max(right, box.right), max(top, box.top)
        return left, bottom, right, top

    def _size(self, index: int) -> tuple[float, int]:
        size, matrix = self._pdfium.FPDFText_GetFontSize(self._page, index), self._matrix
        if not self._pdfium.FPDFText_GetMatrix(self._page, index, matrix):
            return round(size, 1), 0
        scale = math.hypot(matrix.c, matrix.d)
        if not math.isfinite(scale) or not math.isfinite(size):
            return 0.0, 0
        turn = round(math.atan2(matrix.b, matrix.a) / (math.pi / 2)) % 4
        return round(abs(size) * scale, 1), turn

    def _shade(self, index: int) -> Shade:
        pdfium, colour = self._pdfium, self._colour
        letter = pdfium.FPDFText_GetTextObject(self._page, index)
        if letter and pdfium.FPDFTextObj_GetTextRenderMode(letter) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE:
            return "none"
        if pdfium.FPDFText_GetFillColor(self._page, index, *colour):
            if not colour[3].value:
                return "none"
            if min(part.value for part in colour[:3]) >= _WHITE:
                return "white"
        return "plain"

    def _is_bold(self, first: int, last: int) -> bool:
        return self._has_bold(first) and (first == last or self._has_bold(last))

    def _has_bold(self, index: int) -> bool:
        name, flags = self._name, self._flags
        self._pdfium.FPDFText_GetFontInfo(self._page, index, name, len(name), flags)
        known = self._fonts.get(name.value)
        if known is None:
            weight = self._pdfium.FPDFText_GetFontWeight(self._page, index)
            known = weight >= _HEAVY or bool(_BOLD.search(name.value.decode("utf-8", errors="replace")))
            self._fonts[name.value] = known
        return known

    def _gaps(self, body: str, start: int, size: float) -> list[int]:
        """Return the spaces of a line that are wider than any between words."""
        box, ask, page = self._box, self._pdfium.FPDFText_GetLooseCharBox, self._page
        widest, cuts = _GAP * size, []
        at = body.find(" ")
        while at >= 0:
            if ask(page, self._index(start + at - 1), box):
                end = box.right
                following = at + 1
                while following < len(body) - 1 and body[following] == " ":
                    following += 1
                if ask(page, self._index(start + following), box) and box.left - end > widest:
                    cuts.append(at)
                at = following - 1
            at = body.find(" ", at + 1)
        return cuts


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    start = 0
    for match in _ENDS.finditer(text):
        yield text[start : match.start()], start
        start = match.end()
    yield text[start:], start


def _tidy(text: str) -> str:
    if ". ." in text or "...." in text:
        text = _LEADER.sub(f" {LEADER} ", text)
    if text.isascii() and "  " not in text and "\t" not in text:
        return text
    return _SPACES.sub(" ", text.translate(_LIGATURES)).replace(SOFT, "-")


def upright(line: Line, turn: int) -> Line:
    """Return a line with the page turned back by *turn* quarters of a circle."""
    left, bottom, right, top = line.left, line.bottom, line.right, line.top
    if turn == 1:
        left, bottom, right, top = bottom, -right, top, -left
    elif turn == 2:
        left, bottom, right, top = -right, -top, -left, -bottom
    elif turn == 3:
        left, bottom, right, top = -top, left, -bottom, right
    return replace(line, left=left, bottom=bottom, right=right, top=top)
