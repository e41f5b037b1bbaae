"""Word documents: every kind of text once, in its place, in its layer, under its heading; and no input breaks it."""

import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Handler, Registry, Report, Section, Source, load_registry
from gatherum.plugins import PluginInfo, Plugins
from gatherum_formats.word import WordHandler
from gatherum_formats.word.parts import Parts
from gatherum_formats.word.reading import read_parts

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "r": f"{OFFICE}/relationships",
        "m": f"{OFFICE}/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    }.items()
)
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
MAIN_TYPE = f"{WORD_TYPE}.document.main+xml"
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{identity}"><w:name w:val="{name}"/>{more}</w:style>'
    for identity, name, more in (
        *((f"Heading{level}", f"heading {level}", "") for level in range(1, 10)),
        ("Title", "Title", ""),
        ("Corporate", "Corporate Section", '<w:basedOn w:val="Heading2"/>'),
        ("berschrift3", "Überschrift 3", ""),
        ("Local", "Irgendwas", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
        ("Bare", "Heading", ""),
        ("Body9", "Contents Title", '<w:basedOn w:val="Heading1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
        ("HeadA", "HeadA", ""),
        ("Loop", "Loop", '<w:basedOn w:val="Pool"/>'),
        ("Pool", "Pool", '<w:basedOn w:val="Loop"/>'),
        ("Code", "Source Code", ""),
        ("Quote", "Quote", ""),
        ("Caption", "caption", ""),
        ("TOC1", "toc 1", ""),
        ("Secret", "Secret", "<w:rPr><w:vanish/></w:rPr>"),
    )
)


class PageHandler(Handler):
    """Stands in for the handler of web pages."""

    name = "page"
    title = "Pages"
    extensions = (".html", ".mht")

    def read(self, source, report):
        text = re.sub(r"<[^>]+>", "", source.text(report))
        yield Section(text=text, heading=("Included",), level=1)


INFO = PluginInfo(name="word", distribution="gatherum", version="0", state="active")
REGISTRY = Registry(Plugins(infos=(INFO,), handlers=((INFO, WordHandler()), (INFO, PageHandler())), models=()))


def run(text, properties=""):
    return f'<w:r>{f"<w:rPr>{properties}</w:rPr>" if properties else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def para(inner="", properties=""):
    inner = inner if inner.startswith("<") or not inner else run(inner)
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{inner}</w:p>"


def styled(style, text):
    return para(text, f'<w:pStyle w:val="{style}"/>')


def item(text, number=1, depth=0, style=""):
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return para(text, f'{named}<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>')


def control(inner, properties=""):
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"


def cell(inner, properties=""):
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner if inner.startswith('<') else para(inner)}</w:tc>"


def row(*cells, properties=""):
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(c if c.startswith('<') else cell(c) for c in cells)}</w:tr>"


def table(*rows):
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(rows)}</w:tbl>"


def fields(*kinds):
    marks = {"begin", "separate", "end"}
    return "".join(
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'
        if kind in marks
        else kind
        if kind.startswith("<")
        else f'<w:r><w:instrText xml:space="preserve">{kind}</w:instrText></w:r>'
        for kind in kinds
    )


def drawing(inner, description=""):
    return (
        f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="{description}"/>'
        f"<a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


def box(inner):
    shape = f"<wps:wsp><wps:txbx><w:txbxContent>{inner}</w:txbxContent></wps:txbx></wps:wsp>"
    new = drawing(shape).removeprefix("<w:r>").removesuffix("</w:r>")
    old = f"<w:pict><v:shape><v:textbox><w:txbxContent>{inner}</w:txbxContent></v:textbox></v:shape></w:pict>"
    choice = f'<mc:Choice Requires="wps">{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback>'
    return f"<w:r><mc:AlternateContent>{choice}</mc:AlternateContent></w:r>"


def levels(*patterns, start=1):
    return "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start if not at else 1}"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text) in enumerate(patterns)
    )


def numbering(*abstracts, lists=None):
    """Each abstract list gets its own number, from 1; *lists* replaces that by (abstract, overrides) pairs."""
    lists = lists or [(at, "") for at in range(len(abstracts))]
    return "".join(
        f'<w:abstractNum w:abstractNumId="{at}">{text}</w:abstractNum>' for at, text in enumerate(abstracts)
    ) + "".join(
        f'<w:num w:numId="{at}"><w:abstractNumId w:val="{abstract}"/>{overrides}</w:num>'
        for at, (abstract, overrides) in enumerate(lists, 1)
    )


DECIMAL = levels(("decimal", "%1."), ("lowerLetter", "(%2)"), ("lowerRoman", "%3)"))
BULLETS = levels(("bullet", "\uf0b7"), ("bullet", "o"))


