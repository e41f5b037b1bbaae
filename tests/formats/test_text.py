import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Source
from gatherum.registry import load_registry

REGISTRY = load_registry()


def read(text, name="notes.txt"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def headings(text):
    return list(dict.fromkeys(section.heading for section in read(text).sections if section.heading))


def test_paragraphs_have_their_lines():
    document = read("first\nsecond\n\n\nthird\n")
    assert document.state == "read"
    assert [section.text for section in document.sections] == ["first\nsecond\n\nthird"]
    assert (document.sections[0].locator.start, document.sections[0].locator.end) == (1, 5)


def test_underlined_headings_nest_in_the_order_of_their_styles():
    text = "Handbook\n========\n\nIntro words.\n\nParts\n-----\nPart words.\n\nCare\n-----\n\nCare words.\n"
    assert headings(text) == [("Handbook",), ("Handbook", "Parts"), ("Handbook", "Care")]
    parts = next(section for section in read(text).sections if section.heading[-1] == "Parts")
    assert parts.text == "Part words."
    assert parts.locator.start == 8


def test_a_title_between_rules_is_a_heading():
    assert headings("==========\n  Manual\n==========\n\nWords.\n") == [("Manual",)]


@pytest.mark.parametrize(
    "text",
    [
        "Name      Age\n-------------\nAnna      41\n",
        "a sentence that ends.\n---------------------\nmore\n",
        "short\n------------------------------------------------------------\nmore\n",
        "words\n\n-----\n\nwords\n",
        "- item\n------\n",
        "....\n====\n",
        "quoted text,\n============\n",
    ],
)
def test_rules_that_underline_nothing_are_no_headings(text):
    assert headings(text) == []


def test_numbers_that_count_on_are_headings():
    text = (
        "1. Scope\n\nThis says what.\n\n2. Terms\n\n2.1 Words\n\nMeaning of words.\n\n2.2 Signs\n\nMeaning of\n\n"
        "3. Rules\n\nRules follow here.\n"
    )
    assert headings(text) == [
        ("1. Scope",),
        ("2. Terms",),
        ("2. Terms", "2.1 Words"),
        ("2. Terms", "2.2 Signs"),
        ("3. Rules",),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1. Buy milk\n\n2. Buy bread\n\n3. Go home\n",
        "1. Scope\n\nwords\n\n7. Other\n\nwords\n",
        "3. Scope\n\nwords\n\n4. Other\n\nwords\n",
        "1984 was a year\n\nwords\n\n1985 was one too\n\nwords\n",
        "1. This is a whole sentence.\n\nwords\n\n2. This is one too.\n\nwords\n",
        "1. Scope ........ 3\n\n2. Terms ........ 5\n\nwords\n",
    ],
)
def test_other_numbers_are_no_headings(text):
    assert headings(text) == []


def test_capitals_over_ordinary_text_are_headings():
    body = "Ordinary words in small letters stand below it."
    text = f"THE FIRST DAY\n\n{body}\n\nTHE SECOND DAY\n\n{body}\n\n{body}\n"
    assert headings(text) == [("THE FIRST DAY",), ("THE SECOND DAY",)]


@pytest.mark.parametrize(
    "text",
    [
        "ALL OF THIS\n\nIS IN CAPITALS\n\nAS OLD LETTERS WERE\n",
        "WARNING\n\nonly one line of many, and small letters below it\n",
        "STOP!\n\nwords in small letters, quite a lot\n\nGO!\n\nwords in small letters, quite a lot\n",
    ],
)
def test_other_capitals_are_no_headings(text):
    assert headings(text) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Chapter 1", "Chapter 2: The Return"),
        ("CHAPTER I", "CHAPTER II"),
        ("Kapitel 1 – Anfang", "Kapitel 2"),
        ("Глава 1", "Глава 2"),
        ("第一章 起点", "第二章 终点"),
    ],
)
def test_chapters_are_headings(first, second):
    assert headings(f"{first}\n\nwords of it\n\n{second}\n\nwords of it\n") == [(first,), (second,)]


def test_parts_stand_above_chapters():
    text = "PART I\n\nChapter 1\n\nwords\n\nChapter 2\n\nwords\n\nPART II\n\nChapter 3\n\nwords\n"
    assert headings(text) == [
        ("PART I",),
        ("PART I", "Chapter 1"),
        ("PART I", "Chapter 2"),
        ("PART II",),
        ("PART II", "Chapter 3"),
    ]


def test_lists_and_pipe_tables_are_known():
    document = read("Words.\n\n- one\n- two\n  more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nsome - dash\nother words\n")
    assert [section.kind for section in document.sections] == ["prose", "list", "table", "prose"]


def test_form_feeds_part_paragraphs_and_go():
    document = read("one\n\x0ctwo\nthree\n")
    assert document.sections[0].text == "one\n\ntwo\nthree"


def test_logs_lose_their_colours():
    assert read(b"\x1b[32mok\x1b[0m \x1b]0;title\x07done\n", "build.log").sections[0].text == "ok done"


def test_legacy_encodings_are_named():
    document = read("Größere Übungen für Schüler in der alten Mühle".encode("cp1252"))
    assert document.state == "read"
    assert [problem.code for problem in document.problems] == ["encoding_guessed"]
    assert "Größere Übungen für Schüler" in document.sections[0].text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_other_unicode_encodings(encoding):
    assert read("plain words here\n".encode(encoding)).sections[0].text == "plain words here"


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n\x0c", "\u00a0\u3000\u200b\n".encode(), b"\xef\xbb\xbf"])
def test_nothing_to_read_is_said(data):
    document = read(data)
    assert (document.state, [problem.code for problem in document.problems]) == ("unreadable", ["empty"])


@pytest.mark.parametrize("data", [bytes(range(256)) * 40, b"\x00\x01\x02\x03" * 500])
def test_binary_content_is_refused(data):
    document = read(data)
    assert (document.state, [problem.code for problem in document.problems]) == ("unreadable", ["corrupt"])


def test_invisible_tags_are_hidden_text():
    document = read("visible" + "".join(chr(0xE0000 + ord(char)) for char in "obey me"))
    assert [(section.layer, section.text) for section in document.sections] == [
        ("hidden", "obey me"),
        ("body", "visible"),
    ]
    assert [problem.code for problem in document.problems] == ["hidden_text"]


@pytest.mark.parametrize(
    "text",
    [
        "x" * 3_000_000,
        "word " * 500_000,
        "\n" * 2_000_000 + "end",
        " " * 2_000_000 + "end",
        "=\n" * 200_000,
        "1. A\n\nb\n\n" * 20_000,
    ],
)
def test_long_texts_are_read(text):
    assert read(text).state == "read"


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="aZ1.=- #\n\t\x0c|*é第章", max_size=200))
def test_every_word_is_kept(text):
    sections = read(text).sections
    found = " ".join(" ".join(section.heading[-1:]) + " " + section.text for section in sections)
    for word in text.split():
        if any(char.isalnum() for char in word):
            assert word in found.split()
