"""What the Textile handler must bring out of a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text):
    return REGISTRY.read(Source("a.textile", text if isinstance(text, bytes) else text.encode()))


def test_blocks_have_headings_kinds_and_lines():
    document = read(
        'before\n\nh1(cls#id). One *bold*\n\ntext[1] "link":http://a.b/c and @code@ !i.png(alt)!\n\nfn1. note\n\n'
        "* a\n** b\n# c\n\n"
        "h2. Two\n\n|_. A|_. B|\n|c|d|\n\nbc. x = *1*\n\nbq. said\n\n"
        "###. TKHIDDEN\n\n<b>html</b>\n\nbc.. one\n\ntwo\n\np. end\n"
    )
    assert [(s.heading, s.kind, s.text) for s in document.sections] == [
        ((), "prose", "before"),
        (("One bold",), "prose", "text[^1] [link](http://a.b/c) and `code` alt"),
        (("One bold",), "footnote", "[^1]: note"),
        (("One bold",), "list", "- a\n  - b\n1. c"),
        (("One bold", "Two"), "table", "| A | B |\n| --- | --- |\n| c | d |"),
        (("One bold", "Two"), "code", "```\nx = *1*\n```"),
        (("One bold", "Two"), "quote", "said"),
        (("One bold", "Two"), "comment", "TKHIDDEN"),
        (("One bold", "Two"), "prose", "html"),
        (("One bold", "Two"), "code", "```\none\n\ntwo\n```"),
        (("One bold", "Two"), "prose", "end"),
    ]
    assert document.sections[1].locator == Locator.lines(5)
    assert document.sections[7].layer == "hidden"


@pytest.mark.parametrize(
    "text", ['"' * 5000, "!" * 5000, "*" * 5000, "|" * 5000, "h1(" * 3000, "bc..\n" * 3000, "@" * 5000, "%{" * 3000]
)
def test_hostile_text_is_read(text):
    assert "handler_failed" not in [p.code for p in read(text).problems]


@given(st.binary(max_size=200))
@settings(max_examples=50, deadline=None)
def test_any_bytes_are_read_without_failure(data):
    assert "handler_failed" not in [p.code for p in read(data).problems]


def test_cells_reach_over_rows_and_columns():
    (section,) = read("|_. A |_. B |_. C |\n|/2. tall | b |\\2. wide |\n| c | d |\n").sections
    assert section.text == "| A | B | C |  |\n| --- | --- | --- | --- |\n| tall | b | wide |  |\n| ^^ | c | d |  |"