def word(body, *, parts=None, edges=(), styles=STYLES, numbers="", core="", main_type=MAIN_TYPE, change=None):
    """Return a package as bytes.

    *parts* maps names below word/ to (relationship, content type or "", text); *edges* holds further relationships;
    *change* is given each part's name and text and returns name and bytes, or None to drop it.
    """
    parts = dict(parts or {})
    parts["styles.xml"] = ("styles", f"{WORD_TYPE}.styles+xml", f"<w:styles {NAMESPACES}>{styles}</w:styles>")
    if numbers:
        text = f"<w:numbering {NAMESPACES}>{numbers}</w:numbering>"
        parts["numbering.xml"] = ("numbering", f"{WORD_TYPE}.numbering+xml", text)
    relations = [(f"r{at}", kind, name, "") for at, (name, (kind, _, _)) in enumerate(parts.items())]
    relations += [(identity, kind, target, 'TargetMode="External"') for identity, kind, target in edges]
    files = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Default Extension="html" ContentType="text/html"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main_type}"/>'
        + "".join(
            f'<Override PartName="/word/{name}" ContentType="{kind}"/>' for name, (_, kind, _) in parts.items() if kind
        )
        + "</Types>",
        "_rels/.rels": relationships([("a", "officeDocument", "word/document.xml", "")]),
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relationships(relations),
        **{f"word/{name}": text for name, (_, _, text) in parts.items()},
    }
    if core:
        files["docProps/core.xml"] = core
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            changed = change(name, text) if change else (name, text)
            if changed:
                archive.writestr(*changed)
    return buffer.getvalue()


def relationships(edges):
    return (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        + "".join(
            f'<Relationship Id="{identity}" Type="{OFFICE}/relationships/{kind}" Target="{target}" {mode}/>'
            for identity, kind, target, mode in edges
        )
        + "</Relationships>"
    )


def part(kind, inner, *, plural=True):
    """Return the entry of a notes or header part."""
    root = {"header": "hdr", "footer": "ftr"}.get(kind, f"{kind}s")
    relation = f"{kind}s" if plural else kind
    return relation, f"{WORD_TYPE}.{relation}+xml", f"<w:{root} {NAMESPACES}>{inner}</w:{root}>"


def read(body, *, name="x.docx", **options):
    return REGISTRY.read(Source(name, word(body, **options)))


def text_of(document, layer="body"):
    return "\n\n".join(section.text for section in document.sections if section.layer == layer)


def pieces(document):
    return [(section.kind, section.layer, section.text) for section in document.sections]


def headings(document):
    return [section.heading for section in document.sections if section.heading]


# --- headings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paragraph", "level"),
    [
        *((styled(f"Heading{level}", "here"), level) for level in range(1, 10)),
        (styled("Corporate", "here"), 2),
        (styled("berschrift3", "here"), 3),
        (styled("Local", "here"), 3),
        (styled("HeadA", "here"), 2),
        (styled("Heading4", "here").replace('Heading4"', 'Heading 4"'), 4),
        (para("here", '<w:outlineLvl w:val="1"/>'), 2),
        (para("here", '<w:pStyle w:val="Heading1"/><w:outlineLvl w:val="4"/>'), 5),
        (para("here", '<w:pStyle w:val="Heading1"/><w:outlineLvl w:val="9"/>'), 0),
        (para("here", '<w:outlineLvl w:val="two"/>'), 0),
        (styled("Bare", "here"), 0),
        (styled("Title", "here"), 0),
        (styled("Loop", "here"), 0),
        (styled("Nowhere", "here"), 0),
        (styled("Heading1", "here " * 200), 0),
    ],
)
def test_heading_level_comes_from_style_chain_name_or_outline(paragraph, level):
    (section,) = read(paragraph).sections
    assert section.level == level
    assert section.heading == (("here",) if level else ())


def test_sections_stand_under_the_path_of_their_headings():
    document = read(
        styled("Title", "Report")
        + para("before")
        + styled("Heading1", "One")
        + para("first")
        + styled("Heading3", run("Deep") + "<w:r><w:br/></w:r>" + run("er"))
        + styled("Heading2", "Two")
        + para("second")
        + styled("Heading1", "Empty")
    )
    assert [(section.heading, section.text, str(section.locator)) for section in document.sections] == [
        ((), "Report\n\nbefore", "paragraphs 1–2"),
        (("One",), "first", "paragraph 4"),
        (("One", "Deep er"), "", "paragraph 5"),
        (("One", "Two"), "second", "paragraph 7"),
        (("Empty",), "", "paragraph 8"),
    ]
    assert document.metadata.title == "Report"


def test_heading_holds_neither_links_nor_note_marks():
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    link = f'<w:hyperlink r:id="out">{run("linked")}</w:hyperlink>'
    document = read(
        styled("Heading1", run("A ") + link + note),
        parts={"footnotes.xml": part("footnote", f'<w:footnote w:id="2">{para("why")}</w:footnote>')},
        edges=[("out", "hyperlink", "https://example.org/")],
    )
    assert pieces(document) == [("footnote", "notes", "[^1]: why")]
    assert headings(document) == [("A linked",)]


