"""Of a document made of anything, each word comes out once, in order, under its heading, in every format."""

from __future__ import annotations

import json
import re

import pytest
from fixture_files import maker
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatherum import Source, load_registry

REGISTRY = load_registry()
epub, opendocument, word = map(maker, ("epub", "opendocument", "word"))
WORD = re.compile(r"\bw\d+w\b")


@st.composite
def documents(draw):
    """Draw blocks: ("h", level, words), or ("p" | "list" | "table" | "code", rows of words); every word is another."""
    count = iter(range(10_000))

    def words(most=4):
        return " ".join(f"w{next(count)}w" for _ in range(draw(st.integers(1, most))))

    blocks, level = [], 0
    for kind in draw(st.lists(st.sampled_from(["h", "p", "p", "list", "table", "code"]), min_size=1, max_size=12)):
        if kind == "h":
            level = draw(st.integers(1, min(level + 1, 6)))
            blocks.append(("h", level, words()))
        else:
            width = draw(st.integers(2, 3)) if kind == "table" else 1
            height = draw(st.integers(2, 3)) if kind == "table" else draw(st.integers(1, 3)) if kind == "list" else 1
            blocks.append((kind, 0, [[words() for _ in range(width)] for _ in range(height)]))
    return blocks


def expected(blocks):
    """Return each word with the heading that it stands under, or itself begins."""
    found, path = [], []
    for kind, level, content in blocks:
        if kind == "h":
            path = [*path[: level - 1], content]
            found += [(tuple(path), each) for each in content.split()]
        else:
            found += [(tuple(path), each) for row in content for text in row for each in text.split()]
    return found


def found(document):
    words, before = [], ()
    for section in document.sections:
        path = section.heading
        if path[:-1] != before[: len(path) - 1] or path != before[: len(path)] or len(path) < len(before):
            for depth in range(1, len(path) + 1):
                if path[:depth] != before[:depth]:
                    words += [(path[:depth], each) for each in WORD.findall(path[depth - 1])]
        before = path
        words += [(path, each) for each in WORD.findall(section.text)]
    return words


def docx(blocks):
    def block(kind, level, content):
        if kind == "h":
            return word.styled(f"Heading{level}", content)
        if kind == "table":
            return word.table(*(word.row(*row) for row in content))
        if kind == "list":
            return "".join(word.item(row[0], 3) for row in content)
        return word.styled("Code", content[0][0]) if kind == "code" else word.para(content[0][0])

    numbers = {"numbering.xml": ("numbering", f"{word.WORD}.numbering+xml", word.NUMBERING)}
    return word.document("".join(block(*each) for each in blocks), numbers)


def odf_body(blocks):
    def block(kind, level, content):
        if kind == "h":
            return opendocument.h(content, level)
        if kind == "table":
            return f"<table:table>{''.join(opendocument.row(*row) for row in content)}</table:table>"
        if kind == "list":
            return opendocument.items(*(opendocument.p(row[0]) for row in content))
        return opendocument.p(content[0][0], "Preformatted_20_Text" if kind == "code" else "")

    return "".join(block(*each) for each in blocks)


def html_body(blocks):
    def block(kind, level, content):
        if kind == "h":
            return f"<h{level}>{content}</h{level}>"
        if kind == "table":
            rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in content)
            return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
        if kind == "list":
            return f"<ul>{''.join(f'<li>{row[0]}</li>' for row in content)}</ul>"
        return f"<pre>{content[0][0]}</pre>" if kind == "code" else f"<p>{content[0][0]}</p>"

    return "\n".join(block(*each) for each in blocks)


def markdown(blocks):
    def block(kind, level, content):
        if kind == "h":
            return f"{'#' * level} {content}"
        if kind == "table":
            rows = [f"| {' | '.join(row)} |" for row in content]
            return "\n".join([rows[0], "|---" * len(content[0]) + "|", *rows[1:]])
        if kind == "list":
            return "\n".join(f"- {row[0]}" for row in content)
        return f"```\n{content[0][0]}\n```" if kind == "code" else content[0][0]

    return "\n\n".join(block(*each) for each in blocks) + "\n"


def notebook(blocks):
    def cell(block):
        if block[0] == "code":
            return {"cell_type": "code", "metadata": {}, "source": block[2][0][0], "outputs": []}
        return {"cell_type": "markdown", "metadata": {}, "source": markdown([block])}

    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell(each) for each in blocks]})


def book(blocks):
    pages = {"a.xhtml": epub.page(html_body(blocks), "")}
    return epub.book([("a", "a.xhtml", epub.XHTML, "")], pages)


WRITERS = {
    ".docx": docx,
    ".odt": lambda blocks: opendocument.packed("text", odf_body(blocks), "text"),
    ".fodt": lambda blocks: opendocument.flat("text", odf_body(blocks), "text"),
    ".html": lambda blocks: f"<html><body>{html_body(blocks)}</body></html>",
    ".epub": book,
    ".md": markdown,
    ".ipynb": notebook,
}


@pytest.mark.parametrize("extension", WRITERS)
@given(documents())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_each_word_comes_out_once_in_order_under_its_heading(extension, blocks):
    data = WRITERS[extension](blocks)
    data = data if isinstance(data, bytes) else data.encode()
    assert found(REGISTRY.read(Source(f"a{extension}", data))) == expected(blocks)
