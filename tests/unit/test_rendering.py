from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Document, Locator, Section
from gatherum.rendering import Rendered, quoted, render


def rendered(*sections: Section) -> Rendered:
    return render(Document(path="a.md", state="read", sections=sections))


def section(text: str, *heading: str, **fields: object) -> Section:
    return Section(text=text, heading=heading, level=len(heading), **fields)  # type: ignore[arg-type]


def test_headings_are_written_by_their_depth() -> None:
    shown = rendered(section("Intro."), section("One.", "A"), section("Two.", "A", "B"))
    assert shown.text == "Intro.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n"


def test_pieces_of_one_section_stand_under_one_heading() -> None:
    shown = rendered(section("One.", "A"), section("x = 1", "A", kind="code"), section("Two.", "A"))
    assert shown.text.count("# A") == 1
    assert [entry.heading for entry in shown.outline] == [("A",)]


def test_a_heading_that_only_its_children_name_is_written_too() -> None:
    shown = rendered(section("x", "A", "B", "C"))
    assert [entry.heading for entry in shown.outline] == [("A",), ("A", "B"), ("A", "B", "C")]
    assert shown.text.startswith("# A\n\n## B\n\n### C\n\nx")


def test_no_heading_is_deeper_than_markdown_allows() -> None:
    assert "\n###### H\n" in rendered(section("x", *"ABCDEFGH")).text


def test_only_what_was_written_for_readers_is_shown() -> None:
    layers = ("body", "notes", "annotation", "furniture", "metadata", "hidden")
    shown = rendered(*(section(layer, "A", layer=layer) for layer in layers))
    assert [one.layer for one in shown.sections] == ["body", "notes", "annotation"]
    assert "furniture" not in shown.text
    assert "hidden" not in shown.text


def test_comments_and_speaker_notes_are_set_apart() -> None:
    assert quoted(section("Ann: wrong\n\ntwice", layer="annotation", kind="comment")) == "> Ann: wrong\n>\n> twice"
    assert quoted(section("say hello", layer="notes", kind="note")) == "> say hello"
    assert quoted(section("[^1]: see", layer="notes", kind="footnote")) == "[^1]: see"


def test_the_outline_says_where_headings_are_and_how_long_their_text_is() -> None:
    place = Locator.slide(2)
    shown = rendered(section("One", "A"), section("", "B"), section("Three", "B", "C", locator=place))
    assert [(entry.title, entry.level, entry.line, entry.chars) for entry in shown.outline] == [
        ("A", 1, 1, 3),
        ("B", 1, 5, 0),
        ("C", 2, 7, 5),
    ]
    assert shown.outline[-1].locator == place


def test_a_document_without_text_is_empty() -> None:
    assert rendered() == Rendered(text="", sections=(), lines=(), outline=())


TITLES = st.text("AB ü", min_size=1, max_size=3).filter(lambda title: title == title.strip())
SECTIONS = st.lists(
    st.builds(
        section,
        st.text(st.sampled_from("ab\n #|`"), max_size=30).map(lambda text: text.strip("\n")),
        layer=st.sampled_from(["body", "notes", "annotation", "hidden", "furniture"]),
        kind=st.sampled_from(["prose", "code", "note", "comment"]),
    ).flatmap(
        lambda one: st.lists(TITLES, max_size=3).map(
            lambda path: Section(text=one.text, heading=tuple(path), level=len(path), layer=one.layer, kind=one.kind)
        )
    ),
    max_size=12,
)


@settings(deadline=None)
@given(SECTIONS)
def test_every_line_number_is_exact(sections: list[Section]) -> None:
    shown = rendered(*sections)
    lines = shown.text.split("\n")
    for one, line in zip(shown.sections, shown.lines, strict=True):
        text = quoted(one).split("\n")
        if one.text:
            assert lines[line - 1 : line - 1 + len(text)] == text
    for entry in shown.outline:
        assert lines[entry.line - 1] == f"{'#' * len(entry.heading)} {entry.title}"


@settings(deadline=None)
@given(SECTIONS)
def test_every_heading_of_what_is_shown_is_in_the_outline(sections: list[Section]) -> None:
    shown = rendered(*sections)
    assert {one.heading for one in shown.sections if one.heading} <= {entry.heading for entry in shown.outline}
    assert [entry.line for entry in shown.outline] == sorted(entry.line for entry in shown.outline)
