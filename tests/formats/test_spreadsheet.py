"""Spreadsheets: Excel, OpenDocument, and separated values."""

from __future__ import annotations

import csv
import datetime
import io
import itertools
import re
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Source, load_registry
from gatherum_formats.spreadsheet.values import written

REGISTRY = load_registry()
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"


def read(data: bytes, name: str):
    return REGISTRY.read(Source(name, data))


def texts(document) -> list[str]:
    return [section.text for section in document.sections]


def codes(document) -> list[str]:
    return [problem.code for problem in document.problems]


def zipped(parts: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


# Excel


def relationships(*edges: tuple[str, str, str]) -> str:
    """Relationships of (id, kind, target); targets with "://" are external."""
    inner = ""
    for name, kind, target in edges:
        mode = ' TargetMode="External"' if "://" in target else ""
        inner += f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"{mode}/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'


def letters(at: int) -> str:
    return (letters(at // 26 - 1) if at >= 26 else "") + chr(ord("A") + at % 26)


def cell(reference: str, value: object) -> str:
    if isinstance(value, bool):
        return f'<c r="{reference}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, datetime.date):
        return f'<c r="{reference}" s="1"><v>{(value - datetime.date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{reference}"><v>{value}</v></c>'
    return f'<c r="{reference}" t="inlineStr"><is><t>{value}</t></is></c>'


def worksheet(*rows: tuple[object, ...], start: int = 1, after: str = "") -> str:
    """A worksheet; None leaves a cell out, an empty tuple a row."""
    inner = "".join(
        f'<row r="{number}">'
        + "".join(cell(f"{letters(at)}{number}", value) for at, value in enumerate(row) if value is not None)
        + "</row>"
        for number, row in enumerate(rows, start)
        if row
    )
    return f'<worksheet xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheetData>{inner}</sheetData>{after}</worksheet>'


def workbook(
    sheets: dict[str, str], *, hidden: tuple[str, ...] = (), names: str = "", parts: dict[str, str] | None = None
) -> bytes:
    """An .xlsx file."""
    states = {name: ' state="hidden"' if name in hidden else "" for name in sheets}
    listed = "".join(
        f'<sheet name="{name}" sheetId="{at}" r:id="r{at}"{states[name]}/>' for at, name in enumerate(sheets, 1)
    )
    types = (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
    )
    all_parts: dict[str, str | bytes] = {
        "[Content_Types].xml": types,
        "_rels/.rels": relationships(
            ("r1", "officeDocument", "xl/workbook.xml"), ("r2", "metadata/core-properties", "docProps/core.xml")
        ).replace(f"{OFFICE}/metadata", f"{PACKAGE}/relationships/metadata"),
        "docProps/core.xml": f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Figures</dc:title></cp:coreProperties>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets>'
        f"<definedNames>{names}</definedNames></workbook>",
        "xl/_rels/workbook.xml.rels": relationships(
            *((f"r{at}", "worksheet", f"worksheets/sheet{at}.xml") for at in range(1, len(sheets) + 1)),
            ("rs", "styles", "styles.xml"),
            ("rp", "person", "persons/person.xml"),
        ),
        "xl/persons/person.xml": "<personList><person id='p' displayName='Ada'/></personList>",
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
        "</styleSheet>",
        **{f"xl/worksheets/sheet{at}.xml": sheet for at, sheet in enumerate(sheets.values(), 1)},
        **(parts or {}),
    }
    return zipped(all_parts)


def one_sheet(*rows: tuple[object, ...], **options) -> object:
    return read(workbook({"Data": worksheet(*rows, **options)}), "a.xlsx")


def test_a_sheet_is_a_heading_and_its_cells_a_table():
    day = datetime.date(2024, 2, 29)
    document = one_sheet(("Name", "Value", "Day", "Done"), ("pi", 3.14, day, True), ("two", 2, None, "a | b"))
    assert document.state == "read", document.problems
    (section,) = document.sections
    assert (section.heading, section.level, section.kind, section.layer) == (("Data",), 1, "table", "body")
    assert section.text == (
        "| Name | Value | Day | Done |\n| --- | --- | --- | --- |\n| pi | 3.14 | 2024-02-29 | TRUE |\n"
        "| two | 2 |  | a \\| b |"
    )
    assert section.locator == Locator.sheet("Data", start=1, end=3)
    assert document.metadata.title == "Figures"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a ", "a"),
        (None, ""),
        (True, "TRUE"),
        (3.0, "3"),
        (0.1 + 0.2, "0.3"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
        (datetime.datetime.fromisoformat("2024-05-06"), "2024-05-06"),
        (datetime.datetime.fromisoformat("2024-05-06T07:08:09.005"), "2024-05-06 07:08:09"),
        (datetime.time(7, 8), "07:08:00"),
        (datetime.timedelta(hours=30, minutes=1), "30:01:00"),
        (datetime.date(2024, 5, 6), "2024-05-06"),
    ],
)
def test_values_are_written_as_readers_write_them(value, text):
    assert written(value) == text


def test_long_tables_are_cut_into_groups_that_repeat_the_header():
    document = one_sheet(("Name", "Value"), *((f"row {n}", n) for n in range(200)))
    tables = texts(document)
    assert len(tables) > 3
    assert all(text.startswith("| Name | Value |\n| --- | --- |\n") for text in tables)
    assert [line for text in tables for line in text.split("\n")[2:]] == [f"| row {n} | {n} |" for n in range(200)]
    ends = [(section.locator.start, section.locator.end) for section in document.sections]
    assert ends[0][0] == 1
    assert ends[-1][1] == 201
    assert all(first[1] + 1 == second[0] for first, second in itertools.pairwise(ends))


def test_an_endless_header_is_not_repeated():
    document = one_sheet(("word " * 2000, "Value"), *((f"row {n}", n) for n in range(200)))
    assert sum(text.count("word") for text in texts(document)) == 2000
    assert texts(document)[-1].startswith("| A | B |\n")


def test_titles_above_a_table_are_text_and_blank_rows_part_tables():
    document = one_sheet(("Report",), ("of 2024",), ("Name", "Value"), ("a", 1), (), (None, "Other"), (None, "x", 2))
    assert [(section.kind, section.text, section.locator.start) for section in document.sections] == [
        ("prose", "Report\nof 2024", 1),
        ("table", "| Name | Value |\n| --- | --- |\n| a | 1 |", 3),
        ("prose", "Other", 6),
        ("table", "| B | C |\n| --- | --- |\n| x | 2 |", 7),
    ]


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([("a", "b"), ("c", "d")], "| a | b |"),
        ([("Name", 2024), ("c", 7)], "| Name | 2024 |"),
        ([("Ada", 36), ("Bo", 41)], "| A | B |"),
        ([(1, 2), (3, 4)], "| A | B |"),
        ([("Zip", "1010"), ("x", "word"), ("y", "word")], "| Zip | 1010 |"),
    ],
)
def test_a_first_row_like_the_others_is_no_header(rows, header):
    assert texts(one_sheet(*rows))[0].split("\n")[0] == header


