"""What the MediaWiki handler must bring out of a page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text):
    return REGISTRY.read(Source("page.mediawiki", text if isinstance(text, bytes) else text.encode()))


def all_text(document, layer=None):
    return "\n\n".join(s.text for s in document.sections if layer in (None, s.layer))


def test_headings_open_sections_with_exact_lines():
    document = read(
        "before\n\n== One '''bold''' ==\n<!-- TK\nTK -->\ntext\n=== Two ===\n{{Box|a=x\n|b=y}}\nmore\n== Three ==\n"
    )
    assert [(s.heading, s.locator) for s in document.sections if s.layer == "body"] == [
        ((), Locator.lines(1)),
        (("One bold",), Locator.lines(4, 6)),
        (("One bold", "Two"), Locator.lines(8, 10)),
        (("Three",), Locator.lines(11)),
    ]
    assert "TK" in all_text(document, "hidden")
    assert "TK" not in all_text(document, "body")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "'''b''' ''i'' [[Page|label]] [[Plain]] [http://a b c]",
            "**b** *i* [label](Page) Plain [b c](http://a)",
        ),
        ("{{Name|one|key=two}} {{nested|{{inner|x}}}} {{empty}}", "Name: one, key=two nested: inner: x "),
        ("[[File:a.png|thumb|200px|A ''caption'' [[Page]]]]", "A *caption* Page"),
        ("x<sub>2</sub><br>y &amp; &nbsp;z __TOC__", "x2\ny & \xa0z "),
        ("<math>a^2</math> <nowiki>''raw''</nowiki> <code>c</code>", "$a^2$ ''raw'' c"),
    ],
)
def test_words_are_what_a_reader_sees(source, text):
    assert all_text(read(source)) == text.strip()


def test_lists_tables_and_code():
    document = read(
        "* a\n** b\n# c\n; Term : meaning\n: def\n\n{| class=x\n|+ TKCAP\n! A !! B\n|-\n| style=y | c || d\ne\n|}\n"
        '<syntaxhighlight lang="py">\n== no ==\n</syntaxhighlight>\n pre\n'
    )
    assert [(s.kind, s.text) for s in document.sections] == [
        ("list", "- a\n  - b\n1. c\n- **Term** meaning\n  def"),
        ("caption", "TKCAP"),
        ("table", "| A | B |\n| --- | --- |\n| c | d e |"),
        ("code", "```py\n== no ==\n```\n\n```\npre\n```"),
    ]


def test_references_and_categories():
    document = read('a<ref name="x">TK1\n\nTKMORE</ref> b<ref name="x" /> c.\n[[Category:Things]]\n')
    assert [(s.kind, s.text) for s in document.sections] == [
        ("prose", "a[^1] b[^1] c."),
        ("footnote", "[^1]: TK1 TKMORE"),
    ]
    assert document.metadata.tags == ("Things",)


@pytest.mark.parametrize(
    "text", ["{{" * 5000, "[[" * 5000, "<ref>" * 5000, "{|\n" * 2000, "'" * 5000, "<!--" * 3000, "=" * 5000, "*" * 5000]
)
def test_hostile_text_is_read(text):
    assert "handler_failed" not in [p.code for p in read(text).problems]


MARKUP = "= == * # : ; ' '' {| | || |- |} {{ }} [[ ]] <ref> </ref> <pre> </pre> a"


@given(st.lists(st.sampled_from([*MARKUP.split(" "), "\n"]), max_size=30))
@settings(max_examples=100, deadline=None)
def test_broken_pages_are_read_without_failure(parts):
    assert "handler_failed" not in [p.code for p in read("x".join(parts)).problems]
