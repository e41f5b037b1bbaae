"""What the DITA handler must bring out of topics and maps."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text, name="topic.dita"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def topic(inner):
    return read(f"<topic id='t'><title>T</title><body>{inner}</body></topic>")


def texts(document, layer=None):
    return "\n\n".join(section.text for section in document.sections if layer in (None, section.layer))


TASK = """<?xml version="1.0"?>
<!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd">
<task id="a" xml:lang="en-us"><title>TKTITLE</title>
<titlealts><searchtitle>TKSEARCH</searchtitle></titlealts>
<shortdesc>TKSHORT</shortdesc>
<prolog><author>Ann Lee</author><critdates><created date="2020-01-02"/><revised modified="2021-03-04"/></critdates>
<metadata><category>TKCAT</category><keywords><keyword>TKKEY</keyword><indexterm>TKI1<indexterm>TKI2</indexterm>
</indexterm></keywords><prodinfo><prodname>TKPROD</prodname></prodinfo></metadata></prolog>
<taskbody><prereq>TKPREREQ</prereq><context><p>TKCONTEXT</p></context>
<steps><stepsection>TKBETWEEN</stepsection><step><cmd>TKCMD1</cmd><info>TKINFO</info>
<substeps><substep><cmd>TKSUB</cmd></substep></substeps></step>
<step><cmd>TKCMD2</cmd><choicetable><chhead><choptionhd>TKCH</choptionhd><chdeschd>D</chdeschd></chhead>
<chrow><choption>one</choption><chdesc>TKCHDESC</chdesc></chrow></choicetable>
<stepresult>TKRESULT</stepresult></step></steps>
<result>TKDONE</result></taskbody>
<related-links><link href="b.dita"><linktext>TKLINK</linktext></link></related-links>
<concept id="b"><title>Nested</title><conbody><p>TKNESTED</p>
<section><title>Part</title><p>TKPART</p></section></conbody>
</concept></task>"""


def test_a_task_is_read_in_order():
    document = read(TASK)
    assert document.state == "read"
    body = texts(document, "body")
    tokens = re.findall(
        r"\w+",
        "TKSHORT TKPREREQ TKCONTEXT TKBETWEEN TKCMD1 TKINFO TKSUB TKCMD2 TKCH TKCHDESC TKRESULT TKDONE "
        "TKLINK TKNESTED TKPART",
    )
    places = [body.index(token) for token in tokens]
    assert places == sorted(places)
    assert all(len(re.findall(rf"\b{token}\b", body)) == 1 for token in tokens)
    assert "1. TKCMD1\n\n  TKINFO\n  a. TKSUB\n2. TKCMD2" in body
    assert "| TKCH | D |\n| --- | --- |\n| one | TKCHDESC |" in body
    assert "- [TKLINK](b.dita)" in body
    assert [s.heading for s in document.sections][-2:] == [("TKTITLE", "Nested"), ("TKTITLE", "Nested", "Part")]


def test_the_prolog_is_metadata():
    known = read(TASK).metadata
    assert (known.title, known.authors, known.tags) == ("TKTITLE", ("Ann Lee",), ("TKCAT", "TKKEY"))
    assert (known.created, known.modified, known.language) == ("2020-01-02", "2021-03-04", "en-us")
    assert known.description == "TKSHORT"
    assert known.extra == {"searchtitle": "TKSEARCH", "indexterm": "TKI1, TKI2", "prodname": "TKPROD"}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"),
        ("<ol><li><p>a</p><p>b</p></li><li>c</li></ol>", "1. a\n\n  b\n2. c"),
        ("<dl><dlentry><dt>t</dt><dd>d</dd></dlentry></dl>", "t\n: d"),
        ("<parml><plentry><pt>t</pt><pd>d</pd></plentry></parml>", "t\n: d"),
        ("<note type='caution'>mind</note>", "Caution: mind"),
        ("<note type='other' othertype='hint'><p>a</p><p>b</p></note>", "Hint: a\n\nb"),
        ("<codeblock outputclass='language-java'>int <b>x</b>;\n  y</codeblock>", "```java\nint x;\n  y\n```"),
        ("<lq>said</lq>", "> said"),
        ("<p>a <codeph>c</codeph> <xmlelement>e</xmlelement> <q>q</q> x<sup>2</sup></p>", "a `c` `<e>` “q” x^2"),
        ("<p><menucascade><uicontrol>File</uicontrol><uicontrol>Open</uicontrol></menucascade></p>", "File > Open"),
        ("<p>see <xref href='http://a'>it</xref>, <xref href='b.dita#c'/></p>", "see [it](http://a), b.dita#c"),
        ("<p>our <keyword keyref='prod'/> and <ph conref='x.dita#a/b'/></p>", "our [prod] and [x.dita#a/b]"),
        ("<p conkeyref='k/p'/>", "[k/p]"),
        ("<p>a<fn>TKNOTE</fn> b</p>", "a[^1] b"),
        ("<p>a <draft-comment author='A'>TKDRAFT</draft-comment>b<indexterm>TKIDX</indexterm></p>", "a b"),
        ("<fig><title>TKFIG</title><image href='TKFILE.png'><alt>TKALT</alt></image></fig>", "TKFIG\n\nTKALT"),
        (
            "<simpletable><sthead><stentry>h</stentry><stentry>i</stentry></sthead><strow><stentry>a|b</stentry>"
            "<stentry><p>c</p><p>d</p></stentry></strow></simpletable>",
            "| h | i |\n| --- | --- |\n| a\\|b | c / d |",
        ),
        (
            "<properties><property><proptype>t</proptype><propvalue>v</propvalue><propdesc>d</propdesc></property>"
            "</properties>",
            "| t | v | d |\n| --- | --- | --- |",
        ),
        (
            "<table><title>TKCAP</title><tgroup cols='2'><colspec colname='a'/><colspec colname='b'/><tbody><row>"
            "<entry namest='a' nameend='b'>x</entry></row><row><entry colname='b'>y</entry></row></tbody>"
            "</tgroup></table>",
            "TKCAP\n\n| x |  |\n| --- | --- |\n|  | y |",
        ),
        ("<p>a<mystery>b</mystery></p><thing><p>c</p></thing>", "ab\n\nc"),
    ],
)
def test_blocks_read_as_their_readers_see_them(source, text):
    document = topic(source)
    assert "\n\n".join(s.text for s in document.sections if s.layer == "body") == text


def test_specialised_elements_are_known_by_what_they_specialise():
    document = read(
        '<apiRef class="- topic/topic reference/reference apiRef/apiRef "><apiName class="- topic/title api/apiName ">T'
        '</apiName><apiBody class="- topic/body "><sample class="- topic/pre pr-d/codeblock api/sample ">x\n y</sample>'
        "</apiBody></apiRef>"
    )
    assert texts(document).endswith("```\nx\n y\n```")


def test_drafts_are_hidden_and_notes_follow():
    document = topic("<p>a<fn>TKNOTE</fn><draft-comment author='A'>TKDRAFT</draft-comment></p>")
    assert [(s.text, s.kind, s.layer) for s in document.sections] == [
        ("a[^1]", "prose", "body"),
        ("[^1]: TKNOTE", "footnote", "notes"),
        ("A: TKDRAFT", "comment", "hidden"),
    ]
    assert [p.code for p in document.problems] == ["hidden_text"]


def test_a_composite_holds_topics():
    document = read(
        "<dita><topic id='a'><title>A</title><body><p>x</p></body><topic id='b'><title>B</title></topic></topic>\n"
        "<concept id='c'><title>C</title><conbody><p>y</p></conbody></concept></dita>"
    )
    assert [(s.heading, s.text, s.locator) for s in document.sections] == [
        (("A",), "x", Locator.lines(1)),
        (("A", "B"), "", Locator.lines(1)),
        (("C",), "y", Locator.lines(2)),
    ]


MAP = """<!DOCTYPE map PUBLIC "-//OASIS//DTD DITA Map//EN" "map.dtd">
<map><title>TKMAP</title><topicmeta><author>Ann</author><keywords><keyword>TKKEY</keyword></keywords></topicmeta>
<topichead navtitle="TKHEAD"><topicref href="a.dita"><topicmeta><navtitle>TKNAV</navtitle></topicmeta>
<topicref href="b.dita"/></topicref></topichead>
<topicgroup><topicref keyref="TKKEYREF"/></topicgroup>
<keydef keys="TKDEF" href="c.dita"/>
<reltable><title>TKREL</title><relheader><relcolspec type="task"/><relcolspec type="concept"/></relheader>
<relrow><relcell><topicref href="x.dita"/></relcell>
<relcell><topicref href="y.dita"/><topicref href="z.dita"/></relcell></relrow></reltable></map>"""


def test_a_map_is_an_outline():
    document = read(MAP, "book.ditamap")
    assert [(s.heading, s.kind, s.text) for s in document.sections] == [
        (
            ("TKMAP",),
            "toc",
            "- TKHEAD\n  - [TKNAV](a.dita)\n    - b.dita\n- TKKEYREF\n- TKDEF: c.dita",
        ),
        (("TKMAP",), "caption", "TKREL"),
        (("TKMAP",), "table", "| x.dita | y.dita / z.dita |\n| --- | --- |"),
    ]
    assert (document.metadata.title, document.metadata.authors, document.metadata.tags) == (
        "TKMAP",
        ("Ann",),
        ("TKKEY",),
    )


def test_a_book_map_has_a_title_and_chapters():
    document = read(
        "<bookmap><booktitle><booklibrary>TKLIB</booklibrary><mainbooktitle>TKMAIN</mainbooktitle></booktitle>"
        "<bookmeta><authorinformation><personinfo><namedetails><personname><firstname>Ann</firstname><lastname>Lee</lastname></personname></namedetails></personinfo></authorinformation>"
        "</bookmeta>"
        "<frontmatter><notices href='n.dita'/></frontmatter><chapter href='one.dita' navtitle='One'>"
        "<topicref href='two.dita'/></chapter><appendix href='app.dita'/></bookmap>",
        "some.xml",
    )
    assert (document.handler, document.metadata.authors) == ("dita", ("Ann Lee",))
    assert [s.heading for s in document.sections] == [("TKMAIN",)] * len(document.sections)
    assert texts(document).split("\n") == ["TKLIB", "", "- n.dita", "- [One](one.dita)", "  - two.dita", "- app.dita"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<topic",
        b"\0\xff\1" * 40,
        b"<topic>" * 3000,
        b"<topic><title>" * 900,
        b"<map>" + b"<topicref navtitle='x'>" * 1500,
        b"<topic><body>" + b"<simpletable><strow><stentry>" * 400,
        b"<topic><body>" + b"<fn>" * 1500,
        b"<topic class='- '><title class='- / / /'/></topic>",
        b"<reltable><relrow><relcell><reltable>",
    ],
)
@pytest.mark.parametrize("name", ["a.dita", "a.ditamap"])
def test_hostile_files_are_read_without_failure(data, name):
    assert "handler_failed" not in [p.code for p in read(data, name).problems]


@pytest.mark.parametrize("data", [TASK, MAP])
def test_a_file_that_was_cut_gives_what_it_has(data):
    for at in range(0, len(data), 53):
        assert "handler_failed" not in [p.code for p in read(data[:at]).problems]


TAGS = re.findall(
    r"\w+",
    "topic title body p ul li steps step cmd simpletable strow stentry fn note prolog keywords indexterm shortdesc "
    "topicref topicmeta navtitle reltable relrow relcell map bookmap booktitle mainbooktitle dl dt dd link xref",
)
PIECES = [
    *(f"<{tag}>" for tag in TAGS),
    *(f"</{tag}>" for tag in TAGS),
    "x",
    "<p conref='a'/>",
    "<ph keyref='k'/>",
    "\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.sampled_from(["topic", "map"]))
@settings(max_examples=150, deadline=None)
def test_broken_markup_is_read_without_failure(parts, root):
    assert "handler_failed" not in [p.code for p in read(f"<{root}>" + "".join(parts)).problems]