def test_numbers_that_name_stay_in_the_heading_and_bare_ones_open_the_text():
    named, bare = (
        levels(("decimal", "Article %1"), ("decimal", "%1.%2"), start=3),
        levels(("decimal", "%1"), ("decimal", "%1.%2")),
    )
    body = "".join(
        item("Scope", number, 0, "Heading1") + item("Terms", number, 1, "Heading2") + para("text") for number in (1, 2)
    )
    document = read(body, numbers=numbering(named, bare))
    assert [(section.heading, section.text) for section in document.sections] == [
        (("Article 3 Scope",), ""),
        (("Article 3 Scope", "3.1 Terms"), "text"),
        (("Scope",), "1"),
        (("Scope", "Terms"), "1.1\n\ntext"),
    ]


def test_layout_table_flows_and_a_table_with_headed_columns_does_not():
    layout = table(
        row(cell(styled("Heading1", "Skills") + para("writing")), cell(styled("Heading1", "Work") + para("mill")))
    )
    data = table(row(cell(styled("Heading4", "Year")), cell(styled("Heading4", "Rain"))), row("1999", "12"))
    document = read(layout + data)
    assert [(section.heading, section.text) for section in document.sections] == [
        (("Skills",), "writing"),
        (("Work",), "mill"),
        (("Work",), "| Year | Rain |\n| --- | --- |\n| 1999 | 12 |"),
    ]


# --- lists --------------------------------------------------------------------------------------------------------


def labels(body, numbers):
    return text_of(read(body, numbers=numbers)).split("\n")


def test_list_items_carry_the_numbers_that_readers_see():
    body = item("a") + item("b", depth=1) + item("c", depth=1) + item("d", depth=2) + item("e") + item("f", depth=1)
    assert labels(body, numbering(DECIMAL)) == ["1. a", "  (a) b", "  (b) c", "    i) d", "2. e", "  (a) f"]


def test_bullets_are_dashes_and_boxes_stay_boxes():
    boxes = '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0a8"/></w:lvl>'
    body = item("a") + item("b", depth=1) + item("c", number=2)
    assert labels(body, numbering(BULLETS, boxes)) == ["- a", "  - b", "- ☐ c"]


def test_list_goes_on_after_other_lists_and_restarts_where_told():
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    body = item("a") + item("x", number=3) + item("b") + item("c", number=2) + item("d", number=2)
    numbers = numbering(DECIMAL, BULLETS, lists=[(0, ""), (0, override), (1, "")])
    assert labels(body, numbers) == ["1. a", "- x", "2. b", "1. c", "2. d"]


def test_deleted_and_hidden_items_do_not_count_but_blank_ones_do():
    deleted = item("<w:del><w:r><w:delText>x</w:delText></w:r></w:del>").replace(
        "</w:pPr>", "<w:rPr><w:del/></w:rPr></w:pPr>"
    )
    body = item("a") + deleted + item(run("dark", "<w:vanish/>")) + item("b") + item("<w:r/>") + item("c")
    assert [line for line in labels(body, numbering(DECIMAL)) if line] == ["1. a", "2. b", "4. c"]


@pytest.mark.parametrize(
    ("form", "text", "start", "label"),
    [
        ("upperRoman", "%1.", 4, "IV."),
        ("upperLetter", "Annex %1:", 28, "Annex BB:"),
        ("decimalZero", "%1", 7, "07"),
        ("ordinal", "%1", 22, "22nd"),
        ("chineseCounting", "第%1条", 12, "第十二条"),
        ("decimalEnclosedCircle", "%1", 3, "③"),
        ("unheard", "%1", 5, "5"),
        ("none", "§", 1, "§"),
        ("decimal", "%1.%2.%9", 1, "1.."),
        ("lowerRoman", "%1", 99999, "99999"),
    ],
)
def test_number_forms(form, text, start, label):
    assert labels(item("a"), numbering(levels((form, text), start=start))) == [f"{label} a"]


@pytest.mark.parametrize(
    "numbers",
    [
        "",
        "<w:num/>",
        numbering("").replace('w:val="0"', 'w:val="zero"'),
        numbering('<w:lvl w:ilvl="x"><w:start w:val="many"/></w:lvl>'),
        numbering('<w:lvl w:ilvl="99"/>'),
    ],
)
def test_broken_numbering_keeps_the_text(numbers):
    assert "kept" in text_of(read(item("kept", number=1, depth=7), numbers=numbers))


def test_numbers_may_come_from_the_style_alone():
    styles = STYLES + (
        '<w:style w:type="paragraph" w:styleId="Num2"><w:name w:val="My list"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Plain"><w:name w:val="p"/><w:basedOn w:val="Num2"/></w:style>'
    )
    linked = DECIMAL.replace('<w:lvlText w:val="(%2)"/>', '<w:pStyle w:val="Num2"/><w:lvlText w:val="(%2)"/>')
    body = (
        styled("Num2", "a")
        + styled("Plain", "b")
        + para("c", '<w:pStyle w:val="Num2"/><w:numPr><w:numId w:val="0"/></w:numPr>')
    )
    assert text_of(read(body, styles=styles, numbers=numbering(linked))) == "  (a) a\n  (b) b\n\nc"


# --- tables -------------------------------------------------------------------------------------------------------