def test_hidden_sheets_are_on_the_hidden_layer_and_reported():
    sheets = {"Open": worksheet(("shown",)), "Secret": worksheet(("TKHIDDEN", "b"))}
    document = read(workbook(sheets, hidden=("Secret",)), "a.xlsx")
    assert [(s.layer, s.heading) for s in document.sections if s.text] == [
        ("body", ("Open",)),
        ("hidden", ("Secret",)),
    ]
    assert codes(document) == ["hidden_text"]
    assert document.state == "read"


def test_an_empty_sheet_still_has_its_heading():
    assert [s.heading for s in read(workbook({"Empty": worksheet()}), "a.xlsx").sections] == [("Empty",)]


def test_merged_cells_point_to_the_one_above():
    merged = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>'
    document = one_sheet(("Group", "Item"), ("one", "x"), (None, "y"), ("two", "z"), after=merged)
    assert texts(document) == ["| Group | Item |\n| --- | --- |\n| one | x |\n| ^^ | y |\n| two | z |"]


def test_comments_links_names_and_headers_are_read():
    after = (
        '<hyperlinks><hyperlink ref="A2" r:id="h"/></hyperlinks><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12'
        "TKHEADER&amp;RPage &amp;P</oddHeader><oddFooter>TK&amp;&amp;FOOTER</oddFooter></headerFooter>"
    )
    comments = (
        f'<comments xmlns="{MAIN}"><authors><author>Ada</author></authors><commentList><comment ref="B2" authorId="0">'
        "<text><r><t>Ada:\nTK</t></r><r><t>COMMENT</t></r></text></comment></commentList></comments>"
    )
    data = workbook(
        {"Data": worksheet(("Name", "Value"), ("site", 1), after=after)},
        names='<definedName name="Rates">Data!$A$1</definedName><definedName name="_xlnm.Print_Area">x</definedName>',
        parts={
            "xl/worksheets/_rels/sheet1.xml.rels": relationships(
                ("h", "hyperlink", "http://example.org/TKURL"),
                ("c", "comments", "../comments1.xml"),
                ("t", "table", "../tables/table1.xml"),
            ),
            "xl/tables/table1.xml": f'<table xmlns="{MAIN}" name="t" displayName="Sites" ref="A1:B2"/>',
            "xl/comments1.xml": comments,
        },
    )
    document = read(data, "a.xlsx")
    assert [(s.kind, s.layer, s.text) for s in document.sections] == [
        ("table", "body", "| Name | Value |\n| --- | --- |\n| [site](http://example.org/TKURL) | 1 |"),
        ("comment", "annotation", "Ada: TKCOMMENT"),
        ("header", "furniture", "TKHEADER Page\n\nTK&FOOTER"),
    ]
    assert document.sections[1].locator == Locator.sheet("Data", anchor="B2")
    assert document.metadata.extra["named_ranges"] == {"Rates": "Data!$A$1"}
    assert document.metadata.extra["tables"] == {"Sites": "Data!A1:B2"}


