"""LanceDB is kept small."""

import ctypes

import pytest

from gatherum.store import engine


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_without_a_way_to_give_memory_back_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def absent(name: object) -> object:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", absent)
    engine._trimmer.cache_clear()
    try:
        engine.give_back()
    finally:
        engine._trimmer.cache_clear()


def test_memory_may_be_given_back_at_any_time() -> None:
    engine.give_back()
    engine.give_back()
