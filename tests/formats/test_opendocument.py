"""OpenDocument text, presentations and drawings."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Source, load_registry

REGISTRY = load_registry()
TEXT = "application/vnd.oasis.opendocument.text"
SLIDES = "application/vnd.oasis.opendocument.presentation"
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
NAMES = " ".join(
    f'xmlns:{prefix}="{OASIS}{local}:1.0"'
    for prefix, local in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "svg": "svg-compatible",
        "style": "style",
        "meta": "meta",
        "presentation": "presentation",
        "form": "form",
        "fo": "xsl-fo-compatible",
        "chart": "chart",
    }.items()
)
NAMES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
NAMES += ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mfrac><mi>a</mi><mi>TKMATH</mi></mfrac>'
    '<annotation encoding="StarMath 5.0">{a} over {TKSTARMATH}</annotation></semantics></math>'
)
HIDE = '<style:style style:name="Veil" style:family="{}"><style:text-properties text:display="none"/></style:style>'

TINY = HIDE.format("paragraph").replace("Veil", "Tiny").replace('text:display="none"', 'fo:font-size="0.5pt"')


def content(body: str, *, root: str = "text", styles: str = "", dtd: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{dtd}<office:document-content {NAMES}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{root}>{body}</office:{root}></office:body></office:document-content>"
    )


def package(main: str | bytes, *, mimetype: str = TEXT, manifest: str = "", **parts: str) -> bytes:
    """Zip up an OpenDocument file; double underscores in the names of *parts* stand for slashes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", mimetype, zipfile.ZIP_STORED)
        archive.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{OASIS}manifest:1.0"><manifest:file-entry '
            f'manifest:full-path="content.xml" manifest:media-type="text/xml">{manifest}</manifest:file-entry>'
            "</manifest:manifest>",
        )
        archive.writestr("content.xml", main)
        for name, text in parts.items():
            archive.writestr(f"{name.replace('__', '/')}.xml", text)
    return buffer.getvalue()


def styles_part(common: str = "", masters: str = "", automatic: str = "") -> str:
    return (
        f"<office:document-styles {NAMES}><office:styles>{common}</office:styles><office:automatic-styles>{automatic}"
        f"</office:automatic-styles><office:master-styles>{masters}</office:master-styles></office:document-styles>"
    )


def read(data: bytes, name: str = "a.odt"):
    return REGISTRY.read(Source(name, data))


def read_text(body: str, *, styles: str = "", common: str = "", masters: str = ""):
    document = read(package(content(body, styles=styles), styles=styles_part(common, masters)))
    assert document.state == "read", document.problems
    return document


def texts(document) -> list[str]:
    return [section.text for section in document.sections]


def only(document) -> str:
    """The text of a document that has but one section."""
    (section,) = document.sections
    return section.text


def paragraph(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>' if style else f"<text:p>{text}</text:p>"


def heading(text: str, level: int = 1, style: str = "") -> str:
    return f'<text:h text:style-name="{style}" text:outline-level="{level}">{text}</text:h>'


def items(*contents: str) -> str:
    return "".join(f"<text:list-item>{each}</text:list-item>" for each in contents)


def table(*rows: str) -> str:
    return f"<table:table>{''.join(f'<table:table-row>{row}</table:table-row>' for row in rows)}</table:table>"


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}>{text}</table:table-cell>"


