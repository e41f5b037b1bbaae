"""What the Typst handler must bring out of a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text):
    return REGISTRY.read(Source("a.typ", text if isinstance(text, bytes) else text.encode()))


def shown(text):
    return [(s.heading, s.kind, s.text) for s in read(text).sections]


def body(text):
    return "\n".join(section.text for section in read(text).sections if section.layer == "body")


def test_blocks_have_headings_kinds_and_lines():
    document = read(
        "before\n\n= One *bold* <one>\nText with _emphasis_, `code`\nand $x^2$ on two lines.\n\n"
        "- a\n  - b\n+ c\n/ Term: meaning\n\n== Two\n```py\n# no heading\n```\n\n$ sum a_i $ <eq>\n\n// TKHIDDEN\nend\n"
    )
    assert [(s.heading, s.kind, s.text) for s in document.sections] == [
        ((), "prose", "before"),
        (("One bold",), "prose", "Text with emphasis, `code`\nand $x^2$ on two lines."),
        (("One bold",), "list", "- a\n  - b\n1. c\n- Term: meaning"),
        (("One bold", "Two"), "code", "```py\n# no heading\n```"),
        (("One bold", "Two"), "math", "$ sum a_i $"),
        (("One bold", "Two"), "comment", "TKHIDDEN"),
        (("One bold", "Two"), "prose", "end"),
    ]
    assert document.sections[1].locator == Locator.lines(4, 5)
    assert document.sections[5].layer == "hidden"


def test_what_the_document_says_about_itself_is_metadata():
    text = (
        '#set document(\n  title: "Tides", author: ("Ada", "Bob"), keywords: ("sea",),\n'
        "  date: datetime(year: 2024, month: 3, day: 1),\n)\nx"
    )
    metadata = read(text).metadata
    assert (metadata.title, metadata.authors, metadata.tags, metadata.created) == (
        "Tides",
        ("Ada", "Bob"),
        ("sea",),
        "2024-03-01",
    )


def test_what_a_template_is_told_is_metadata_and_text():
    document = read(
        '#show: paper.with(\n  title: [A _fine_ paper],\n  authors: ((name: "Ada", mail: "a@b"),),\n'
        "  abstract: [In short.],\n)\n"
    )
    assert document.metadata.title == "A fine paper"
    assert document.metadata.authors == ("Ada",)
    assert "In short." in body("#show: paper.with(abstract: [In short.])\n")


def test_code_is_left_out_and_content_in_it_kept():
    text = (
        '#import "@preview/x:1.0.0": *\n#set text(font: "TKFONT", size: 11pt)\n#show heading: it => { TKCODE(it) }\n'
        '#let f(x) = {\n  let y = x + 1\n  [Kept #y]\n}\n#include "other.typ"\n#if a [yes] else [no]\n'
        "#for i in range(3) {\n  [loop]\n}\n"
    )
    found = body(text)
    assert "TK" not in found
    assert all(word in found for word in ("Kept", "yes", "no", "loop", "[other.typ](other.typ)"))


def test_tables_and_figures_keep_cells_and_captions():
    text = (
        "#figure(\n  table(\n    columns: (1fr, auto),\n    table.header([*A*], [B]),\n    [c, d], $e$,\n"
        "    table.cell(colspan: 2)[wide],\n  ),\n  caption: [What is known],\n) <t>\n\n"
        '#figure(image("a.png", alt: "A boat"), caption: [The boat])\n'
    )
    assert shown(text) == [
        ((), "table", "| A | B |\n| --- | --- |\n| c, d | $e$ |\n| wide |  |"),
        ((), "caption", "What is known"),
        ((), "alt", "A boat"),
        ((), "caption", "The boat"),
    ]


def test_notes_links_references_and_values():
    text = (
        '#let port = "Harbour"\n#let year = 1999\nIn #port of #year#footnote[See *there*.] @fig-1 and '
        '#link("https://a.b/c")[this] or https://d.e/f // gone\n'
    )
    assert shown(text) == [
        ((), "prose", "In Harbour of 1999[^1] @fig-1 and [this](https://a.b/c) or https://d.e/f"),
        ((), "footnote", "[^1]: See there."),
    ]


def test_escapes_and_marks_of_the_typographer():
    assert body(r"\#no \*stars\* a_b_c 1--2 --- x~y \u{41} /* gone */ z") == "#no *stars* a_b_c 1–2 — x y A z"


def test_blocks_in_content_are_blocks():
    text = "#align(center)[\n  Text.\n\n  = Deep\n  Under.\n]\n#quote(attribution: [Plato])[Know]\n#[free]\n"
    assert shown(text) == [
        ((), "prose", "Text."),
        (("Deep",), "prose", "Under."),
        (("Deep",), "quote", "Know — Plato"),
        (("Deep",), "prose", "free"),
    ]


def test_running_heads_are_furniture():
    (head, _) = read("#set page(header: [Running])\ntext").sections
    assert (head.text, head.layer) == ("Running", "furniture")


@pytest.mark.parametrize(
    "text",
    [
        mark * 4000
        for mark in ("#[", "#a(", "[", "(", "{", "$", "`", "/*", "#table(", "#figure(", "= ", "- ", "#let a =\n")
    ]
    + ["#a[" * 3000 + "]" * 3000, "#f(g(" * 2000, '"' * 5000, "#" * 5000, "\\" * 5001, "#show: x.with(" * 1000],
)
def test_hostile_text_is_read(text):
    assert "handler_failed" not in [problem.code for problem in read(text).problems]


@given(st.text(alphabet='#[](){}$`"/*=-+ \nab.,:<>@\\', max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_without_failure(text):
    assert "handler_failed" not in [problem.code for problem in read(text).problems]


@pytest.mark.parametrize(
    "text", ["#figure(caption: ", "#figure([x], caption:", "#set document(title: ", "#set document(author:)"]
)
def test_arguments_that_are_missing_are_borne(text):
    assert not [problem for problem in read(f"before\n\n{text}").problems if problem.code == "handler_failed"]