def test_threads_take_the_place_of_the_notes_that_stand_for_them():
    threads = (
        '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments">'
        '<threadedComment ref="A1" dT="2024-05-06T07:08:09" personId="p" id="1"><text>TKTHREAD</text></threadedComment>'
        "</ThreadedComments>"
    )
    notes = f'<comments xmlns="{MAIN}"><commentList><comment ref="A1"><text><t>see the thread</t></text></comment>'
    data = workbook(
        {"Data": worksheet(("a",))},
        parts={
            "xl/worksheets/_rels/sheet1.xml.rels": relationships(
                ("c", "comments", "../comments1.xml"), ("t", "threadedComment", "../threads.xml")
            ),
            "xl/comments1.xml": f"{notes}</commentList></comments>",
            "xl/threads.xml": threads,
        },
    )
    assert texts(read(data, "a.xlsx"))[1:] == ["Ada, 2024-05-06: TKTHREAD"]


def test_boxes_and_pictures_of_a_sheet_are_read():
    drawing = (
        '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1"/>'
        "</xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>TKBOX</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:pic><xdr:nvPicPr>"
        '<xdr:cNvPr id="2" name="y" descr="TKALT"/></xdr:nvPicPr></xdr:pic></xdr:wsDr>'
    )
    data = workbook(
        {"Data": worksheet(("a",))},
        parts={
            "xl/worksheets/_rels/sheet1.xml.rels": relationships(("d", "drawing", "../drawings/drawing1.xml")),
            "xl/drawings/drawing1.xml": drawing,
        },
    )
    assert [(s.kind, s.text) for s in read(data, "a.xlsx").sections] == [
        ("prose", "a"),
        ("prose", "TKBOX"),
        ("alt", "TKALT"),
    ]