EVERYTHING = (
    '<text:tracked-changes><text:changed-region text:id="c"><text:deletion><text:p>TKDELETED</text:p></text:deletion>'
    "</text:changed-region></text:tracked-changes>"
    "<office:forms><form:form><form:checkbox form:id='f1' form:label='TKCHECK' form:current-state='checked'/>"
    "<form:listbox form:id='f2' form:title='TKLISTBOX'><form:option form:label='TKOPTION' "
    "form:current-selected='true'/></form:listbox></form:form></office:forms>"
    "<text:sequence-decls><text:sequence-decl text:name='Table'/></text:sequence-decls>"
    + paragraph("TKPREAMBLE")
    + "<text:table-of-content><text:table-of-content-source><text:index-title-template>TKTEMPLATE"
    "</text:index-title-template></text:table-of-content-source><text:index-body><text:p>TKTOC</text:p>"
    "</text:index-body></text:table-of-content>"
    + heading("TKONE")
    + paragraph("TKBODY <text:change-start text:change-id='c'/>TKINSERTED<text:change-end text:change-id='c'/>")
    + f"<text:section text:name='s'>{heading('TKTWO', 2)}{paragraph('TKINSECTION')}</text:section>"
    + paragraph(
        "<text:span><text:s/>TKAFTERSPACE</text:span><text:s text:c='3'/>TKTHREE<text:tab/>TKTABBED<text:line-break/>"
        "TKBROKEN<text:soft-page-break/>"
    )
    + "<text:list>"
    + items(paragraph("TKITEM") + "<text:list>" + items(paragraph("TKINNER")) + "</text:list>")
    + f"<text:list-header>{paragraph('TKLISTHEADER')}</text:list-header></text:list>"
    + f"<text:list>{items(heading('TKHEADINLIST'))}</text:list>"
    + table(
        cell(paragraph("TKWIDE"), "table:number-columns-spanned='2'") + "<table:covered-table-cell/>",
        cell(paragraph("TKCELL") + paragraph("TKCELLTWO")) + cell(table(cell(paragraph("TKNESTED")))),
        cell(f"<text:list>{items(paragraph('TKCELLITEM'))}</text:list>") + cell(paragraph("TKCELLEND")),
    )
    + paragraph(
        "TKFOOT<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>TKFOOTNOTE</text:p></text:note-body></text:note> TKEND<text:note text:note-class='endnote'>"
        "<text:note-citation>i</text:note-citation><text:note-body><text:p>TKENDNOTE</text:p></text:note-body>"
        "</text:note> TKAFTERNOTES"
    )
    + paragraph(
        "TKSAID<office:annotation><dc:creator>Ada</dc:creator><dc:date>2024-01-02T03:04:05</dc:date>"
        "<text:p>TKCOMMENT</text:p></office:annotation> TKRANGE<office:annotation-end/>"
    )
    + paragraph(
        "<draw:frame><draw:text-box><text:p>TKBOX</text:p></draw:text-box></draw:frame><draw:frame><draw:image/>"
        "<svg:title>TKALT</svg:title><svg:desc>TKDESCRIPTION</svg:desc></draw:frame>"
    )
    + "<draw:custom-shape><text:p>TKSHAPE</text:p></draw:custom-shape>"
    "<draw:g><svg:title>TKGROUPTITLE</svg:title><draw:rect><text:p>TKGROUPED</text:p></draw:rect></draw:g>"
    + paragraph(
        "<draw:frame><draw:text-box><text:p text:style-name='Caption'>Table <text:sequence>TKSEQUENCE</text:sequence>: "
        "TKCAPTION</text:p></draw:text-box></draw:frame>"
    )
    + paragraph(
        "<text:a xlink:href='https://example.org/TKURL'>TKLINK</text:a> <text:ruby><text:ruby-base>TKRUBY"
        "</text:ruby-base><text:ruby-text>TKREADING</text:ruby-text></text:ruby>"
    )
    + paragraph("So <draw:frame><draw:object xlink:href='./Object%201'/><draw:image/></draw:frame> TKAFTERMATH")
    + paragraph(
        "<text:hidden-text text:string-value='TKHIDDENFIELD'/><text:bookmark-ref>TKREFERENCE</text:bookmark-ref>"
    )
    + paragraph(
        "<text:span text:style-name='Veil'>TKVEILED</text:span> <text:variable-get>TKVARIABLE</text:variable-get>"
    )
    + f"<text:section text:display='none'>{paragraph('TKHIDDENSECTION')}</text:section>"
    + paragraph("<draw:control draw:control='f1'/><draw:control draw:control='f2'/>")
    + f"<text:numbered-paragraph>{paragraph('TKNUMBERED')}</text:numbered-paragraph>"
    + paragraph("<draw:frame><draw:object xlink:href='./Chart'/></draw:frame>")
    + paragraph("TKLAST")
)
# Each token with the layer that it belongs to, in reading order.
TOKENS = [
    *[("TKPREAMBLE", "body"), ("TKTOC", "furniture"), ("TKONE", "heading"), ("TKBODY", "body"), ("TKINSERTED", "body")],
    *[("TKTWO", "heading"), ("TKINSECTION", "body"), ("TKAFTERSPACE", "body"), ("TKTHREE", "body")],
    *[("TKTABBED", "body"), ("TKBROKEN", "body"), ("TKITEM", "body"), ("TKINNER", "body"), ("TKLISTHEADER", "body")],
    *[("TKHEADINLIST", "heading"), ("TKWIDE", "body"), ("TKCELL", "body"), ("TKCELLTWO", "body"), ("TKNESTED", "body")],
    *[("TKCELLITEM", "body"), ("TKCELLEND", "body"), ("TKFOOT", "body"), ("TKEND", "body"), ("TKAFTERNOTES", "body")],
    *[("TKFOOTNOTE", "notes"), ("TKENDNOTE", "notes"), ("TKSAID", "body"), ("TKRANGE", "body")],
    *[
        ("TKCOMMENT", "annotation"),
        ("TKALT", "body"),
        ("TKDESCRIPTION", "body"),
        ("TKBOX", "body"),
        ("TKSHAPE", "body"),
    ],
    *[
        ("TKGROUPED", "body"),
        ("TKGROUPTITLE", "body"),
        ("TKSEQUENCE", "body"),
        ("TKCAPTION", "body"),
        ("TKLINK", "body"),
    ],
    *[("TKURL", "body"), ("TKRUBY", "body"), ("TKREADING", "body"), ("TKMATH", "body"), ("TKAFTERMATH", "body")],
    *[("TKSTARMATH", "metadata"), ("TKREFERENCE", "body"), ("TKHIDDENFIELD", "hidden"), ("TKVARIABLE", "body")],
    *[("TKVEILED", "hidden"), ("TKHIDDENSECTION", "hidden"), ("TKCHECK", "body"), ("TKLISTBOX", "body")],
    *[("TKOPTION", "body"), ("TKNUMBERED", "body"), ("TKCHARTTITLE", "body"), ("TKCATEGORY", "body")],
    *[("TKLAST", "body"), ("TKHEADER", "furniture"), ("TKFOOTER", "furniture")],
]
MASTERS = (
    "<style:master-page><style:header><text:p>TKHEADER</text:p></style:header><style:footer><text:p>TKFOOTER</text:p>"
    "</style:footer></style:master-page><style:master-page><style:header><text:p>TKHEADER</text:p></style:header>"
    "</style:master-page>"
)
CHART = (
    f"<office:document-content {NAMES}><office:body><office:chart><chart:chart><chart:title><text:p>TKCHARTTITLE"
    "</text:p></chart:title>"
    f"{table(cell(paragraph('Year')) + cell(paragraph('Sum')), cell(paragraph('TKCATEGORY')) + cell(''))}"
    "</chart:chart></office:chart></office:body></office:document-content>"
)


