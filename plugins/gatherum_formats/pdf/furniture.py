"""Find what repeats from page to page: running heads, footers, page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum_formats.pdf.lines import Line
    from gatherum_formats.pdf.pages import Page

_EDGE: Final = 0.14
_OUTER: Final = 3
_LONG: Final = 200
_PAGE: Final = re.compile(r"^\W*(\d{1,5})\b|\b(\d{1,5})\W*$")
_COUNTED: Final = re.compile(r"\d+|(?<!\w)[ivxlc]{1,7}(?!\w)", re.IGNORECASE)


def find_furniture(pages: Sequence[Page]) -> set[tuple[int, int]]:
    """Return the places (page, line) of lines that repeat at the same height, or count the pages there.

    They repeat on three pages that follow each other (or alternate, as left and right pages do), on two where the pages
    around have such lines at that height, or on both pages of a document of two. Where nothing would be left, nothing
    is furniture.
    """
    groups: dict[tuple[str | int, int], list[tuple[int, int]]] = defaultdict(list)
    for page_at, page in enumerate(pages):
        for line_at in _outer(page):
            line = page.lines[line_at]
            height = round((page.top - line.middle) / 12)
            groups[wording(line), height].append((page_at, line_at))
            for number in {number for match in _PAGE.finditer(line.text[:_LONG]) if (number := match[1] or match[2])}:
                groups[int(number) - page_at, height].append((page_at, line_at))
    found: set[tuple[int, int]] = set()
    needed = min(3, len(pages))
    short: list[tuple[int, list[tuple[int, int]]]] = []
    for (_, height), places in groups.items():
        for run in _runs(places):
            many = len({page for page, _ in run})
            if needed > 1 and many >= needed:
                found.update(run)
            elif many > 1:
                short.append((height, run))
    at_height = {(page, round((pages[page].top - pages[page].lines[line].middle) / 12)) for page, line in found}
    for height, run in short:
        if all((page - 1, height) in at_height or (page + 1, height) in at_height for page, _ in run):
            found.update(run)
    return found if len(found) < sum(len(page.lines) for page in pages) else set()


def _runs(places: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Part places where more than one page lies between them."""
    run: list[tuple[int, int]] = []
    for place in places:
        if run and place[0] - run[-1][0] > 2:
            yield run
            run = []
        run.append(place)
    yield run


def _outer(page: Page) -> list[int]:
    """Return the lines that stand at the edges of a page."""
    edge = _EDGE * page.height
    high = [at for at, line in enumerate(page.lines) if page.top - line.middle < edge]
    low = [at for at, line in enumerate(page.lines) if line.middle - (page.top - page.height) < edge]

    def height(at: int) -> float:
        return page.lines[at].middle

    return sorted(high, key=height, reverse=True)[:_OUTER] + sorted(low, key=height)[:_OUTER]


def wording(line: Line) -> str:
    """Return what furniture says, without the numbers that count on."""
    return _COUNTED.sub("#", line.text).casefold()
