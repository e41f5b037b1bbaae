import itertools
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Document, Locator, Metadata, Section, SectionBuilder
from gatherum.chunking import Chunk, chunk_document, context_of
from gatherum.config import ChunkingSettings
from gatherum.embedding import TokenCounter
from gatherum.rendering import Rendered, render
from gatherum.tables import ABOVE, parse_table, pipe_table

COUNT = TokenCounter(None)
SIZES = ChunkingSettings(target=40, whole=80, merge=8)
WORD = re.compile(r"w\d+x")


def document(*sections: Section, **metadata: object) -> Document:
    return Document(path="a.md", state="read", sections=sections, metadata=Metadata(**metadata))  # type: ignore[arg-type]


def section(text: str, *heading: str, **fields: object) -> Section:
    return Section(text=text, heading=heading, level=len(heading), **fields)  # type: ignore[arg-type]


def cut(one: Document, sizes: ChunkingSettings = SIZES, title: str = "") -> list[Chunk]:
    return chunk_document(one, render(one), COUNT, sizes, title=title)


def words(count: int, start: int = 0) -> str:
    return " ".join(f"w{start + n}x" for n in range(count))


def sentences(count: int, length: int = 8) -> str:
    return " ".join(f"W{n}x {words(length, n * 100)}." for n in range(count))


# -- sections --------------------------------------------------------------------------------------------------------


def test_a_section_of_fair_size_is_a_passage() -> None:
    one, two = cut(document(section(words(15), "A"), section(words(15, 50), "B")))
    assert (one.heading, one.text, two.heading) == (("A",), words(15), ("B",))
    assert (one.line, two.line) == (3, 7)


def test_short_sections_go_under_the_heading_that_they_share() -> None:
    three = document(section("one", "P", "A"), section("two", "P", "B"), section("three", "P", "C"))
    (chunk,) = cut(three, ChunkingSettings())
    assert chunk.heading == ("P",)
    assert chunk.text == "**A**\n\none\n\n**B**\n\ntwo\n\n**C**\n\nthree"


def test_short_sections_of_different_parents_stay_apart() -> None:
    chunks = cut(document(section("one", "P", "A"), section("two", "Q", "A")))
    assert [(chunk.heading, chunk.text) for chunk in chunks] == [(("P", "A"), "one"), (("Q", "A"), "two")]


def test_a_short_introduction_goes_with_what_it_introduces() -> None:
    (chunk,) = cut(document(section("In short.", "A"), section(words(15), "A", "B")))
    assert (chunk.heading, chunk.text) == (("A", "B"), f"In short.\n\n{words(15)}")


def test_headings_without_text_can_be_found() -> None:
    (chunk,) = cut(document(section("", "Top", "One"), section("", "Top", "Two")))
    assert (chunk.text, chunk.heading) == ("One\n\nTwo", ("Top",))
    assert [chunk.heading for chunk in cut(document(section("", "One"), section("", "Two")))] == [("One",), ("Two",)]
    (alone,) = cut(document(section("", "Only")))
    assert (alone.text, alone.kind, alone.heading) == ("Only", "header", ("Only",))
    assert [chunk.text for chunk in cut(document(section("", "Only")), ChunkingSettings(merge=0))] == ["Only"]


def test_annotations_keep_to_themselves() -> None:
    chunks = cut(document(section(words(15), "A"), section("Ann: no", "A", kind="comment", layer="annotation")))
    assert [(chunk.layer, chunk.text) for chunk in chunks] == [("body", words(15)), ("annotation", "> Ann: no")]


def test_what_readers_do_not_see_is_in_no_passage() -> None:
    chunks = cut(document(section("seen", "A"), *(section(x, "A", layer=x) for x in ("hidden", "furniture"))))
    assert [chunk.text for chunk in chunks] == ["seen"]


def test_a_document_without_text_has_no_passages() -> None:
    assert cut(document()) == []
    assert cut(document(section("", kind="table"))) == []


