"""What the AsciiDoc handler must bring out of a source."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text, name="paper.adoc"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def texts(document, kind, layer=None):
    return [s.text for s in document.sections if s.kind == kind and layer in (None, s.layer)]


def everything(document):
    return "\n".join("\n".join((*s.heading, s.text)) for s in document.sections)


def test_the_header_is_metadata_and_attributes_are_put_in():
    document = read("= Doc\nAda L <a@b.c>; Bob\nv1, 2020-01-02\n:x: VAL\n\nHi {x} {unknown}\n")
    metadata = document.metadata
    assert (metadata.title, metadata.authors, metadata.created) == ("Doc", ("Ada L", "Bob"), "2020-01-02")
    assert texts(document, "prose") == ["Hi VAL {unknown}"]


def test_headings_are_told_from_delimiters():
    document = read("= D\n\n== A\n\n====\ntext\n====\n\n## B\n\n[discrete]\n=== C\n\nOld\n---\n")
    assert [s.heading for s in document.sections] == [("D",), ("D", "A"), ("D", "B"), ("D", "B", "C"), ("D", "Old")]


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("link:a.html[words]", "[words](a.html)"),
        ("https://a.b[W]", "[W](https://a.b)"),
        ("<<id,words>> xref:x[more]", "words more"),
        ("`code` kbd:[X]", "`code` X"),
        ("((shown))(((hidden)))", "shown"),
        ("[[id]]a [.role]#b#", "a b"),
        ("#a# and ##b##c, issue #12 and +a_b+", "a and bc, issue #12 and a_b"),
        ("stem:[x]", "$x$"),
        ("`open <<open", "`open <<open"),
    ],
)
def test_inline_markup(markup, said):
    assert texts(read(f"{markup}\n"), "prose") == [said]


@pytest.mark.parametrize(
    ("markup", "kind", "said"),
    [
        ("NOTE: a", "note", "**Note:** a"),
        ("[WARNING]\n====\na\n====", "note", "**Warning**\n\na"),
        ("****\na\n****", "note", "a"),
        ("[source,ruby]\n----\n== a <1>\n----", "code", "```ruby\n== a <1>\n```"),
        ("....\n* a\n....", "code", "```\n* a\n```"),
        ("[quote,Me]\n____\na\n____", "quote", "— Me\n\na"),
        ("image::x.png[A]", "alt", "A"),
        ("* a\n+\nmore\n** b\n. c", "list", "- a\n\n  more\n  - b\n    1. c"),
        ("a:: b\nc::\n  d", "list", "- **a**: b\n- **c**: d"),
        (",===\na,b\n1,2\n,===", "table", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (
            "|===\n|a |b\n\n2+|c\n.2+a|* x\n|d\n|e\n|===",
            "table",
            "| a | b |\n| --- | --- |\n| c |  |\n| - x | d |\n| ^^ | e |",
        ),
        ("a footnote:[n]", "footnote", "[^1]: n"),
        ("include::/etc/passwd[]", "prose", "[/etc/passwd](/etc/passwd)"),
        ("ifdef::x[]\na\nendif::[]\nifndef::x[]\nb\nendif::[]", "prose", "a\nb"),
    ],
)
def test_blocks(markup, kind, said):
    assert texts(read(f"{markup}\n"), kind) == [said]


def test_only_numbers_repeat_columns():
    document = read('[cols="²*,2*"]\n|===\n|a |b |c\n|===\n')
    assert document.problems == ()
    assert texts(document, "table") == ["| a | b | c |\n| --- | --- | --- |"]


def test_comments_are_left_out():
    assert "TK" not in everything(read("a\n\n// TKA\n\n////\nTKB\n////\n\nb\n"))


def test_attributes_do_not_swell():
    rows = [":a0: xxxxxxxxxx", *(f":a{n + 1}: {{a{n}}}{{a{n}}}" for n in range(60))]
    assert len(everything(read("\n".join([*rows, "", "{a60} words"])))) < 200_000


def test_places_are_exact():
    document = read("a\nb\n\n----\nc\n----\n")
    assert [s.locator for s in document.sections] == [Locator.lines(1, 2), Locator.lines(4, 6)]


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.sampled_from(["= ", "x", "::", "* ", "`", "|", "|===", "\n", "  ", "====", "[a]", "link:", "+\n", "\n\n"])
    )
)
def test_nothing_raises(parts):
    assert not [p for p in read("".join(["x", *parts])).problems if p.code == "handler_failed"]
