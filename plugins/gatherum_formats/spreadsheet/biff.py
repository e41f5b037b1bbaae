"""Worksheets of Excel 2 to 4: BIFF records that follow each other, without a compound file around them.

Source: "OpenOffice.org's Documentation of the Microsoft Excel File Format", D. Rentz, chapters 4 and 5.
"""

from __future__ import annotations

import datetime as dt
import re
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum import UnreadableError
from gatherum.text import decode
from gatherum_formats.spreadsheet.values import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report

_WORKBOOK_SHEET, _LOCKED, _CODE_PAGE, _DATES, _NOTE = 0x8F, 0x2F, 0x42, 0x22, 0x1C
_FORMATS: Final = {0x001E: 0, 0x041E: 2}
_STYLES: Final = {0x0043: 2, 0x0243: 1, 0x0443: 1}
_NUMBERS: Final = (0x0003, 0x0203)
_LABELS: Final = (0x0004, 0x0204)
_FLAGS: Final = (0x0005, 0x0205)
_FORMULAS: Final = (0x0006, 0x0206, 0x0406)
_STRINGS: Final = (0x0007, 0x0207)
_INTEGER, _PACKED = 0x0002, 0x027E
_CELLS: Final = frozenset((_INTEGER, _PACKED, *_NUMBERS, *_LABELS, *_FLAGS, *_FORMULAS))
_ERRORS: Final = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
}
_MAC, _ANSI = 0x8000, 0x8001
_DATE: Final = re.compile(r"[dmyhs]", re.IGNORECASE)
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|General', re.IGNORECASE)
_MOST_COLUMNS: Final = 256
_LONG: Final = 3650 * 1000


@dataclass(slots=True, kw_only=True)
class OldSheet:
    """A worksheet.

    Attributes:
        name: Its name; "" where the format has none.
        cells: Texts by row and column, from 0.
        notes: Texts of notes by row and column.
    """

    name: str = ""
    cells: dict[int, dict[int, str]] = field(default_factory=dict)
    notes: dict[tuple[int, int], str] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[int, list[str | None]]]:
        """Yield the rows that have cells, with their numbers from 1."""
        for row, cells in sorted(self.cells.items()):
            yield row + 1, [cells.get(column, "") for column in range(max(cells) + 1)]


