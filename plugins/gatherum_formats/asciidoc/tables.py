"""The tables of AsciiDoc: cells with specifiers, and tables of separated values."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gatherum.tables import ABOVE
from gatherum_formats.shared.lines import SPANS

_SPECIFIER = re.compile(r"(?:^|(?<=\s))(?:(\d{1,3})?(?:\.(\d{1,3}))?([*+]))?[<^>]?(?:\.[<^>])?([aehlmsdv]?)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell as it is written.

    Attributes:
        text: What it says.
        style: The letter of its style, or "".
        across: How many columns it spans.
        down: How many rows it spans.
    """

    text: str
    style: str = ""
    across: int = 1
    down: int = 1


def columns(specification: str) -> tuple[int, list[str]]:
    """Return how many columns a ``cols`` attribute names, and their styles."""
    styles: list[str] = []
    for part in re.split(r"[,;]", specification.strip()[:10_000]):
        count, repeated, rest = part.partition("*")
        times = min(int(count), SPANS) if repeated and count.strip().isdecimal() and len(count) < 5 else 1
        style = (rest if repeated else part).strip()[-1:]
        styles += [style if style in "aehlmsdv" else ""] * times
    return min(len(styles), SPANS), styles[:SPANS]


def cells(lines: list[str], separator: str) -> tuple[list[Cell], int]:
    """Return the cells of a table in order, and how many the first line with cells has."""
    text = "\n".join(lines)
    parts = re.split(rf"(?<!\\){re.escape(separator)}", text)
    found: list[Cell] = []
    first = 0
    seen = parts[0].count("\n")
    first_line = -1
    specifier = _SPECIFIER.search(parts[0][-20:])
    for number, part in enumerate(parts[1:], 1):
        if first_line < 0:
            first_line = seen
        coming = _SPECIFIER.search(part[-20:]) if number + 1 < len(parts) else None
        body = part[: len(part) - len(coming[0])] if coming and coming[0] else part
        across, down, times, style = _meaning(specifier)
        cell = Cell(
            text=body.strip("\n").strip().replace(f"\\{separator}", separator), style=style, across=across, down=down
        )
        found += [cell] * times
        if seen == first_line:
            first += times * across
        seen += part.count("\n")
        specifier = coming
    return found, first


def _meaning(match: re.Match[str] | None) -> tuple[int, int, int, str]:
    if match is None:
        return 1, 1, 1, ""
    number = max(1, min(int(match[1] or 1), SPANS))
    if match[3] == "*":
        return 1, 1, number, match[4]
    if match[3] == "+":
        return number, max(1, min(int(match[2] or 1), SPANS)), 1, match[4]
    return 1, 1, 1, match[4]


def placed(row_cells: list[tuple[Cell, str]], width: int) -> list[list[str | None]]:
    """Return the rows that cells with their texts fill."""
    width = max(1, width)
    rows: list[list[str | None]] = []
    waiting: dict[int, tuple[int, bool]] = {}
    row: list[str | None] = []

    def fill() -> None:
        while len(row) < width and (held := waiting.get(len(row))):
            left, owner = held
            if left <= 1:
                del waiting[len(row)]
            else:
                waiting[len(row)] = (left - 1, owner)
            row.append(ABOVE if owner else None)

    for cell, text in row_cells:
        fill()
        while len(row) >= width:
            rows.append(row)
            row = []
            fill()
        start = len(row)
        for offset in range(min(cell.across, width - start)):
            row.append(None if offset else text)
            if cell.down > 1:
                waiting[start + offset] = (cell.down - 1, not offset)
    if row:
        fill()
        rows.append(row)
    return rows
