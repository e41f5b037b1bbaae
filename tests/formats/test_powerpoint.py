"""What the PowerPoint handler must bring out of a deck, and what it must leave out."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins
from gatherum_formats.shared.drawing import chart_text, diagram_text

NS = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
        "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
        "p188": "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    }.items()
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
POWERPOINT = "application/vnd.ms-powerpoint."
OPEN = "application/vnd.openxmlformats-officedocument.presentationml."
MAIN_TYPES = {
    "pptx": OPEN + "presentation.main+xml",
    "pptm": POWERPOINT + "presentation.macroEnabled.main+xml",
    "potx": OPEN + "template.main+xml",
    "potm": POWERPOINT + "template.macroEnabled.main+xml",
    "ppsx": OPEN + "slideshow.main+xml",
    "ppsm": POWERPOINT + "slideshow.macroEnabled.main+xml",
}
TITLE, BODY, TITLE_ONLY, BLANK = 0, 1, 5, 6


@pytest.fixture(scope="module")
def registry():
    return Registry(load_plugins())


def saved(deck):
    target = io.BytesIO()
    deck.save(target)
    return target.getvalue()


def patched(data, changes=(), *, add=(), drop=()):
    """Return a package with parts changed by functions of their bytes, added, or left out."""
    source, target = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            if name not in drop:
                change = dict(changes).get(name, lambda content: content)
                archive.writestr(name, change(source.read(name)))
        for name, content in dict(add).items():
            archive.writestr(name, content)
    return target.getvalue()


def related(*edges):
    """Return a change that adds (id, type, target) relationships to a .rels part."""
    lines = "".join(f'<Relationship Id="{i}" Type="{kind}" Target="{target}"/>' for i, kind, target in edges)
    return lambda content: content.replace(b"</Relationships>", f"{lines}</Relationships>".encode())


def shape(text, *, number=90, attributes="", place=None, inner=""):
    frame = f'<a:xfrm><a:off x="{place[0]}" y="{place[1]}"/><a:ext cx="9" cy="9"/></a:xfrm>' if place else ""
    return parse_xml(
        f'<p:sp {NS}><p:nvSpPr><p:cNvPr id="{number}" name="x" {attributes}/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        f"<p:spPr>{frame}</p:spPr><p:txBody><a:bodyPr/>{inner}"
        + (f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" if text else "")
        + "</p:txBody></p:sp>"
    )


def read(registry, data, name="deck.pptx"):
    return registry.read(Source(name, data))


def whole(document):
    return "\n\n".join(" > ".join(section.heading) + "\n" + section.text for section in document.sections)


def texts(document, **wanted):
    return [s.text for s in document.sections if s.text and all(getattr(s, k) == v for k, v in wanted.items())]


DIAGRAM = f"""<dgm:dataModel {NS}><dgm:ptLst><dgm:pt modelId="0" type="doc"/>
{
    "".join(
        f'<dgm:pt modelId="{i}"><dgm:t><a:p><a:r><a:t>{t}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for i, t in enumerate(("DGMCHILD", "DGMSECOND", "DGMFIRST"), 1)
    )
}<dgm:pt modelId="9" type="pres"/></dgm:ptLst><dgm:cxnLst>
<dgm:cxn modelId="10" srcId="0" destId="2" srcOrd="1"/><dgm:cxn modelId="11" srcId="0" destId="3" srcOrd="0"/>
<dgm:cxn modelId="12" srcId="3" destId="1" srcOrd="0"/><dgm:cxn modelId="13" type="presOf" srcId="1" destId="9"/>
</dgm:cxnLst></dgm:dataModel>"""


def full_deck():
    """Return a deck with one unique token for each thing that must be read."""
    deck = Presentation()
    deck.core_properties.title = "COREPROPERTY"
    one = deck.slides.add_slide(deck.slide_layouts[BODY])
    one.shapes.title.text = "TITLEONE"
    frame = one.placeholders[1].text_frame
    frame.text = "BODYONE"
    below = frame.add_paragraph()
    below.text, below.level = "BODYTWO", 1
    one.notes_slide.notes_text_frame.text = "NOTESONE"
    group = one.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "GROUPED"
    inner = group.shapes.add_group_shape()
    inner.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "NESTED"
    table = one.shapes.add_table(2, 3, Inches(1), Inches(4), Inches(3), Inches(1)).table
    table.cell(0, 0).text, table.cell(1, 2).text = "CELLHEAD", "CELLLAST"
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(0, 2).text = "CELLSIDE"
    data = CategoryChartData()
    data.categories = ["CATEGORY", "other"]
    data.add_series("SERIES", (4711, 2))
    chart = one.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, Inches(5), 9, 9, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "CHARTTITLE"
    run = one.shapes.add_textbox(0, 0, 9, 9).text_frame.paragraphs[0].add_run()
    run.text, run.hyperlink.address = "LINKTEXT", "https://example.org/LINKURL"
    tree = one.shapes._spTree
    tree.append(shape("ALTERED", attributes='descr="ALTTEXT"'))
    both = (etree.tostring(shape(text)).decode() for text in ("CHOICE", "FALLBACK"))
    tree.append(
        parse_xml(
            f'<mc:AlternateContent {NS}><mc:Choice Requires="a14">{next(both)}</mc:Choice>'
            f"<mc:Fallback>{next(both)}</mc:Fallback></mc:AlternateContent>"
        )
    )
    formula = "<m:oMath><m:f><m:num><m:r><m:t>MATHA</m:t></m:r></m:num><m:den><m:r><m:t>MATHB</m:t></m:r></m:den></m:f>"
    tree.append(
        shape(
            "",
            inner=f'<a:p><mc:AlternateContent><mc:Choice Requires="a14"><a14:m>{formula}</m:oMath></a14:m></mc:Choice>'
            "<mc:Fallback><a:r><a:t>MATHPICTURE</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p>"
            '<a:p><a:fld id="{1}" type="x"><a:t>FIELD</a:t></a:fld><a:br/><a:r><a:t>AFTERBREAK</a:t></a:r></a:p>',
        )
    )
    for uri, content in (
        ("diagram", '<dgm:relIds r:dm="rDgm" r:lo="rDgm" r:qs="rDgm" r:cs="rDgm"/>'),
        ("ole", '<p:oleObj name="OLENAME" progId="OLE.PROGID" r:id="rOle"><p:embed/></p:oleObj>'),
    ):
        tree.append(
            parse_xml(
                f'<p:graphicFrame {NS}><p:nvGraphicFramePr><p:cNvPr id="70" name="f"/><p:cNvGraphicFramePr/><p:nvPr/>'
                f'</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="9000000"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic>'
                f'<a:graphicData uri="http://example.org/{uri}">{content}</a:graphicData></a:graphic></p:graphicFrame>'
            )
        )
    tree.append(shape("INVISIBLE", attributes='hidden="1"'))
    two = deck.slides.add_slide(deck.slide_layouts[BLANK])
    two.shapes.add_textbox(Inches(1), Inches(5), 9, 9).text_frame.text = "BOTTOM"
    two.shapes.add_textbox(Inches(4), Inches(2), 9, 9).text_frame.text = "RIGHT"
    two.shapes.add_textbox(Inches(1), Inches(2.02), 9, 9).text_frame.text = "LEFT"
    three = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    three.shapes.title.text = "HIDDENSLIDE"
    three._element.set("show", "0")
    four = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    four.shapes.title.text = "SHOWNFIRST"
    order = deck.slides._sldIdLst
    order.insert(0, list(order)[3])
    legacy = (
        f'<p:cmLst {NS}><p:cm authorId="0" dt="2024-01-02T03:04:05"><p:text>COMMENTOLD</p:text></p:cm></p:cmLst>',
        f'<p:cmAuthorLst {NS}><p:cmAuthor id="0" name="AUTHOROLD"/></p:cmAuthorLst>',
    )
    modern = (
        f'<p188:cmLst {NS}><p188:cm id="x" authorId="G" created="2024-05-06T00:00:00"><p188:replyLst>'
        f'<p188:reply authorId="G"><p188:txBody><a:p><a:r><a:t>REPLY</a:t></a:r></a:p></p188:txBody></p188:reply>'
        f"</p188:replyLst><p188:txBody><a:p><a:r><a:t>COMMENTNEW</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>",
        f'<p188:authorLst {NS}><p188:author id="G" name="AUTHORNEW"/></p188:authorLst>',
    )
    return patched(
        saved(deck),
        {
            "ppt/slides/_rels/slide1.xml.rels": related(
                ("rDgm", OFFICE + "diagramData", "../diagrams/data1.xml"),
                ("rOld", OFFICE + "comments", "../comments/comment1.xml"),
                ("rNew", "http://schemas.microsoft.com/office/2018/10/relationships/comments", "../comments/new.xml"),
            ),
            "ppt/_rels/presentation.xml.rels": related(
                ("rA", OFFICE + "commentAuthors", "commentAuthors.xml"),
                ("rB", "http://schemas.microsoft.com/office/2018/10/relationships/authors", "authors.xml"),
            ),
            "ppt/slideMasters/slideMaster1.xml": lambda x: x.replace(b"Click to edit Master title", b"MASTERPROMPT"),
        },
        add={
            "ppt/diagrams/data1.xml": DIAGRAM,
            "ppt/comments/comment1.xml": legacy[0],
            "ppt/commentAuthors.xml": legacy[1],
            "ppt/comments/new.xml": modern[0],
            "ppt/authors.xml": modern[1],
            "ppt/slides/slide99.xml": f"<p:sld {NS}><p:cSld><p:spTree><a:t>ORPHAN</a:t></p:spTree></p:cSld></p:sld>",
        },
    )


@pytest.fixture(scope="module")
def full():
    return full_deck()


@pytest.fixture(scope="module")
def document(registry, full):
    return read(registry, full)


@pytest.mark.parametrize(
    ("token", "layer", "kind"),
    [
        ("BODYONE", "body", "list"),
        ("BODYTWO", "body", "list"),
        ("GROUPED", "body", "prose"),
        ("NESTED", "body", "prose"),
        ("CELLHEAD", "body", "table"),
        ("CELLLAST", "body", "table"),
        ("CHARTTITLE", "body", "caption"),
        ("CATEGORY", "body", "table"),
        ("SERIES", "body", "table"),
        ("4711", "body", "table"),
        ("DGMFIRST", "body", "list"),
        ("LINKTEXT", "body", "prose"),
        ("https://example.org/LINKURL", "body", "prose"),
        ("ALTTEXT", "body", "alt"),
        ("CHOICE", "body", "prose"),
        ("MATHA", "body", "math"),
        ("FIELD", "body", "prose"),
        ("AFTERBREAK", "body", "prose"),
        ("OLENAME", "body", "alt"),
        ("OLE.PROGID", "body", "alt"),
        ("NOTESONE", "notes", "note"),
        ("COMMENTOLD", "annotation", "comment"),
        ("COMMENTNEW", "annotation", "comment"),
        ("REPLY", "annotation", "comment"),
        ("INVISIBLE", "hidden", "prose"),
    ],
)
def test_everything_is_read_once_in_its_layer_under_its_slide(document, token, layer, kind):
    (section,) = (s for s in document.sections if token in s.text)
    assert (section.layer, section.kind, section.heading, section.locator) == (
        layer,
        kind,
        ("TITLEONE",),
        Locator.slide(2),
    )
    assert whole(document).count(token) == 1


@pytest.mark.parametrize("token", ["FALLBACK", "MATHPICTURE", "MASTERPROMPT", "ORPHAN", "Click to"])
def test_what_no_reader_sees_is_left_out(document, token):
    assert token not in whole(document)


def test_slides_come_in_the_order_of_the_list_with_their_numbers(document):
    assert [(s.heading, s.locator.start) for s in document.sections if s.heading != ("TITLEONE",)] == [
        (("SHOWNFIRST",), 1),
        (("LEFT",), 3),
        (("HIDDENSLIDE",), 4),
    ]


def test_shapes_are_read_from_the_top_and_in_a_row_from_the_left(document):
    assert texts(document, heading=("LEFT",)) == ["RIGHT\n\nBOTTOM"]


def test_body_levels_are_a_nested_list(document):
    assert "- BODYONE\n  - BODYTWO" in whole(document)


def test_diagrams_follow_the_order_of_their_connections(document):
    assert "- DGMFIRST\n  - DGMCHILD\n- DGMSECOND" in whole(document)


def test_merged_cells_say_their_text_once(document):
    assert "| CELLHEAD |  | CELLSIDE |" in whole(document)


def test_comments_name_their_author_and_day(document):
    assert texts(document, kind="comment") == [
        "AUTHOROLD, 2024-01-02: COMMENTOLD\n\nAUTHORNEW, 2024-05-06: COMMENTNEW\n\nAUTHORNEW: REPLY"
    ]


def test_formulas_are_tex(document):
    assert texts(document, kind="math") == [r"$\frac{MATHA}{MATHB}$"]


def test_hidden_text_is_reported_and_hidden_slides_are_named(document):
    assert document.state == "read"
    assert [problem.code for problem in document.problems] == ["hidden_text"]
    assert document.metadata.extra["hidden_slides"] == [4]
    assert document.metadata.title == "COREPROPERTY"


@pytest.mark.parametrize("extension", MAIN_TYPES)
def test_every_extension_reads_the_same(registry, full, document, extension):
    main = MAIN_TYPES[extension].encode()
    data = patched(full, {"[Content_Types].xml": lambda x: x.replace(MAIN_TYPES["pptx"].encode(), main)})
    other = read(registry, data, f"deck.{extension}")
    assert (other.state, other.sections) == ("read", document.sections)


def test_a_deck_under_another_name_is_recognised(registry, full, document):
    other = read(registry, full, "deck.docx")
    assert (other.format, other.sections) == ("pptx", document.sections)
    assert {problem.code for problem in other.problems} == {"wrong_extension", "hidden_text"}


def test_strict_files_read_the_same(registry, full, document):
    pairs = [
        (b"http://schemas.openxmlformats.org/officeDocument/2006/", b"http://purl.oclc.org/ooxml/officeDocument/"),
        (
            b"http://schemas.openxmlformats.org/presentationml/2006/main",
            b"http://purl.oclc.org/ooxml/presentationml/main",
        ),
        (b"http://schemas.openxmlformats.org/drawingml/2006/", b"http://purl.oclc.org/ooxml/drawingml/"),
    ]

    def strict(content):
        for transitional, namespace in pairs:
            content = content.replace(transitional, namespace)
        return content

    names = zipfile.ZipFile(io.BytesIO(full)).namelist()
    data = patched(full, {name: strict for name in names if name.endswith((".xml", ".rels"))})
    assert read(registry, data).sections == document.sections


def test_relationships_to_nowhere_do_no_harm(registry, full, document):
    data = patched(full, {"ppt/slides/_rels/slide1.xml.rels": related(("rNull", OFFICE + "image", "NULL"))})
    other = read(registry, data)
    assert (other.state, other.sections) == ("read", document.sections)


def test_missing_parts_cost_no_more_than_themselves(registry, full):
    gone = ("ppt/diagrams/data1.xml", "ppt/slides/slide2.xml", "ppt/comments/new.xml")
    document = read(registry, patched(full, drop=gone))
    assert document.state == "partial"
    assert {p.code for p in document.problems} == {"missing_part", "hidden_text"}
    assert [s.heading for s in document.sections if s.locator.start == 3] == [("Slide 3",)]
    assert "COMMENTOLD" in whole(document)
    assert "DGMFIRST" not in whole(document)


@pytest.mark.parametrize("broken", [b"", b"<p:presentation", b"\xff\xfe\x00 no xml"])
def test_slides_are_found_when_their_list_is_lost(registry, full, broken):
    document = read(
        registry, patched(full, {"ppt/presentation.xml": lambda _: broken}, drop=["ppt/slides/slide99.xml"])
    )
    assert document.state == "partial"
    assert [s.heading[0] for s in document.sections if not s.text] == ["HIDDENSLIDE", "SHOWNFIRST"]


def test_a_deck_without_slides_is_read_and_empty(registry):
    document = read(registry, saved(Presentation()), "template.potx")
    assert (document.state, document.sections, document.problems) == ("read", (), ())


def test_a_deck_of_pictures_says_that_it_needs_text_recognition(registry):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    slide.shapes._spTree.append(
        parse_xml(
            f'<p:pic {NS}><p:nvPicPr><p:cNvPr id="2" name="scan.png"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
            f'<p:blipFill><a:blip r:embed="r9"/></p:blipFill><p:spPr/></p:pic>'
        )
    )
    document = read(registry, saved(deck))
    assert [problem.code for problem in document.problems] == ["no_text"]
    assert [section.heading for section in document.sections] == [("Slide 1",)]


def test_sections_of_the_deck_are_parents_of_their_slides(registry):
    deck = Presentation()
    for title in ("First", "Second", "Third"):
        deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY]).shapes.title.text = title
    ids = [slide.get("id") for slide in deck.slides._sldIdLst]
    members = [
        f'<p14:section name="{name}" id="x"><p14:sldIdLst>{"".join(f"<p14:sldId id={i!r}/>" for i in part)}'
        "</p14:sldIdLst></p14:section>"
        for name, part in (("Opening", ids[:1]), ("Main part", ids[1:]))
    ]
    extension = parse_xml(
        f'<p:extLst {NS}><p:ext uri="x"><p14:sectionLst>{"".join(members)}</p14:sectionLst></p:ext></p:extLst>'
    )
    deck.part._element.append(extension)
    document = read(registry, saved(deck))
    assert [(s.heading, s.level) for s in document.sections] == [
        (("Opening",), 1),
        (("Opening", "First"), 2),
        (("Main part",), 1),
        (("Main part", "Second"), 2),
        (("Main part", "Third"), 2),
    ]


def test_prose_and_numbers_and_bullets_are_told_apart(registry):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE])
    slide.shapes.title.text = "Title"
    slide.placeholders[1].text = "a subtitle has no bullet"
    numbered = '<a:p><a:pPr lvl="{}"><a:buAutoNum type="{}"/></a:pPr><a:r><a:t>{}</a:t></a:r></a:p>'
    items = [
        (0, "romanUcPeriod", "one"),
        (1, "alphaLcParenBoth", "deep"),
        (1, "alphaLcParenBoth", "er"),
        (0, "romanUcPeriod", "two"),
    ]
    plain = "<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>plain</a:t></a:r></a:p>"
    inner = "".join(numbered.format(*item) for item in items) + plain
    slide.shapes._spTree.append(shape("", place=(0, 0), inner=inner))
    document = read(registry, saved(deck))
    assert [(s.kind, s.text) for s in document.sections] == [
        ("list", "I. one\n  (a) deep\n  (b) er\nII. two"),
        ("prose", "plain\n\na subtitle has no bullet"),
    ]


def test_notes_without_a_body_placeholder_are_read_without_page_furniture(registry):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    slide.shapes.title.text = "Title"
    tree = slide.notes_slide.shapes._spTree
    for entry in list(slide.notes_slide.placeholders):
        tree.remove(entry._element)
    tree.append(shape("from a text box"))
    for kind, text in (("sldNum", "77"), ("hdr", "page header"), ("dt", "1 May")):
        extra = shape(text)
        extra.nvSpPr.find("{*}nvPr").append(parse_xml(f'<p:ph {NS} type="{kind}"/>'))
        tree.append(extra)
    document = read(registry, saved(deck))
    assert [(s.layer, s.kind, s.text) for s in document.sections] == [
        ("notes", "note", "from a text box"),
        ("furniture", "header", "page header\n\n1 May"),
    ]


def test_footers_and_text_on_the_master_are_furniture_once(registry):
    deck = Presentation()
    deck.slide_master.shapes._spTree.append(shape("Company"))
    for title in ("One", "Two"):
        slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
        slide.shapes.title.text = title
        footer = shape("Confidential")
        footer.nvSpPr.find("{*}nvPr").append(parse_xml(f'<p:ph {NS} type="ftr" idx="11"/>'))
        slide.shapes._spTree.append(footer)
    document = read(registry, saved(deck))
    assert texts(document, layer="furniture") == ["Confidential\n\nCompany"]
    assert [s.heading for s in document.sections] == [("One",), ("Two",)]


def test_a_slide_that_hides_the_master_has_no_text_of_it(registry):
    deck = Presentation()
    deck.slide_master.shapes._spTree.append(shape("Company"))
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    slide.shapes.title.text = "One"
    slide._element.set("showMasterSp", "0")
    assert texts(read(registry, saved(deck))) == []


@pytest.mark.parametrize(
    ("text", "heading", "left"),
    [
        ("Short first text", "Short first text", []),
        ("word " * 60, ("word " * 20).strip() + "…", [("word " * 60).strip()]),
    ],
)
def test_a_slide_without_a_title_is_named_by_its_first_text(registry, text, heading, left):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    slide.shapes.add_textbox(0, 0, 9, 9).text_frame.text = text
    document = read(registry, saved(deck))
    assert document.sections[0].heading == (heading,)
    assert texts(document) == left


def test_a_title_as_long_as_a_page_is_cut_and_kept_in_full_below(registry):
    deck = Presentation()
    title = "word " * 100
    deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY]).shapes.title.text = title
    document = read(registry, saved(deck))
    assert [(s.heading, s.text) for s in document.sections] == [((("word " * 50).strip() + "…",), title.strip())]


def test_links_behind_titles_keep_their_address(registry):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
    paragraph = slide.shapes.add_textbox(0, 0, 9, 9).text_frame.paragraphs[0]
    for text, address in (("See ", None), ("the ", "http://a.example/b c"), ("site", "http://a.example/b c")):
        run = paragraph.add_run()
        run.text = text
        if address:
            run.hyperlink.address = address
    document = read(registry, saved(deck))
    assert [(s.heading, s.text) for s in document.sections] == [(("See the site",), "<http://a.example/b c>")]


def library_text(deck):
    """Yield what python-pptx's public interface sees."""
    for slide in deck.slides:
        stack = list(slide.shapes)
        while stack:
            item = stack.pop()
            stack += getattr(item, "shapes", ())
            if item.has_text_frame:
                yield item.text_frame.text
            if getattr(item, "has_table", False):
                yield from (cell.text for row in item.table.rows for cell in row.cells)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield slide.notes_slide.notes_text_frame.text


