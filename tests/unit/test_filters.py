from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gatherum.errors import QueryError
from gatherum.query import Filter, Query, parse_query
from gatherum.store import Searches, Store
from gatherum.store.filters import where


def moment(*date: int) -> int:
    return int(datetime(*date, tzinfo=UTC).timestamp()) * 1_000_000_000


@pytest.fixture(scope="module")
def searches(tmp_path_factory: pytest.TempPathFactory, document_row) -> Iterator[Searches]:
    store = Store(tmp_path_factory.mktemp("filters") / "shelf", create=True)
    store.write(
        [
            document_row(
                "plans/Garden.md",
                ("Plum trees", "Plant them along the north wall."),
                title="The garden plan",
                authors=("Ada Marsh", "Ben O'Neil"),
                tags=("Garden", "two words"),
                language="en-GB",
                created="2024-05-17T08:00:00Z",
                mtime_ns=moment(2024, 5, 20),
            ),
            document_row(
                "plans/draft_1.txt",
                ("", "Plant nothing by the north\nwall; café 100% getUserName."),
                title="100% draft",
                language="de",
                created="2023-01-01",
                mtime_ns=moment(2023, 1, 2),
            ),
            document_row(
                "deep/in/文書.docx",
                ("望遠鏡", "天文台で望遠鏡を見る。"),
                collection="other",
                title="文書",
                tags=("星",),
                language="ja",
                created="2020-06",
                mtime_ns=moment(2020, 1, 1),
            ),
        ]
    )
    return Searches(store)


GARDEN, DRAFT, LETTER = "plans/Garden.md", "plans/draft_1.txt", "deep/in/文書.docx"


def matching(searches: Searches, query: str | Query) -> list[str]:
    query = parse_query(query) if isinstance(query, str) else query
    return sorted({candidate.path for candidate in searches.matching(query, limit=100)})


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("path:garden", [GARDEN]),
        ("path:PLANS", [GARDEN, DRAFT]),
        ("path:*.md", [GARDEN]),
        ("path:plans/*", [GARDEN, DRAFT]),
        ("path:/plans/*", [GARDEN, DRAFT]),
        ("path:**/*.docx", [LETTER]),
        ("path:draft?1.txt", [DRAFT]),
        ("path:draft_1", [DRAFT]),
        ("path:garden_md", []),
        ("path:%", []),
        ("path:*", [LETTER, GARDEN, DRAFT]),
        ("format:md", [GARDEN]),
        ("format:.MD", [GARDEN]),
        ("in:other", [LETTER]),
        ("kind:prose", [LETTER, GARDEN, DRAFT]),
        ("kind:table", []),
        ("tag:garden", [GARDEN]),
        ('tag:"Two Words"', [GARDEN]),
        ("tag:two", []),
        ("tag:星", [LETTER]),
        ("author:marsh", [GARDEN]),
        ("author:O'Neil", [GARDEN]),
        ("author:nobody", []),
        ("title:plan", [GARDEN]),
        ("title:100%", [DRAFT]),
        ("title:1%0", []),
        ("heading:plum", [GARDEN]),
        ("heading:望遠", [LETTER]),
        ("lang:en", [GARDEN]),
        ("lang:en-gb", [GARDEN]),
        ("lang:e", []),
        ("lang:DE", [DRAFT]),
        ("-lang:de", [LETTER, GARDEN]),
        ("modified:2024", [GARDEN]),
        ("modified:2024-05-20", [GARDEN]),
        ("modified:<2024", [LETTER, DRAFT]),
        ("modified:>=2023", [GARDEN, DRAFT]),
        ("modified:2020..2023", [LETTER, DRAFT]),
        ("modified:0001", []),
        ("modified:>0001", [LETTER, GARDEN, DRAFT]),
        ("modified:<9000", [LETTER, GARDEN, DRAFT]),
        ("modified:..", [LETTER, GARDEN, DRAFT]),
        ("created:2024-05", [GARDEN]),
        ("created:<2024", [LETTER, DRAFT]),
        ("-created:<2024", [GARDEN]),
        ("created:2020", [LETTER]),
        ("created:2020-06", [LETTER]),
        ("created:<2020-06", []),
        ('"north wall"', [GARDEN, DRAFT]),
        ('"NORTH  WALL"', [GARDEN, DRAFT]),
        ('"north wal"', []),
        ('"望遠鏡を"', [LETTER]),
        ('"cafe\u0301"', [DRAFT]),
        ('"100%"', [DRAFT]),
        ('"getUserName."', [DRAFT]),
        ('"wall; café"', [DRAFT]),
        ('"(?i)"', []),
        ('"a|b"', []),
        ('".*"', []),
        ('"north wall" -nothing', [GARDEN]),
        ("path:plans tag:garden", [GARDEN]),
        ("path:plans -tag:garden", [DRAFT]),
        ("tag:garden tag:星", []),
    ],
)
def test_conditions_find_what_meets_them(searches: Searches, query: str, paths: list[str]) -> None:
    text = parse_query(query)
    conditions = Query(text=query, words="", phrases=text.phrases, excluded=text.excluded, filters=text.filters)
    assert matching(searches, conditions) == sorted(paths)