def test_a_cell_at_the_far_corner_costs_nothing():
    far = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">{cell("A1", "near")}{cell("B1", 2)}</row>'
    far += f'<row r="1048576">{cell("XFD1048576", "far")}</row></sheetData></worksheet>'
    document = read(workbook({"Data": far}), "a.xlsx")
    assert "near" in texts(document)[0]
    assert texts(document)[1] == "far"
    assert document.sections[1].locator.start == 1048576


def test_wide_rows_with_few_values_are_written_as_records():
    head = tuple(f"h{n}" for n in range(60))
    document = one_sheet(head, *(((None,) * n + (f"v{n}",)) for n in range(1, 60)))
    assert texts(document)[0].split("\n")[1] == "h1: v1"


# OpenDocument


def ods(body: str, styles: str = "", head: str = "") -> bytes:
    names = " ".join(
        f'xmlns:{prefix}="{OASIS}{local}:1.0"'
        for prefix, local in (
            *(("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"), ("draw", "drawing")),
            ("svg", "svg-compatible"),
        )
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f'<office:document-content {names} xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<office:automatic-styles>{styles}</office:automatic-styles><office:body><office:spreadsheet>{body}"
            "</office:spreadsheet></office:body></office:document-content>",
        }
    )


def ods_cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"


def ods_table(*rows: str, attributes: str = "table:name='Data'") -> str:
    inner = "".join(
        row if row.startswith("<table:table-row") else f"<table:table-row>{row}</table:table-row>" for row in rows
    )
    return f"<table:table {attributes}>{inner}</table:table>"


def test_an_open_document_sheet_shows_what_its_cells_show():
    body = ods_table(
        ods_cell("Name") + ods_cell("Share"),
        ods_cell("a", "table:number-rows-spanned='2'") + ods_cell("15%", "office:value='0.15'"),
        "<table:covered-table-cell/>" + ods_cell("20%"),
    )
    body += "<table:named-expressions><table:named-range table:name='Rates' table:cell-range-address='$Data.A1'/>"
    document = read(ods(f"{body}</table:named-expressions>"), "a.ods")
    assert (document.state, document.handler) == ("read", "spreadsheet")
    assert [(s.heading, s.text, s.locator) for s in document.sections] == [
        (
            ("Data",),
            "| Name | Share |\n| --- | --- |\n| a | 15% |\n| ^^ | 20% |",
            Locator.sheet("Data", start=1, end=3),
        )
    ]
    assert document.metadata.extra["named_ranges"] == {"Rates": "$Data.A1"}


def test_rows_and_cells_that_repeat_are_bounded():
    huge = "<table:table-row table:number-rows-repeated='1048576'>"
    body = ods_table(
        ods_cell("first"),
        f"{huge}<table:table-cell table:number-columns-repeated='16384'/></table:table-row>",
        huge + ods_cell("x", "table:number-columns-repeated='99999999'") + "</table:table-row>",
    )
    document = read(ods(body), "a.ods")
    assert texts(document)[0] == "first"
    assert document.sections[1].locator.start == 2 + 1048576
    assert sum(text.count("x") for text in texts(document)) <= 65 * 64


def test_comments_and_hidden_sheets_of_open_document():
    note = "<office:annotation><dc:creator>Bo</dc:creator><text:p>TKCOMMENT</text:p></office:annotation>"
    shape = "<table:shapes><draw:rect><text:p>TKSHAPE</text:p></draw:rect></table:shapes>"
    noted = f"<table:table-cell>{note}<text:p>a</text:p></table:table-cell>{ods_cell('b')}"
    style = "<style:style style:name='ta2' style:family='table'><style:table-properties table:display='false'/>"
    body = ods_table(noted).replace("</table:table>", f"{shape}</table:table>")
    body += ods_table(ods_cell("TKHIDDEN"), attributes="table:name='Veil' table:style-name='ta2'")
    document = read(ods(body, f"{style}</style:style>"), "a.ods")
    assert [(s.heading[-1], s.layer, s.text) for s in document.sections if s.text] == [
        ("Data", "body", "| a | b |\n| --- | --- |"),
        ("Data", "body", "TKSHAPE"),
        ("Data", "annotation", "Bo: TKCOMMENT"),
        ("Veil", "hidden", "TKHIDDEN"),
    ]