def test_the_library_sees_nothing_that_is_not_read(full, document):
    ours = set(re.findall(r"\w+", whole(document)))
    assert set(re.findall(r"\w+", " ".join(library_text(Presentation(io.BytesIO(full)))))) <= ours


words = st.text(st.characters(categories=("L", "N"), max_codepoint=0x2FFF), min_size=1, max_size=8)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slides=st.lists(st.tuples(words, st.lists(st.tuples(words, st.integers(0, 8)), max_size=4), words), max_size=3))
def test_words_in_are_words_out(registry, slides):
    deck = Presentation()
    for title, body, notes in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[BODY])
        slide.shapes.title.text = title
        for text, level in body:
            paragraph = slide.placeholders[1].text_frame.add_paragraph()
            paragraph.text, paragraph.level = text, level
        slide.notes_slide.notes_text_frame.text = notes
    document = read(registry, saved(deck))
    assert document.state == "read"
    expected = [w for title, body, notes in slides for w in (title, *(text for text, _ in body), notes)]
    found = []
    for number in range(1, len(slides) + 1):
        here = [s for s in document.sections if s.locator.start == number]
        found += [here[0].heading[0], *(line.strip("- ") for s in here for line in s.text.split("\n") if line)]
    assert found == expected


# Charts and diagrams on their own


