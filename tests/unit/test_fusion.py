import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum.fusion import K, fuse

IDS = st.lists(st.sampled_from("abcdefghij"), max_size=10, unique=True)
LISTS = st.dictionaries(st.sampled_from(["keyword", "semantic", "third"]), IDS, max_size=3)
WEIGHTS = st.fixed_dictionaries(dict.fromkeys(("keyword", "semantic", "third"), st.floats(0.1, 2)))


def test_scores_are_the_sum_over_the_lists() -> None:
    fused = dict(fuse({"x": ["a", "b"], "y": ["b"]}, {"x": 1.0, "y": 0.5}))
    assert fused == {"a": 1 / (K + 1), "b": 1 / (K + 2) + 0.5 / (K + 1)}


def test_nothing_gives_nothing() -> None:
    assert fuse({}, {}) == []
    assert fuse({"x": []}, {"x": 1}) == []


def test_a_list_without_weight_is_left_out() -> None:
    assert [key for key, _ in fuse({"x": ["a"], "y": ["b"], "z": ["c"]}, {"x": 1, "y": 0})] == ["a"]


def test_an_id_counts_once_in_each_list() -> None:
    assert fuse({"x": ["a", "a", "b"]}, {"x": 1}) == fuse({"x": ["a", "b"]}, {"x": 1})


def test_ties_are_broken_by_the_best_place_and_then_by_id() -> None:
    assert [key for key, _ in fuse({"x": ["b", "a"], "y": ["a", "b"]}, {"x": 1, "y": 1})] == ["a", "b"]
    fused = fuse({"x": ["c"], "y": ["b"], "z": ["a"]}, {"x": 1, "y": 1, "z": 1})
    assert [key for key, _ in fused] == ["a", "b", "c"]


def test_a_place_that_is_worth_less_counts_for_less() -> None:
    lists = {"keyword": ["a"], "semantic": ["b"]}
    weights = {"keyword": 1.0, "semantic": 0.9}
    assert fuse(lists, weights)[0][0] == "a"
    assert fuse(lists, weights, worth={"keyword": {"a": 0.5}})[0][0] == "b"


@settings(deadline=None)
@given(LISTS, WEIGHTS)
def test_the_order_of_the_lists_does_not_matter(lists: dict[str, list[str]], weights: dict[str, float]) -> None:
    results = [fuse(dict(order), weights) for order in itertools.permutations(lists.items())]
    assert all(result == results[0] for result in results)


@settings(deadline=None)
@given(LISTS, WEIGHTS)
def test_scores_fall_and_every_id_is_there_once(lists: dict[str, list[str]], weights: dict[str, float]) -> None:
    fused = fuse(lists, weights)
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)
    assert sorted(key for key, _ in fused) == sorted({key for ids in lists.values() for key in ids})


@settings(deadline=None)
@given(IDS.filter(lambda ids: len(ids) > 1), st.data())
def test_a_better_place_never_gives_a_worse_rank(ids: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(ids) - 1))
    better = [*ids[: at - 1], ids[at], ids[at - 1], *ids[at + 1 :]]
    other = data.draw(IDS)
    weights = {"x": 1.0, "y": 0.7}
    rank = [key for key, _ in fuse({"x": ids, "y": other}, weights)].index(ids[at])
    assert [key for key, _ in fuse({"x": better, "y": other}, weights)].index(ids[at]) <= rank


@settings(deadline=None)
@given(IDS)
def test_one_list_keeps_its_order(ids: list[str]) -> None:
    assert [key for key, _ in fuse({"x": ids}, {"x": 0.3})] == ids
