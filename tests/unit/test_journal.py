"""What was served is noted, and only in the shelf's folder."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from gatherum import Shelf, journal
from gatherum.cli import gatherum
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


def run(shelf: Shelf, *words: str) -> str:
    done = CliRunner().invoke(gatherum, [words[0], "--shelf", str(shelf.place.folder), *words[1:]])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_usage_tells_what_was_served_what_never_is_and_what_had_no_answer(shelf: Shelf) -> None:
    run(shelf, "search", "alpha")
    run(shelf, "search", "alpha")
    run(shelf, "search", "nothing of the kind")
    run(shelf, "read", "a.md")
    assert run(shelf, "usage", "--documents") == "     3  a.md\n"
    assert run(shelf, "usage", "--unused") == "b.md\n"
    assert run(shelf, "usage", "--misses") == "     1  nothing of the kind\n"
    assert "1 document served, 1 not; 1 question without an answer" in run(shelf, "usage")
    found = json.loads(run(shelf, "usage", "--json"))
    assert found == {
        "days": 30,
        "served": {"cli search": 3, "cli fetch": 1},
        "documents": {"a.md": 3},
        "unused": ["b.md"],
        "misses": {"nothing of the kind": 1},
    }


def test_a_batch_of_questions_is_not_noted(shelf: Shelf, tmp_path) -> None:
    """It is how answers are evaluated: it would drown what people ask."""
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": "1", "query": "alpha"}\n{"id": "2", "query": "gamma"}\n')
    assert "a.md" in run(shelf, "search", "--batch", str(questions))
    assert journal.usage(shelf).served == {}


def test_notes_can_be_deleted_by_command(shelf: Shelf) -> None:
    run(shelf, "search", "alpha")
    assert json.loads(run(shelf, "usage", "--clear", "--json")) == {"cleared": 1}
    assert run(shelf, "usage", "--documents") == ""


def test_what_was_served_long_ago_counts_when_asked_for(shelf: Shelf) -> None:
    run(shelf, "search", "alpha")
    (file,) = (shelf.place.folder / "usage").iterdir()
    file.rename(file.with_name(f"{datetime.now(UTC).date() - timedelta(days=10)}.jsonl"))
    assert run(shelf, "usage", "--documents", "--days", "5") == ""
    assert "a.md" in run(shelf, "usage", "--documents", "--days", "15")


def test_a_folder_that_cannot_be_written_keeps_nothing_from_being_served(shelf: Shelf) -> None:
    (shelf.place.folder / "usage").write_text("a file is in the way")
    assert "a.md" in run(shelf, "search", "alpha")
    assert run(shelf, "usage", "--documents") == ""