@pytest.fixture(scope="module")
def everything():
    data = package(
        content(EVERYTHING, styles=HIDE.format("text")),
        styles=styles_part(
            masters=MASTERS,
            common="<style:default-style style:family='paragraph'><style:text-properties fo:language='de' "
            "fo:country='AT'/></style:default-style>",
        ),
        meta=f"<office:document-meta {NAMES}><office:meta><dc:title>TKTITLE</dc:title><meta:initial-creator>Ada"
        "</meta:initial-creator><dc:creator>Bo</dc:creator><dc:date>2024-05-06T07:08:09</dc:date><meta:keyword>one, two"
        "</meta:keyword><meta:user-defined meta:name='Case'>7</meta:user-defined></office:meta></office:document-meta>",
        **{"Object 1__content": MATH, "Chart__content": CHART},
    )
    return read(data)


def places(document) -> dict[str, list[str]]:
    """Each token with the layers that it stands in ("heading" where it is first a title)."""
    found: dict[str, list[str]] = {}
    seen: set[tuple[str, ...]] = set()
    for section in document.sections:
        for depth in range(1, len(section.heading) + 1):
            if (path := section.heading[:depth]) not in seen:
                seen.add(path)
                for token in re.findall("TK[A-Z]+", path[-1]):
                    found.setdefault(token, []).append("heading")
        for token in re.findall("TK[A-Z]+", section.text):
            found.setdefault(token, []).append(section.layer)
    return found


def test_every_part_of_a_text_comes_out_once_in_its_layer_and_in_order(everything):
    assert list(places(everything).items()) == [(token, [layer]) for token, layer in TOKENS]


def test_text_stands_under_its_heading(everything):
    under = {token: s.heading for s in everything.sections for token in re.findall("TK[A-Z]+", s.text)}
    assert under["TKPREAMBLE"] == ()
    assert under["TKBODY"] == ("TKONE",)
    assert under["TKINSECTION"] == ("TKONE", "TKTWO")
    assert under["TKLAST"] == under["TKFOOTNOTE"] == ("TKHEADINLIST",)
    assert under["TKHEADER"] == ()


def test_kinds_tell_what_text_is(everything):
    kinds = {token: s.kind for s in everything.sections for token in re.findall("TK[A-Z]+", s.text)}
    expected = {
        "TKTOC": "toc",
        "TKITEM": "list",
        "TKWIDE": "table",
        "TKFOOTNOTE": "footnote",
        "TKENDNOTE": "endnote",
        "TKCOMMENT": "comment",
        "TKALT": "alt",
        "TKCHECK": "form",
        "TKCAPTION": "caption",
        "TKHEADER": "header",
        "TKCATEGORY": "table",
    }
    assert {token: kinds[token] for token in expected} == expected


def test_deleted_text_and_templates_are_left_out(everything):
    assert "TKDELETED" not in str(everything)
    assert "TKTEMPLATE" not in str(everything)


def test_hidden_text_is_reported(everything):
    assert [problem.code for problem in everything.problems] == ["hidden_text"]
    assert everything.state == "read"


def test_text_is_readable_markdown(everything):
    whole = "\n".join(texts(everything))
    for piece in (
        "TKAFTERSPACE   TKTHREE\tTKTABBED\nTKBROKEN",
        "- TKITEM\n  - TKINNER\n  TKLISTHEADER",
        "| TKWIDE |  |\n| --- | --- |\n| TKCELL / TKCELLTWO | TKNESTED |\n| - TKCELLITEM | TKCELLEND |",
        "TKFOOT[^1] TKEND[^i] TKAFTERNOTES",
        "[^1]: TKFOOTNOTE",
        "Ada, 2024-01-02: TKCOMMENT",
        "TKALT: TKDESCRIPTION",
        "[TKLINK](https://example.org/TKURL) TKRUBY(TKREADING)",
        "So $\\frac{a}{\\mathrm{TKMATH}}$ TKAFTERMATH",
        "☒ TKCHECK",
        "TKLISTBOX\n- ☒ TKOPTION",
    ):
        assert piece in whole


def test_places_are_counted_in_paragraphs(everything):
    where = {s.text.split()[0]: s.locator for s in everything.sections if s.text}
    assert where["TKPREAMBLE"] == Locator.paragraph(1)
    assert all(s.locator.unit == "paragraph" for s in everything.sections if s.layer in ("body", "notes"))


def test_metadata_is_reported(everything):
    metadata = everything.metadata
    assert (metadata.title, metadata.authors, metadata.modified) == ("TKTITLE", ("Ada",), "2024-05-06T07:08:09")
    assert (metadata.tags, metadata.language) == (("one", "two"), "de-AT")
    assert metadata.extra == {"last_modified_by": "Bo", "properties": {"Case": "7"}}


def test_the_title_of_a_document_without_metadata_is_its_paragraph_of_that_style():
    document = read_text(paragraph("A title", "Title") + heading("Scope") + paragraph("Text"))
    assert document.metadata.title == "A title"
    assert [section.heading for section in document.sections] == [(), ("Scope",)]