def test_a_query_without_conditions_has_no_filter() -> None:
    assert where(parse_query("plain words")) is None


@pytest.mark.parametrize("folder", ["plans", "deep", "deep/in"])
def test_a_folder_holds_what_is_under_it(searches: Searches, folder: str) -> None:
    under = Query(text="", words="", filters=(Filter(field="under", value=folder),))
    assert all(path.startswith(f"{folder}/") for path in matching(searches, under))
    assert matching(searches, under)


EVIL = (
    "' OR 1=1 --",
    "' OR '1'='1",
    "x') OR (1=1",
    "'; DROP TABLE chunks; --",
    "\\' OR 1=1 --",
    "\\",
    "\\\\'",
    "%",
    "_",
    "%%%%",
    "''",
    "'''",
    "x' UNION SELECT 1 --",
    "$$ OR TRUE $$",
    "\u2019 OR 1=1",
    "\uff07 OR 1=1 --",
    "`id`",
    "/* */ OR TRUE",
    "\n' OR TRUE",
    "NULL",
    "TRUE",
    "[",
    "(((",
    "*'*",
    "?' OR 1=1 --",
    "x\x00' OR 1=1 --",
)
FIELDS = ("path", "format", "collection", "kind", "tag", "author", "title", "heading", "lang", "under")


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", EVIL)
def test_no_value_widens_the_answer(searches: Searches, field: str, value: str) -> None:
    only = Filter(field="path", value=DRAFT)
    wanted = Query(text="", words="", filters=(only, Filter(field=field, value=value)))  # type: ignore[arg-type]
    assert set(matching(searches, wanted)) <= {DRAFT}
    alone = Query(text="", words="", filters=(Filter(field=field, value=value),))  # type: ignore[arg-type]
    assert set(matching(searches, alone)) <= ({DRAFT} if field in ("path", "title", "author") else set())


@pytest.mark.parametrize("value", EVIL)
def test_no_phrase_and_no_exclusion_widens_the_answer(searches: Searches, value: str) -> None:
    only = Filter(field="path", value=DRAFT)
    for extra in ({"phrases": (value,)}, {"excluded": (value,)}):
        assert set(matching(searches, Query(text="", words="", filters=(only,), **extra))) <= {DRAFT}


def test_the_table_is_still_there(searches: Searches) -> None:
    assert searches.coverage("none")[1] == 5


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(FIELDS), st.text(st.characters() | st.sampled_from("'\\%_*?\"()"), max_size=12), st.booleans())
def test_any_value_is_sound_sql(searches: Searches, field: str, value: str, negated: bool) -> None:
    try:
        parse_query(f'{field}:"{value}"')
    except QueryError:
        return
    one = Filter(field=field, value=value, negated=negated)  # type: ignore[arg-type]
    other = Filter(field=field, value=value, negated=not negated)  # type: ignore[arg-type]
    some = matching(searches, Query(text="", words="", filters=(one,)))
    assert matching(searches, Query(text="", words="", filters=(one, other))) == []
    assert set(some) <= {GARDEN, DRAFT, LETTER}


@settings(deadline=None, max_examples=100)
@given(st.text(st.characters() | st.sampled_from("'\"\\%_*?()+-:~^ "), max_size=40))
@example("AND OR NOT")
@example('+-&&||!(){}[]^"~*?:\\/')
@example("望遠鏡 ภาษาไทย العربية עברית")
@example("a" * 2000)
@example("word " * 400)
@example('"' + "x " * 900 + '"')
@example("-x " * 600)
def test_any_query_can_be_searched(searches: Searches, text: str) -> None:
    query = parse_query(text) if not any(f"{name}:" in text for name in ("modified", "created")) else parse_query("x")
    found = searches.by_keyword(query, limit=9) if query.terms else searches.matching(query, limit=9)
    assert {candidate.path for candidate in found} <= {GARDEN, DRAFT, LETTER}