def test_text_outside_of_sheets_is_not_lost():
    document = read(ods("<text:p>TKLOOSE</text:p>" + ods_table(ods_cell("a"))), "a.ods")
    assert texts(document) == ["TKLOOSE", "a"]


# Separated values


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(separator):
    rows = [["Name", "Note, or remark"], ["a", "one; two"], ["b", 'says "hi"\nand more'], ["c", "d|e"]]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=separator).writerows(rows)
    document = read(buffer.getvalue().encode(), "a.csv")
    assert document.state == "read"
    (section,) = document.sections
    assert (section.heading, section.kind) == ((), "table")
    assert section.text == (
        '| Name | Note, or remark |\n| --- | --- |\n| a | one; two |\n| b | says "hi" and more |\n| c | d\\|e |'
    )
    assert section.locator == Locator.lines(1, 5)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_values_in_other_encodings(encoding):
    assert "| Müller | Köln |" in texts(read("Name;Ort\nMüller;Köln\nGröße;Maß\n".encode(encoding), "a.csv"))[0]


def test_a_declared_separator_is_obeyed():
    document = read(b"sep=/\nName/Value\na,b/1\n", "a.csv")
    assert texts(document) == ["| Name | Value |\n| --- | --- |\n| a,b | 1 |"]
    assert document.sections[0].locator.end == 3


def test_a_quotation_mark_that_is_never_closed_loses_nothing():
    rows = [f'{n},"word {n}"' for n in range(300)]
    rows[5] = '5,"inch 5'
    whole = "\n".join(texts(read("\n".join(["n,word", *rows]).encode(), "a.csv")))
    assert all(f"word {n} " in whole or f'word {n}" ' in whole for n in range(300) if n != 5)
    assert "inch 5" in whole


def test_one_column_is_text():
    assert texts(read(b"first\nsecond\n\nthird\n", "a.csv")) == ["first\nsecond", "third"]


def test_values_longer_than_the_default_limit_are_read():
    assert len(texts(read(f"a,b\n{'x' * 200_000},1\n{'y' * 300_000},2\n".encode(), "a.csv"))[0]) > 200_000


# What is not what its name says


def test_a_web_page_named_as_a_workbook_is_read_as_one():
    document = read(b"<html><body><table><tr><td>TKCELL</td></tr></table></body></html>", "a.xls")
    assert any("TKCELL" in text for text in texts(document))
    assert "wrong_extension" in codes(document)


def test_text_named_as_a_workbook_is_read_as_values():
    assert texts(read(b"Name\tValue\na\t1\n", "a.xls")) == ["| Name | Value |\n| --- | --- |\n| a | 1 |"]


def test_a_workbook_in_one_xml_file_is_read():
    data = (
        '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'
        '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" '
        'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Data"><Table>'
        '<Row><Cell><Data ss:Type="String">Name</Data></Cell><Cell ss:Index="3"><Data ss:Type="String">Day</Data>'
        '</Cell></Row><Row ss:Index="2">'
        '<Cell ss:MergeDown="1"><Data ss:Type="String">a</Data></Cell><Cell ss:Index="3">'
        '<Data ss:Type="DateTime">2024-01-02T00:00:00.000</Data></Cell></Row><Row><Cell/><Cell ss:Index="3">'
        '<Data ss:Type="Number">5</Data></Cell></Row></Table></Worksheet></Workbook>'
    )
    document = read(data.encode(), "a.xls")
    assert [(s.heading, s.text) for s in document.sections] == [
        (("Data",), "| Name |  | Day |\n| --- | --- | --- |\n| a |  | 2024-01-02 |\n| ^^ |  | 5 |")
    ]


