import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum.snippets import LENGTH, snippet

FILLER = "Nothing of interest is said in this sentence at all. " * 6


def test_a_short_text_is_shown_whole() -> None:
    assert snippet("One line.\nAnother one.", ["line"]) == "One line. Another one."


def test_the_sentence_with_most_words_of_the_query_is_shown() -> None:
    shown = snippet(f"{FILLER}The dome closes when the wind is strong. {FILLER}", ["dome", "wind"])
    assert "The dome closes when the wind is strong." in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")


def test_endings_and_case_do_not_matter() -> None:
    assert "Observatories" in snippet(f"{FILLER}Observatories are rare. {FILLER}", ["observatory"])


def test_a_long_sentence_is_cut_around_the_word() -> None:
    shown = snippet("word " * 200 + "needle " + "word " * 200, ["needle"])
    assert "needle" in shown
    assert len(shown) <= LENGTH + 4
    assert not shown.strip("… ").startswith("ord")


def test_rules_of_tables_are_not_shown() -> None:
    assert snippet("| a | b |\n| --- | --- |\n| 1 | 2 |", ["1"]) == "| a | b | | 1 | 2 |"


@pytest.mark.parametrize("text", ["", "\n\n", "---", "| --- |"])
def test_where_there_is_nothing_to_show_nothing_is_shown(text: str) -> None:
    assert snippet(text, ["x"]) == ""


def test_sentences_without_spaces_between_them_are_told_apart() -> None:
    shown = snippet("何もない。" * 60 + "望遠鏡を見る。" + "何もない。" * 60, ["望遠鏡"])
    assert "望遠鏡を見る。" in shown


def test_without_terms_the_beginning_is_shown() -> None:
    assert snippet(FILLER, []).startswith("Nothing of interest")


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=900), st.lists(st.text(max_size=8), max_size=4))
def test_a_snippet_is_one_line_of_bounded_length(text: str, terms: list[str]) -> None:
    shown = snippet(text, terms)
    assert "\n" not in shown
    assert len(shown) <= LENGTH + 4
