from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Section, SectionBuilder


def built(*steps: tuple, base: tuple[str, ...] = ()) -> list[Section]:
    """Run (level, title) as headings, and texts with their keywords as blocks."""
    builder = SectionBuilder(base)
    sections: list[Section] = []
    for first, second in steps:
        sections += builder.enter(first, second) if isinstance(first, int) else builder.add(first, **second)
    return sections + builder.close()


def test_a_section_has_the_whole_heading_path() -> None:
    sections = built((1, "A"), ("one", {}), (2, "B"), ("two", {}), (3, "C"), ("three", {}))
    assert [(s.heading, s.level, s.text) for s in sections] == [
        (("A",), 1, "one"),
        (("A", "B"), 2, "two"),
        (("A", "B", "C"), 3, "three"),
    ]


def test_a_heading_closes_those_of_its_level_and_deeper() -> None:
    sections = built((1, "A"), (3, "B"), (2, "C"), (1, "D"))
    assert [s.heading for s in sections] == [("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_a_heading_without_text_gives_an_empty_section_at_its_place() -> None:
    builder = SectionBuilder()
    builder.enter(1, "Alone", locator=Locator.lines(4))
    (section,) = builder.close()
    assert (section.text, section.heading, section.locator) == ("", ("Alone",), Locator.lines(4))
    assert builder.close() == []


def test_a_heading_over_hidden_text_only_is_hidden_with_it() -> None:
    sections = built((1, "Secret sheet"), ("secret", {"layer": "hidden"}), (1, "Next"), ("text", {}))
    assert [(s.heading, s.layer, s.text) for s in sections] == [
        (("Secret sheet",), "hidden", "secret"),
        (("Next",), "body", "text"),
    ]


def test_text_before_the_first_heading_has_no_heading() -> None:
    sections = built(("intro", {}), (1, "A"))
    assert (sections[0].heading, sections[0].level) == ((), 0)


def test_blocks_of_one_kind_are_joined_and_others_are_not() -> None:
    sections = built(("one", {}), ("two", {}), ("x = 1", {"kind": "code"}), ("three", {}))
    assert [(s.kind, s.text) for s in sections] == [("prose", "one\n\ntwo"), ("code", "x = 1"), ("prose", "three")]


def test_layers_and_languages_keep_apart() -> None:
    sections = built(("one", {}), ("due", {"language": "it"}), ("three", {"layer": "notes"}))
    assert [(s.text, s.language, s.layer) for s in sections] == [
        ("one", None, "body"),
        ("due", "it", "body"),
        ("three", None, "notes"),
    ]


def test_the_separator_of_the_later_block_joins() -> None:
    assert built(("one", {}), ("two", {"separator": "\n"}))[0].text == "one\ntwo"


def test_blank_blocks_are_nothing() -> None:
    assert built(("", {}), (" \n\t", {})) == []


def test_the_locator_reaches_from_the_first_block_to_the_last() -> None:
    builder = SectionBuilder()
    builder.add("one", locator=Locator.lines(3))
    builder.add("two", locator=Locator.lines(5, 8))
    assert builder.close()[0].locator == Locator.lines(3, 8)


def test_white_space_in_titles_is_made_single() -> None:
    assert built((1, "  A \n title\t"))[0].heading == ("A title",)


def test_all_sections_stand_under_the_base() -> None:
    sections = built(("intro", {}), (1, "A"), base=("Mail", "attachment"))
    assert [s.heading for s in sections] == [("Mail", "attachment"), ("Mail", "attachment", "A")]


def test_indentation_at_the_start_of_a_block_is_kept() -> None:
    assert built(("    indented\n", {}))[0].text == "    indented"


STEPS = st.lists(
    st.one_of(
        st.tuples(st.integers(1, 9), st.sampled_from("ABCDE")),
        st.tuples(
            st.sampled_from(["one two", "three", "", " "]),
            st.fixed_dictionaries(
                {"kind": st.sampled_from(["prose", "code"]), "layer": st.sampled_from(["body", "hidden", "notes"])}
            ),
        ),
    ),
    max_size=20,
)


@settings(deadline=None)
@given(STEPS)
def test_no_word_and_no_heading_is_lost(steps: list[tuple]) -> None:
    sections = built(*steps)
    words = [word for text, _ in steps if isinstance(text, str) for word in text.split()]
    assert [word for s in sections for word in s.text.split()] == words
    assert sum(bool(s.heading) for s in sections) >= sum(isinstance(level, int) for level, _ in steps)
    assert all(s.level == 0 or s.heading for s in sections)
