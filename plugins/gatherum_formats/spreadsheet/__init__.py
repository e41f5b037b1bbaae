"""Spreadsheets: Excel workbooks of every age, OpenDocument spreadsheets, and values separated by commas or tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Report, Section, Source, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAT: Final = b"urn:schemas-microsoft-com:office:spreadsheet"


class SpreadsheetHandler(Handler):
    """Read spreadsheets sheet by sheet, tables in groups of rows that repeat their header."""

    name = "spreadsheet"
    title = "Spreadsheets"
    version = 3
    extensions = (".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".xls", ".ods", ".ots", ".fods", ".csv", ".tsv")

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of every sheet.

        Args:
            source: The file.
            report: Told of metadata, hidden sheets and what cannot be read.

        Raises:
            UnreadableError: It is no spreadsheet, or is locked by a password.
        """
        from gatherum_formats.spreadsheet.reading import read_spreadsheet

        yield from read_spreadsheet(source, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Recognise workbooks by their main part, OpenDocument spreadsheets by their media type."""
        from gatherum_formats.opendocument.type import MIMETYPE, flat_type

        if glimpse.mimetype.startswith(f"{MIMETYPE}spreadsheet"):
            return ".ots" if glimpse.mimetype.endswith("-template") else ".ods"
        for part, extension in (("xl/workbook.xml", ".xlsx"), ("xl/workbook.bin", ".xlsb")):
            if part in glimpse.members and "[Content_Types].xml" in glimpse.members:
                return extension
        if _FLAT in glimpse.head and glimpse.head.lstrip().startswith((b"<?xml", b"<Workbook")):
            return ".xls"
        return ".fods" if flat_type(glimpse.head) in ("spreadsheet", "spreadsheet-template") else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Give the handler of spreadsheets."""
    return [SpreadsheetHandler()]
