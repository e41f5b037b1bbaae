"""When index runs are started: at first, on hints, and now and then; never on top of each other."""

from pathlib import Path

import anyio
import pytest

from gatherum import Shelf
from gatherum.daemon import freshness
from gatherum.daemon.freshness import Freshness


class Runs:
    """Counts the runs that are asked for."""

    def __init__(self) -> None:
        self.started = 0

    def start(self) -> None:
        self.started += 1


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    monkeypatch.setattr(freshness, "FIRST_SECONDS", 0.0)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("one", encoding="utf-8")
    shelf = Shelf.open(notes / ".gatherum")
    shelf.add(notes)
    return shelf


async def reach(runs: Runs, number: int, *, seconds: float = 30.0) -> None:
    with anyio.fail_after(seconds):
        while runs.started < number:
            await anyio.sleep(0.02)


def test_a_run_at_the_start_and_one_for_each_change(shelf: Shelf) -> None:
    async def main() -> None:
        runs = Runs()
        fresh = Freshness(shelf, runs)
        async with anyio.create_task_group() as group:
            group.start_soon(fresh.run)
            await reach(runs, 1)
            fresh.finished()
            assert fresh.watching == "events"
            with anyio.fail_after(30):
                while runs.started < 2:  # until the watcher looks
                    (shelf.place.folder.parent / "b.md").write_text(str(anyio.current_time()), encoding="utf-8")
                    await anyio.sleep(0.6)
            group.cancel_scope.cancel()

    anyio.run(main)


def test_no_run_is_started_while_one_is_going_on(shelf: Shelf) -> None:
    async def main() -> None:
        runs = Runs()
        fresh = Freshness(shelf, runs)
        async with anyio.create_task_group() as group:
            group.start_soon(fresh.run)
            await reach(runs, 1)
            assert fresh._watcher is not None
            fresh._watcher.hinted.set()
            await anyio.sleep(0.5)
            assert runs.started == 1
            fresh.finished()
            await reach(runs, 2)
            group.cancel_scope.cancel()

    anyio.run(main)


def test_a_long_run_is_followed_by_a_longer_pause(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(freshness.time, "monotonic", lambda: now)
    runs = Runs()
    fresh = Freshness(shelf, runs)
    fresh._watch()
    fresh._start()
    now += 4
    fresh.finished()
    assert fresh._watcher is not None
    fresh._watcher.hinted.set()
    now += 19
    fresh._step()
    assert runs.started == 1
    now += 2
    fresh._step()
    assert runs.started == 2
    fresh._watcher.close()


def test_a_run_that_found_another_process_writing_is_repeated(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(freshness.time, "monotonic", lambda: now)
    runs = Runs()
    fresh = Freshness(shelf, runs)
    fresh._watch()
    fresh._start()
    fresh.finished(busy=True)
    now += 1
    fresh._step()
    assert runs.started == 1
    now += 2
    fresh._step()
    assert runs.started == 2
    assert fresh._watcher is not None
    fresh._watcher.close()


def test_without_hints_a_run_every_few_minutes(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(freshness.time, "monotonic", lambda: now)
    runs = Runs()
    fresh = Freshness(shelf, runs)
    fresh._watch()
    fresh._start()
    fresh.finished()
    now += freshness.EVERY_SECONDS - 1
    fresh._step()
    assert runs.started == 1
    now += 1
    fresh._step()
    assert runs.started == 2
    fresh.finished()
    assert fresh._watcher is not None
    fresh._watcher.mode = "polling"
    now += freshness.POLLING_SECONDS
    fresh._step()
    assert runs.started == 3
    fresh._watcher.close()


def test_a_folder_that_is_gathered_later_is_watched_too(shelf: Shelf, tmp_path: Path) -> None:
    runs = Runs()
    fresh = Freshness(shelf, runs)
    fresh._watch()
    first = fresh._watcher
    fresh._watch()
    assert fresh._watcher is first
    other = tmp_path / "other"
    other.mkdir()
    shelf.add(other)
    fresh._watch()
    assert fresh._watcher is not None
    assert other in fresh._watcher.roots
    fresh._watcher.close()


def test_watching_can_be_switched_off(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_SERVER_WATCH", "no")
    quiet = Shelf.open(shelf.place.folder)
    runs = Runs()
    fresh = Freshness(quiet, runs)
    anyio.run(fresh.run)
    assert fresh.watching == "off"
    assert runs.started == 1