def test_merged_cells_are_written_once():
    down, across = '<w:vMerge w:val="restart"/>', '<w:gridSpan w:val="2"/>'
    text = text_of(
        read(
            table(
                row(cell("wide", across), "c"),
                row(cell("tall", down), "x", "y"),
                row(cell("", "<w:vMerge/>"), "z", "w"),
                row("last", properties='<w:gridBefore w:val="2"/>'),
                row("gone", properties="<w:del/>"),
            )
        )
    )
    assert text.split("\n") == [
        "| wide |  | c |",
        "| --- | --- | --- |",
        "| tall | x | y |",
        "| ^^ | z | w |",
        "|  |  | last |",
    ]


def test_rows_cells_and_tables_in_content_controls_are_read():
    inner = table(row("n1", "n2"), row("n3", cell("")))
    body = control(table(control(row("a", "b")), row(control(cell("c")), cell(inner + para("after")))))
    assert text_of(read(body)) == "| a | b |\n| --- | --- |\n| c | n1; n2 / n3 / after |"


def test_table_of_one_cell_is_a_frame():
    assert pieces(read(table(row(cell(para("one") + para("two")))))) == [("prose", "body", "one\n\ntwo")]


def test_notes_in_cells_follow_the_table():
    note = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    document = read(
        table(row(cell(para(run("a") + note)), "b")),
        parts={"footnotes.xml": part("footnote", f'<w:footnote w:id="1">{para("why")}</w:footnote>')},
    )
    assert pieces(document) == [
        ("table", "body", "| a[^1] | b |\n| --- | --- |"),
        ("footnote", "notes", "[^1]: why"),
    ]


@pytest.mark.parametrize("span", ["200000000", "-3", "two", ""])
def test_absurd_spans_are_held_in_check(span):
    text = text_of(read(table(row(cell("a", f'<w:gridSpan w:val="{span}"/>'), "b"), row("c", "d"))))
    assert len(text) < 20_000
    assert all(letter in text for letter in "abcd")


def test_one_endless_row_does_not_widen_a_long_table():
    text = text_of(read(table(row(*(["x"] * 3000)), *([row("y")] * 3000))))
    assert len(text) < 100_000
    assert text.count("y") == 3000


def test_deeply_nested_tables_keep_their_text():
    inner = para("deep")
    for _ in range(60):
        inner = table(row(cell(inner + para()), "x")) + para()
    assert "deep" in text_of(read(inner))


# --- inline -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (run("a ") + control(run("b")) + run(" c"), "a b c"),
        (f"<w:ins>{run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>", "new"),
        (f"<w:moveTo>{run('here')}</w:moveTo><w:moveFrom>{run('there')}</w:moveFrom>", "here"),
        (f"<w:smartTag>{run('a')}</w:smartTag><w:customXml>{run('b')}</w:customXml><w:bdo>{run('c')}</w:bdo>", "abc"),
        ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t></w:r>", "a\tb\nc\nd"),
        ("<w:r><w:t>x</w:t><w:noBreakHyphen/><w:t>y</w:t><w:softHyphen/><w:t>z</w:t></w:r>", "x-yz"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/></w:r>', "✓α"),
        ('<w:r><w:sym w:font="MS Gothic" w:char="2612"/><w:sym w:font="X" w:char="no"/></w:r>', "☒"),
        (
            f"<w:r><w:ruby><w:rubyPr/><w:rt>{run('かん')}</w:rt><w:rubyBase>{run('漢')}</w:rubyBase></w:ruby></w:r>",
            "漢(かん)",
        ),
        (run("10") + run("6", '<w:vertAlign w:val="superscript"/>'), "10⁶"),
        (run("H") + run("2", '<w:vertAlign w:val="subscript"/>') + run("O"), "H₂O"),
        (run("1") + run("st", '<w:vertAlign w:val="superscript"/>'), "1st"),
        (run("is ") + "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>", "is $x$"),
        ("<w:t>bare</w:t>", "bare"),
        (run("a &amp; &lt;b&gt;"), "a & <b>"),
        ('<w:hyperlink r:id="out">' + run("site") + "</w:hyperlink>", "[site](https://example.org/a)"),
        ('<w:hyperlink r:id="out">' + run("https://example.org/a") + "</w:hyperlink>", "https://example.org/a"),
        ('<w:hyperlink w:anchor="part">' + run("see") + "</w:hyperlink>", "[see](#part)"),
        ('<w:hyperlink w:anchor="_Toc12">' + run("see") + "</w:hyperlink>", "see"),
        ('<w:hyperlink r:id="nowhere">' + run("see") + "</w:hyperlink>", "see"),
        (f"<w:fldSimple w:instr=' REF x '>{run('shown')}</w:fldSimple>", "shown"),
        (f"<w:fldSimple w:instr='HYPERLINK \"https://e.org\"'>{run('go')}</w:fldSimple>", "[go](https://e.org)"),
        (fields("begin", ' HYPERLINK "https://e.org" ', "separate", run("go"), "end"), "[go](https://e.org)"),
        (fields("begin", ' HYPERLINK \\l "mark" ', "separate", run("go"), "end"), "[go](#mark)"),
        (fields("begin", " HYPERLINK https://e.org/a(b) ", "separate", run("go"), "end"), "[go](<https://e.org/a(b)>)"),
        (fields("begin", " PAGE ", "separate", run("7"), "end") + run(" of 9"), "7 of 9"),
        (fields("begin", ' XE "entry" ', "end") + run("text"), "text"),
        (
            fields(
                "begin",
                " IF ",
                "begin",
                " MERGEFIELD a ",
                "separate",
                run("no"),
                "end",
                " = 1 ",
                "separate",
                run("yes"),
                "end",
            ),
            "yes",
        ),
        (
            fields("begin", ' HYPERLINK "https://e.org" ', "separate", run("go"))
            + f"<w:del>{fields('end')}</w:del>"
            + run(" on"),
            "[go](https://e.org) on",
        ),
        (fields("begin", " HYPERLINK "), ""),
        (fields("end", "separate") + run("text"), "text"),
        (
            "<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:checkBox><w:default w:val='1'/></w:checkBox></w:ffData>"
            "</w:fldChar></w:r>" + fields(" FORMCHECKBOX ", "end") + run(" agreed"),
            "☒ agreed",
        ),
        (control("<w:r><w:t>☐</w:t></w:r>", "<w14:checkbox/>") + run(" open"), "☐ open"),
        (fields("begin", " EQ \\f(1,2) ", "end"), "\\f(1,2)"),
    ],
)
def test_inline_text(inner, expected):
    document = read(para(inner), edges=[("out", "hyperlink", "https://example.org/a")])
    assert text_of(document) == expected