def test_a_workbook_with_another_name_is_recognised():
    document = read(workbook({"Data": worksheet(("a", "b"))}), "a.docx")
    assert (document.format, document.state) == ("xlsx", "read")
    assert read(ods(ods_table(ods_cell("a"))), "a.odt").handler == "spreadsheet"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\x09\x04\x06\x00\x00\x00\x10\x00" + bytes(400), "empty"),
        (b"\x09\x08\x08\x00\x00\x05\x10\x00" + bytes(400), "legacy_format"),
        (b"\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00\x2f\x00\x06\x00" + bytes(6), "password_protected"),
        (bytes(range(256)) * 8, "corrupt"),
        (b"PK\x03\x04 and no more", "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password_protected"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
            + bytes(504)
            + struct.pack("<HH16x", 0x0809, 16)
            + struct.pack("<HH54x", 0x2F, 54),
            "password_protected",
        ),
    ],
)
def test_what_cannot_be_read_says_why(data, code):
    document = read(data, "a.xls")
    assert (document.state, codes(document)) == ("unreadable", [code])


def test_a_missing_sheet_leaves_the_others():
    data = workbook({"One": worksheet(("a", "b")), "Two": worksheet(("c", "d"))})
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            if name != "xl/worksheets/sheet1.xml":
                new.writestr(name, old.read(name))
    document = read(buffer.getvalue(), "a.xlsx")
    assert document.state == "partial"
    assert "missing_part" in codes(document)
    assert any("| c | d |" in text for text in texts(document))


BOOK = workbook({"Data": worksheet(("Name", "Value"), ("a", 1), ("b", 2)), "More": worksheet(("x",))})


@settings(deadline=None, max_examples=40)
@given(st.integers(0, len(BOOK) - 1), st.binary(min_size=1, max_size=8))
def test_damaged_workbooks_never_raise(at, noise):
    assert "handler_failed" not in codes(read(BOOK[:at] + noise + BOOK[at + len(noise) :], "a.xlsx"))
    assert "handler_failed" not in codes(read(BOOK[:at], "a.xlsx"))


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.lists(st.text("abc 12.,;|\"'\n", max_size=6), min_size=2, max_size=5).filter(
            lambda row: any(map(str.strip, row))
        ),
        min_size=1,
        max_size=12,
    )
)
def test_every_word_of_values_comes_out(rows):
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    whole = " ".join(texts(read(b"sep=,\n" + buffer.getvalue().encode(), "a.csv"))).replace("\\|", "|")
    for row in rows:
        for value in row:
            assert all(word in whole for word in value.split())


# -- Excel 2 to 4 ----------------------------------------------------------------------------------------------------


def old_workbook(*records, start=b"\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00"):
    return start + b"".join(struct.pack("<HH", kind, len(data)) + data for kind, data in records) + b"\x0a\0\0\0"


def read_old(data):
    return REGISTRY.read(Source("a.xls", data))


def test_a_sheet_of_excel_4_is_read_with_its_numbers_dates_formulas_and_notes():
    at = lambda row, column, style=0: struct.pack("<HHH", row, column, style)  # noqa: E731
    document = read_old(
        old_workbook(
            (0x041E, b"\0\0\x07General"),
            (0x041E, b"\0\0\x08dd.mm.yy"),
            (0x0443, b"\0\0" + bytes(10)),
            (0x0443, b"\0\x01" + bytes(10)),
            (0x0204, at(0, 0) + b"\x04\0Boat"),
            (0x0204, at(0, 1) + b"\x05\0Built"),
            (0x0204, at(1, 0) + b"\x04\0Gr\xf6n"),
            (0x0203, at(1, 1, 1) + struct.pack("<d", 36525)),
            (0x027E, at(2, 0) + struct.pack("<I", 1234 << 2 | 3)),
            (0x0406, at(2, 1) + b"\0\0\0\0\0\0\xff\xff" + bytes(4)),
            (0x0207, b"\x05\0later"),
            (0x0205, at(3, 0) + b"\x07\x01"),
            (0x001C, struct.pack("<HHH", 0, 1, 8) + b"see docs"),
        )
    )
    table, note = document.sections
    assert table.text.split("\n") == [
        "| Boat | Built |",
        "| --- | --- |",
        "| Grön | 1999-12-31 |",
        "| 12.34 | later |",
        "| #DIV/0! |  |",
    ]
    assert (note.text, note.layer, note.locator.anchor) == ("see docs", "annotation", "B1")


