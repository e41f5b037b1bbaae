"""Pipe tables: how handlers write tables into section text, and how chunking reads them back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ABOVE: Final = "^^"
"""Stands in a cell that is merged with the one above it."""

_CELL = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|(\s*:?-+:?\s*\|)+\s*$")
_PADDED: Final = 100_000
"""Rows are filled up with empty cells until there are so many of them: one long row must not swell all others."""


def pipe_table(rows: Sequence[Sequence[str | None]]) -> str:
    """Return *rows* as a Markdown pipe table whose first row is the header; "" if no cell has text.

    Args:
        rows: Cell texts; None for a cell covered by its left neighbour, `ABOVE` for one covered from above. Rows may
            differ in length. Line breaks in a cell become " / " where blank lines or blocks part them, else spaces.
    """
    cells = [[_cell(text) for text in row] for row in rows]
    cells = [row for row in cells if any(text and text != ABOVE for text in row)]
    if not cells:
        return ""
    width = max(len(row) for row in cells)
    if width * len(cells) > _PADDED + 2 * sum(len(row) for row in cells):
        width, cells[0] = 0, cells[0] + [""] * (width - len(cells[0]))
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in cells]
    return "\n".join([lines[0], f"|{' --- |' * max(width, len(cells[0]))}", *lines[1:]])


def _cell(text: str | None) -> str:
    if not text:
        return ""
    if "\n" not in text and "|" not in text:
        return " ".join(text.split())
    blocks = (" ".join(block.split()) for block in re.split(r"\n\s*\n", text.strip()))
    return re.sub(r"(?<!\\)\|", r"\\|", " / ".join(block for block in blocks if block))


def parse_table(text: str) -> tuple[str, list[str]] | None:
    """Split a pipe table into its head (header line and rule) and its rows; None if *text* is none."""
    lines = text.strip().split("\n")
    if len(lines) < 2 or not _RULE.match(lines[1]) or not lines[0].startswith("|"):
        return None
    return "\n".join(lines[:2]), lines[2:]


def spell_out(text: str) -> str:
    """Return a table for indexing: cells merged with the one above repeat its text, so that each row stands alone."""
    if ABOVE not in text:
        return text
    above: list[str] = []
    lines = []
    for line in text.split("\n"):
        if not line.startswith("|"):
            lines.append(line)
            continue
        cells = [cell.strip() for cell in _CELL.split(line)[1:-1]]
        cells = [
            above[at] if cell == ABOVE and at < len(above) else "" if cell == ABOVE else cell
            for at, cell in enumerate(cells)
        ]
        if not _RULE.match(line):
            above = cells
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
