"""What the DocBook handler must bring out of books, articles and reference pages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())
DB5 = 'xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink" version="5.0"'


def read(text, name="doc.dbk"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def article(inner, attrs=""):
    return read(f"<article {attrs}>{inner}</article>")


def texts(document, layer=None):
    return "\n\n".join(section.text for section in document.sections if layer in (None, section.layer))


def headings(document):
    return list(dict.fromkeys(section.heading for section in document.sections))


BOOK = f"""<?xml version="1.0" encoding="UTF-8"?>
<book {DB5}>
<info><title>TKBOOK</title><subtitle>TKSUB</subtitle>
<author><personname><firstname>Ann</firstname><surname>Lee</surname></personname><email>TKMAIL</email></author>
<editor><orgname>TKORG</orgname></editor>
<abstract><para>TKABSTRACT</para></abstract><keywordset><keyword>TKKEY1</keyword><keyword>TKKEY2</keyword></keywordset>
<pubdate>2020-02-03</pubdate><legalnotice><para>TKLEGAL</para></legalnotice></info>
<preface><title>Before</title><para>TKPREFACE</para></preface>
<part><title>Part</title><partintro><para>TKINTRO</para></partintro>
<chapter><info><title>Chapter</title><author><personname>TKCHAUTHOR</personname></author></info>
<para>TKCHAPTER</para>
<section><title>Deep <emphasis>one</emphasis></title><para>TKDEEP</para>
<section><title>Deeper</title><para>TKDEEPER</para></section>
<simplesect><title>Simple</title><para>TKSIMPLE</para></simplesect></section>
</chapter></part>
<reference><title>Pages</title><refentry><refmeta><refentrytitle>tool</refentrytitle><manvolnum>1</manvolnum></refmeta>
<refnamediv><refname>tool</refname><refpurpose>TKPURPOSE</refpurpose></refnamediv>
<refsect1><title>Options</title><para>TKOPTIONS</para></refsect1></refentry></reference>
<appendix><title>Extra</title><para>TKAPPENDIX</para></appendix>
<glossary><title>Words</title><glossentry><glossterm>TKTERM</glossterm><glossdef><para>TKMEANING</para></glossdef>
</glossentry></glossary>
<bibliography><title>Books</title><biblioentry><author><firstname>Al</firstname><surname>Oe</surname></author>
<title>TKCITED</title></biblioentry></bibliography>
</book>"""


def test_a_book_is_read_by_its_parts():
    document = read(BOOK)
    assert headings(document) == [
        ("Before",),
        ("Part",),
        ("Part", "Chapter"),
        ("Part", "Chapter", "Deep one"),
        ("Part", "Chapter", "Deep one", "Deeper"),
        ("Part", "Chapter", "Deep one", "Simple"),
        ("Pages",),
        ("Pages", "tool"),
        ("Pages", "tool", "Options"),
        ("Extra",),
        ("Words",),
        ("Books",),
    ]
    under = {"TKINTRO": "Part", "TKDEEPER": "Deeper", "TKSIMPLE": "Simple", "TKPURPOSE": "tool", "TKCITED": "Books"}
    for token, title in under.items():
        assert [s.heading[-1] for s in document.sections if token in s.text] == [title], token
    body = texts(document)
    tokens = [
        "TKPREFACE TKINTRO TKCHAUTHOR TKCHAPTER TKDEEP TKDEEPER TKSIMPLE TKPURPOSE TKOPTIONS TKAPPENDIX "
        "TKTERM TKMEANING",
        "Al Oe, TKCITED",
    ]
    places = [body.index(token) for token in (*tokens[0].split(), tokens[1])]
    assert places == sorted(places)
    assert all(body.count(token) == 1 for token in tokens[0].split() if token != "TKDEEP")
    assert "TKCHAUTHOR" in texts(document, "metadata")
    assert document.state == "read"


def test_the_information_is_metadata():
    known = read(BOOK).metadata
    assert (known.title, known.authors, known.tags) == ("TKBOOK", ("Ann Lee", "TKORG"), ("TKKEY1", "TKKEY2"))
    assert (known.description, known.created) == ("TKABSTRACT", "2020-02-03")
    assert known.extra["subtitle"] == "TKSUB"
    assert known.extra["legalnotice"] == "TKLEGAL"
    assert "TKMAIL" in known.extra["author"]


@pytest.mark.parametrize("prefix", ["", "d:"])
def test_namespaces_make_no_difference(prefix):
    space = f'xmlns{":d" if prefix else ""}="http://docbook.org/ns/docbook"'
    document = read(
        f"<{prefix}article {space}><{prefix}info><{prefix}title>T</{prefix}title></{prefix}info>"
        f"<{prefix}section><{prefix}title>S</{prefix}title><{prefix}para>x</{prefix}para>"
        f"</{prefix}section></{prefix}article>"
    )
    assert document.metadata.title == "T"
    assert [(s.heading, s.text) for s in document.sections] == [(("S",), "x")]


def test_version_4_information_and_numbered_sections():
    document = article(
        "<articleinfo><title>T</title><author><firstname>A</firstname><surname>B</surname></author></articleinfo>"
        "<sect1><sect1info><date>TKDATE</date></sect1info><title>One</title><sect2><title>Two</title><para>x</para>"
        "</sect2><para>after</para></sect1>",
        'lang="de"',
    )
    assert (document.metadata.title, document.metadata.authors, document.metadata.language) == ("T", ("A B",), "de")
    assert [(s.heading, s.text, s.layer) for s in document.sections] == [
        (("One",), "date: TKDATE", "metadata"),
        (("One", "Two"), "x", "body"),
        (("One",), "after", "body"),
    ]


def test_lines_are_exact():
    document = read(
        "<?xml version='1.0'?>\n<article>\n<para>one\ntwo</para>\n\n"
        "<section><title>S</title>\n<para>x</para></section></article>"
    )
    assert [s.locator for s in document.sections] == [Locator.lines(3, 4), Locator.lines(7)]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<itemizedlist><listitem><para>a</para><para>b</para></listitem></itemizedlist>", "- a\n\n  b"),
        (
            "<orderedlist numeration='loweralpha'><listitem><para>x</para></listitem><listitem><para>y</para>"
            "<orderedlist><listitem><para>z</para></listitem></orderedlist></listitem></orderedlist>"
            "<orderedlist continuation='continues'><listitem><para>w</para></listitem></orderedlist>",
            "a. x\nb. y\n  1. z\n\n3. w",
        ),
        ("<orderedlist startingnumber='5'><listitem><para>x</para></listitem></orderedlist>", "5. x"),
        (
            "<variablelist><varlistentry><term>t</term><listitem><para>d</para></listitem></varlistentry>"
            "</variablelist>",
            "t\n: d",
        ),
        ("<simplelist><member>a</member><member>b</member></simplelist>", "- a\n- b"),
        ("<para>x <simplelist type='inline'><member>a</member><member>b</member></simplelist></para>", "x a, b"),
        (
            "<procedure><title>How</title><step><para>one</para><substeps><step><para>in</para></step>"
            "</substeps></step>"
            "<step><para>two</para></step></procedure>",
            "How\n\n1. one\n  a. in\n2. two",
        ),
        ("<note><para>mind</para><para>more</para></note>", "Note: mind\n\nmore"),
        ("<warning><title>Hot</title><para>mind</para></warning>", "Warning: Hot. mind"),
        ("<formalpara><title>Run</title><para>in</para></formalpara>", "Run. in"),
        ("<blockquote><attribution>Who</attribution><para>said</para></blockquote>", "> — Who\n\n> said"),
        ("<literallayout>a\n  b</literallayout>", "a\nb"),
        ("<programlisting language='c'>int <emphasis>x</emphasis>;\n  y\n</programlisting>", "```c\nint x;\n  y\n```"),
        ("<screen><![CDATA[a < b && c]]></screen>", "```\na < b && c\n```"),
        ("<para>x<![CDATA[<y>]]> &amp; z</para>", "x<y> & z"),
        (
            "<para>see <ulink url='http://a/b'>it</ulink>, <ulink url='http://c'/></para>",
            "see [it](http://a/b), http://c",
        ),
        ("<para><quote>q</quote> <literal>l</literal> m<superscript>2</superscript></para>", "“q” `l` m^2"),
        ("<para><keycombo><keycap>A</keycap><keycap>B</keycap></keycombo></para>", "A+B"),
        (
            "<para><menuchoice><guimenu>File</guimenu><guimenuitem>Open</guimenuitem></menuchoice></para>",
            "File → Open",
        ),
        (
            "<programlisting>a <co id='c1'/></programlisting><calloutlist><callout arearefs='c1'>"
            "<para>why</para></callout></calloutlist>",
            "```\na (1)\n```\n\n(1) why",
        ),
        (
            "<qandaset><qandaentry><question><para>why</para></question><answer><para>so</para></answer>"
            "</qandaentry></qandaset>",
            "Q: why\n\nA: so",
        ),
        (
            "<glosslist><glossentry><glossterm>A</glossterm><acronym>B</acronym>"
            "<glosssee otherterm='x'>C</glosssee></glossentry></glosslist>",
            "A B\n: see C",
        ),
        (
            "<methodsynopsis><modifier>public</modifier> <type>int</type><methodname>f</methodname>"
            "<methodparam><type>string</type><parameter>a</parameter><initializer>1</initializer></methodparam>"
            "<methodparam><type>int</type><parameter>b</parameter></methodparam></methodsynopsis>",
            "public int f(string a = 1, int b)",
        ),
        ("<cmdsynopsis><command>ls</command><arg>-l</arg><arg choice='plain'>x</arg></cmdsynopsis>", "`ls` [-l] x"),
        ("<para>a<remark>TKHIDDEN</remark>b</para>", "ab"),
        ("<para>olink <olink targetdoc='d' targetptr='p'/></para>", "olink d#p"),
    ],
)
def test_blocks_read_as_their_readers_see_them(source, text):
    document = article(source)
    assert "\n\n".join(s.text for s in document.sections if s.layer == "body") == text


def test_tables_have_their_spans_bounded():
    document = article(
        "<table><title>TKCAP</title><tgroup cols='3'><colspec colname='a'/><colspec colname='b'/><colspec colname='c'/>"
        "<thead><row><entry namest='a' nameend='b'>ab</entry><entry>c</entry></row></thead>"
        "<tbody><row><entry morerows='999999999'>x</entry><entry>y<footnote><para>TKNOTE</para></footnote></entry>"
        "<entry>z</entry></row><row><entry colname='c'>w|v</entry></row></tbody></tgroup></table>"
        "<informaltable><tr><th colspan='9999999'>h</th></tr><tr><td><para>p</para><para>q</para></td><td>r</td></tr>"
        "</informaltable>"
    )
    assert [(s.kind, s.text) for s in document.sections] == [
        ("caption", "TKCAP"),
        ("table", "| ab |  | c |\n| --- | --- | --- |\n| x | y[^1] | z |\n| ^^ |  | w\\|v |"),
        ("footnote", "[^1]: TKNOTE"),
        ("table", document.sections[3].text),
    ]
    rows = document.sections[3].text.split("\n")
    assert rows[0].startswith("| h |")
    assert rows[2].startswith("| p / q | r |")
    assert len(rows[0]) < 2000


def test_references_are_named():
    document = article(
        "<para>see <xref linkend='s'/>, <xref linkend='s' endterm='e'/>, <link linkend='s'>there</link>, "
        "<xref linkend='none'/></para><para>a<footnote id='f'><para>TKNOTE</para></footnote> b"
        "<footnoteref linkend='f'/></para>"
        "<section id='s'><title>Target</title><para id='e'>End</para></section>"
    )
    assert document.sections[0].text == "see Target, End, there, none\n\na[^1] b[^1]"
    assert [(s.kind, s.layer, s.text) for s in document.sections][1] == ("footnote", "notes", "[^1]: TKNOTE")


def test_pictures_and_formulas_say_what_they_show():
    document = article(
        "<figure><title>TKFIG</title><mediaobject><imageobject><imagedata fileref='TKFILE.png'/></imageobject>"
        "<textobject><phrase>TKALT</phrase></textobject><caption><para>TKUNDER</para></caption></mediaobject></figure>"
        "<equation><alt>x^2</alt></equation><para>so <inlineequation><math xmlns='http://www.w3.org/1998/Math/MathML'>"
        "<msup><mi>y</mi><mn>3</mn></msup></math></inlineequation></para>"
    )
    assert [(s.kind, s.text) for s in document.sections] == [
        ("caption", "TKFIG"),
        ("alt", "TKALT"),
        ("caption", "TKUNDER"),
        ("math", "$x^2$"),
        ("prose", "so $y^{3}$"),
    ]


def test_entries_of_the_index_and_remarks_are_no_text():
    document = article(
        "<para>a<indexterm><primary>TKIDX</primary><secondary>two</secondary></indexterm> b<remark>TKR</remark></para>"
    )
    assert texts(document, "body") == "a b"
    assert texts(document, "hidden") == "TKR"
    assert document.metadata.extra["index"] == "TKIDX, two"
    assert [p.code for p in document.problems] == ["hidden_text"]


def test_entities_are_characters_or_stay_as_they_are_written():
    document = read(
        '<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.2//EN" "docbookx.dtd" [<!ENTITY own "TKOWN">'
        '<!ENTITY out SYSTEM "file:///etc/hostname">]>'
        "<article><para>&own; a&nbsp;b&mdash;c &other.one; &out; &#1;d <![CDATA[&own;]]></para></article>"
    )
    assert texts(document) == "TKOWN a b—c &other.one; &out; d &own;"
    assert [(p.code, p.message) for p in document.problems] == [
        ("missing_part", "entities that are defined elsewhere: other.one, out")
    ]


def test_parts_in_other_files_are_named():
    document = read(
        f"<book {DB5} xmlns:xi='http://www.w3.org/2001/XInclude'><title>T</title><xi:include href='one.xml'/></book>"
    )
    assert texts(document) == "[one.xml](one.xml)"


@pytest.mark.parametrize(
    ("data", "handler"),
    [
        (f"<?xml version='1.0'?><!-- c --><section {DB5}><title>t</title></section>", "docbook"),
        ("<refentry><refnamediv/></refentry>", "docbook"),
        ('<!DOCTYPE chapter PUBLIC "-//OASIS//DTD DocBook XML V4.4//EN" "x"><chapter/>', "docbook"),
        ("<article><para>x</para></article>", "docbook"),
        ("<article><front><journal-meta/></front></article>", "jats"),
        ("<project><name>x</name></project>", "xml"),
        ("<rss><channel/></rss>", "feeds"),
    ],
)
def test_xml_is_known_by_its_content(data, handler):
    document = read(data, "some.xml")
    assert document.handler == handler
    assert not [p for p in document.problems if p.code == "wrong_extension"]


def test_several_roots_are_all_read():
    document = read("<?xml version='1.0'?>\n<section><title>A</title></section>\n<section><title>B</title></section>")
    assert headings(document) == [("A",), ("B",)]


@pytest.mark.parametrize(
    "damaged",
    [
        "<para>one & two</para>",
        "<para role=bare>one &amp; two</para>",
        "<para role='a' role='b'>one &amp; two</para>",
        "<para>one &amp; <emphasis>two</para>",
        "<para>one &amp; two</emphasis></para>",
        "<para>one &amp; two</article></para>",
    ],
)
def test_nothing_is_lost_behind_damage(damaged):
    document = article(f"<para>before</para>{damaged}<section><title>A &amp; B</title><para>4 &lt; 5</para></section>")
    assert document.state == "partial"
    assert [(s.heading, s.text) for s in document.sections] == [
        ((), "before\n\none & two"),
        (("A & B",), "4 < 5"),
    ]


def test_what_is_utf_8_is_read_as_such():
    assert (
        texts(read("<?xml version='1.0' encoding='windows-1251'?><article><para>утф восемь</para></article>"))
        == "утф восемь"
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1"])
def test_encodings(encoding):
    name = "utf-8" if encoding == "utf-8-sig" else encoding
    document = read(
        f"<?xml version='1.0' encoding='{name}'?><article><para>é&hellip;</para></article>".encode(encoding)
    )
    assert texts(document) == "é…"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"\0\1\2\xff" * 50,
        b"<article",
        b"<section>" * 5000,
        b"<section><title>" * 900,
        b"<article><para><footnote>" * 700,
        b"<article>" + b"<table><tgroup><tbody><row><entry>" * 350,
        b"<article>" + b"<itemizedlist><listitem>" * 900,
        b"<article>" + b"<biblioentry>" * 1500,
        b"<article>" + b"<!--" * 5000,
        b"<article>" + b"<![CDATA[" * 5000,
        *(
            b"<article><para>x & y" + part * 5000
            for part in (b"<![CDATA[", b"<!--", b"<a b='", b"</a>", b"<a></b>", b"<?")
        ),
        b'<!DOCTYPE a [<!ENTITY a "' + b"x" * 9999 + b'">]><article><para>' + b"&a;" * 9999 + b"</para></article>",
    ],
)
def test_hostile_files_are_read_without_failure(data):
    assert "handler_failed" not in [p.code for p in read(data).problems]


def test_a_file_that_was_cut_gives_what_it_has():
    data = BOOK.encode()
    for at in range(0, len(data), 97):
        document = read(data[:at])
        assert "handler_failed" not in [p.code for p in document.problems]
    assert "TKCHAPTER" in texts(read(data[: data.index(b"TKDEEP")]))


TAGS = re.findall(
    r"\w+",
    "article section title para table tgroup row entry footnote xref itemizedlist listitem note programlisting info "
    "glossentry glossterm procedure step biblioentry co callout simplelist methodsynopsis arg include alt equation",
)
PIECES = [
    *(f"<{tag}>" for tag in TAGS),
    *(f"</{tag}>" for tag in TAGS),
    "x",
    "&y;",
    "&nbsp;",
    "\n",
    "<xref linkend='a' id='a'/>",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@settings(max_examples=150, deadline=None)
def test_broken_markup_is_read_without_failure(parts):
    assert "handler_failed" not in [p.code for p in read("<article>" + "".join(parts)).problems]


def test_tables_nested_in_cells_do_not_grow_with_every_level():
    depth = 60
    cell = "<informaltable><tgroup cols='1'><tbody><row><entry><para>in</para>"
    inner = "<para>a</para><para>b</para>"
    end = "</entry></row></tbody></tgroup></informaltable>"
    document = REGISTRY.read(Source("a.dbk", f"<article>{cell * depth}{inner}{end * depth}</article>".encode()))
    text = "".join(section.text for section in document.sections)
    assert text.split().count("b") == 1
    assert len(text) < 20_000