def test_a_flat_file_reads_like_a_zipped_one(everything):
    flat = (
        f'<?xml version="1.0"?><office:document {NAMES} office:mimetype="{TEXT}"><office:automatic-styles>'
        f"{HIDE.format('text')}</office:automatic-styles><office:master-styles>{MASTERS}</office:master-styles>"
        f"<office:body><office:text>{EVERYTHING}</office:text></office:body></office:document>"
    )
    inline = MATH.replace("<math", "<draw:object><math").replace("</math>", "</math></draw:object>")
    flat = flat.replace("<draw:object xlink:href='./Object%201'/>", inline)
    chart = CHART.replace("document-content", "document")
    flat = flat.replace("<draw:object xlink:href='./Chart'/>", f"<draw:object>{chart}</draw:object>")
    document = read(flat.encode(), "a.fodt")
    assert texts(document) == texts(everything)
    assert [section.heading for section in document.sections] == [section.heading for section in everything.sections]


# Headings

OUTLINE = (
    "<text:outline-style style:name='Outline'><text:outline-level-style text:level='1' style:num-format='A' "
    "style:num-prefix='Part ' style:num-suffix=':' text:start-value='3'/><text:outline-level-style text:level='2' "
    "style:num-format='1' text:display-levels='2'/><text:outline-level-style text:level='3' style:num-format=''/>"
    "</text:outline-style>"
)


def headings(document) -> list[tuple[str, ...]]:
    return [section.heading for section in document.sections]


def test_headings_carry_numbers_that_name_what_they_count():
    body = heading("One") + heading("Two", 2) + heading("Two b", 2) + heading("Three", 3) + heading("Four")
    body += '<text:h text:outline-level="2" text:restart-numbering="true" text:start-value="7">Five</text:h>'
    body += '<text:h text:outline-level="2" text:is-list-header="true">Six</text:h>'
    assert [path[-1] for path in headings(read_text(body, common=OUTLINE))] == [
        *("Part C: One", "C.1 Two", "C.2 Two b", "Three", "Part D: Four", "D.7 Five", "Six")
    ]


def test_bare_numbers_of_headings_open_the_text():
    body = heading("One") + paragraph("Text") + heading("Two", 2) + heading("Two b", 2) + paragraph("More")
    document = read_text(body, common=OUTLINE.replace("Part ", "").replace("':'", "'.'"))
    assert [(section.heading[-1], section.text) for section in document.sections] == [
        *(("One", "C.\n\nText"), ("Two", "C.1"), ("Two b", "C.2\n\nMore"))
    ]


def test_headings_in_lists_keep_their_numbers_by_the_same_rule():
    both = number_style("Clauses", l1='style:num-format="1" style:num-prefix="Clause "')
    both += number_style("Plain", l1='style:num-format="1" style:num-suffix="."')
    body = numbered(items(heading("One")), 'text:style-name="Clauses"').replace('text:style-name="L"', "", 1)
    body += numbered(items(heading("Two")), 'text:style-name="Plain"').replace('text:style-name="L"', "", 1)
    document = read_text(body, styles=both)
    assert [(section.heading, section.text) for section in document.sections] == [
        (("Clause 1 One",), ""),
        (("Two",), "1."),
    ]


def test_a_heading_whose_style_turns_numbers_off_has_none():
    style = '<style:style style:name="Bare" style:family="paragraph" style:list-style-name=""/>'
    assert headings(read_text(heading("One", style="Bare"), common=OUTLINE + style)) == [("One",)]


def test_paragraphs_in_heading_styles_are_headings():
    common = (
        '<style:style style:name="Heading_20_2" style:display-name="Heading 2" style:family="paragraph"/>'
        '<style:style style:name="Own" style:family="paragraph" style:default-outline-level="1"/>'
    )
    automatic = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Heading_20_2"/>'
    body = paragraph("One", "Own") + paragraph("Two", "P1") + paragraph("Text")
    document = read(package(content(body, styles=automatic), styles=styles_part(common)))
    assert headings(document) == [("One",), ("One", "Two")]
    assert document.sections[-1].level == 2


def test_headings_keep_neither_targets_nor_note_marks():
    note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Note</text:p></text:note-body>"
    body = heading(f"<text:a xlink:href='http://x.example'>A link</text:a>{note}</text:note>") + paragraph("Text")
    document = read_text(body)
    assert [(s.heading, s.text) for s in document.sections] == [(("A link",), "[^1]: Note"), (("A link",), "Text")]


def test_empty_headings_are_ignored_and_endless_ones_are_text():
    document = read_text(heading(" ") + heading("word " * 200) + paragraph("Text"))
    assert headings(document) == [()]


def test_a_box_with_headings_comes_at_the_end_of_its_section_and_below_it():
    box = f"<draw:frame><draw:text-box>{heading('Tip')}{paragraph('Look')}</draw:text-box></draw:frame>"
    body = heading("One") + heading("Two", 2) + paragraph(f"Before{box}") + paragraph("Behind") + heading("Three", 2)
    assert [(s.heading, s.text) for s in read_text(body).sections] == [
        (("One",), ""),
        (("One", "Two"), "Before\n\nBehind"),
        (("One", "Two", "Tip"), "Look"),
        (("One", "Three"), ""),
    ]


# Lists


def number_style(name: str, **levels: str) -> str:
    return (
        f'<text:list-style style:name="{name}">'
        + "".join(
            f'<text:list-level-style-number text:level="{level[1:]}" {attributes}/>'
            for level, attributes in levels.items()
        )
        + "</text:list-style>"
    )


def numbered(contents: str, attributes: str = "") -> str:
    return f'<text:list text:style-name="L" {attributes}>{contents}</text:list>'