class _Reader:
    def __init__(self) -> None:
        self.sheets = [OldSheet()]
        self._charset = "cp1252"
        self._formats: list[str] = []
        self._styles: list[int] = []
        self._from_1904 = False
        self._waiting: tuple[int, int] | None = None

    def take(self, kind: int, data: bytes) -> None:
        """Take in a record.

        Raises:
            UnreadableError: The sheet is locked by a password.
            IndexError: The record is shorter than its kind.
            struct.error: Likewise.
        """
        if kind == _LOCKED:
            raise UnreadableError("password_protected", "the workbook is protected by a password")
        if kind == _WORKBOOK_SHEET:
            name = self._text(data[5 : 5 + data[4]])
            self.sheets.append(OldSheet(name=name))
            self._formats, self._styles = [], []
        elif kind == _CODE_PAGE:
            number = struct.unpack_from("<H", data)[0]
            self._charset = {_MAC: "mac_roman", _ANSI: "cp1252"}.get(number, f"cp{number}")
        elif kind == _DATES:
            self._from_1904 = data[0] == 1
        elif kind in _FORMATS:
            at = _FORMATS[kind]
            self._formats.append(self._text(data[at + 1 : at + 1 + data[at]]))
        elif kind in _STYLES:
            self._styles.append(data[_STYLES[kind]] & (0x3F if kind == 0x0043 else 0xFF))
        elif kind == _NOTE:
            row, column, length = struct.unpack_from("<HHH", data)
            self.sheets[-1].notes[row, column] = self._text(data[6 : 6 + length])
        elif kind in _STRINGS and self._waiting:
            at = 1 if kind == 0x0007 else 2
            self._put(*self._waiting, self._text(data[at:]))
        elif kind in _CELLS:
            self._cell(kind, data)

    def _cell(self, kind: int, data: bytes) -> None:
        row, column = struct.unpack_from("<HH", data)
        old = kind < 0x0200
        style = data[4] & 0x3F if old else struct.unpack_from("<H", data, 4)[0]
        value = data[7:] if old else data[6:]
        text = ""
        if kind == _INTEGER:
            text = self._number(float(struct.unpack_from("<H", value)[0]), style)
        elif kind in _NUMBERS:
            text = self._number(struct.unpack_from("<d", value)[0], style)
        elif kind == _PACKED:
            text = self._number(_unpacked(struct.unpack_from("<I", value)[0]), style)
        elif kind in _LABELS:
            text = self._text(value[1 : 1 + value[0]] if old else value[2:])
        elif kind in _FLAGS:
            text = _flag(value[0], is_error=value[1] == 1)
        elif value[6:8] == b"\xff\xff":
            if value[0] == 0:
                self._waiting = row, column
                return
            text = _flag(value[2], is_error=value[0] == 2) if value[0] in (1, 2) else ""
        else:
            text = self._number(struct.unpack_from("<d", value)[0], style)
            if old:
                self._waiting = row, column
        self._put(row, column, text, keep=self._waiting)

    def _put(self, row: int, column: int, text: str, keep: tuple[int, int] | None = None) -> None:
        self._waiting = keep if keep == (row, column) else None
        if text and column < _MOST_COLUMNS:
            self.sheets[-1].cells.setdefault(row, {})[column] = text

    def _text(self, data: bytes) -> str:
        return decode(data, declared=self._charset).text.strip("\0 ") if data else ""

    def _number(self, value: float, style: int) -> str:
        index = self._styles[style] if style < len(self._styles) else 0
        pattern = self._formats[index] if index < len(self._formats) else ""
        if not _DATE.search(_LITERAL.sub("", pattern)) or not 0 <= value < _LONG:
            return written(value) if value == value and abs(value) != float("inf") else ""
        if value < 1:
            return written((dt.datetime(2000, 1, 1) + dt.timedelta(days=value)).time())  # noqa: DTZ001 - no zone is known
        base = dt.datetime(1904, 1, 1) if self._from_1904 else dt.datetime(1899, 12, 30 if value >= 60 else 31)  # noqa: DTZ001
        return written(base + dt.timedelta(days=value))


def old_sheets(data: bytes, report: Report) -> list[OldSheet]:
    """Return the worksheets of a file.

    Args:
        data: The file.
        report: Told of damage.

    Raises:
        UnreadableError: It is locked by a password.
    """
    reader, at = _Reader(), 0
    damaged = 0
    while at + 4 <= len(data):
        kind, length = struct.unpack_from("<HH", data, at)
        record = data[at + 4 : at + 4 + length]
        at += 4 + length
        try:
            reader.take(kind, record)
        except (struct.error, IndexError, OverflowError):
            damaged += 1
    if damaged or at > len(data):
        report.problem("partial", f"{damaged + (at > len(data))} records of the workbook are damaged")
    return [sheet for sheet in reader.sheets if sheet.cells or sheet.notes or sheet.name]


def _unpacked(packed: int) -> float:
    """Return a number in the short form: 30 bits of an integer or of a float, perhaps in hundredths."""
    if packed & 2:
        number = float((packed >> 2) - (1 << 30 if packed >> 31 else 0))
    else:
        number = float(struct.unpack("<d", b"\0\0\0\0" + struct.pack("<I", packed & 0xFFFFFFFC))[0])
    return number / 100 if packed & 1 else number


def _flag(value: int, *, is_error: bool) -> str:
    return _ERRORS.get(value, "#N/A") if is_error else "TRUE" if value else "FALSE"
