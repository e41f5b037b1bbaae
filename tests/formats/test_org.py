"""What the Org handler must bring out of a source."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text, name="paper.org"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def test_headings_go_no_deeper_than_nine_levels():
    document = read("* One\n" + "*" * 51 + " Deep\nText\n")
    assert [(s.heading, s.level) for s in document.sections] == [(("One",), 1), (("One", "Deep"), 9)]


def texts(document, kind, layer=None):
    return [s.text for s in document.sections if s.kind == kind and layer in (None, s.layer)]


def everything(document):
    return "\n".join("\n".join((*s.heading, s.text)) for s in document.sections)


def test_headings_are_freed_of_keywords_priorities_and_tags():
    document = read("#+TODO: WAIT | OVER\n* TODO [#A] One =c=  :x:y:\ntext\n** WAIT Two\n* Todo\n")
    assert next(s.heading for s in document.sections if s.kind == "prose") == ("One c",)
    assert document.sections[-1].heading == ("Todo",)
    assert ("One c", "Two") in [s.heading for s in document.sections]
    assert document.metadata.tags == ("x", "y")


def test_keywords_are_metadata():
    metadata = read("#+title: T\n#+author: Ada\n#+filetags: :a:b:\n\ntext\n").metadata
    assert (metadata.title, metadata.authors, metadata.tags) == ("T", ("Ada",), ("a", "b"))


def test_drawers_are_not_body():
    document = read("* A\n:PROPERTIES:\n:ID: 5\n:END:\n:LOGBOOK:\nTKLOG\n:END:\ntext\n")
    assert texts(document, "metadata", "metadata") == ["ID: 5"]
    assert texts(document, "prose", "body") == ["text"]
    assert "TKLOG" not in everything(document)


@pytest.mark.parametrize(
    ("markup", "kind", "said"),
    [
        ("#+begin_src python\n* a\n,* b\n#+end_src", "code", "```python\n* a\n* b\n```"),
        (": a\n: b", "code", "```\na\nb\n```"),
        ("#+RESULTS:\n: 5", "output", "```\n5\n```"),
        ("| a | b |\n|---+---|\n| 1 | 2 |\n#+TBLFM: x", "table", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("#+caption: C\n| a |", "caption", "C"),
        ("- [ ] a\n  - b\n- t :: d", "list", "- [ ] a\n  - b\n- **t**: d"),
        ("#+begin_quote\na\n#+end_quote", "quote", "a"),
        ("a [fn:1]\n\n[fn:1] n", "footnote", "[^1]: n"),
        ("a [fn:: n]", "footnote", "[^note-1]: n"),
        ("[[http://a][A b]] <<here>> =v= \\alpha", "prose", "[A b](http://a) here `v` α"),
        ("#+begin: clock\na\n#+end:", "prose", "a"),
        ('#+include: "/etc/passwd"', "prose", "[/etc/passwd](/etc/passwd)"),
    ],
)
def test_blocks(markup, kind, said):
    assert texts(read(f"{markup}\n"), kind) == [said]


def test_withheld_subtrees_are_hidden():
    document = read("* A\na\n** COMMENT B\nTKB\n* C :ARCHIVE:\nTKC\n* D\nd\n")
    assert [s.layer for s in document.sections if "TK" in s.text] == ["hidden"]
    assert [p.code for p in document.problems] == ["hidden_text"]
    assert [s.text for s in document.sections if s.heading == ("D",)] == ["d"]


def test_comments_are_left_out():
    assert "TK" not in everything(read("a\n# TKA\n#+begin_comment\nTKB\n#+end_comment\nb\n"))


def test_places_are_exact():
    document = read("a\nb\n\n#+begin_src\nc\n#+end_src\n")
    assert [s.locator for s in document.sections] == [Locator.lines(1, 2), Locator.lines(4, 6)]


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.sampled_from(["* ", "x", ":a:", "- ", "=", "|", "[[", "\n", "  ", "[fn:", "\\(", "#+begin_src", "#+end_src"])
    )
)
def test_nothing_raises(parts):
    assert not [p for p in read("".join(["x", *parts])).problems if p.code == "handler_failed"]