def test_the_description_is_a_passage_of_its_own() -> None:
    *_, last = cut(document(section("x", "A"), authors=("Ann", "Bo"), tags=("t",), created="2024"), title="Plan")
    assert last.text == "Title: Plan\nAuthors: Ann, Bo\nKeywords: t\nCreated: 2024"
    assert (last.layer, last.kind, str(last.locator)) == ("metadata", "metadata", "document properties")
    assert len(cut(document(section("x", "A"), created="2024"), title="Plan")) == 1


@pytest.mark.parametrize(
    ("title", "heading", "context"),
    [
        ("Plan", ("A", "B"), "Plan › A › B"),
        ("plan", ("Plan", "B"), "Plan › B"),
        ("", ("A", ""), "A"),
        ("", (), ""),
        ("Plan", (), "Plan"),
    ],
)
def test_the_context_names_the_document_and_the_headings(title: str, heading: tuple[str, ...], context: str) -> None:
    assert context_of(title, heading) == context


# -- what is too long ------------------------------------------------------------------------------------------------


def test_prose_is_cut_between_sentences() -> None:
    chunks = cut(document(section(sentences(12), "A")))
    assert len(chunks) > 2
    assert all(chunk.text.endswith(".") and chunk.text.startswith("W") for chunk in chunks)


def test_prose_without_spaces_is_cut_between_sentences() -> None:
    text = "".join(f"望遠鏡で第{n}の星を見る。" for n in range(40))
    chunks = cut(document(section(text, "星")))
    assert len(chunks) > 2
    assert all(chunk.text.endswith("。") for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks) == text


def test_text_without_any_place_to_cut_is_cut_and_put_together_again() -> None:
    chunks = cut(document(section("x" * 3000, "A")))
    assert len(chunks) > 5
    assert "".join(chunk.text for chunk in chunks) == "x" * 3000


def test_items_of_a_long_list_stay_on_their_lines() -> None:
    items = [f"- w{n}x item\n  - w{n}00x nested item" for n in range(12)]
    chunks = cut(document(section("\n".join(items), "A", kind="list")))
    lines = [line for chunk in chunks for line in chunk.text.split("\n") if line.strip()]
    assert [line.strip() for line in lines] == [line.strip() for item in items for line in item.split("\n")]


def test_a_long_paragraph_stays_apart_from_the_one_before() -> None:
    (chunk, *_) = cut(document(section(f"Short.\n\n{sentences(5)}", "A")))
    assert chunk.text.startswith("Short.\n\nW0x")


def test_each_part_of_a_long_table_has_its_head() -> None:
    rows = [["name", "number"], *([f"w{n}x", str(n)] for n in range(60))]
    chunks = cut(document(section(pipe_table(rows), "A", kind="table")))
    assert len(chunks) > 3
    parsed = [parse_table(chunk.text) for chunk in chunks]
    assert all(table is not None and table[0] == "| name | number |\n| --- | --- |" for table in parsed)
    assert [row for table in parsed for row in table[1]] == [f"| w{n}x | {n} |" for n in range(60)]
    assert [chunk.line for chunk in chunks][1:] == sorted({chunk.line for chunk in chunks})[1:]


def test_a_table_up_to_the_limit_is_not_cut() -> None:
    table = pipe_table([["a", "b"], *([str(n), str(n)] for n in range(20))])
    assert COUNT([table])[0] > SIZES.target
    assert [chunk.text for chunk in cut(document(section(table, "A", kind="table")))] == [table]


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_each_part_of_a_long_listing_is_fenced(fence: str) -> None:
    code = f"{fence}python\n" + "\n".join(f"w{n}x = {n}" for n in range(80)) + f"\n{fence}"
    chunks = cut(document(section(code, "A", kind="code")))
    assert len(chunks) > 2
    for chunk in chunks:
        assert chunk.text.startswith(f"{fence}python\nw")
        assert chunk.text.endswith(f"\n{fence}")
        assert chunk.text.count(fence) == 2


