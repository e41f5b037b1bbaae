"""Find what repeats from page to page: running heads, footers, page numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatherum_formats._pdf_lines import Line
    from gatherum_formats._pdf_pages import Page

_EDGE: Final = 0.14
_OUTER: Final = 3
_COUNTED: Final = re.compile(r"\d+|(?<!\w)[ivxlc]{1,7}(?!\w)", re.IGNORECASE)


def find_furniture(pages: Sequence[Page]) -> set[tuple[int, int]]:
    """Return the places (page, line) of lines that repeat at the same height, but for their numbers.

    They repeat on three pages that follow each other (or alternate, as left and right pages do), or on both pages of a
    document of two.
    """
    groups: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for page_at, page in enumerate(pages):
        for line_at in _outer(page):
            line = page.lines[line_at]
            height = round((page.top - line.middle) / 12)
            groups[_COUNTED.sub("#", line.text).casefold(), height].append((page_at, line_at))
    found: set[tuple[int, int]] = set()
    needed = min(3, len(pages))
    for places in groups.values():
        run: list[tuple[int, int]] = []
        for place in places:
            if run and place[0] - run[-1][0] > 2:
                found.update(run if _long(run, needed) else ())
                run = []
            run.append(place)
        found.update(run if _long(run, needed) else ())
    return found


def _long(run: Sequence[tuple[int, int]], needed: int) -> bool:
    return needed > 1 and len({page for page, _ in run}) >= needed


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
