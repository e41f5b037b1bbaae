"""Rows of cells as sections: tables parted at blank rows, cut into groups that each repeat their header."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.tables import ABOVE, pipe_table
from gatherum_formats.shared.numerals import spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from gatherum import Locator, Section, SectionBuilder
    from gatherum.document import Layer

    Row = list[str | None]

_MOST_ROWS: Final = 50
_MOST_CHARS: Final = 8_000
_LONGEST_HEADER: Final = 4_000
_WIDE: Final = 40
_SPARSE: Final = 0.2
_LOOKED_AT: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Where rows go.

    Attributes:
        builder: Makes the sections.
        place: Gives the place of the rows from one number to another.
        layer: The layer of the text.
        gaps: Whether a number left out is a blank row.
    """

    builder: SectionBuilder
    place: Callable[[int, int], Locator]
    layer: Layer = "body"
    gaps: bool = True

    def sections(self, rows: Iterable[tuple[int, Row]]) -> Iterator[Section]:
        """Yield the sections of numbered rows; blank rows may be left out or not.

        Rows with one cell only, before the first that has more, are lines of text. The first row with more is the
        header of the table below it, unless what it holds looks like what stands below.
        """
        group: list[tuple[int, Row]] = []
        header: Row | None = None
        is_table = False
        size = last = 0
        for number, row in rows:
            filled = sum(1 for text in row if text and text != ABOVE)
            parted = not filled or (self.gaps and number > last + 1)
            if group and (parted or (filled > 1 and not is_table)):
                yield from self._finish(group, header, is_table)
                group, size = [], 0
            if parted:
                header, is_table = None, False
            last = number
            if not filled:
                continue
            is_table = is_table or filled > 1
            group.append((number, row))
            size += sum(len(text) for text in row if text)
            if len(group) > _MOST_ROWS or size > _MOST_CHARS:
                header = yield from self._finish(group, header, is_table)
                group, size = [], 0
        if group:
            yield from self._finish(group, header, is_table)

    def _finish(
        self, group: list[tuple[int, Row]], header: Row | None, is_table: bool
    ) -> Generator[Section, None, Row | None]:
        """Yield a group of rows as a section; return the header for the groups that follow."""
        rows = [row for _, row in group]
        where = self.place(group[0][0], group[-1][0])
        if is_table:
            if header is not None:
                rows.insert(0, header)
            elif _has_header(rows):
                header = rows[0]
            else:
                header = _letters(rows)
                rows.insert(0, header)
            yield from self.builder.add(_table(rows), kind="table", layer=self.layer, locator=where)
        else:
            lines = "\n".join(next(text for text in row if text and text != ABOVE) for row in rows)
            yield from self.builder.add(lines, layer=self.layer, locator=where)
        yield from self.builder.close()
        too_long = header is not None and sum(len(text or "") for text in header) > _LONGEST_HEADER
        return _letters(rows) if too_long else header


def _table(rows: list[Row]) -> str:
    """Write rows as a table without the empty columns around it, or as records if hardly any cell is filled."""
    used = [[at for at, text in enumerate(row) if text and text != ABOVE] for row in rows]
    left = min(columns[0] for columns in used if columns)
    right = max(columns[-1] for columns in used if columns) + 1
    width = right - left
    if width <= _WIDE or sum(map(len, used[1:])) >= _SPARSE * width * (len(rows) - 1):
        return pipe_table([row[left:right] for row in rows])
    names = rows[0]
    records = ["; ".join(names[at] or "" for at in used[0])]
    for row, columns in zip(rows[1:], used[1:], strict=True):
        named = ((names[at] if at < len(names) else None) or column_letters(at) for at in columns)
        records.append("; ".join(f"{name}: {row[at]}" for name, at in zip(named, columns, strict=True)))
    return "\n".join(record for record in records if record)


def _letters(rows: list[Row]) -> Row:
    """Return a header of column letters for the columns that are in use."""
    first = min(next(at for at, text in enumerate(row) if text and text != ABOVE) for row in rows)
    return [column_letters(at) if at >= first else None for at in range(max(map(len, rows)))]


def _has_header(rows: list[Row]) -> bool:
    """Tell a first row that names columns from one that is like the rest: numbers stand where numbers stand below."""
    alike = False
    for at, text in enumerate(rows[0]):
        if text:
            below = [row[at] or "" for row in rows[1:_LOOKED_AT] if at < len(row) and row[at]]
            numbers = sum(map(_is_number, below))
            if not _is_number(text):
                if numbers * 2 > len(below):
                    return True
            elif numbers * 2 >= len(below):
                alike = True
    return not alike


def _is_number(text: str) -> bool:
    bare = text.strip().strip("%€$£¥+-()").replace(",", "").replace(".", "").replace(" ", "")
    if bare.isdigit():
        return not (text.isdigit() and len(text) == 4 and text[:2] in ("19", "20"))  # years may head columns
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def column_letters(at: int) -> str:
    """Return the letters of a column counted from 0: A, Z, AA."""
    return spelled(at + 1).upper()