def chart(body):
    return etree.fromstring(f"<c:chartSpace {NS}><c:chart>{body}</c:chart></c:chartSpace>")


def values(tag, cache, points):
    inner = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in points.items())
    return f"<c:{tag}><c:ref><c:{cache}>{inner}</c:{cache}></c:ref></c:{tag}>"


def test_charts_without_numbers_keep_their_table():
    root = chart(
        f"<c:pie3DChart><c:ser>{values('tx', 'strCache', {0: 'Share'})}{values('cat', 'strCache', {0: 'A', 2: 'C'})}"
        f"{values('val', 'numCache', {0: '#N/A', 2: '4.4000000000000004'})}</c:ser></c:pie3DChart>"
    )
    assert chart_text(root) == "|  | Share |\n| --- | --- |\n| A | #N/A |\n| C | 4.4 |"


def test_charts_say_their_axes_and_the_series_with_categories_of_their_own():
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>{}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    series = [
        f"<c:ser>{values('xVal', 'numCache', {0: x})}{values('yVal', 'numCache', {0: y})}</c:ser>"
        for x, y in ((1, 2), (3, 4))
    ]
    axis = f"<c:valAx>{title.format('Time')}</c:valAx>"
    root = chart(
        f"{title.format('Main')}<c:plotArea><c:scatterChart>{''.join(series)}</c:scatterChart>{axis}</c:plotArea>"
    )
    assert chart_text(root) == (
        "Main\nAxes: Time\n\n|  | Series 1 |  | Series 2 |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 |"
    )