@pytest.mark.parametrize(
    ("attributes", "label"),
    [
        ('style:num-format="1" style:num-suffix="."', "1."),
        ('style:num-format="a" style:num-suffix=")"', "a)"),
        ('style:num-format="A" style:num-prefix="(" style:num-suffix=")" text:start-value="28"', "(AB)"),
        ('style:num-format="a" style:num-letter-sync="true" text:start-value="28"', "bb"),
        ('style:num-format="i" text:start-value="14"', "xiv"),
        ('style:num-format="I" text:start-value="0"', "0"),
        ('style:num-format="①" text:start-value="3"', "③"),
        ('style:num-format="一, 二, 三, ..." text:start-value="12"', "十二"),
        ('style:num-format="1" text:start-value="99999999999999999999"', "1000000000"),
        ('style:num-format="1" loext:num-list-format="§%1%"', "§1"),
        ('style:num-format=""', "-"),
    ],
)
def test_items_have_their_labels(attributes, label):
    document = read_text(numbered(items(paragraph("Item"))), styles=number_style("L", l1=attributes))
    assert only(document) == f"{label} Item"


def test_numbers_run_through_nested_and_continued_lists():
    styles = number_style(
        "L", l1='style:num-format="1" style:num-suffix="."', l2='style:num-format="1" text:display-levels="2"'
    )
    inner = f"<text:list>{items(paragraph('b'), paragraph('c') + paragraph('more'))}</text:list>"
    body = numbered(items(paragraph("a") + inner, paragraph("d"))) + paragraph("Between")
    body += numbered(items(paragraph("e")), 'text:continue-numbering="true"')
    body += numbered('<text:list-item text:start-value="9"><text:p>f</text:p></text:list-item>', 'xml:id="x"')
    body += numbered(items(paragraph("g")), 'text:continue-list="x"') + numbered(items(paragraph("h")))
    assert texts(read_text(body, styles=styles)) == [
        "1. a\n  1.1 b\n  1.2 c\n    more\n2. d",
        "Between",
        "3. e\n9. f\n10. g\n1. h",
    ]


def test_an_item_that_only_holds_a_list_has_no_label_of_its_own():
    document = read_text(numbered(items(f"<text:list>{items(paragraph('deep'))}</text:list>", paragraph("next"))))
    assert only(document) == "  - deep\n- next"


def test_bullets_that_say_something_are_kept():
    style = '<text:list-style style:name="L"><text:list-level-style-bullet text:level="1" text:bullet-char="☑"/>'
    assert only(read_text(numbered(items(paragraph("done"))), styles=f"{style}</text:list-style>")) == "- ☑ done"


def test_a_number_that_the_file_spells_out_wins():
    body = (
        "<text:list><text:list-item><text:number>7bis</text:number><text:p>Item</text:p></text:list-item></text:list>"
    )
    assert only(read_text(body)) == "7bis Item"


# Paragraphs


def test_program_text_is_fenced_and_quotes_are_marked():
    lines = ("def f():", "<text:s text:c='4'/>return 1", "", "# ```")
    body = "".join(paragraph(line, "Preformatted_20_Text") for line in lines) + paragraph("Said", "Quotations")
    document = read_text(body)
    assert [(s.kind, s.text) for s in document.sections] == [
        ("code", "````\ndef f():\n    return 1\n\n# ```\n````"),
        ("quote", "> Said"),
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a <text:a xlink:href='u:x'>link</text:a>.", "a [link](u:x)."),
        ("half<text:a xlink:href='u:x'>word</text:a>s", "[halfwords](u:x)"),
        ("<text:a xlink:href='u:x'>wo</text:a><text:a xlink:href='u:x'>rd</text:a>", "[word](u:x)"),
        ("漢字<text:a xlink:href='u:x'>漢字</text:a>漢字", "漢字[漢字](u:x)漢字"),
        ("<text:a xlink:href='#here'>inner</text:a>", "inner"),
        ("<text:a xlink:href='http://a.example'>http://a.example</text:a>", "http://a.example"),
        ("x<text:a xlink:href='u:x'> </text:a>y", "x y"),
        ("x <draw:a xlink:href='u:x'><draw:frame><draw:image/></draw:frame></draw:a>", "x <u:x>"),
        ("see <draw:frame><draw:image/><svg:desc>icon</svg:desc></draw:frame> here", "see ![icon] here"),
        ("a\n   b\t c", "a b c"),
        ("soft\u00adhyphen", "softhyphen"),
        ("a<text:s text:c='3000000000'/>b", f"a{' ' * 64}b"),
        ("a<text:s text:c='many'/>b", "a b"),
        ("<text:hidden-text text:is-hidden='false' text:string-value='shown'/>", "shown"),
        ("<text:unknown>kept</text:unknown>", "kept"),
        ("x<text:note><text:note-body><text:p>n</text:p></text:note-body></text:note>", "x[^1]"),
    ],
)
def test_parts_of_paragraphs(markup, text):
    assert texts(read_text(paragraph(markup)))[0] == text


def test_notes_of_the_same_number_are_told_apart():
    note = "<text:note><text:note-citation>*</text:note-citation><text:note-body><text:p>n</text:p></text:note-body>"
    document = read_text(paragraph(f"a{note}</text:note>b{note}</text:note>"))
    assert texts(document) == ["a[^*]b[^*-2]", "[^*]: n\n\n[^*-2]: n"]


