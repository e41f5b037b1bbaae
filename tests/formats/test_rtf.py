"""What the handler of Rich Text Format must bring out, and what it must leave out."""

from __future__ import annotations

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatherum import Registry, Source
from gatherum.plugins import load_plugins

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fcharset204 Arial;}"
    r"{\f2\froman\fcharset2 Symbol;}{\f3\fcharset128 MS Mincho;}{\f4\fcharset238 Arial CE;}}"
    r"{\colortbl;\red0\green0\blue0;}"
    r"{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\s2\sbasedon1\i Own;}{\*\cs9 heading 3;}{\s4 Title;}}"
)


@pytest.fixture(scope="module")
def registry():
    return Registry(load_plugins())


def read(registry, body, head=HEAD):
    data = body if isinstance(body, bytes) else (head + body + "}").encode("latin-1")
    return registry.read(Source("letter.rtf", data))


def pieces(document):
    return [(section.kind, section.layer, section.text) for section in document.sections]


def prose(document):
    (section,) = document.sections
    assert (section.kind, section.layer) == ("prose", "body")
    return section.text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"caf\'e9 \u8212? \emdash\endash\bullet\lquote x\rquote", "café — —–•‘x’"),
        (r"\f1 \'cf\'f0\'e8\'e2\'e5\'f2\f0  \'e9", "Привет é"),
        (r"\f4 p\'f8\'edb\'ech", "příběh"),
        (r"\f3 \'83\'5c\'83A", "ソア"),
        (r"{\f2 ab\u-3999?} b", "αβα b"),
        (r"\u55357?\u56832? smile", "😀 smile"),
        (r"{\uc2\u1055 ab}{\uc0\u1056}c", "ПРc"),
        (r"hard\~space, soft\-hyphen, non\_breaking, \{braces\}, back\\slash", None),
        ("split\r\nlines a\\line b\\tab c", "splitlines a\nb\tc"),
        (r"a\par\pard b\page c\sect d", "a\n\nb\n\nc\n\nd"),
        ("mac\\\nbreak", "mac\n\nbreak"),
        (r"shown{\deleted gone}{\*\unknown gone}{\pict\pngblip 89504e47}{\xe gone}", "shown"),
        (r"one{\pict\bin3 }}{}two", "onetwo"),
        (r"{\upr{ANSI}{\*\ud{Unic\u246?de}}}", "Unicöde"),
        (r"{\b0\*\cs9 a starred word that is no destination}", "a starred word that is no destination"),
        (r"{\object\objemb{\*\objdata 0102}{\result shown}}", "shown"),
    ],
)
def test_characters(registry, body, text):
    found = prose(read(registry, body))
    if text is None:
        assert found == "hard\u00a0space, softhyphen, non-breaking, {braces}, back\\slash"
    else:
        assert found == text


@pytest.mark.parametrize(
    ("page", "letter"), [(r"\ansicpg1251", "ф"), (r"\ansicpg1250", "ô"), (r"\mac", "Ù"), (r"\pc", "⌠")]
)
def test_the_code_page_of_the_document_is_used(registry, page, letter):
    assert prose(read(registry, r"\'f4", rf"{{\rtf1{page} ")) == letter


def test_headings_open_sections_by_style_and_outline_level(registry):
    document = read(
        registry,
        r"before\par\pard\s1 One\par\pard text\par\pard\outlinelevel1 Two\par\pard\s2 Three\par\pard\s9 end",
    )
    assert [(s.heading, s.level, s.text) for s in document.sections] == [
        ((), 0, "before"),
        (("One",), 1, "text"),
        (("One", "Two"), 2, ""),
        (("Three",), 1, "end"),
    ]


def test_lists_keep_their_numbers_and_nest_by_indent(registry):
    item = r"{{\listtext\pard\plain {}\tab}}\pard\ls1\ilvl{}\li{} {}\par "
    items = [("1.", 0, 720, "one"), (r"\'b7", 1, 1440, "deep"), ("a)", 1, 1440, "er"), ("2.", 0, 720, "two")]
    document = read(registry, "".join(item.format(*parts) for parts in items) + r"\pard after")
    assert pieces(document) == [("list", "body", "1. one\n  - deep\n  a) er\n2. two"), ("prose", "body", "after")]


