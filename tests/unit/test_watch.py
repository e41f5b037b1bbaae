"""The watcher: what counts as a hint, and what it does where the system tells of nothing."""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gatherum import watch
from gatherum.watch import Watcher

LONG = 30.0


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("one", encoding="utf-8")
    return folder


@pytest.fixture
def watching(notes: Path) -> Iterator[Watcher]:
    watcher = Watcher([notes], own=notes / ".gatherum")
    until(lambda: hints(watcher, notes / "probe.md"))
    settle(watcher)
    yield watcher
    watcher.close()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def hints(watcher: Watcher, probe: Path) -> bool:
    """The watcher says nothing of when it begins to look: write until it tells."""
    probe.write_text(str(time.monotonic()), encoding="utf-8")
    return watcher.hinted.wait(0.2)


def settle(watcher: Watcher) -> None:
    """Let what is under way come."""
    while watcher.hinted.wait(1.0):
        watcher.hinted.clear()


def write(notes: Path) -> None:
    (notes / "a.md").write_text("two", encoding="utf-8")


def save_as_editors_do(notes: Path) -> None:
    fresh = notes / "a.md.tmp"
    fresh.write_text("three", encoding="utf-8")
    fresh.replace(notes / "a.md")


def delete(notes: Path) -> None:
    (notes / "a.md").unlink()


def rename_a_folder(notes: Path) -> None:
    (notes / "sub").rename(notes / "other")


def move_in(notes: Path) -> None:
    outside = notes.parent / "outside"
    outside.mkdir()
    (outside / "b.md").write_text("b", encoding="utf-8")
    shutil.move(outside, notes / "inside")


def write_in_a_new_folder(notes: Path) -> None:
    (notes / "new" / "deep").mkdir(parents=True)
    (notes / "new" / "deep" / "c.md").write_text("c", encoding="utf-8")


def change_what_is_ignored(notes: Path) -> None:
    (notes / ".gitignore").write_text("*.log\n", encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [write, save_as_editors_do, delete, rename_a_folder, move_in, write_in_a_new_folder, change_what_is_ignored],
    ids=lambda change: change.__name__,
)
def test_a_change_is_told_of(watching: Watcher, notes: Path, change: Callable[[Path], None]) -> None:
    change(notes)
    assert watching.hinted.wait(LONG)
    assert watching.mode == "events"


@pytest.mark.parametrize(
    "name",
    [
        ".gatherum/db/data.lance",
        ".git/index",
        "node_modules/x/readme.md",
        ".hidden.md",
        "~$letter.docx",
        ".~lock.letter.odt#",
        "4913",
        "a.md~",
        "a.md.swp",
        "a.tmp",
    ],
)
def test_noise_is_not_told_of(notes: Path, name: str) -> None:
    assert not matters(notes, name)


def matters(notes: Path, name: str, *, hidden: bool = False) -> bool:
    watcher = Watcher([notes], own=notes / ".gatherum", hidden=hidden)
    watcher.close()
    return watcher._matters(None, str(notes / name))


def test_hidden_files_matter_where_they_are_gathered(notes: Path) -> None:
    assert matters(notes, ".hidden.md", hidden=True)
    assert not matters(notes, ".git/index", hidden=True)


def test_names_above_the_folder_do_not_make_noise_of_it(tmp_path: Path) -> None:
    folder = tmp_path / ".hidden" / "notes"
    folder.mkdir(parents=True)
    assert matters(folder, "a.md")


def test_a_storm_is_told_of_once_it_is_over(watching: Watcher, notes: Path) -> None:
    for number in range(2000):
        (notes / f"{number}.md").write_text("x", encoding="utf-8")
    told = 0
    while watching.hinted.wait(2.0):
        watching.hinted.clear()
        told += 1
    assert 1 <= told <= 10


def test_where_watches_run_out_files_are_looked_at_now_and_then(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Iterator[object]:
        raise OSError("OS file watch limit reached. about [...]")
        yield

    monkeypatch.setattr("watchfiles.watch", refuse)
    watcher = Watcher([notes], own=notes / ".gatherum")
    until(lambda: watcher.mode == "polling")


def test_where_the_file_system_tells_of_nothing_files_are_looked_at_now_and_then(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_is_silent", lambda folder: True)
    threads = threading.active_count()
    assert Watcher([notes], own=notes / ".gatherum").mode == "polling"
    assert threading.active_count() == threads


def test_a_folder_that_is_not_there_is_looked_for_now_and_then(notes: Path) -> None:
    watcher = Watcher([notes, notes.parent / "unplugged"], own=notes / ".gatherum")
    until(lambda: watcher.mode == "polling")
    until(lambda: hints(watcher, notes / "probe.md"))
    watcher.close()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_checkout_is_told_of(watching: Watcher, notes: Path) -> None:
    def git(*arguments: str) -> None:
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(notes), *arguments]
        subprocess.run(command, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    git("checkout", "-q", "-b", "other")
    (notes / "a.md").write_text("on the branch", encoding="utf-8")
    git("commit", "-q", "-a", "-m", "two")
    settle(watching)
    git("checkout", "-q", "main")
    assert watching.hinted.wait(LONG)