def test_a_formula_alone_is_math_and_one_without_marks_shows_its_source():
    bare = '<math xmlns="http://www.w3.org/1998/Math/MathML"><annotation>a over b</annotation></math>'
    body = "".join(paragraph(f"<draw:frame><draw:object>{math}</draw:object></draw:frame>") for math in (MATH, bare))
    document = read_text(body)
    assert [(s.kind, s.layer, s.text) for s in document.sections] == [
        ("math", "body", "$\\frac{a}{\\mathrm{TKMATH}}$"),
        ("math", "metadata", "{a} over {TKSTARMATH}"),
        ("math", "body", "$a over b$"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        paragraph("secret", "Veil"),
        paragraph("secret", "Tiny"),
        paragraph("<text:hidden-paragraph text:is-hidden='true'/>secret"),
        f"<text:section text:display='condition' text:is-hidden='true'>{heading('secret')}</text:section>",
        paragraph("<text:variable-set text:display='none'>secret</text:variable-set>"),
        table(f"{cell('')}<table:covered-table-cell><text:p>secret</text:p></table:covered-table-cell>"),
    ],
)
def test_hidden_text_is_on_the_hidden_layer_alone(body):
    document = read_text(body + paragraph("shown"), styles=HIDE.format("paragraph") + TINY)
    assert [(s.layer, s.text) for s in document.sections] == [("hidden", "secret"), ("body", "shown")]
    assert [problem.code for problem in document.problems] == ["hidden_text"]


# Tables


def test_merged_cells_show_where_they_reach():
    body = table(
        cell(paragraph("a"), "table:number-rows-spanned='2' table:number-columns-spanned='2'")
        + "<table:covered-table-cell/>"
        + cell(paragraph("b")),
        "<table:covered-table-cell table:number-columns-repeated='2'/>" + cell(paragraph("c")),
        cell(paragraph("d")) + cell(paragraph("e")) + cell(paragraph("f | g")),
    )
    assert only(read_text(body)) == "| a |  | b |\n| --- | --- | --- |\n| ^^ | ^^ | c |\n| d | e | f \\| g |"


def test_notes_and_comments_in_cells_follow_the_table():
    note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body>"
    document = read_text(table(cell(paragraph(f"a{note}</text:note>")) + cell(paragraph("b"))))
    assert texts(document) == ["| a[^1] | b |\n| --- | --- |", "[^1]: n"]


def test_a_table_of_one_cell_is_but_a_frame():
    assert headings(read_text(table(cell(heading("Inside") + paragraph("Text"))))) == [("Inside",)]


def test_repeated_cells_are_bounded_and_empty_ones_cost_nothing():
    huge = "table:number-rows-repeated='1048576'"
    wide = "table:number-columns-repeated='1000000000'"
    body = f"<table:table><table:table-row {huge}>{cell(paragraph('x'), wide)}</table:table-row></table:table>"
    body += f"<table:table><table:table-row {huge}>{cell('', wide)}</table:table-row></table:table>"
    inner = f"<table:table><table:table-row {huge}>{{}}</table:table-row></table:table>"
    nested = paragraph("deep")
    for _ in range(30):
        nested = inner.format(cell(nested, wide))
    document = read_text(body + nested)
    assert sum(len(text) for text in texts(document)) < 3_000_000
    assert texts(document)[0].count("x") == 64 * 64


# Presentations


def frame(role: str, text: str, place: str = "") -> str:
    return (
        f'<draw:frame presentation:class="{role}" {place}><draw:text-box>{text}</draw:text-box></draw:frame>'
        if role
        else f"<draw:frame {place}><draw:text-box>{text}</draw:text-box></draw:frame>"
    )


DECK = (
    "<presentation:footer-decl presentation:name='f'>TKFOOTERDECL</presentation:footer-decl>"
    "<draw:page draw:name='page1'>"
    + frame("outline", f"<text:list>{items(paragraph('TKBULLET'))}</text:list>", "svg:y='5cm'")
    + frame("title", paragraph("TKSLIDE") + paragraph("TITLE"), "svg:y='1cm'")
    + "<draw:g><draw:custom-shape svg:x='9cm' svg:y='12cm'><text:p>TKRIGHT</text:p></draw:custom-shape></draw:g>"
    "<draw:custom-shape svg:x='10mm' svg:y='12.3cm'><text:p>TKLEFT</text:p></draw:custom-shape>"
    f"<draw:frame svg:y='7in'>{table(cell(paragraph('TKCELL')) + cell(paragraph('TKCELLTWO')))}</draw:frame>"
    "<draw:frame draw:transform='rotate (1) translate (1cm 20cm)'><draw:image/><svg:desc>TKALT</svg:desc></draw:frame>"
    + frame("page-number", paragraph("TKNUMBER"))
    + "<office:annotation><dc:creator>Bo</dc:creator><text:p>TKCOMMENT</text:p></office:annotation>"
    "<presentation:notes><draw:page-thumbnail presentation:class='page'/>"
    + frame("notes", paragraph("TKNOTES"))
    + frame("page-number", paragraph("TKNOTENUMBER"))
    + "</presentation:notes></draw:page>"
    f"<draw:page draw:name='TKPAGENAME' draw:style-name='dp2'>{frame('', paragraph('TKHIDDENSLIDE'))}</draw:page>"
    f"<draw:page draw:name='page3'>{frame('', paragraph('TKLEAD'))}"
    + frame("", paragraph("TKREST"), "svg:y='3cm'")
    + "</draw:page><draw:page draw:name='Folie 4'><draw:rect><text:p>TKDRAWN</text:p></draw:rect></draw:page>"
)
DECK_STYLES = (
    "<style:style style:name='dp2' style:family='drawing-page'><style:drawing-page-properties "
    "presentation:visibility='hidden'/></style:style>"
)
DECK_MASTERS = (
    "<style:master-page>"
    + frame("title", paragraph("TKPROMPT"))
    + frame("footer", paragraph("TKMASTERFOOTER"))
    + frame("page-number", paragraph("TKCOUNTER"))
    + "<draw:rect><text:p>TKMOTTO</text:p></draw:rect>"
    f"<presentation:notes>{frame('notes', paragraph('TKNOTESPROMPT'))}</presentation:notes></style:master-page>"
)


