"""Workbooks of Excel, read with calamine behind the guards for zip archives and memory."""

from __future__ import annotations

import io
import re
import struct
from typing import TYPE_CHECKING, Any, Final

from gatherum import UnreadableError
from gatherum.tables import ABOVE
from gatherum_formats.shared.opc import Package
from gatherum_formats.spreadsheet.parts import SheetParts, WorkbookParts
from gatherum_formats.spreadsheet.rescue import rescued_rows
from gatherum_formats.spreadsheet.values import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from python_calamine import CalamineSheet, CalamineWorkbook

    from gatherum import Report, Source
    from gatherum_formats.spreadsheet.grid import Row

    T = TypeVar("T")

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BEGIN: Final = b"\x09\x08\x10\x00"
_FILEPASS: Final = 0x2F
_MOST_CELLS: Final = 12_000_000
"""The fast reader holds every cell between the first and the last, filled or not."""
_MOST_DAMAGED: Final = 1_000
_MOST_MERGED: Final = 1_000
"""So many merged cells may reach over one row."""
_HEAD: Final = 4096
_COUNTS: Final = re.compile(rb"""\s(?:c|uniqueC)ount\s*=\s*(?:"[^"]*"|'[^']*')""")
_UNWANTED: Final = (
    *("/media/", "/drawings/", "/charts/", "/embeddings/", "/theme/", "/pivotcache/", "/printersettings/"),
    *("/customxml/", "/comments", "/threadedcomments/", "vbaproject", "/diagrams/", "/activex/", "/ctrlprops/"),
)


class Workbook:
    """An Excel workbook: .xlsx, .xlsm, .xlsb or .xls.

    Args:
        source: The file.
        report: Told of metadata and of what cannot be read.

    Raises:
        UnreadableError: It is no workbook, or is locked by a password.
    """

    def __init__(self, source: Source, report: Report) -> None:
        self._report = report
        self._package: Package | None = None
        self._parts: WorkbookParts | None = None
        data = source.data
        if not data.startswith(_OLE) or "EncryptedPackage".encode("utf-16-le") in data[: 1 << 20]:
            self._package = Package(source, report)
            self._package.core_properties()
            self._parts = WorkbookParts(self._package)
            report.metadata(named_ranges=self._parts.names() or None)
            file = self._package.archive.slim(_is_wanted, _uncounted)
        else:
            file = io.BytesIO(data)
        self._workbook = self._open(file, source.name)

    def _open(self, file: io.BytesIO, name: str) -> CalamineWorkbook | None:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError

        try:
            return _calm(lambda: CalamineWorkbook.from_filelike(file))
        except PasswordError:
            raise UnreadableError("password_protected", f"{name} is protected by a password") from None
        except (CalamineError, ValueError, OSError) as error:
            if _has_password(file.getbuffer()):
                raise UnreadableError("password_protected", f"{name} is protected by a password") from None
            if self._parts is None or not self._parts.sheets:
                raise UnreadableError("corrupt", f"{name} is not a readable workbook: {error}") from None
            return None

    def sheets(self) -> Iterator[tuple[str, bool]]:
        """Yield the name of each sheet, and whether it is hidden."""
        if self._workbook is None:
            yield from self._parts.sheets.items() if self._parts else ()
            return
        from python_calamine import SheetVisibleEnum

        twice = self._parts.twice if self._parts else frozenset()
        for sheet in self._workbook.sheets_metadata:
            if sheet.name in twice:
                self._report.problem(
                    "partial", f"the sheet {sheet.name} has the cells of another one; they are read once"
                )
            else:
                yield sheet.name, sheet.visible != SheetVisibleEnum.Visible

    def parts(self, name: str) -> SheetParts:
        """Return what belongs to a sheet beside its cells."""
        return self._parts.sheet(name) if self._parts else SheetParts()

    def rows(self, name: str, parts: SheetParts) -> Iterator[tuple[int, Row]]:
        """Yield the rows of a sheet with their numbers."""
        from python_calamine import CalamineError

        workbook = self._workbook
        if workbook is not None and parts.area <= _MOST_CELLS:
            try:
                sheet = _calm(lambda: workbook.get_sheet_by_name(name))
            except (CalamineError, ValueError, OSError) as error:
                if self._package is None:
                    self._report.problem("partial", f"the sheet {name} cannot be read: {error}")
            else:
                yield from _rows(sheet, self._values(name, sheet), parts)
                return
        if self._package is not None and self._parts is not None and (part := self._parts.part(name)):
            yield from rescued_rows(self._package, part, self._report)

    def _values(self, name: str, sheet: CalamineSheet) -> Iterator[list[Any]]:
        """Yield the rows of values; one that the library cannot hand over is told, and empty."""
        values = iter(sheet.iter_rows())
        damaged = 0
        while damaged < _MOST_DAMAGED:
            try:
                row = _calm(lambda: next(values, None))
            except (ValueError, OverflowError):
                damaged += 1
                self._report.problem("partial", f"the sheet {name} has rows with impossible values, which are left out")
                row = []
            if row is None:
                return
            yield row


def _rows(sheet: CalamineSheet, rows: Iterator[list[Any]], parts: SheetParts) -> Iterator[tuple[int, Row]]:
    _, left = sheet.start or (0, 0)
    merged = sorted(sheet.merged_cell_ranges or (), reverse=True)
    active: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for number, values in enumerate(rows):  # from the first row, though not from the first column
        row: Row = [None] * left
        row.extend(map(written, values))
        if not any(row):
            continue
        while merged and merged[-1][0][0] < number:
            active.append(merged.pop())
        active = [area for area in active if area[1][0] >= number][:_MOST_MERGED]
        for (_, column), _ in active:
            if column < len(row) and not row[column]:
                row[column] = ABOVE
        yield number + 1, _linked(row, number, parts)


def _linked(row: Row, number: int, parts: SheetParts) -> Row:
    """Write the targets of links behind their text."""
    if parts.links:
        for column, text in enumerate(row):
            target = parts.links.get((number, column))
            if text and target and text != target:
                row[column] = f"[{text}]({target})"
    return row


def _has_password(data: memoryview) -> bool:
    """Tell whether the workbook stream of an .xls file says, near its start, that what follows is encrypted."""
    content = bytes(data)
    at = content.find(_BEGIN)
    for _ in range(32):
        if at < 0 or at + 4 > len(content):
            return False
        kind, length = struct.unpack_from("<HH", content, at)
        if kind == _FILEPASS:
            return True
        at += 4 + length
    return False


def _is_wanted(part: str) -> bool:
    name = f"/{part.lower()}"
    return name.endswith((".xml", ".rels", ".bin")) and not any(unwanted in name for unwanted in _UNWANTED)


def _uncounted(part: str, content: bytes) -> bytes:
    """Take out how many shared strings there are said to be: the library makes room for so many, and dies of it."""
    if not part.lower().endswith("sharedstrings.xml"):
        return content
    start = content.find(b"sst", 0, _HEAD)
    end = content.find(b">", start)
    return content if start < 0 else content[:start] + _COUNTS.sub(b"", content[start:end]) + content[end:]


def _calm(call: Callable[[], T]) -> T:
    """Run *call*; should the library panic, which no ``except Exception`` would notice, raise ValueError."""
    try:
        return call()
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError("the file is damaged") from None