def test_days_on_an_axis_are_dates():
    points = '<c:formatCode>yyyy\\-mm\\-dd</c:formatCode><c:pt idx="0"><c:v>43831</c:v></c:pt>'
    cache = f"<c:cat><c:numRef><c:numCache>{points}</c:numCache></c:numRef></c:cat>"
    assert "| 2020-01-01 | 7 |" in chart_text(chart(f"<c:ser>{cache}{values('val', 'numCache', {0: 7})}</c:ser>"))


def test_levels_of_categories_are_columns():
    levels = "".join(
        f"<c:lvl>{''.join(f'<c:pt idx={chr(34)}{i}{chr(34)}><c:v>{v}</c:v></c:pt>' for i, v in level.items())}</c:lvl>"
        for level in ({0: "FR", 1: "DE", 2: "JP"}, {0: "Europe", 2: "Asia"})
    )
    root = chart(
        f"<c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>{levels}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>"
        f"{values('val', 'numCache', {0: 1, 1: 2, 2: 3})}</c:ser>"
    )
    assert chart_text(root).split("\n")[2:] == ["| Europe | FR | 1 |", "| ^^ | DE | 2 |", "| Asia | JP | 3 |"]


def test_charts_of_the_newer_schema_are_read():
    root = etree.fromstring(
        f'<cx:chartSpace {NS}><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">North</cx:pt>'
        '</cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl><cx:pt idx="0">12</cx:pt></cx:lvl></cx:numDim></cx:data>'
        "</cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Flow</cx:v></cx:txData></cx:tx></cx:title>"
        "<cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Sum</cx:v></cx:txData></cx:tx>"
        '<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>'
    )
    assert chart_text(root) == "Flow\n\n|  | Sum |\n| --- | --- |\n| North | 12 |"


