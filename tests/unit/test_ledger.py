from gatherum import Section
from gatherum.ledger import Ledger, ledger_of


def test_words_are_counted_by_layer() -> None:
    sections = [
        Section(text="one two three"),
        Section(text="four", layer="hidden"),
        Section(text="five six", layer="annotation"),
        Section(text="", layer="furniture"),
    ]
    ledger = ledger_of(sections, ["one two three", "five six"])
    assert ledger.words == {"annotation": 2, "body": 3, "hidden": 1}
    assert (ledger.searchable, ledger.reached, ledger.share) == (5, 5, 1.0)


def test_a_word_that_is_in_no_passage_is_missed() -> None:
    ledger = ledger_of([Section(text="one two two three")], ["**Heading**\n\none two", "three"])
    assert (ledger.searchable, ledger.reached, ledger.share) == (4, 3, 0.75)


def test_words_of_other_layers_are_not_missed() -> None:
    assert ledger_of([Section(text="hidden words", layer="hidden")], []).share == 1.0


def test_a_document_without_words_has_lost_none() -> None:
    assert ledger_of([], []) == Ledger()
    assert Ledger().share == 1.0


def test_what_is_written_twice_must_be_found_twice() -> None:
    assert ledger_of([Section(text="echo"), Section(text="echo")], ["echo"]).share == 0.5


def test_a_word_that_was_cut_is_whole_again() -> None:
    word = "abcdefghij" * 100
    for size in (7, 100, 499, 999, 1000):
        parts = [word[at : at + size] for at in range(0, len(word), size)]
        assert ledger_of([Section(text=f"before {word} after")], ["before ", *parts, " after"]).share == 1.0
    assert ledger_of([Section(text=word)], [word[:500], word[501:]]).share == 0.0


def test_in_scripts_without_spaces_each_letter_counts() -> None:
    ledger = ledger_of([Section(text="重试策略 and 中文")], ["重试策", "略 and 中"])
    assert (ledger.searchable, ledger.reached) == (7, 6)


def test_no_rounding_hides_a_single_lost_word() -> None:
    words = " ".join(f"w{number}" for number in range(100_000))
    assert ledger_of([Section(text=f"{words} lost")], [words]).share < 1