def test_tables_are_pipe_tables_with_merged_cells(registry):
    rows = [
        (r"\trowd\clmgf\cellx1\clmrg\cellx2\cellx3", "wide", "", "c"),
        (r"\trowd\clvmgf\cellx1\cellx2\cellx3", "tall", r"x\par y", "z|"),
        (r"\trowd\clvmrg\cellx1\cellx2\cellx3", "", "p", "q"),
    ]
    body = "".join(rf"{defs}\pard\intbl {a}\cell {b}\cell {c}\cell\row" for defs, a, b, c in rows)
    document = read(registry, rf"before\par{body}\pard after")
    assert pieces(document) == [
        ("prose", "body", "before"),
        ("table", "body", "| wide |  | c |\n| --- | --- | --- |\n| tall | x / y | z\\| |\n| ^^ | p | q |"),
        ("prose", "body", "after"),
    ]


def test_nested_tables_stay_in_their_cell(registry):
    inner = (
        r"\pard\intbl\itap2 in1\nestcell in2\nestcell{\*\nesttableprops\trowd\cellx1\cellx2\nestrow}{\nonesttables\par}"
    )
    document = read(registry, rf"\trowd\cellx1\cellx2 {inner}\pard\intbl out\cell side\cell\row\pard end")
    assert pieces(document)[0] == ("table", "body", "| in1 / in2 / out | side |\n| --- | --- |")


def test_links_keep_their_address(registry):
    address = r'{\field{\*\fldinst HYPERLINK "https://a.example/"}{\fldrslt {}{\ul the site}}}'
    jump = r'{\field{\*\fldinst HYPERLINK \\l "mark"}{\fldrslt inside}}'
    document = read(registry, f"see {address}, {jump}")
    assert prose(document) == "see [the site](https://a.example/), inside"


def test_notes_follow_their_paragraph(registry):
    document = read(
        registry,
        r"first{\super\chftn}{\footnote\pard\plain {\super\chftn} the note}.\par second{\footnote\ftnalt the end}\par",
    )
    assert pieces(document) == [
        ("prose", "body", "first[^1]."),
        ("footnote", "notes", "[^1]: the note"),
        ("prose", "body", "second[^2]"),
        ("endnote", "notes", "[^2]: the end"),
    ]


def test_comments_name_author_and_day(registry):
    packed = (2024 - 1900) << 20 | 5 << 16 | 17 << 11
    document = read(
        registry,
        r"text{\*\atnid AB}{\*\atnauthor Ann Bee}\chatn"
        rf"{{\*\annotation{{\*\atndate {packed}}}\pard well said}} on\par",
    )
    assert pieces(document) == [
        ("prose", "body", "text on"),
        ("comment", "annotation", "Ann Bee, 2024-05-17: well said"),
    ]


def test_headers_are_furniture_once(registry):
    header = r"{\headerr\pard Confidential {\field{\*\fldinst PAGE}{\fldrslt 7}}\par}"
    document = read(registry, rf"{header}{header}body\par")
    assert pieces(document) == [("prose", "body", "body"), ("header", "furniture", "Confidential")]


def test_text_boxes_and_picture_descriptions_are_read(registry):
    picture = r"{\pict{\*\picprop{\sp{\sn wzDescription}{\sv a red fox}}}\pngblip 00ff}"
    box = r"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt in the box\par}}{\shprslt in the box}}"
    document = read(registry, rf"text{picture}{box}\par")
    assert pieces(document) == [
        ("prose", "body", "text"),
        ("alt", "body", "a red fox"),
        ("prose", "body", "in the box"),
    ]


def test_hidden_text_is_kept_apart(registry):
    document = read(registry, r"seen {\v unseen }too\par")
    assert pieces(document) == [("prose", "body", "seen too"), ("prose", "hidden", "unseen")]
    assert [problem.code for problem in document.problems] == ["hidden_text"]