def test_charts_that_claim_huge_grids_stay_small():
    series = "".join(f"<c:ser>{values('val', 'numCache', {at * 1000: at})}</c:ser>" for at in range(1000))
    assert len(chart_text(chart(series))) < 100_000


def test_labels_and_trend_lines_of_charts_are_read():
    label = "<c:dLbls><c:dLbl><c:tx><c:rich><a:p><a:r><a:t>peak</a:t></a:r></a:p></c:rich></c:tx></c:dLbl></c:dLbls>"
    trend = "<c:trendline><c:name>rising</c:name></c:trendline>"
    root = chart(f"<c:ser>{label}{trend}{values('val', 'numCache', {0: 1})}</c:ser>")
    assert chart_text(root).endswith("\n\npeak\nrising")


def test_parts_nested_in_themselves_take_no_more_time_than_they_are_long():
    opening, closing = "<c:tx><c:dLbl><a:p>", "</a:p></c:dLbl></c:tx>"
    root = chart(opening * 60 + "<a:r><a:t>once</a:t></a:r>" + closing * 60)
    assert chart_text(root) == "once"


def test_diagrams_with_loops_and_orphans_say_each_point_once():
    root = etree.fromstring(
        DIAGRAM.replace("</dgm:cxnLst>", '<dgm:cxn srcId="1" destId="3"/></dgm:cxnLst>').replace(
            'srcId="0" destId="2"', 'srcId="8" destId="2"'
        )
    )
    assert diagram_text(root) == "- DGMFIRST\n  - DGMCHILD\n- DGMSECOND"


