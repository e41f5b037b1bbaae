"""What the FictionBook handler must bring out of books."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())
ROOT = '<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">'


def read(text, name="book.fb2"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def book(inner, notes=""):
    return read(f"{ROOT}<body>{inner}</body>{notes}</FictionBook>")


def zipped(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("_", "."), text)
    return file.getvalue()


def texts(document, layer=None):
    return "\n\n".join(section.text for section in document.sections if layer in (None, section.layer))


BOOK = f"""<?xml version="1.0" encoding="UTF-8"?>
{ROOT}
<description><title-info><genre>TKGENRE</genre>
<author><first-name>Ann</first-name><middle-name>B</middle-name><last-name>Lee</last-name></author>
<author><nickname>Nick</nickname></author>
<book-title>TKTITLE</book-title><annotation><p>TKANNOTATION</p></annotation><keywords>TKKEY1, TKKEY2</keywords>
<date value="2001-02-03">2001</date><coverpage><image l:href="#c.png"/></coverpage><lang>ru</lang>
<sequence name="TKSERIES" number="2"/></title-info>
<document-info><author><nickname>TKMAKER</nickname></author><id>TKID</id></document-info>
<publish-info><publisher>TKPUBLISHER</publisher><isbn>TKISBN</isbn></publish-info></description>
<body><title><p>Ann Lee</p><p>Book</p></title><epigraph><p>TKEPI</p><text-author>TKWHO</text-author></epigraph>
<section><title><p>Chapter 1</p><empty-line/><p>The start</p></title>
<annotation><p>TKABOUT</p></annotation>
<p>TKFIRST<a l:href="#n1" type="note">[1]</a> again<a l:href="#n1" type="note">[1]</a></p>
<subtitle>* * *</subtitle><p>TKSTARS</p>
<subtitle>Sub</subtitle><p>TKSUB</p>
<section><title><p>Deep</p></title>
<poem><title><p>TKPOEM</p></title>
<stanza><v>TKVERSE1</v><v>TKVERSE2</v></stanza><text-author>TKPOET</text-author></poem>
<cite><p>TKCITE</p><text-author>TKSAID</text-author></cite>
<table><tr><th>h</th><td rowspan="2">TKSPAN</td></tr><tr><td>x</td></tr></table>
<image l:href="#i.png" alt="TKALT"/></section>
<section><p>TKUNTITLED</p></section>
</section></body>
<body name="notes"><title><p>Notes</p></title>
<section id="n1"><title><p>1</p></title><p>TKNOTE</p><p>TKMORE</p></section>
<section id="n2"><title><p>2</p></title><p>TKUNUSED</p></section></body>
<binary id="i.png" content-type="image/png">VEtCSU5BUlk=</binary>
</FictionBook>"""


def test_a_book_is_read_by_its_sections():
    document = read(BOOK)
    assert document.state == "read"
    top, chapter = "Ann Lee. Book", "Chapter 1. The start"
    assert list(dict.fromkeys(s.heading for s in document.sections)) == [
        (top,),
        (top, chapter),
        (top, chapter, "Sub"),
        (top, chapter, "Deep"),
        (),
    ]
    body = texts(document, "body")
    tokens = re.findall(
        r"\w+",
        "TKEPI TKWHO TKABOUT TKFIRST TKSTARS TKSUB TKPOEM TKVERSE1 TKVERSE2 TKPOET TKCITE TKSAID TKSPAN "
        "TKALT TKUNTITLED",
    )
    places = [body.index(token) for token in tokens]
    assert places == sorted(places)
    assert all(body.count(token) == 1 for token in tokens)
    assert "VEtC" not in texts(document)


def test_notes_follow_the_paragraph_that_refers_to_them():
    document = read(BOOK)
    assert texts(document, "notes") == "[^1]: TKNOTE\n\n  TKMORE\n\n[^2]: TKUNUSED"
    assert "TKFIRST[^1] again[^1]" in texts(document, "body")
    at = next(n for n, s in enumerate(document.sections) if "TKFIRST" in s.text)
    assert (document.sections[at + 1].kind, document.sections[at + 1].heading[-1]) == (
        "footnote",
        "Chapter 1. The start",
    )


def test_the_description_is_metadata():
    known = read(BOOK).metadata
    assert (known.title, known.authors, known.language) == ("TKTITLE", ("Ann B Lee", "Nick"), "ru")
    assert (known.description, known.tags, known.created) == ("TKANNOTATION", ("TKKEY1", "TKKEY2"), "2001-02-03")
    assert known.extra == {
        "genre": "TKGENRE",
        "series": "TKSERIES 2",
        "document author": "TKMAKER",
        "document id": "TKID",
        "publisher": "TKPUBLISHER",
        "isbn": "TKISBN",
    }


def test_blocks_read_as_their_readers_see_them():
    document = read(BOOK)
    written = [(s.kind, s.text) for s in document.sections]
    assert ("quote", "> TKEPI\n\n> — TKWHO") in written
    assert ("prose", "TKPOEM\n\nTKVERSE1\nTKVERSE2\n\n— TKPOET") in written
    assert ("table", "| h | TKSPAN |\n| --- | --- |\n| x | ^^ |") in written
    assert ("alt", "TKALT") in written


def test_lines_are_exact_even_after_pictures():
    document = read(
        f"{ROOT}\n<binary id='a'>AA\nAA\n</binary>\n<body><section>\n<p>x\ny</p></section></body></FictionBook>"
    )
    assert [s.locator for s in document.sections] == [Locator.lines(6, 7)]


@pytest.mark.parametrize("encoding", ["windows-1251", "koi8-r", "utf-8", "utf-16"])
def test_declared_encodings(encoding):
    text = f"<?xml version='1.0' encoding='{encoding}'?>{ROOT}<body><section><p>Привет, мир</p></section></body>"
    text += "</FictionBook>"
    assert texts(read(text.encode(encoding))) == "Привет, мир"


def test_control_characters_and_names_are_borne():
    assert texts(book("<section><p>juv&#1;enile a\x02b&nbsp;&mdash; &#151;</p></section>")) == "juvenile a b — —"


def test_pictures_are_not_decoded():
    binary = b"<binary id='a'>" + b"QUJD" * 500_000 + b"</binary>"
    document = read(f"{ROOT}<body><section><p>x</p></section></body>".encode() + binary * 3 + b"</FictionBook>")
    assert texts(document) == "x"
    assert document.state == "read"


@pytest.mark.parametrize("name", ["book.fbz", "book.fb2.zip", "book.fb2"])
def test_zipped_books(name):
    document = read(zipped(a_fb2=BOOK), name)
    assert document.handler == "fictionbook"
    assert "TKUNTITLED" in texts(document)


def test_an_archive_without_a_book_says_so():
    assert [p.code for p in read(zipped(a_txt="x"), "book.fbz").problems] == ["missing_part"]


def test_notes_that_refer_to_each_other_end():
    notes = "".join(
        f'<section id="n{n}"><p>note{n} <a type="note" l:href="#n{(n + 1) % 40}">x</a></p></section>' for n in range(40)
    )
    document = book(
        '<section><p>a<a type="note" l:href="#n0">1</a></p></section>', f'<body name="notes">{notes}</body>'
    )
    assert sum(texts(document).count(f"note{n} ") for n in range(40)) == 40
    assert "handler_failed" not in [p.code for p in document.problems]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        b"<FictionBook",
        b"\0\xff\1" * 40,
        b"<FictionBook><body>" + b"<section>" * 3000,
        b"<FictionBook><body>" + b"<section><title><p>" * 600,
        b"<FictionBook><body>" + b"<binary" * 3000,
        b"<FictionBook><body><section><p><a href='#a' type='note'/></p></section></body>",
        b"<FictionBook><body name='notes'><section id='a'><p><a href='#a' type='note'/></p></section></body>",
    ],
)
def test_hostile_files_are_read_without_failure(data):
    assert "handler_failed" not in [p.code for p in read(data).problems]


def test_a_book_that_was_cut_gives_what_it_has():
    for at in range(0, len(BOOK), 71):
        assert "handler_failed" not in [p.code for p in read(BOOK[:at]).problems]
    assert "TKVERSE1" in texts(read(BOOK[: BOOK.index("TKPOET")]))


TAGS = ("body", "section", "title", "p", "poem", "stanza", "v", "cite", "table", "tr", "td", "subtitle", "description")
PIECES = [*(f"<{tag}>" for tag in TAGS), *(f"</{tag}>" for tag in TAGS), "x", "<a type='note' href='#n'>", "<p id='n'>"]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@settings(max_examples=150, deadline=None)
def test_broken_markup_is_read_without_failure(parts):
    assert "handler_failed" not in [p.code for p in read("<FictionBook>" + "".join(parts)).problems]