@pytest.fixture(scope="module")
def deck():
    main = content(DECK, root="presentation", styles=DECK_STYLES)
    return read(package(main, mimetype=SLIDES, styles=styles_part(masters=DECK_MASTERS)), "a.odp")


def test_slides_are_sections_in_reading_order(deck):
    assert [(s.heading, s.kind, s.layer, s.text, str(s.locator)) for s in deck.sections] == [
        (("TKSLIDE TITLE",), "list", "body", "- TKBULLET", "slide 1"),
        (("TKSLIDE TITLE",), "prose", "body", "TKLEFT\n\nTKRIGHT", "slide 1"),
        (("TKSLIDE TITLE",), "table", "body", "| TKCELL | TKCELLTWO |\n| --- | --- |", "slide 1"),
        (("TKSLIDE TITLE",), "alt", "body", "TKALT", "slide 1"),
        (("TKSLIDE TITLE",), "comment", "annotation", "Bo: TKCOMMENT", "slide 1"),
        (("TKSLIDE TITLE",), "note", "notes", "TKNOTES", "slide 1"),
        (("TKPAGENAME",), "prose", "body", "TKHIDDENSLIDE", "slide 2"),
        (("TKLEAD",), "prose", "body", "TKREST", "slide 3"),
        (("Slide 4",), "prose", "body", "TKDRAWN", "slide 4"),
        ((), "header", "furniture", "TKFOOTERDECL", "whole document"),
        ((), "header", "furniture", "TKMASTERFOOTER\n\nTKMOTTO", "whole document"),
    ]


def test_hidden_slides_are_named(deck):
    assert deck.metadata.extra["hidden_slides"] == [2]
    assert deck.state == "read"


# Other files of the family


@pytest.mark.parametrize(
    ("mimetype", "extension"),
    [
        (TEXT, "odt"),
        (f"{TEXT}-template", "ott"),
        (f"{TEXT}-master", "odm"),
        (SLIDES, "odp"),
        (f"{SLIDES}-template", "otp"),
        ("application/vnd.oasis.opendocument.graphics", "odg"),
    ],
)
def test_a_wrong_extension_is_seen_through(mimetype, extension):
    document = read(package(content(paragraph("Text")), mimetype=mimetype), "a.docx")
    assert (document.format, document.handler, document.state) == (extension, "opendocument", "read")
    assert [problem.code for problem in document.problems] == ["wrong_extension"]


@pytest.mark.parametrize("kind", ["text", "presentation"])
def test_a_flat_file_is_recognised(kind):
    flat = f'<?xml version="1.0"?>\n<office:document {NAMES} office:mimetype="{OASIS}"><office:body/></office:document>'
    flat = flat.replace(f'mimetype="{OASIS}"', f'mimetype="application/vnd.oasis.opendocument.{kind}"')
    assert read(flat.encode(), "a.txt").handler == "opendocument"


def test_the_parts_of_a_master_document_are_named_and_not_opened():
    body = "<text:section text:name='One'><text:section-source xlink:href='../one.odt'/></text:section>"
    assert only(read(package(content(body), mimetype=f"{TEXT}-master"), "a.odm")) == "[One](../one.odt)"


def test_a_drawing_is_read_page_by_page():
    body = f"<draw:page draw:name='Plan'>{frame('', paragraph('Text'))}</draw:page>"
    data = package(content(body, root="drawing"), mimetype="application/vnd.oasis.opendocument.graphics")
    assert [(s.heading, s.text) for s in read(data, "a.odg").sections] == [(("Plan",), "Text")]


# Damage and malice


def codes(document) -> list[str]:
    return [problem.code for problem in document.problems]


def test_a_password_is_named():
    document = read(package(b"\x00" * 99, manifest="<manifest:encryption-data/>"))
    assert (document.state, codes(document)) == ("unreadable", ["password_protected"])


def test_entities_of_the_document_are_read_and_those_of_other_files_are_not(tmp_path, capfd):
    (tmp_path / "secret").write_text("TKSECRET")
    dtd = f'<!DOCTYPE x [<!ENTITY in "inside"><!ENTITY out SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    document = read(package(content(paragraph("a &in; b &out; c"), dtd=dtd)))
    assert "a inside b" in only(document)
    assert "TKSECRET" not in str(document)
    assert capfd.readouterr() == ("", "")


def test_entities_that_multiply_do_no_harm():
    entities = "".join('<!ENTITY e{} "{}">'.format(n, f"&e{n - 1};" * 10 if n else "ha") for n in range(12))
    document = read(package(content(paragraph("first") + paragraph("&e11;"), dtd=f"<!DOCTYPE x [{entities}]>")))
    assert texts(document)[0].startswith("first")


def test_a_missing_object_leaves_the_rest():
    document = read(package(content(paragraph("a <draw:frame><draw:object xlink:href='./Gone'/></draw:frame> b"))))
    assert (document.state, codes(document), only(document)) == ("partial", ["missing_part"], "a b")


def test_objects_outside_the_file_are_left_alone():
    links = ("../x", "/etc", "file:///etc", "http://x.example/")
    body = "".join(f"<draw:frame><draw:object xlink:href='{link}'/></draw:frame>" for link in links)
    document = read(package(content(paragraph(f"a{body}"))))
    assert (document.state, only(document)) == ("read", "a")