def test_field_that_never_ends_swallows_nothing():
    document = read(para(fields("begin", " DATE ")) + para("still") + para(fields("begin") * 100) + para("here"))
    assert text_of(document) == "still\n\nhere"


def test_link_over_two_paragraphs_is_a_link_in_both():
    opening = fields("begin", ' HYPERLINK "https://e.org" ', "separate", run("one"))
    document = read(para(opening) + para(run("two") + fields("end")) + para("three"))
    assert text_of(document) == "[one](https://e.org)\n\n[two](https://e.org)\n\nthree"


def test_formula_alone_is_math_and_picture_alone_is_alt():
    display = "<m:oMathPara><m:oMath><m:r><m:t>y</m:t></m:r></m:oMath></m:oMathPara>"
    document = read(para(display) + para(drawing("", "A red barn")) + para(run("With ") + drawing("", "a cow")))
    assert pieces(document) == [
        ("math", "body", "$$y$$"),
        ("alt", "body", "A red barn"),
        ("prose", "body", "With a cow"),
    ]


def test_dropped_initial_joins_its_word():
    initial = para("L", '<w:framePr w:dropCap="drop" w:lines="3"/>')
    assert text_of(read(initial + para("orem ipsum") + para("L", "<w:framePr/>") + initial)) == "Lorem ipsum\n\nL\n\nL"


@pytest.mark.parametrize("style", ["Code", "Quote", "Caption"])
def test_styles_give_kinds(style):
    document = read(styled(style, "one  `two`") + styled(style, "three"))
    expected = {
        "Code": ("code", "body", "```\none  `two`\nthree\n```"),
        "Quote": ("quote", "body", "> one  `two`\n\n> three"),
        "Caption": ("caption", "body", "one  `two`\n\nthree"),
    }
    assert pieces(document) == [expected[style]]


def test_fence_is_longer_than_any_in_the_code():
    assert text_of(read(styled("Code", "```") + styled("Code", "") + styled("Code", "x"))) == "````\n```\n\nx\n````"


# --- what hangs on paragraphs -------------------------------------------------------------------------------------


def test_text_box_is_read_once_after_its_paragraph():
    document = read(
        para(run("host") + box(para("framed") + control(para("held"))))
        + para(
            "<w:r><w:pict><v:shape><v:textbox><w:txbxContent>"
            + para("old")
            + "</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
        )
    )
    assert text_of(document) == "host\n\nframed\n\nheld\n\nold"