@pytest.mark.parametrize("joint", ["\n", "\n\n"])
def test_listings_in_a_row_keep_their_own_fences(joint: str) -> None:
    one, other = ("```sh\n" + "\n".join(f"w{n}x = 1\n" for n in range(at, at + 40)) + "\n```" for at in (0, 40))
    for chunk in cut(document(section(one + joint + other, "A", kind="code"))):
        assert re.fullmatch(r"(```sh\n[^`]*\n```(\n\n)?)+", chunk.text)


def test_tables_in_a_row_keep_their_own_heads() -> None:
    tables = [pipe_table([[name, "n"], *([f"{name} {n}", "1"] for n in range(40))]) for name in ("red", "blue")]
    for chunk in cut(document(section("\n\n".join(tables), "A", kind="table"))):
        for part in chunk.text.split("\n\n"):
            name = part.split()[1]
            assert name in ("red", "blue")
            assert part.startswith(f"| {name} | n |\n| --- | --- |\n| {name} ")
            assert {"red": "blue", "blue": "red"}[name] not in part


def test_what_is_fenced_in_prose_keeps_its_blank_lines() -> None:
    text = "Before.\n\n```\none\n\n\ntwo\n```\n\nAfter."
    assert [chunk.text for chunk in cut(document(section(text, "A")))] == [text]


def test_three_ticks_within_a_line_open_no_listing() -> None:
    text = f"```x``` is code.\n\n{sentences(4)}\n\n{sentences(4)}"
    assert all(chunk.tokens <= SIZES.target * 1.6 for chunk in cut(document(section(text, "A"))))


def test_merged_cells_are_shown_once_and_indexed_in_each_row() -> None:
    (chunk,) = cut(document(section(pipe_table([["name", "n"], ["Ann", "1"], [ABOVE, "2"]]), "A", kind="table")))
    assert chunk.text.count("Ann") == 1
    assert chunk.indexed.count("Ann") == 2
    assert chunk.indexed.startswith("A\n| name")


def test_the_kind_is_what_most_of_the_passage_is() -> None:
    (chunk,) = cut(document(section("See:", "A"), section("```\n" + words(9) + "\n```", "A", kind="code")))
    assert chunk.kind == "code"


# -- places ----------------------------------------------------------------------------------------------------------


def test_lines_of_the_file_are_exact_where_the_text_has_the_lines_of_the_file() -> None:
    paragraphs = [sentences(3), sentences(3), sentences(3)]
    text = "\n\n".join(paragraphs)
    chunks = cut(document(section(text, "A", locator=Locator.lines(11, 15))))
    assert [str(chunk.locator) for chunk in chunks] == ["line 11", "line 13", "line 15"]


def test_a_passage_reaches_from_its_first_place_to_its_last() -> None:
    one = section("one", "P", "A", locator=Locator.slide(2))
    two = section("two", "P", "B", locator=Locator.slide(4))
    (chunk,) = cut(document(one, two))
    assert str(chunk.locator) == "slides 2–4"


# -- any document ----------------------------------------------------------------------------------------------------

KINDS = st.sampled_from(["prose", "prose", "prose", "list", "code", "table", "quote", "cjk", "long"])
BLOCKS = st.tuples(
    KINDS, st.integers(1, 45), st.sampled_from(["body", "body", "body", "notes", "annotation", "hidden"])
)
HEADINGS = st.tuples(st.integers(1, 4), st.sampled_from(["Alpha", "Beta", "Gamma", "Delta"]))
STEPS = st.lists(st.one_of(HEADINGS, BLOCKS), max_size=25)


