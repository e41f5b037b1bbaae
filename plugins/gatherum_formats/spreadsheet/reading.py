"""The sections of spreadsheets, whatever they are written in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder, UnreadableError
from gatherum_formats.opendocument.names import attribute, clark
from gatherum_formats.opendocument.package import OpenDocument
from gatherum_formats.opendocument.reading import furniture, new_walker
from gatherum_formats.opendocument.type import flat_type
from gatherum_formats.spreadsheet.biff import old_sheets
from gatherum_formats.spreadsheet.csv import read_values
from gatherum_formats.spreadsheet.flat import flat_sheets
from gatherum_formats.spreadsheet.grid import Sheet, column_letters
from gatherum_formats.spreadsheet.ods import Cells, hidden_styles
from gatherum_formats.spreadsheet.open import Workbook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source
    from gatherum.document import Layer

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP: Final = b"PK\x03\x04"
_OLD_CELLS: Final = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")  # before OLE
_BARE_CELLS: Final = b"\x09\x08"
_FLAT: Final = b"urn:schemas-microsoft-com:office:spreadsheet"
_PAGE: Final = re.compile(rb"<(!doctype html|html|table|meta|head|body)\b", re.IGNORECASE)


def read_spreadsheet(source: Source, report: Report) -> Iterator[Section]:
    """Yield the sections of every sheet.

    Args:
        source: The file.
        report: Told of metadata, hidden sheets and what cannot be read.

    Raises:
        UnreadableError: It is no spreadsheet, or is locked by a password.
    """
    head = source.head()
    if not head:
        raise UnreadableError("empty", f"{source.name} is empty")
    if head.startswith(_ZIP) and (b"opendocument" in head[:200] or source.extension in (".ods", ".ots")):
        yield from _open_document(source, report)
    elif head.startswith((_ZIP, _OLE)):
        yield from _workbook(source, report)
    elif head.startswith(_OLD_CELLS):
        yield from _old_cells(source, report)
    elif head.startswith(_BARE_CELLS):
        raise UnreadableError("legacy_format", f"{source.name} is in the binary format of Excel 5, without a container")
    elif flat_type(head) is not None:
        yield from _open_document(source, report)
    elif _FLAT in head:
        yield from _flat(source, report)
    elif source.extension not in (".csv", ".tsv") and _PAGE.search(head):
        report.problem("wrong_extension", f"{source.name} is really a web page")
        yield from report.child("page.html", source.data)
    elif _is_binary(head):
        raise UnreadableError("corrupt", f"{source.name} is not a spreadsheet")
    else:
        yield from _values(source, report)


def _old_cells(source: Source, report: Report) -> Iterator[Section]:
    """Read a worksheet, or a workbook, of Excel 2 to 4."""
    builder = SectionBuilder()
    sheets = old_sheets(source.data, report)
    if not sheets:
        raise UnreadableError("empty", f"{source.name} has no cells")
    for sheet in sheets:
        if sheet.name:
            yield from builder.enter(1, sheet.name, locator=Locator.sheet(sheet.name))
        yield from _sheet(builder, sheet.name, "body").sections(sheet.rows())
        for (row, column), text in sheet.notes.items():
            where = Locator.sheet(sheet.name, anchor=f"{column_letters(column)}{row + 1}")
            yield from builder.add(text, kind="comment", layer="annotation", locator=where)
    yield from builder.close()


def _values(source: Source, report: Report) -> Iterator[Section]:
    """Read comma separated values; the file is the table, so there is no heading."""
    sheet = Sheet(builder=SectionBuilder(), place=Locator.lines, gaps=False)
    yield from sheet.sections(read_values(source.text(report), tabs=source.extension == ".tsv"))


def _is_binary(head: bytes) -> bool:
    """Tell bytes that are text in no encoding: zeros, but not in every second place as UTF-16 has them."""
    zeros = head.count(0)
    halves = max(head[::2].count(0), head[1::2].count(0))
    return zeros > 0 and not head.startswith((b"\xff\xfe", b"\xfe\xff")) and halves < len(head) // 4


def _flat(source: Source, report: Report) -> Iterator[Section]:
    builder = SectionBuilder()
    for name, rows in flat_sheets(source.data, report):
        yield from builder.enter(1, name, locator=Locator.sheet(name))
        yield from _sheet(builder, name, "body").sections(rows)
    yield from builder.close()


def _sheet(builder: SectionBuilder, name: str, layer: Layer) -> Sheet:
    return Sheet(builder=builder, place=lambda start, end: Locator.sheet(name, start=start, end=end), layer=layer)


def _layer(name: str, hidden: bool, report: Report) -> Layer:
    if hidden:
        report.problem("hidden_text", f"the sheet {name} is hidden", Locator.sheet(name))
    return "hidden" if hidden else "body"


def _workbook(source: Source, report: Report) -> Iterator[Section]:
    workbook = Workbook(source, report)
    builder = SectionBuilder()
    said: dict[str, None] = {}
    tables: dict[str, str] = {}
    for name, hidden in workbook.sheets():
        layer = _layer(name, hidden, report)
        yield from builder.enter(1, name, locator=Locator.sheet(name))
        parts = workbook.parts(name)
        yield from _sheet(builder, name, layer).sections(workbook.rows(name, parts))
        for text, kind in parts.drawn:
            yield from builder.add(text, kind=kind, layer=layer, locator=Locator.sheet(name))
        for cell, text in parts.comments:
            where = Locator.sheet(name, anchor=cell)
            yield from builder.add(text, kind="comment", layer="hidden" if hidden else "annotation", locator=where)
        said.update(dict.fromkeys(parts.furniture))
        tables.update((table, f"{name}!{cells}") for table, cells in parts.tables.items())
    yield from builder.close()
    report.metadata(tables=tables or None)
    last = SectionBuilder()
    for text in said:
        yield from last.add(text, kind="header", layer="furniture")
    yield from last.close()


def _open_document(source: Source, report: Report) -> Iterator[Section]:
    package = OpenDocument(source, report)
    package.describe()
    body = package.body
    walker = new_walker(package, report)
    report.metadata(language=walker.styles.language)
    cells = Cells(walker)
    builder = SectionBuilder()
    hidden = hidden_styles(package.find(package.content, "office:automatic-styles"))
    names: dict[str, str] = {}
    for element in body if body is not None else ():
        if element.tag == clark("table:named-expressions"):
            for named in element:
                names[attribute(named, "table:name")] = attribute(named, "table:cell-range-address")
        if element.tag != clark("table:table"):
            for block in () if element.tag == clark("table:named-expressions") else walker.blocks(element):
                yield from builder.add(block.text, kind=block.kind, layer=block.layer)
            continue
        name = attribute(element, "table:name")
        layer = _layer(name, attribute(element, "table:style-name") in hidden, report)
        yield from builder.enter(1, name, locator=Locator.sheet(name))
        yield from _sheet(builder, name, layer).sections(cells.rows(element))
        for block in cells.drawn:
            shown = layer if layer == "hidden" else block.layer
            yield from builder.add(block.text, kind=block.kind, layer=shown, locator=Locator.sheet(name))
        for row, block in cells.comments:
            shown = layer if layer == "hidden" else block.layer
            yield from builder.add(
                block.text, kind=block.kind, layer=shown, locator=Locator.sheet(name, start=row, end=row)
            )
    yield from builder.close()
    report.metadata(named_ranges={name: place for name, place in names.items() if place} or None)
    for section in furniture(package, report):
        if any(letter.isalpha() for letter in section.text):
            yield section
