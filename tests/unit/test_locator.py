import itertools

import pytest

from gatherum import Locator
from gatherum.locator import WHOLE


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (WHOLE, "whole document"),
        (Locator.lines(40, 62), "lines 40–62"),
        (Locator.lines(7), "line 7"),
        (Locator.page(3, 4), "pages 3–4"),
        (Locator.slide(7), "slide 7"),
        (Locator.cell(12, name="ab12"), "cell 12"),
        (Locator.sheet("Costs", anchor="A1:C9"), "sheet Costs A1:C9"),
        (Locator.sheet("Costs", start=2, end=9), "sheet Costs rows 2–9"),
        (Locator.sheet("Costs", start=2), "sheet Costs row 2"),
        (Locator.sheet("Costs"), "sheet Costs"),
        (Locator.chapter(2, name="two.xhtml", anchor="p3"), "chapter 2"),
        (Locator.paragraph(3, 9), "paragraphs 3–9"),
        (Locator.time(61_000, 3_725_500), "1:01–1:02:05"),
        (Locator(unit="document", label="document properties"), "document properties"),
    ],
)
def test_a_place_is_said_as_a_person_would(place: Locator, said: str) -> None:
    assert str(place) == place.label == said


def test_the_end_is_never_before_the_start() -> None:
    assert Locator.lines(9, 3) == Locator.lines(9)
    assert Locator.slide(4).end == 4


@pytest.mark.parametrize("make", [Locator.lines, Locator.page, Locator.slide, Locator.cell, Locator.chapter])
def test_places_of_one_unit_sort_in_reading_order(make: type[Locator]) -> None:
    places = [make(number) for number in (1, 2, 9, 10, 100)]
    assert sorted([places[3], places[0], places[4], places[2], places[1]]) == places


def test_a_range_reaches_from_the_first_place_to_the_last() -> None:
    assert Locator.lines(3, 5).to(Locator.lines(9, 12)) == Locator.lines(3, 12)
    assert str(Locator.lines(3, 5).to(Locator.lines(9, 12))) == "lines 3–12"


@pytest.mark.parametrize(
    "other",
    [Locator.page(9), Locator.lines(2), Locator.lines(3, 5), WHOLE, Locator.lines(4, 5)],
)
def test_a_place_stays_itself_when_there_is_nothing_to_join(other: Locator) -> None:
    assert Locator.lines(3, 5).to(other) == Locator.lines(3, 5)


def test_places_in_different_sheets_are_not_joined() -> None:
    one, other = Locator.sheet("A", start=1, end=3), Locator.sheet("B", start=4, end=9)
    assert one.to(other) == one
    assert one.to(Locator.sheet("A", start=4, end=9)) == Locator.sheet("A", start=1, end=9)


def test_equal_places_are_equal_and_hash_alike() -> None:
    for one, other in itertools.product([Locator.lines(3), Locator.lines(3, 3)], repeat=2):
        assert one == other
        assert len({one, other}) == 1
