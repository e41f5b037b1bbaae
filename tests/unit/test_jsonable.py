import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Problem
from gatherum.jsonable import dumps, jsonable


@dataclass
class Value:
    a: object
    b: object = None


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (0.5, 0.5),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        ("é", "é"),
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        ({1: "x"}, {"1": "x"}),
        (date(2024, 5, 17), "2024-05-17"),
        (datetime(2024, 5, 17, 8, 30, tzinfo=UTC), "2024-05-17T08:30:00+00:00"),
        (time(8, 30), "08:30:00"),
        (Decimal("1.10"), "1.10"),
        (b"x", "b'x'"),
        (Value(1), {"a": 1}),
        (Value(Value(2), [None]), {"a": {"a": 2}, "b": [None]}),
    ],
)
def test_values_become_plain(value: object, plain: object) -> None:
    assert jsonable(value) == plain


def test_fields_that_are_none_are_left_out() -> None:
    assert "locator" not in jsonable(Problem(code="empty", message="x"))
    assert jsonable(Problem(code="empty", message="x", locator=Locator.lines(3)))["locator"]["label"] == "line 3"


def test_letters_stay_as_they_are() -> None:
    assert dumps({"name": "Zoë 漢字"}) == '{"name":"Zoë 漢字"}'
    assert dumps([1], indent=2) == "[\n  1\n]"


def test_a_cycle_ends() -> None:
    value: dict[str, object] = {"name": "x"}
    value["self"] = value
    assert "…" in dumps(value)


def test_what_stands_for_billions_of_items_is_cut() -> None:
    value: list[object] = ["lol"] * 10
    for _ in range(9):
        value = [value] * 10
    assert len(dumps(value)) < 10_000_000


def test_a_value_used_often_by_honest_documents_is_kept() -> None:
    place = Locator.lines(1)
    assert "…" not in dumps([(place, ("A", "B"))] * 120_000)


@pytest.mark.parametrize("number", [10**5000, -(16**5000)], ids=["positive", "negative"])
def test_numbers_too_long_for_decimal_digits_are_kept_as_text(number: int) -> None:
    assert int(json.loads(dumps({"n": number}))["n"], 16) == number


def test_what_cannot_be_stored_as_utf8_is_cleaned() -> None:
    assert json.loads(dumps({"a\ud800": "b\udfff\x00"}).encode()) == {"a\ufffd": "b\ufffd "}


class Broken:
    def __str__(self) -> str:
        raise RuntimeError("broken")


def test_what_cannot_be_written_is_named() -> None:
    assert jsonable([Broken(), {10**5000: 1}]) == ["<Broken>", {"<int>": 1}]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary() | st.dates(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()) | st.integers(), inner) | st.tuples(inner),
    max_leaves=20,
)


@settings(deadline=None)
@given(ANYTHING)
def test_everything_becomes_json_that_is_utf8(value: object) -> None:
    text = dumps(value)
    assert json.loads(text.encode()) == json.loads(text)
    json.loads(text, parse_constant=pytest.fail)
