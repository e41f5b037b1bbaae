"""What must come out of each format, told token by token in fixtures/FORMAT/must_extract.txt.

Each fact of a source is a token of its own, such as ``tokcell01``. A block of a table is the outline that a source
must have: its headings with their depth, and below each heading the tokens in reading order, one line for each section
with its layer and kind. So it says of each token that it is there once, where, and in which layer; what a source itself
says more than once is named ``again``. Deleted text, code that draws the page and the like are ``absent``. No switch
writes these tables.
"""

from __future__ import annotations

from collections import Counter

import pytest
from fixture_files import FIXTURES, SOURCES, TOKEN, difference, expected_outlines, outline, read, tokens_in

TABLES = sorted({source.parents[1].name for source in SOURCES})
ROWS = [(fmt, name) for fmt in TABLES for name in expected_outlines(fmt)]


@pytest.mark.parametrize(("fmt", "name"), ROWS, ids=lambda part: part)
def test_each_token_comes_out_once_in_its_layer_under_its_heading_and_in_order(fmt, name):
    source = FIXTURES / fmt / "sources" / name
    expected, found = expected_outlines(fmt)[name].outline, outline(read(source))
    if found != expected:
        pytest.fail(difference(expected, found, f"{fmt}/{name}"), pytrace=False)


@pytest.mark.parametrize(("fmt", "name"), ROWS, ids=lambda part: part)
def test_tables_name_every_token_of_their_source(fmt, name):
    expected = expected_outlines(fmt)[name]
    lines = [line for line in expected.outline.split("\n") if not line.startswith(("title:", "metadata:"))]
    said = Counter(TOKEN.findall("\n".join(lines)))
    assert {token for token, times in said.items() if times > 1} == expected.again
    named = set(TOKEN.findall(expected.outline))
    assert not named & expected.absent
    assert tokens_in(FIXTURES / fmt / "sources" / name) <= named | expected.absent


@pytest.mark.parametrize("fmt", TABLES)
def test_every_format_has_a_table(fmt):
    names = {source.name for source in SOURCES if source.parents[1].name == fmt}
    assert expected_outlines(fmt).keys() == names
