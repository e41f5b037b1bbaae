"""What is read of XML whose vocabulary nobody knows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text, name="some.xml"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def test_prose_is_read_by_its_titles_and_paragraphs():
    document = read(
        "<doc lang='en'><title>Whole</title>\n<p>TKONE <hi>in</hi> line</p>\n<part><head>Part</head><p>TKTWO</p>"
        "<list type='ordered'><item>a</item><item>b</item></list></part>\n<p>TKAFTER</p></doc>"
    )
    assert (document.handler, document.metadata.title) == ("xml", "Whole")
    assert [(s.heading, s.kind, s.text, s.locator) for s in document.sections] == [
        (("Whole",), "prose", "TKONE in line", Locator.lines(2)),
        (("Whole", "Part"), "prose", "TKTWO", Locator.lines(3)),
        (("Whole", "Part"), "list", "1. a\n2. b", Locator.lines(3)),
        (("Whole",), "prose", "TKAFTER", Locator.lines(4)),
    ]


def test_divisions_are_parts_where_they_have_titles():
    document = read(
        "<TEI><teiHeader><title>Whole</title></teiHeader><text><body><div><head>One</head><p>a</p>"
        "<div><head>Two</head><p>b</p></div></div><div>c<p>d</p></div></body></text></TEI>"
    )
    assert [(s.heading, s.text) for s in document.sections] == [
        (("One",), "a"),
        (("One", "Two"), "b"),
        ((), "c\n\nd"),
    ]


def test_data_is_read_by_key_paths():
    document = read(
        "<conf version='2'>\n<name>TKNAME</name>\n"
        "<server id='main'><port>80</port><tls on='yes'><key>k</key></tls></server></conf>"
    )
    assert [(s.heading, s.text) for s in document.sections] == [
        ((), "@version: 2\nname: TKNAME"),
        (("server main",), "@id: main\nport: 80\ntls.@on: yes\ntls.key: k"),
    ]


def test_other_vocabularies_are_told_apart():
    assert read("<html xmlns='http://www.w3.org/1999/xhtml'><body>x</body></html>").handler == "html"
    assert read("<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title></feed>").handler == "feeds"
    assert not read("<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title></feed>").problems


@pytest.mark.parametrize(
    "data", [b"", b"<", b"\0\1\xff" * 50, b"<a>" * 3000, b"<a><p>" * 1000, b"<a " + b"b='c' " * 999, b"<a/>" * 999]
)
def test_hostile_files_are_read_without_failure(data):
    assert "handler_failed" not in [p.code for p in read(data).problems]


@given(st.lists(st.sampled_from(["<a>", "</a>", "<p>", "</p>", "<title>", "x", "</title>", "<b c='d'/>"]), max_size=30))
@settings(max_examples=100, deadline=None)
def test_broken_markup_is_read_without_failure(parts):
    assert "handler_failed" not in [p.code for p in read("<r>" + "".join(parts)).problems]
