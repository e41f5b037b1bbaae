"""What the reStructuredText handler must bring out of a source."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text, name="paper.rst"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def texts(document, kind, layer=None):
    return [s.text for s in document.sections if s.kind == kind and layer in (None, s.layer)]


def everything(document):
    return "\n".join("\n".join((*s.heading, s.text)) for s in document.sections)


def test_titles_nest_by_the_order_of_their_adornments():
    document = read("====\nDoc\n====\nSub\n===\n\nOne\n----\ntext\n\nTwo\n~~~~\n\nLonger than it\n----\n")
    assert [(s.heading, s.level, s.locator.start) for s in document.sections] == [
        (("Doc",), 1, 1),
        (("Doc", "Sub"), 2, 4),
        (("Doc", "Sub", "One"), 3, 9),
        (("Doc", "Sub", "One", "Two"), 4, 11),
        (("Doc", "Sub", "Longer than it"), 3, 14),
    ]
    assert document.metadata.title == "Doc"


def test_the_fields_below_the_title_are_metadata():
    document = read("Doc\n===\n\n:Author: Ada\n:Date: 2020-01-02\n:Keywords: x, y\n\ntext\n")
    assert (document.metadata.authors, document.metadata.created) == (("Ada",), "2020-01-02")
    assert document.metadata.tags == ("x", "y")
    assert texts(document, "prose") == ["text"]


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("``a b``", "`a b`"),
        (":ref:`words <place>`", "words"),
        (":math:`x^2`", "$x^2$"),
        (":func:`~a.b`", "`a.b`"),
        ("`site <http://x.y>`_", "[site](http://x.y)"),
        ("site_\n\n.. _site: http://x.y", "[site](http://x.y)"),
        ("`a b`__\n\n__ http://x.y", "[a b](http://x.y)"),
        ("|s|\n\n.. |s| replace:: SUBST", "SUBST"),
        ("a\\ b \\*c", "ab *c"),
        ("`open", "`open"),
        ("_`here`", "here"),
    ],
)
def test_inline_markup(markup, said):
    assert texts(read(markup), "prose") == [said]


def test_notes_and_citations():
    document = read("a [1]_ [#b]_ [C]_\n\n.. [1] one\n   more\n.. [#b] two\n.. [C] three\n")
    assert texts(document, "prose") == ["a [^1] [^b] [^C]"]
    assert texts(document, "footnote", "notes") == ["[^1]: one\nmore\n\n[^b]: two\n\n[^C]: three"]


def test_comments_are_left_out():
    assert "TK" not in everything(read("a\n\n.. TKA\n   TKB\n\n..\n   TKC\n\nb\n"))


@pytest.mark.parametrize(
    ("markup", "kind", "said"),
    [
        (".. note:: a\n   b", "note", "**Note**\n\na\nb"),
        (".. versionadded:: 2 x", "note", "**Added in version 2**\n\nx"),
        (".. code-block:: python\n\n   a = 1\n     b", "code", "```python\na = 1\n  b\n```"),
        ("::\n\n  - a", "code", "```\n- a\n```"),
        (".. math:: x", "math", "$$x$$"),
        (".. csv-table::\n   :header: a, b\n\n   1, 2", "table", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (".. list-table::\n\n   * - a\n     - b\n   * - 1\n     - 2", "table", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (".. figure:: x.png\n   :alt: A\n\n   C", "caption", "C"),
        (".. image:: x.png\n   :alt: A", "alt", "A"),
        (".. toctree::\n\n   A <b>\n   c", "toc", "- [A](b)\n- c"),
        (".. py:function:: f(a)\n\n   words", "prose", "`f(a)`\n\nwords"),
        (".. unknown:: arg\n   :opt: x\n\n   words", "prose", "`arg`\n\nwords"),
        (".. header:: h", "header", "h"),
    ],
)
def test_directives(markup, kind, said):
    assert texts(read(markup), kind) == [said]


def test_lists_keep_their_depth():
    document = read("- a\n\n  more\n\n  1. b\n\n- c\n")
    assert texts(document, "list") == ["- a\n\n  more\n  1. b\n- c"]


def test_tables():
    grid = "+---+---+\n| a | b |\n+===+===+\n| c     |\n+---+---+\n| d | e |\n|   +---+\n|   | f |\n+---+---+\n"
    assert texts(read(grid), "table") == ["| a | b |\n| --- | --- |\n| c |  |\n| d | e |\n| ^^ | f |"]
    simple = "=== ===\na   b\n=== ===\n1   2\n    3\n=== ===\n"
    assert texts(read(simple), "table") == ["| a | b |\n| --- | --- |\n| 1 | 2 3 |"]


@pytest.mark.parametrize("directive", ["include", "literalinclude", "raw:: html\n   :file", "csv-table:: t\n   :file"])
def test_no_other_file_is_read(directive, tmp_path):
    (tmp_path / "secret").write_text("TKSECRET")
    path = tmp_path / "a.rst"
    path.write_text(f".. {directive}:: {tmp_path}/secret\n".replace("file::", "file:"))
    assert "TKSECRET" not in everything(REGISTRY.read(Source(path)))


def test_substitutions_do_not_swell():
    rows = [f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|" for n in range(60)]
    assert len(everything(read("\n".join([*rows, "", "|a0| words"])))) < 100_000


def test_places_are_exact():
    document = read("a\nb\n\n.. note::\n\n   c\n   d\n")
    assert [s.locator for s in document.sections] == [Locator.lines(1, 2), Locator.lines(4, 7)]


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.sampled_from([".. ", "x", "::", "- ", "`", "|", "_", "\n", "  ", "===", "+-+", "[1]", ":a:", "\n\n"]))
)
def test_nothing_raises(parts):
    assert not [p for p in read("".join(["x", *parts])).problems if p.code == "handler_failed"]
