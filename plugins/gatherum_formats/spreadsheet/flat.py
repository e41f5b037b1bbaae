"""Workbooks of Excel 2003 in one XML file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import UnreadableError
from gatherum.limits import parse_xml
from gatherum.tables import ABOVE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum import Report
    from gatherum_formats.spreadsheet.grid import Row

_SS: Final = "{urn:schemas-microsoft-com:office:spreadsheet}"
_MOST_COLUMNS: Final = 16_384
_MOST_ROWS: Final = 1 << 20


def flat_sheets(data: bytes, report: Report) -> Iterator[tuple[str, Iterator[tuple[int, Row]]]]:
    """Yield the name and the rows of each sheet.

    Args:
        data: The file.
        report: Told of damage.

    Raises:
        UnreadableError: It is not XML.
    """
    root = parse_xml(data, lambda message: report.problem("partial", message))
    if root is None:
        raise UnreadableError("corrupt", "the workbook is not well-formed XML")
    for sheet in root.iter(f"{_SS}Worksheet"):
        yield sheet.get(f"{_SS}Name") or "", _rows(sheet)


def _rows(sheet: _Element) -> Iterator[tuple[int, Row]]:
    number = 0
    above: dict[int, int] = {}
    for row in sheet.iter(f"{_SS}Row"):
        number = _number(row.get(f"{_SS}Index"), number + 1, _MOST_ROWS)
        texts: Row = []
        for cell in row.iterchildren(f"{_SS}Cell"):
            at = _number(cell.get(f"{_SS}Index"), len(texts) + 1, _MOST_COLUMNS) - 1
            texts.extend([None] * (at - len(texts)))
            data = cell.find(f"{_SS}Data")
            text = "".join(data.itertext()).strip() if data is not None else ""
            if data is not None and data.get(f"{_SS}Type") == "DateTime":
                text = text.removesuffix(".000").removesuffix("T00:00:00").replace("T", " ")
            texts.append(text)
            if reach := _number(cell.get(f"{_SS}MergeDown"), 0, _MOST_ROWS):
                above[len(texts) - 1] = number + reach
            texts.extend([None] * _number(cell.get(f"{_SS}MergeAcross"), 0, 64))
        for column, last in above.items():
            if number <= last and column < len(texts) and not texts[column]:
                texts[column] = ABOVE
        if any(texts):
            yield number, texts


def _number(text: str | None, default: int, most: int) -> int:
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return default
    return min(int(text), most)
