"""What was served is noted, and only in the shelf's folder."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from gatherum import Shelf, journal
from gatherum.config import UsageSettings
from gatherum.place import Place


@pytest.fixture
def shelf(make_shelf, corpus) -> Shelf:
    shelf = make_shelf()
    shelf.add(corpus({"a.md": "# A\n\nalpha\n", "b.md": "# B\n\nbeta\n"}))
    return shelf


def test_served_unused_and_missed(shelf: Shelf) -> None:
    journal.note(shelf, "cli", "search", query="alpha", documents=["a.md", "a.md"], strength="strong")
    journal.note(shelf, "mcp", "search", query="gamma", strength="none")
    used = journal.usage(shelf)
    assert used.served == {"cli search": 1, "mcp search": 1}
    assert used.documents == {"a.md": 1}
    assert used.unused == ("b.md",)
    assert used.misses == {"gamma": 1}


def test_many_at_once_lose_nothing(shelf: Shelf) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: journal.note(shelf, "cli", "search", query=str(n), strength="none"), range(200)))
    assert len(journal.usage(shelf).misses) == 200


def test_it_can_be_switched_off(shelf: Shelf) -> None:
    settings = replace(shelf.settings, usage=UsageSettings(enabled=False))
    journal.note(Shelf(Place(folder=shelf.place.folder, settings=settings)), "cli", "search")
    assert not (shelf.place.folder / "usage").exists()


def test_only_the_user_can_read_it(shelf: Shelf) -> None:
    journal.note(shelf, "cli", "search")
    (file,) = (shelf.place.folder / "usage").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_old_days_go_and_damaged_lines_are_passed_over(shelf: Shelf) -> None:
    folder = shelf.place.folder / "usage"
    folder.mkdir()
    (folder / "2001-01-01.jsonl").write_text("{}\n")
    journal.note(shelf, "cli", "search")
    assert not (folder / "2001-01-01.jsonl").exists()
    (file,) = folder.iterdir()
    with file.open("a") as stream:
        stream.write('{"surface": 3}\nnull\n{"at": "20')
    assert journal.usage(shelf).served == {"cli search": 1}


def test_all_of_it_can_be_deleted(shelf: Shelf) -> None:
    journal.note(shelf, "cli", "search")
    assert journal.clear(shelf) == 1
    assert journal.usage(shelf).served == {}


def test_what_cannot_be_written_is_not_noted(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", refuse)
    journal.note(shelf, "cli", "search")
