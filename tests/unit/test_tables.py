import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum.tables import ABOVE, parse_table, pipe_table, spell_out


def test_the_first_row_is_the_header() -> None:
    assert pipe_table([["a", "b"], ["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_short_rows_are_filled_up() -> None:
    assert pipe_table([["a"], ["1", "2"]]).split("\n")[0] == "| a |  |"


def test_pipes_and_line_breaks_do_not_break_cells() -> None:
    table = pipe_table([["a|b", "one\ntwo", "one\n\ntwo"], [r"kept \| so", "", ""]])
    assert r"| a\|b | one two | one / two |" in table
    assert r"kept \| so" in table


def test_rows_and_tables_without_text_are_nothing() -> None:
    assert pipe_table([]) == ""
    assert pipe_table([["", None], [ABOVE, " "]]) == ""
    assert pipe_table([["a"], [""], ["b"]]).count("\n") == 2


def test_a_cell_covered_by_its_left_neighbour_is_empty() -> None:
    assert pipe_table([["wide", None], ["a", "b"]]).startswith("| wide |  |")


def test_cells_merged_with_the_one_above_are_spelt_out_for_the_index() -> None:
    table = pipe_table([["name", "n"], ["Ann", "1"], [ABOVE, "2"], [ABOVE, "3"], ["Bob", ABOVE]])
    assert spell_out(table).split("\n")[2:] == ["| Ann | 1 |", "| Ann | 2 |", "| Ann | 3 |", "| Bob | 3 |"]


def test_text_around_a_table_is_left_alone_when_spelt_out() -> None:
    table = pipe_table([["n"], ["1"], [ABOVE]])
    assert spell_out(f"before ^^\n\n{table}\n\nafter") == (f"before ^^\n\n{table.replace(ABOVE, '1')}\n\nafter")


def test_nothing_stands_above_the_first_row() -> None:
    assert spell_out("| ^^ | a |\n| --- | --- |") == "|  | a |\n| --- | --- |"


def test_one_long_row_does_not_swell_all_others() -> None:
    rows = [["x"] * 20_000, *([["y"]] * 5_000)]
    assert len(pipe_table(rows)) < 1_000_000


@pytest.mark.parametrize("text", ["", "| a |", "text\n| --- |", "| a |\ntext", "a | b\n--- | ---"])
def test_what_is_no_pipe_table_is_none(text: str) -> None:
    assert parse_table(text) is None


@pytest.mark.parametrize("rule", ["| --- | --- |", "|:--|--:|", "| :-: | - |"])
def test_a_table_splits_into_head_and_rows(rule: str) -> None:
    assert parse_table(f"| a | b |\n{rule}\n| 1 | 2 |\n| 3 | 4 |\n") == (
        f"| a | b |\n{rule}",
        ["| 1 | 2 |", "| 3 | 4 |"],
    )


LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc"])
CELLS = st.one_of(st.none(), st.just(ABOVE), st.text(LETTERS, max_size=8))


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=6))
def test_every_word_is_in_the_table_and_the_table_is_read_back(rows: list[list[str | None]]) -> None:
    table = pipe_table(rows)
    words = [w for row in rows for cell in row if cell and cell != ABOVE for w in re.sub(r"\\?\|", " ", cell).split()]
    if not any(cell and cell != ABOVE and cell.strip() for row in rows for cell in row):
        return
    shown = table.replace(r"\|", " ").replace("|", " ")
    assert all(word in shown for word in words)
    parsed = parse_table(table)
    assert parsed is not None
    assert len({line.replace(r"\|", "").count("|") for line in [parsed[0].split("\n")[0], *parsed[1]]}) == 1
