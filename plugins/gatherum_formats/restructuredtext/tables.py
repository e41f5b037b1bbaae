"""The tables that reStructuredText draws: grids and simple ones."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import Final

from gatherum.tables import ABOVE

_RULE = re.compile(r"[+|][-=+| ]*[+|]?\s*$")
_FILL: Final = "\x00"
"""Stands for the second column of a wide character."""


def is_grid(line: str) -> bool:
    """Whether *line* is the top of a grid table."""
    return line.startswith("+-") and line.rstrip().endswith("-+") and not line.strip("+- ")


def is_simple(line: str) -> bool:
    """Whether *line* is the top of a simple table."""
    return line.startswith("==") and " " in line.strip() and not line.strip("= ")


def grid(lines: list[str]) -> list[list[str | None]] | None:
    """Return the cells of a grid table; None if its borders do not meet.

    Args:
        lines: The table, without indentation.
    """
    rows_ = [_wide(line.rstrip()) for line in lines]
    rules = [at for at, line in enumerate(rows_) if line[:1] in "+|" and _ruled(line)]
    size = sum(map(len, rows_))
    edges = sorted({at for rule in rules for at, char in enumerate(rows_[rule]) if char == "+"})
    if len(edges) < 2 or len(rules) < 2 or edges[0] != 0 or len(edges) * len(rows_) > 4 * size + 10_000:
        return None
    if rules[0] != 0 or rules[-1] != len(rows_) - 1 or any(len(line) > edges[-1] + 1 for line in rows_):
        return None
    table: list[list[str | None]] = []
    owners: list[tuple[int, int]] = []
    texts: dict[tuple[int, int], list[str]] = {}
    for number, (top, bottom) in enumerate(itertools.pairwise(rules)):
        inner = [line.ljust(edges[-1] + 1) for line in rows_[top + 1 : bottom]]
        border = rows_[top].ljust(edges[-1] + 1)
        row: list[str | None] = []
        now: list[tuple[int, int]] = []
        for column, (left, right) in enumerate(itertools.pairwise(edges)):
            segment = border[left + 1 : right]
            joined = column and not all(line[left] in "|+" for line in inner) if inner else False
            if number and segment.strip("-=+"):
                owner = owners[column]
                row.append(ABOVE if owner[1] == column else None)
                texts[owner].append(segment.strip() if segment.strip() else "")
            elif joined:
                owner = now[-1]
                row.append(None)
            else:
                owner = (number, column)
                texts[owner] = []
                row.append("")
            now.append(owner)
        for line in inner:
            column = 0
            while column < len(now):
                end = column
                while end + 1 < len(now) and now[end + 1] == now[column]:
                    end += 1
                texts[now[column]].append(line[edges[column] + 1 : edges[end + 1]])
                column = end + 1
        owners = now
        table.append(row)
    for (number, column), parts in texts.items():
        table[number][column] = _block(parts)
    return table


def simple(lines: list[str]) -> list[list[str | None]]:
    """Return the cells of a simple table.

    Args:
        lines: The table, without indentation, from its first border to its last.
    """
    starts = [match.start() for match in re.finditer(r"=+", lines[0])]
    table: list[list[list[str] | None]] = []
    for raw in lines[1:]:
        line = _wide(raw.rstrip())
        if not line.strip() or is_simple(line) or not line.strip("="):
            if not line.strip() and table:
                for cell in table[-1]:
                    if cell is not None:
                        cell.append("")
            continue
        if table and line.strip("- ") == "" and "--" in line and all(line[at : at + 1] in "-" for at in starts[:1]):
            spans = {match.start() for match in re.finditer(r"-+", line)}
            if spans <= set(starts):
                _span(table[-1], starts, spans)
                continue
        ends = [*starts[1:], len(line) + 1]
        if not table or line[starts[0] : ends[0]].strip():
            table.append([[] for _ in starts])
        for cell, start, end in zip(table[-1], starts, ends, strict=True):
            if cell is not None:
                cell.append(line[start:end])
    return [[None if cell is None else _block(cell) for cell in row] for row in table]


def _span(row: list[list[str] | None], starts: list[int], spans: set[int]) -> None:
    """Join the cells of *row* that an underline spans."""
    owner = 0
    for column, start in enumerate(starts):
        if start in spans or column == 0:
            owner = column
            continue
        kept, joined = row[owner], row[column]
        if kept is not None and joined is not None:
            for at, part in enumerate(joined):
                if part.strip() and at < len(kept):
                    width = starts[column] - starts[column - 1] if column - 1 == owner else 0
                    kept[at] = kept[at].ljust(width) + part
            row[column] = None


def _ruled(line: str) -> bool:
    """Whether a row of cells begins below *line*, be it a border of some cells only."""
    return ("+-" in line and "-+" in line) or "+=" in line or bool(_RULE.match(line) and "--" in line)


def _block(lines: list[str]) -> str:
    lines = [line.replace(_FILL, "").rstrip() for line in lines]
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines).strip("\n")


def _wide(line: str) -> str:
    if line.isascii():
        return line
    return "".join(
        char + _FILL if unicodedata.east_asian_width(char) in "WF" else "" if unicodedata.combining(char) else char
        for char in line
    )