def built(steps: list[tuple]) -> tuple[Document, dict[str, Section]]:
    """Make a document in which every word is another one; return it with the section of each word."""
    numbers = itertools.count()

    def some(count: int) -> Iterator[str]:
        return (f"w{next(numbers)}x" for _ in range(count))

    def block(kind: str, size: int) -> tuple[str, str]:
        if kind == "table":
            return pipe_table([["head", "row"], *([word, "1"] for word in some(size))]), "table"
        if kind == "code":
            return "```\n" + "\n".join(some(size)) + "\n```", "code"
        if kind == "list":
            return "\n".join(f"- {word} item" for word in some(size)), "list"
        if kind == "cjk":
            return "".join(f"第{word}の星を見る。" for word in some(size)), "prose"
        if kind == "long":
            return " ".join(some(size)), "prose"
        return " ".join(f"The {word} is." for word in some(size)), kind

    builder = SectionBuilder()
    sections: list[Section] = []
    for number, step in enumerate(steps, 1):
        if isinstance(step[0], int):
            sections += builder.enter(step[0], f"{step[1]}{number}", locator=Locator.paragraph(number))
        else:
            text, kind = block(step[0], step[1])
            layer = "body" if kind in ("code", "table") else step[2]
            sections += builder.add(text, kind=kind, layer=layer, locator=Locator.paragraph(number))
    sections += builder.close()
    homes = {word: one for one in sections for word in WORD.findall(one.text)}
    return document(*sections), homes


def line_of(rendered: Rendered) -> dict[str, int]:
    lines = rendered.text.split("\n")
    return {word: number for number, line in enumerate(lines, 1) for word in WORD.findall(line)}


@settings(deadline=None, max_examples=150)
@given(STEPS, st.sampled_from([SIZES, ChunkingSettings(target=16, whole=16, merge=0), ChunkingSettings()]))
def test_passages_hold_the_document(steps: list[tuple], sizes: ChunkingSettings) -> None:
    one, homes = built(steps)
    rendered = render(one)
    chunks = chunk_document(one, rendered, COUNT, sizes, title="")
    found = [word for chunk in chunks for word in WORD.findall(chunk.text)]

    # every word that readers see, once, in order
    assert found == [word for word, home in homes.items() if home.layer != "hidden"]

    # no passage holds text from under another heading than its own, its parents' or its children's
    for chunk in chunks:
        for word in WORD.findall(chunk.text):
            path = homes[word].heading
            shorter = min(len(path), len(chunk.heading))
            assert path[:shorter] == chunk.heading[:shorter]

    # every heading can be found
    shown = " ".join(f"{' '.join(chunk.heading)} {chunk.text}" for chunk in chunks)
    for each in rendered.sections:
        assert all(re.search(rf"\b{title}\b", shown) for title in each.heading)

    lines = line_of(rendered)
    for chunk in chunks:
        # frames are whole
        assert chunk.text.count("```") % 2 == 0
        assert chunk.text.strip()
        # sizes are within bounds
        assert COUNT([chunk.text])[0] <= max(1.5 * sizes.target, sizes.whole) * 1.5 + 40
        first = WORD.search(chunk.text)
        if first is None:
            continue
        # the line is where the passage starts: no word of another one stands between it and the first word
        assert chunk.line <= lines[first[0]]
        assert not any(chunk.line <= line < lines[first[0]] for line in lines.values())
        # the place reaches over the sections of all words
        places = [homes[word].locator for word in WORD.findall(chunk.text)]
        assert chunk.locator.start <= min(place.start for place in places)
        assert chunk.locator.end >= max(place.end for place in places)


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(codec="utf-8") | st.sampled_from("\n\n`|-. "), max_size=900))
def test_no_letter_of_any_text_is_lost(text: str) -> None:
    one = document(section(text, "A"))
    chunks = cut(one, ChunkingSettings(target=16, whole=16, merge=0))
    kept = "".join("".join(chunk.text.split()) for chunk in chunks if chunk.kind != "header")
    assert kept == "".join(text.split())