def test_fallback_is_read_where_the_choice_says_nothing():
    body = para(
        '<w:r><mc:AlternateContent><mc:Choice Requires="new"><w:drawing/></mc:Choice><mc:Fallback><w:pict><v:textbox>'
        f"<w:txbxContent>{para('old')}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert text_of(read(body)) == "old"


def test_character_with_a_fallback_is_read():
    branches = '<mc:Choice Requires="w16se"/><mc:Fallback><w:t>☺</w:t></mc:Fallback>'
    emoji = f"<w:r><mc:AlternateContent>{branches}</mc:AlternateContent></w:r>"
    assert text_of(read(para(run("so ") + emoji))) == "so ☺"


def test_notes_follow_their_paragraph_and_comments_name_their_author():
    mark = '<w:r><w:{}Reference w:id="2"/></w:r>'
    document = read(
        para(run("foot") + mark.format("footnote") + run(" end") + mark.format("endnote"))
        + para(run("said") + mark.format("comment") + mark.format("footnote"))
        + para("last"),
        parts={
            "footnotes.xml": part(
                "footnote",
                f'<w:footnote w:type="separator" w:id="0">{para("line")}</w:footnote>'
                f'<w:footnote w:id="2">{para("<w:r><w:footnoteRef/></w:r>" + run(" one"))}{para("two")}</w:footnote>',
            ),
            "endnotes.xml": part("endnote", f'<w:endnote w:id="2">{para("fin")}</w:endnote>'),
            "comments.xml": part(
                "comment",
                f'<w:comment w:id="2" w:author="Ada" w:date="2024-05-06T07:08:09Z">{para("check")}</w:comment>'
                f'<w:comment w:id="9" w:author="Bob">{para("lost")}</w:comment>',
            ),
        },
    )
    assert pieces(document) == [
        ("prose", "body", "foot[^1] end[^i]"),
        ("footnote", "notes", "[^1]: one\n\ntwo"),
        ("endnote", "notes", "[^i]: fin"),
        ("prose", "body", "said[^1]"),
        ("comment", "annotation", "Ada, 2024-05-06: check"),
        ("prose", "body", "last"),
        ("comment", "annotation", "Bob: lost"),
    ]


def test_notes_that_refer_to_each_other_end():
    mark = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    chain = "".join(
        f'<w:footnote w:id="{at}">{para(run(f"n{at}") + mark.format((at + 1) % 300))}</w:footnote>' for at in range(300)
    )
    document = read(
        para('<w:r><w:footnoteReference w:id="0"/></w:r>'), parts={"footnotes.xml": part("footnote", chain)}
    )
    assert all(f"n{at}" in text_of(document, "notes") for at in range(300))


def test_headers_and_footers_come_once_in_the_furniture():
    section = '<w:sectPr><w:headerReference w:type="default" r:id="r0"/><w:footerReference r:id="r2"/></w:sectPr>'
    document = read(
        styled("Heading1", "H") + para("body") + section,
        parts={
            "header1.xml": part("header", para("ACME") + table(row("left", "right")), plural=False),
            "header2.xml": part("header", para("ACME"), plural=False),
            "footer1.xml": part("footer", para(box(para("boxed"))), plural=False),
        },
    )
    assert pieces(document) == [
        ("prose", "body", "body"),
        ("header", "furniture", "ACME\n\n| left | right |\n| --- | --- |\n\nboxed"),
    ]
    assert document.sections[-1].heading == ()


def test_hidden_text_stays_in_its_layer_and_is_reported():
    document = read(
        para(run("seen") + run("dark", "<w:vanish/>") + run(" too", '<w:vanish w:val="0"/>'))
        + styled("Secret", "style")
        + para(run("speck", '<w:sz w:val="2"/>') + run(" large", '<w:sz w:val="20"/>'))
        + table(row("shown", "row"), row("secret", "row", properties="<w:hidden/>"))
        + para(f"<w:r><w:rPr><w:vanish/></w:rPr>{box(para('boxed')).removeprefix('<w:r>')}")
    )
    assert text_of(document) == "seen too\n\nlarge\n\n| shown | row |\n| --- | --- |"
    assert text_of(document, "hidden") == "dark\n\nstyle\n\nspeck\n\nsecret\n\nrow\n\nboxed"
    assert [problem.code for problem in document.problems] == ["hidden_text"]
    assert document.state == "read"


def test_table_of_contents_is_marked():
    first = fields("begin", ' TOC \\o "1-3" ', "separate") + f'<w:hyperlink w:anchor="_Toc1">{run("One")}</w:hyperlink>'
    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    document = read(
        para(first)
        + para(run("Two") + "<w:r><w:tab/></w:r>" + run("3"))
        + para(fields("end"))
        + para("body")
        + control(para("Three"), gallery)
        + styled("TOC1", "Four")
    )
    assert pieces(document) == [
        ("toc", "furniture", "One\nTwo 3"),
        ("prose", "body", "body"),
        ("toc", "furniture", "Three\nFour"),
    ]


def test_charts_and_diagrams_are_read_from_their_parts():
    chart = (
        f"<c:chartSpace {NAMESPACES}><c:chart><c:plotArea><c:barChart><c:ser>"
        '<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Rain</c:v></c:pt></c:strCache></c:strRef></c:tx>'
        '<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt></c:strCache></c:strRef></c:cat>'
        '<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>47</c:v></c:pt></c:numCache></c:numRef></c:val>'
        "</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )
    diagram = (
        f'<dgm:dataModel {NAMESPACES}><dgm:ptLst><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><dgm:t><a:p><a:r>'
        '<a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1" srcOrd="0"/>'
        "</dgm:cxnLst></dgm:dataModel>"
    )
    document = read(
        para(drawing('<c:chart r:id="r0"/>'))
        + para(drawing('<dgm:relIds r:dm="r1"/>'))
        + para(drawing('<c:chart r:id="gone"/>')),
        parts={"charts/chart1.xml": ("chart", "", chart), "diagrams/data1.xml": ("diagramData", "", diagram)},
    )
    assert all(text_of(document).count(token) == 1 for token in ("Rain", "May", "47", "Plan"))
    assert [problem.code for problem in document.problems] == ["missing_part"]
    assert document.state == "partial"


@pytest.mark.parametrize("name", ["chunk.html", "chunk.mht"])
def test_included_documents_stand_under_the_open_heading(name):
    body = styled("Heading1", "Outer") + para("a") + '<w:altChunk r:id="r0"/>' + para("b")
    document = read(body, parts={name: ("aFChunk", "", "<p>included</p>")})
    assert [(section.heading, section.level, section.text) for section in document.sections] == [
        (("Outer",), 1, "a"),
        (("Outer", "Included"), 2, "included"),
        (("Outer",), 1, "b"),
    ]


def test_included_web_archives_are_read_as_the_pages_that_they_hold():
    page = "Content-Type: text/html; charset=utf-8\r\n\r\n<h1>Inner</h1><p>café</p>"
    archive = f"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n{page}\r\n--b--\r\n"
    data = word(styled("Heading1", "Outer") + '<w:altChunk r:id="r0"/>', parts={"c.mht": ("aFChunk", "", archive)})
    document = load_registry().read(Source("x.docx", data))
    assert [(section.heading, section.text) for section in document.sections] == [
        (("Outer",), ""),
        (("Outer", "Inner"), "café"),
    ]
    assert document.problems == ()


def test_documents_inside_are_counted():
    document = read(
        '<w:altChunk r:id="r0"/>' * 300 + '<w:altChunk r:id="gone"/>', parts={"c.html": ("aFChunk", "", "<p>x</p>")}
    )
    assert [problem.code for problem in document.problems] == ["too_large", "missing_part"]
    assert len(document.sections) == 200


def test_word_document_inside_a_word_document_is_read():
    inner = word(styled("Heading1", "Inner") + para("text"))
    ole = '<w:r><w:object><o:OLEObject r:id="r0"/></w:object></w:r>'
    document = read(styled("Heading1", "Outer") + para(ole), parts={"embeddings/a.docx": ("package", "", inner)})
    assert headings(document) == [("Outer",), ("Outer", "Inner")]


def test_properties_become_metadata():
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Told</dc:title><dc:creator>Ada; Bob</dc:creator>'
        "<cp:keywords>x, y</cp:keywords></cp:coreProperties>"
    )
    metadata = read(styled("Title", "Shown"), core=core).metadata
    assert (metadata.title, metadata.authors, metadata.tags) == ("Told", ("Ada", "Bob"), ("x", "y"))


# --- packages -----------------------------------------------------------------------------------------------------

EVERYTHING = (
    styled("Title", "title")
    + styled("Heading1", "first")
    + item("numbered")
    + table(row("a", cell(para(run("b") + '<w:r><w:footnoteReference w:id="1"/></w:r>'))))
    + para(run("x") + box(para("boxed")) + f'<w:hyperlink r:id="out">{run("link")}</w:hyperlink>')
    + styled("Code", "code")
    + para(run("dark", "<w:vanish/>"))
    + '<w:altChunk r:id="r2"/>'
    + '<w:sectPr><w:headerReference r:id="r0"/></w:sectPr>'
)
OPTIONS = {
    "parts": {
        "header1.xml": part("header", para("top"), plural=False),
        "footnotes.xml": part("footnote", f'<w:footnote w:id="1">{para("note")}</w:footnote>'),
        "chunk.html": ("aFChunk", "", "<p>chunk</p>"),
    },
    "numbers": numbering(DECIMAL),
    "edges": [("out", "hyperlink", "https://e.org")],
}


def strict(name, text):
    text = text.replace(f"{OFFICE}/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships")
    return name, text.replace(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    )


def dangling(name, text):
    lost = f'<Relationship Id="lost" Type="{OFFICE}/relationships/image" Target="NULL"/></Relationships>'
    return name, text.replace("</Relationships>", lost) if name.endswith("document.xml.rels") else text


def shouting(name, text):
    return (name.upper() if name.startswith("word/header") else name), text


@pytest.mark.parametrize(
    ("name", "options", "by_library"),
    [
        ("a.docx", {}, True),
        ("a.docm", {"main_type": "application/vnd.ms-word.document.macroEnabled.main+xml"}, False),
        ("a.dotx", {"main_type": f"{WORD_TYPE}.template.main+xml"}, False),
        ("a.dotm", {"main_type": "application/vnd.ms-word.template.macroEnabledTemplate.main+xml"}, False),
        ("a.docx", {"change": strict}, False),
        ("a.docx", {"change": dangling}, False),
        ("a.docx", {"change": shouting}, False),
    ],
)
def test_every_variant_reads_alike_through_the_library_and_without(name, options, by_library):
    plain = REGISTRY.read(Source("a.docx", word(EVERYTHING, **OPTIONS)))
    data = word(EVERYTHING, **OPTIONS, **options)
    assert REGISTRY.read(Source(name, data)).sections == plain.sections
    ways = []
    for opened in (True, False):
        report = Report()
        source = Source(name, data)
        parts = Parts(source, report, opened=opened)
        ways.append((bool(parts._roots), list(read_parts(parts, source, report))))
    assert [way[0] for way in ways] == [by_library, False]
    assert ways[0][1] == ways[1][1]


def test_entities_are_expanded_though_the_library_would_drop_them():
    def declare(name, text):
        return (
            name,
            f'<!DOCTYPE d [<!ENTITY who "Ada">]>{text.replace("WHO", "&who;")}'
            if name == "word/document.xml"
            else text,
        )

    assert text_of(read(para("by WHO"), change=declare)) == "by Ada"


def test_garbage_in_one_part_spares_the_others():
    def spoil(name, text):
        return name, "\x00garbage" if name == "word/header1.xml" else text

    document = read(EVERYTHING, **OPTIONS, change=spoil)
    assert document.state == "partial"
    assert "numbered" in text_of(document)
    assert "note" in text_of(document, "notes")


@pytest.mark.parametrize("missing", ["word/styles.xml", "word/numbering.xml", "word/footnotes.xml", "word/chunk.html"])
def test_missing_part_spares_the_others(missing):
    document = read(EVERYTHING, **OPTIONS, change=lambda name, text: None if name == missing else (name, text))
    assert "numbered" in text_of(document)
    assert document.state in ("read", "partial")


def test_package_without_document_is_named_corrupt():
    document = read("", change=lambda name, text: None if name == "word/document.xml" else (name, text))
    assert document.state == "unreadable"
    assert "corrupt" in {problem.code for problem in document.problems}


@pytest.mark.parametrize(
    ("body", "parts", "code"),
    [
        (para(), {}, "empty"),
        (para(drawing("")), {"media/a.png": ("image", "", "x")}, "no_text"),
        (para() + "<w:subDoc/>", {}, "missing_part"),
    ],
)
def test_document_without_text_says_so(body, parts, code):
    document = read(body, parts=parts)
    assert [problem.code for problem in document.problems] == [code]


def test_package_of_another_kind_is_named_corrupt():
    other = '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>'
    document = read("", change=lambda name, text: (name, other if name == "word/document.xml" else text))
    assert [problem.code for problem in document.problems] == ["corrupt"]


def test_wrong_extension_is_read_for_what_it_is():
    document = REGISTRY.read(Source("a.html", word(para("text"))))
    assert text_of(document) == "text"
    assert [problem.code for problem in document.problems] == ["wrong_extension"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"no archive", "corrupt"),
        (bytes(range(256)) * 20, "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "legacy_format"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password_protected"),
        (word(para("x"))[:300], "corrupt"),
    ],
)
def test_what_is_no_document_is_named(data, code):
    document = REGISTRY.read(Source("a.docx", data))
    assert document.state == "unreadable"
    assert code in {problem.code for problem in document.problems}