def test_contents_are_marked(registry):
    toc = r"{\field{\*\fldinst TOC \\o}{\fldrslt \pard One\tab 1\par Two\tab 2\par}}"
    document = read(registry, rf"{toc}\pard body")
    assert pieces(document) == [("toc", "body", "One\t1\nTwo\t2"), ("prose", "body", "body")]


def test_information_is_metadata(registry):
    metadata = read(
        registry,
        r"{\info{\title T\'e9}{\author Ann}{\subject S}{\keywords a, b}{\doccomm about}"
        r"{\creatim\yr2020\mo2\dy3\hr4\min5}{\*\company C}}text",
    ).metadata
    assert (metadata.title, metadata.authors, metadata.tags, metadata.description, metadata.created) == (
        "Té",
        ("Ann",),
        ("a", "b"),
        "about",
        "2020-02-03T04:05:00",
    )
    assert metadata.extra["subject"] == "S"


@pytest.mark.parametrize(
    ("data", "code"), [(b"", "empty"), (b" \n", "empty"), (b"no rtf", "corrupt"), (b"\x00\xff", "corrupt")]
)
def test_what_is_no_rich_text_is_named(registry, data, code):
    document = read(registry, data)
    assert (document.state, [p.code for p in document.problems]) == ("unreadable", [code])


def test_rich_text_under_another_name_is_recognised(registry):
    document = registry.read(Source("letter.docx", (HEAD + "hello}").encode()))
    assert (document.format, [p.code for p in document.problems]) == ("rtf", ["wrong_extension"])


def test_cut_files_keep_what_is_there(registry):
    document = read(registry, (HEAD + r"one\par two {\b thr").encode())
    assert (document.state, prose(document)) == ("partial", "one\n\ntwo thr")


@pytest.mark.parametrize(
    "body",
    [
        "{" * 50_000 + "deep" + "}" * 50_000,
        "}" * 1000 + "deep",
        r"deep\bin99999999999 ",
        r"deep\u99999999999\uc99999999999 x",
        r"deep{\pict\bin" + "9" * 30,
        r"deep{\stylesheet" + r"{\s1 " + " " * 200_000,
        r"deep{\field{\*\fldinst HYPERLINK" + " " * 200_000 + r"}{\fldrslt x}}",
        r'{\field{\*\fldinst HYPERLINK "http://x.example"}{\fldrslt ' * 3000 + "deep",
        r"\trowd" + r"\cellx1" * 50_000 + r"\intbl deep\cell\row",
    ],
)
def test_hostile_files_never_fail(registry, body):
    document = read(registry, body)
    codes = {problem.code for problem in document.problems}
    assert "deep" in "".join(section.text for section in document.sections) or "too_deep" in codes
    assert "handler_failed" not in codes


WORDS = (
    "par",
    "pard",
    "cell",
    "row",
    "trowd",
    "intbl",
    "footnote",
    "field",
    "fldinst",
    "fldrslt",
    "v",
    "plain",
    "info",
)
MORE = ("title", "upr", "pict", "shptxt", "sp", "sv", "listtext", "bin2", "f2", "result", "ud", "ftnalt", "stylesheet")
tokens = st.sampled_from(
    [*(f"\\{word} " for word in WORDS + MORE), "{", "}", r"{\*", r"\u8212?", r"\'e9", r"\'8", "\\", " x "]
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(tokens, max_size=40))
def test_any_order_of_tokens_is_read(registry, parts):
    document = read(registry, "".join(parts))
    assert "handler_failed" not in {problem.code for problem in document.problems}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    paragraphs=st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1), min_size=1)
)
def test_words_in_are_words_out(registry, paragraphs):
    plain = set(string.ascii_letters + string.digits)

    def escape(text):
        units = text.encode("utf-16-le")
        codes = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
        return "".join(chr(c) if chr(c) in plain else f"\\u{c - 65536 if c > 32767 else c}?" for c in codes)

    kept = [text for text in paragraphs if not any("\uf000" <= letter <= "\uf0ff" for letter in text)]
    document = read(registry, r"\par ".join(escape(text) for text in kept))
    assert "\n\n".join(section.text for section in document.sections) == "\n\n".join(kept)