# Damage and malice


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\x00\x01binary", "corrupt"),
        (b"plain text", "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "legacy_format"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password_protected"),
    ],
)
def test_what_is_no_deck_is_named(registry, data, code):
    document = read(registry, data)
    assert (document.state, [p.code for p in document.problems]) == ("unreadable", [code])


def test_a_zip_without_a_presentation_is_unreadable(registry):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("hello.txt", "hello")
    assert read(registry, target.getvalue()).state == "unreadable"


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_cut_files_never_fail(registry, full, share):
    document = read(registry, full[: int(len(full) * share)])
    assert "handler_failed" not in {p.code for p in document.problems}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(choices=st.data())
def test_damaged_parts_never_fail(registry, full, choices):
    names = [
        n
        for n in zipfile.ZipFile(io.BytesIO(full)).namelist()
        if re.search(r"slide[1-3s]|presentation|data1|comment|chart", n)
    ]
    name = choices.draw(st.sampled_from(names))

    def spoil(content):
        at = choices.draw(st.integers(0, max(len(content) - 1, 0)))
        junk = choices.draw(st.binary(max_size=12))
        return content[:at] + junk + content[at + choices.draw(st.integers(0, 40)) :]

    document = read(registry, patched(full, {name: spoil}))
    assert "handler_failed" not in {p.code for p in document.problems}