@pytest.mark.parametrize(
    "declared", ["<!ENTITY x SYSTEM 'file:///etc/hostname'>", "<!ENTITY % p SYSTEM 'http://x/'> %p;"]
)
def test_entities_from_outside_are_never_fetched(declared):
    def declare(name, text):
        return name, f"<!DOCTYPE d [{declared}]>{text.replace('WHO', '&x;')}" if name == "word/document.xml" else text

    assert text_of(read(para("by WHO."), change=declare)) in ("by .", "by ")


NAMES = (
    "p",
    "r",
    "t",
    "tbl",
    "tr",
    "tc",
    "sdt",
    "sdtContent",
    "hyperlink",
    "ins",
    "del",
    "fldChar",
    "instrText",
    "pict",
)
TREES = st.recursive(
    st.text("ab <", max_size=3).map(lambda text: ("t", text)),
    lambda inner: st.tuples(
        st.sampled_from((*NAMES, "txbxContent", "pPr", "numPr", "ruby", "tcPr")), st.lists(inner, max_size=4)
    ),
    max_leaves=15,
)


def markup(tree):
    name, inner = tree
    content = inner.replace("<", "&lt;") if isinstance(inner, str) else "".join(map(markup, inner))
    kind = ' w:fldCharType="begin"' if name == "fldChar" else ' xml:space="preserve"' if name == "t" else ""
    return f"<w:{name}{kind}>{content}</w:{name}>"


@settings(deadline=None, max_examples=60)
@given(st.lists(TREES, max_size=4))
def test_no_tree_of_elements_makes_the_handler_fail(trees):
    document = read("".join(map(markup, trees)))
    assert "handler_failed" not in {problem.code for problem in document.problems}


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_no_damage_makes_the_handler_fail(data):
    content = bytearray(word(EVERYTHING, **OPTIONS))
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(len(content) // 2, len(content)))]
    document = REGISTRY.read(Source("a.docx", bytes(content)))
    assert "handler_failed" not in {problem.code for problem in document.problems}


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_no_damage_inside_a_part_makes_the_handler_fail(data):
    target = data.draw(
        st.sampled_from(("word/document.xml", "word/styles.xml", "word/numbering.xml", "word/footnotes.xml"))
    )

    def damage(name, text):
        if name != target:
            return name, text
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 30))
        return name, text[:at] + data.draw(st.text('<>/="w:1', max_size=4)) + text[at + cut :]

    document = read(EVERYTHING, **OPTIONS, change=damage)
    assert "handler_failed" not in {problem.code for problem in document.problems}