def test_objects_that_hold_each_other_end():
    loop = content(paragraph("in <draw:frame><draw:object xlink:href='Loop'/></draw:frame>"))
    document = read(package(loop, Loop__content=loop))
    assert only(document).count("in") == 4
    assert codes(document) == ["too_deep"]


def test_deep_nesting_is_borne():
    body = "<text:list><text:list-item>" * 600 + paragraph("deep") + "</text:list-item></text:list>" * 600
    assert only(read(package(content(body)))).strip() == "- deep"
    spans = read(package(content(paragraph("start" + "<text:span>" * 9000 + "x" + "</text:span>" * 9000))))
    assert "partial" in codes(spans)


def test_text_where_none_is_allowed_is_kept():
    body = f"<text:list>stray<text:p>para</text:p></text:list>end<table:table>loose{paragraph('cell')}</table:table>"
    assert "".join(texts(read(package(content(body + "<table:table-cell><text:p>last</text:p></table:table-cell>")))))
    whole = " ".join(texts(read(package(content(body)))))
    assert [word in whole for word in ("stray", "para", "end", "loose", "cell")] == [True] * 5


def test_style_circles_end():
    circle = "".join(
        f'<style:style style:name="{a}" style:family="paragraph" style:parent-style-name="{b}"/>'
        for a, b in ("AB", "BA")
    )
    assert only(read_text(paragraph("text", "A"), styles=circle)) == "text"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"plain words", b"<html><p>x</p></html>", bytes(range(256)) * 9])
def test_what_is_no_document_is_unreadable(data):
    assert read(data).state in ("unreadable", "read")
    assert read(data, "a.fodp").state in ("unreadable", "read")


def test_a_package_without_content_is_unreadable():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", TEXT)
    document = read(buffer.getvalue())
    assert document.state == "unreadable"
    assert "missing_part" in codes(document)


WHOLE = content(EVERYTHING).encode()
ZIPPED = package(WHOLE, **{"Object 1__content": MATH})


@settings(deadline=None, max_examples=40)
@given(st.integers(0, len(WHOLE)), st.binary(max_size=12))
def test_damaged_xml_keeps_what_comes_before(at, noise):
    document = read(package(WHOLE[:at] + noise))
    assert "handler_failed" not in codes(document)
    if at > WHOLE.index(b"TKBODY") + 200:
        assert any("TKBODY" in text for text in texts(document))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, len(ZIPPED) - 1), st.binary(min_size=1, max_size=8))
def test_damaged_packages_never_raise(at, noise):
    assert "handler_failed" not in codes(read(ZIPPED[:at] + noise + ZIPPED[at + len(noise) :]))
    assert "handler_failed" not in codes(read(ZIPPED[:at]))


# odfpy as the second reader


@pytest.fixture
def made_by_odfpy():
    from odf import dc, office, style, table, text
    from odf.opendocument import OpenDocumentText

    document = OpenDocumentText()
    document.meta.addElement(dc.Title(text="A report"))
    body = document.text
    for level, title in ((1, "Scope"), (2, "Terms"), (1, "Method")):
        body.addElement(text.H(outlinelevel=level, text=title))
        spaced = text.P(text=f"About {title}")
        spaced.addElement(text.S(c=2))
        spaced.addElement(text.Span(text="and more"))
        spaced.addElement(text.Tab())
        spaced.addText("behind")
        body.addElement(spaced)
    listing = text.List()
    for word in ("first", "second"):
        item = text.ListItem()
        item.addElement(text.P(text=word))
        listing.addElement(item)
    body.addElement(listing)
    grid = table.Table()
    for row in (("Name", "Value"), ("pi", "3.14")):
        line = table.TableRow()
        for value in row:
            box = table.TableCell()
            box.addElement(text.P(text=value))
            line.addElement(box)
        grid.addElement(line)
    body.addElement(grid)
    note = text.Note(noteclass="footnote")
    note.addElement(text.NoteCitation(text="1"))
    inside = text.NoteBody()
    inside.addElement(text.P(text="a remark"))
    note.addElement(inside)
    noted = text.P(text="Noted")
    noted.addElement(note)
    comment = office.Annotation()
    comment.addElement(dc.Creator(text="Ada"))
    comment.addElement(text.P(text="really"))
    noted.addElement(comment)
    body.addElement(noted)
    page = style.MasterPage(name="Standard", pagelayoutname="L")
    header = style.Header()
    header.addElement(text.P(text="Running head"))
    page.addElement(header)
    document.masterstyles.addElement(page)
    buffer = io.BytesIO()
    document.write(buffer)
    return buffer.getvalue()


def test_every_word_that_odfpy_reads_is_read(made_by_odfpy):
    from odf import teletype
    from odf.opendocument import load
    from odf.text import H, P

    loaded = load(io.BytesIO(made_by_odfpy))
    known = [teletype.extractText(each) for kind in (H, P) for each in loaded.getElementsByType(kind)]
    document = read(made_by_odfpy)
    ours = " ".join(" ".join(section.heading) + " " + section.text for section in document.sections)
    assert len(known) == 16
    for found in known:
        for word in re.findall(r"[\w.]+", found.replace("Noted1a remarkAdareally", "Noted a remark Ada really")):
            assert word in ours


def test_a_file_of_odfpy_has_its_outline(made_by_odfpy):
    document = read(made_by_odfpy)
    assert document.metadata.title == "A report"
    assert [s.heading for s in document.sections][:3] == [("Scope",), ("Scope", "Terms"), ("Method",)]
    assert document.sections[-1].text == "Running head"