def slide_of(*shapes):
    return patched(
        saved_blank(),
        {"ppt/slides/slide1.xml": lambda x: re.sub(rb"</p:spTree>", "".join(shapes).encode() + b"</p:spTree>", x)},
    )


def saved_blank():
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[BLANK])
    return saved(deck)


def group(inner, depth):
    opening = f'<p:grpSp {NS}><p:nvGrpSpPr><p:cNvPr id="2" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    return opening * depth + inner + "</p:grpSp>" * depth


def test_deep_groups_are_read_or_reported(registry):
    inner = etree.tostring(shape("deep down")).decode()
    assert "deep down" in whole(read(registry, slide_of(group(inner, 80))))
    document = read(registry, slide_of(group(inner, 3000)))
    assert document.state == "partial"


def test_claims_of_spans_and_levels_and_numbers_are_not_believed(registry):
    text = "<a:txBody><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:txBody>"
    cell = f'<a:tc gridSpan="200000000" rowSpan="200000000">{text}</a:tc>'
    table = (
        f'<p:graphicFrame {NS}><p:nvGraphicFramePr><p:cNvPr id="2" name="t"/><p:nvPr/></p:nvGraphicFramePr><a:graphic>'
        f"<a:graphicData><a:tbl><a:tr>{cell}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    numbering = '<a:pPr lvl="99999999999"><a:buAutoNum type="romanLcPeriod" startAt="999999999999"/></a:pPr>'
    number = f"<a:p>{numbering}<a:r><a:t>item</a:t></a:r></a:p>"
    odd = shape("", inner=number, place=("9" * 30, "x"))
    document = read(registry, slide_of(table, etree.tostring(odd).decode()))
    assert document.state == "read"
    assert "cell" in whole(document)
    assert "item" in whole(document)


def test_parts_named_many_times_are_shown_once(registry, full):
    frame = (
        f'<p:graphicFrame {NS}><p:nvGraphicFramePr><p:cNvPr id="2" name="d"/><p:nvPr/></p:nvGraphicFramePr><a:graphic>'
        '<a:graphicData><dgm:relIds r:dm="rDgm"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    add = {"ppt/slides/slide1.xml": lambda x: x.replace(b"</p:spTree>", (frame * 500).encode() + b"</p:spTree>")}
    assert whole(read(registry, patched(full, add))).count("DGMFIRST") == 1


def test_entities_are_never_fetched(registry, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    doctype = f'<!DOCTYPE p:sld [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'.encode()
    data = slide_of(etree.tostring(shape("before")).decode().replace("before", "before &x; after"))
    data = patched(data, {"ppt/slides/slide1.xml": lambda x: re.sub(rb"(<\?xml[^>]*\?>)?", doctype, x, count=1)})
    text = whole(read(registry, data))
    assert "SECRET" not in text
    assert "before" in text
