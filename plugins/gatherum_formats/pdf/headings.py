"""The headings of a PDF: its outline, or where it has none, lines that are surely set as headings."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gatherum.text import fold
from gatherum_formats.pdf.library import wide
from gatherum_formats.pdf.lines import SOFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatherum_formats.pdf.lines import Line
    from gatherum_formats.pdf.pages import Page

_ENTRIES: Final = 20_000
_COMPARED: Final = 4_000_000
"""Bookmarks are looked for among lines until so many were compared; then only their page and height count."""
_DEEPEST: Final = 9
_LARGER: Final = 1.15
_LONGEST: Final = 180
_LINES: Final = 3
_SIZES: Final = 5
_SHARE: Final = 0.2
_NUMBERED: Final = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+[^\W\d_]")
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_SQUEEZE: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading and how many of the lines at its place it takes.

    Attributes:
        level: 1 is the highest.
        title: What it says.
        lines: The lines that are the heading and no text.
    """

    level: int
    title: str
    lines: int = 0


Headings = dict[tuple[int, int], list[Heading]]
"""Headings by page (from 0) and the line before which they stand."""


def read_outline(document: Any, pages: Sequence[Page]) -> Headings:
    """Return the bookmarks of a document, each at its line."""
    import pypdfium2.raw as pdfium

    found: Headings = {}
    seen: set[int] = set()
    compared = 0
    stack: list[tuple[Any, int]] = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    known = [[_squeezed(line.text) for line in page.lines] for page in pages]
    while stack and len(seen) < _ENTRIES:
        bookmark, level = stack.pop()
        address = ctypes.cast(bookmark, ctypes.c_void_p).value if bookmark else None
        if address is None or address in seen:
            continue
        seen.add(address)
        stack.append((pdfium.FPDFBookmark_GetNextSibling(document, bookmark), level))
        stack.append((pdfium.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))
        title = wide(partial(pdfium.FPDFBookmark_GetTitle, bookmark))
        title = " ".join(title.replace("\0", " ").split())
        page, height = _target(document, bookmark)
        if not title or not 0 <= page < len(pages):
            continue
        compared += len(known[page])
        line, taken = _place(pages[page], known[page] if compared < _COMPARED else [], title, height)
        taken = 0 if (page, line) in found else taken
        found.setdefault((page, line), []).append(Heading(level=min(level, _DEEPEST), title=title, lines=taken))
    return found


def _target(document: Any, bookmark: Any) -> tuple[int, float | None]:
    """Return the page that a bookmark leads to, and the height on it where that is said."""
    import pypdfium2.raw as pdfium

    target = pdfium.FPDFBookmark_GetDest(document, bookmark)
    if not target:
        action = pdfium.FPDFBookmark_GetAction(bookmark)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_GOTO:
            return -1, None
        target = pdfium.FPDFAction_GetDest(document, action)
    page = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
    flags = [ctypes.c_int() for _ in range(3)]
    x, y, zoom = (ctypes.c_float() for _ in range(3))
    told = page >= 0 and pdfium.FPDFDest_GetLocationInPage(target, *flags, x, y, zoom)
    return page, y.value if told and flags[1].value else None


def _place(page: Page, known: Sequence[str], title: str, height: float | None) -> tuple[int, int]:
    """Return the line before which a heading stands, and how many lines say the same as it."""
    wanted = _squeezed(title)
    found = []
    for at, text in enumerate(known):
        taken, said = 1, text
        while wanted and said and len(said) < len(wanted) and taken < _LINES and at + taken < len(known):
            said, taken = said + known[at + taken], taken + 1
        if wanted and said and (said == wanted or (said.endswith(wanted) and len(said) < len(wanted) + 12)):
            found.append((at, taken))
    if height is None or any(line.turn for line in page.lines[:1]):
        return found[0] if found else (0, 0)
    if found:
        return min(found, key=lambda place: abs(page.lines[place[0]].top - height))
    below = [at for at, line in enumerate(page.lines) if line.middle <= height]
    return (below[0] if below else len(page.lines)), 0


def guess_headings(pages: Sequence[Page], furniture: set[tuple[int, int]]) -> Headings:
    """Return lines set larger than the text, and numbered lines in bold; none where that is not sure."""
    sizes: Counter[float] = Counter()
    bold = 0
    for page in pages:
        for line in page.lines:
            sizes[line.size] += len(line.text)
            bold += len(line.text) * line.bold
    total = sum(sizes.values())
    if not total:
        return {}
    body = sizes.most_common(1)[0][0]
    may_bold = bold < _SHARE * total
    found: list[tuple[int, int, int, str, float]] = []
    for page_at, page in enumerate(pages):
        at = 0
        while at < len(page.lines):
            line, first = page.lines[at], at
            at += 1
            large = line.size >= _LARGER * body and line.size > body + 0.9
            if (page_at, first) in furniture or line.turn or not (large or (may_bold and _is_numbered(line, body))):
                continue
            while large and at < len(page.lines) and _goes_on(page.lines[at - 1], page.lines[at]):
                at += 1
            title = " ".join(line.text for line in page.lines[first:at]).replace(f"{SOFT} ", "").replace(SOFT, "-")
            alone = all(line.text.strip() == title.strip() for line in page.lines)
            if at - first <= _LINES and len(title) <= _LONGEST and _WORD.search(title) and not alone:
                found.append((page_at, first, at - first, title, line.size if large else 0.0))
    if sum(len(title) for _, _, _, title, _ in found) > _SHARE * total or len(found) > max(40, 8 * len(pages)):
        return {}
    return _ranked(found)


def _is_numbered(line: Line, body: float) -> bool:
    return line.bold and line.size >= 0.95 * body and len(line.text) < 100 and bool(_NUMBERED.match(line.text))


def _goes_on(line: Line, following: Line) -> bool:
    return (
        following.size == line.size
        and following.bold is line.bold
        and 0 <= line.bottom - following.bottom < 2 * line.size
    )


def _ranked(found: Sequence[tuple[int, int, int, str, float]]) -> Headings:
    """Give levels: sizes rank from the largest, numbers that headings bear count their parts below that."""
    sizes = sorted({size for *_, size in found if size}, reverse=True)[:_SIZES]
    ranks = {size: rank for rank, size in enumerate(sizes, 1)}
    result: Headings = {}
    for page, at, lines, title, size in found:
        match = _NUMBERED.match(title)
        level = ranks.get(size, len(sizes) + 1)
        if not size and match:
            level = len(sizes) + 1 + match[1].count(".")
        result[page, at] = [Heading(level=min(level, _DEEPEST), title=title, lines=lines)]
    return result


def _squeezed(text: str) -> str:
    return _SQUEEZE.sub("", fold(text))