def test_a_sheet_of_excel_2_is_read():
    at = lambda row, column: struct.pack("<HH", row, column) + bytes(3)  # noqa: E731
    document = read_old(
        old_workbook(
            (0x0004, at(0, 0) + b"\x01a"),
            (0x0004, at(0, 1) + b"\x01b"),
            (0x0002, at(1, 0) + b"\x07\0"),
            (0x0003, at(1, 1) + struct.pack("<d", 2.5)),
            start=b"\x09\x00\x04\x00\x02\x00\x10\x00",
        )
    )
    assert document.sections[0].text == "| a | b |\n| --- | --- |\n| 7 | 2.5 |"


def test_damaged_records_of_an_old_sheet_cost_only_themselves():
    document = read_old(old_workbook((0x0203, b"\0\0"), (0x0204, bytes(6) + b"\x04\0kept")))
    assert document.sections[0].text == "kept"
    assert [problem.code for problem in document.problems] == ["partial"]


def test_a_table_that_stands_further_down_says_in_which_rows():
    below = worksheet(
        ("Name", "Kilos"), ("pi", 3), start=40, after='<mergeCells><mergeCell ref="A40:A41"/></mergeCells>'
    )
    (section,) = read(workbook({"Data": below}), "a.xlsx").sections
    assert section.locator == Locator.sheet("Data", start=40, end=41)
    assert section.text == "| Name | Kilos |\n| --- | --- |\n| pi | 3 |"


def test_a_lie_about_the_number_of_shared_strings_costs_nothing():
    strings = f'<sst xmlns="{MAIN}" count="4000000000" uniqueCount="4000000000"><si><t>found</t></si></sst>'
    parts = {"xl/sharedStrings.xml": strings}
    parts["xl/_rels/workbook.xml.rels"] = relationships(
        ("r1", "worksheet", "worksheets/sheet1.xml"), ("rs", "sharedStrings", "sharedStrings.xml")
    )
    sheet = worksheet(("a",)).replace('t="inlineStr"', 't="s"')
    sheet = re.sub(r"<is>.*?</is>", "<v>0</v>", sheet)
    document = read(workbook({"Data": sheet}, parts=parts), "a.xlsx")
    assert (document.state, texts(document)) == ("read", ["found"])


def test_sheets_that_share_their_cells_are_read_once():
    parts = {
        "xl/_rels/workbook.xml.rels": relationships(*((f"r{n}", "worksheet", "worksheets/sheet1.xml") for n in (1, 2)))
    }
    document = read(workbook({"One": worksheet(("a",)), "Two": worksheet(("b",))}, parts=parts), "a.xlsx")
    assert (document.state, texts(document), codes(document)) == ("partial", ["a"], ["partial"])
    assert "Two" in document.problems[0].message


def test_a_date_that_no_calendar_has_loses_its_row_alone():
    rows = '<row r="2"><c r="A2" s="1"><v>-1e308</v></c></row><row r="3"><c r="A3"><v>7</v></c></row></sheetData>'
    document = read(workbook({"Data": worksheet(("before",)).replace("</sheetData>", rows)}), "a.xlsx")
    assert (document.state, codes(document)) == ("partial", ["partial"])
    assert [part in "\n".join(texts(document)) for part in ("before", "7")] == [True, True]
