from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum.errors import QueryError
from gatherum.query import MAX_CHARS, MAX_TERMS, Query, parse_query


def shown(query: Query) -> str:
    """Return a query in one line: words, "phrases", -exclusions, field=value, !field=value."""
    parts = [query.words, *(f'"{phrase}"' for phrase in query.phrases), *(f"-{text}" for text in query.excluded)]
    for condition in query.filters:
        value = condition.value
        if condition.start or condition.end:
            value = "..".join(f"{moment:%Y-%m-%d}" if moment else "" for moment in (condition.start, condition.end))
        parts.append(f"{'!' if condition.negated else ''}{condition.field}={value}")
    return " | ".join(part for part in parts if part)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("", ""),
        ("   \n\t ", ""),
        ("two words", "two words"),
        ("  many \n spaces ", "many spaces"),
        ('"a phrase"', 'a phrase | "a phrase"'),
        ('before "a phrase" after', 'before a phrase after | "a phrase"'),
        ('"one two" "three four"', 'one two three four | "one two" | "three four"'),
        ('"unfinished phrase', '"unfinished phrase'),
        ('a "b', 'a "b'),
        ('""', '""'),
        ('"  "', '"  "'.replace("  ", " ")),
        ('word"quoted"', 'word"quoted"'),
        ("-not", "-not"),
        ("words -not", "words | -not"),
        ('words -"not this"', "words | -not this"),
        ('-"  "', '-" "'),
        ("well-known", "well-known"),
        ("a - b", "a - b"),
        ("--flag", "--flag"),
        ("-5 degrees", "-5 degrees"),
        ("-v1", "-v1"),
        ("(-word)", "(-word)"),
        ("path:notes", "path=notes"),
        ("file:notes", "path=notes"),
        ("format:docx", "format=docx"),
        ("type:docx", "format=docx"),
        ("collection:mine", "collection=mine"),
        ("in:mine", "collection=mine"),
        ("kind:table", "kind=table"),
        ("tag:urgent", "tag=urgent"),
        ("author:ann", "author=ann"),
        ("title:plan", "title=plan"),
        ("heading:costs", "heading=costs"),
        ("lang:de", "lang=de"),
        ("language:de", "lang=de"),
        ("TAG:Urgent", "tag=Urgent"),
        ('tag:"two words"', "tag=two words"),
        ("-tag:draft", "!tag=draft"),
        ('-tag:"two words" x', "x | !tag=two words"),
        ("words tag:a more tag:b", "words more | tag=a | tag=b"),
        ("path:docs/*.md", "path=docs/*.md"),
        ("tag:", "tag:"),
        ("tag: urgent", "tag: urgent"),
        ("unknown:value", "unknown:value"),
        ("http://example.org/x", "http://example.org/x"),
        ("std::vector", "std::vector"),
        ("modified:2024", "modified=2024-01-01..2025-01-01"),
        ("modified:2024-05", "modified=2024-05-01..2024-06-01"),
        ("modified:2024-12", "modified=2024-12-01..2025-01-01"),
        ("modified:2024-2-29", "modified=2024-02-29..2024-03-01"),
        ("modified:>2024", "modified=2025-01-01.."),
        ("modified:>=2024", "modified=2024-01-01.."),
        ("modified:<2024-05", "modified=..2024-05-01"),
        ("modified:<=2024-05", "modified=..2024-06-01"),
        ("modified:2023..2024", "modified=2023-01-01..2025-01-01"),
        ("modified:2023..", "modified=2023-01-01.."),
        ("modified:..2024", "modified=..2025-01-01"),
        ("-created:2024", "!created=2024-01-01..2025-01-01"),
        ("x\x00y", "x y"),
        ("\ud800 word", "\ufffd word"),
    ],
)
def test_the_query_language(text: str, meaning: str) -> None:
    assert shown(parse_query(text)) == meaning


def test_days_count_back_from_now() -> None:
    (condition,) = parse_query("modified:30d").filters
    assert condition.start is not None
    assert abs(datetime.now(UTC) - timedelta(days=30) - condition.start) < timedelta(minutes=5)
    assert condition.end is None


@pytest.mark.parametrize(
    "text",
    ["modified:tomorrow", "modified:2024-13", "modified:2024-02-30", "created:>", "modified:..x", "modified:0000"],
)
def test_what_is_no_date_is_an_error_with_a_hint(text: str) -> None:
    with pytest.raises(QueryError, match="is not a date") as error:
        parse_query(text)
    assert "2024-05-17" in error.value.hint


def test_a_query_too_long_is_an_error_with_a_hint() -> None:
    assert parse_query("x" * MAX_CHARS).words
    with pytest.raises(QueryError, match="2001 characters") as error:
        parse_query("x" * (MAX_CHARS + 1))
    assert str(MAX_CHARS) in error.value.hint


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("how do I reset the password", ("reset", "password")),
        ("wie kann man das Passwort ändern", ("Passwort", "ändern")),
        ("the who", ("the", "who")),
        ("C++ and C#", ("C++", "C#")),
        ("don't panic", ("panic",)),
        ("user's guide", ("user's", "guide")),
        ("a.b.c node-js x/y", ("a.b.c", "node-js", "x/y")),
        ("same same Same", ("same", "Same")),
        ("ＦＵＬＬ", ("FULL",)),
        ("?! ...", ()),
    ],
)
def test_terms_are_the_words_that_carry_meaning(text: str, terms: tuple[str, ...]) -> None:
    assert parse_query(text).terms == terms


def test_terms_have_a_limit() -> None:
    assert len(parse_query(" ".join(f"w{n}" for n in range(300))).terms) == MAX_TERMS


def test_keywords_have_the_tokens_that_the_index_adds() -> None:
    assert parse_query("the getUserName").keywords == "getUserName get user name getusername username"
    assert parse_query("天文台").keywords == "天文台 天文 文台"


@settings(deadline=None, max_examples=300)
@given(st.text(st.characters() | st.sampled_from('"-: \t'), max_size=80))
def test_no_text_is_an_error_for_its_form(text: str) -> None:
    query = parse_query(f"{text} modified:2024 created:<2024")
    assert len(query.filters) >= 2 or '"' in text or ":" in text
    query.keywords.encode()


FIELDS = ("path", "tag", "modified", "created", "lang", "in")


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(FIELDS), st.text(st.characters(), max_size=12)), max_size=5))
def test_only_dates_can_be_wrong(pairs: list[tuple[str, str]]) -> None:
    text = " ".join(f"{name}:{value}" for name, value in pairs)
    try:
        parse_query(text)
    except QueryError as error:
        assert "is not a date" in str(error)  # noqa: PT017 - most texts raise nothing
