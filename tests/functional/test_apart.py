"""Index runs in a process of their own: as real processes, which are killed, stopped and left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gatherum import Shelf
from gatherum.errors import GatherumError, ShelfError
from gatherum.results import IndexReport, Progress
from gatherum.server import apart as module
from gatherum.server.apart import Apart
from gatherum.server.jobs import Jobs

LONG = 60.0


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("GATHERUM_READER_ISOLATION", "never")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "pears.md").write_text("# Pears\n\nPears keep in the cellar.\n", "utf-8")
    shelf = Shelf.open(tmp_path / "shelf")
    shelf.add(tmp_path / "notes")
    return shelf


@pytest.fixture
def apart(shelf: Shelf) -> Iterator[Apart]:
    apart = Apart(shelf.place)
    yield apart
    apart.close()


def write(shelf: Shelf, number: int) -> None:
    for each in range(number):
        name = shelf.place.folder.parent / "notes" / f"{each}.md"
        name.write_text(f"# Note {each}\n\n{'Plums are blue. ' * 40}\n", "utf-8")


def run(apart: Apart, *paths: Path, heard: Callable[[Progress], object] = lambda _: None) -> IndexReport:
    return apart.add(*paths, progress=heard, stop=threading.Event())


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_what_a_run_finds_can_be_searched_here(shelf: Shelf, apart: Apart) -> None:
    assert [hit.path for hit in shelf.search("plums")] == []
    write(shelf, 3)
    seen: list[Progress] = []
    report = run(apart, heard=seen.append)
    assert (report.state, report.added, report.unchanged) == ("done", 3, 1)
    assert {each.stage for each in seen} >= {"read", "optimize"}
    assert {hit.path for hit in shelf.search("plums")} == {"0.md", "1.md", "2.md"}


def test_only_what_was_named_is_looked_at(shelf: Shelf, apart: Apart) -> None:
    write(shelf, 2)
    assert run(apart, shelf.collections["notes"] / "1.md").added == 1


def test_the_settings_are_those_of_the_shelf(tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_INDEX_EXCLUDE", "0.md")
    apart = Apart(Shelf.open(shelf.place.folder).place)
    monkeypatch.delenv("GATHERUM_INDEX_EXCLUDE")
    write(shelf, 2)
    assert run(apart).added == 1
    apart.close()


def test_a_run_that_cannot_be_says_why(shelf: Shelf, apart: Apart, tmp_path: Path) -> None:
    with pytest.raises(GatherumError, match="there is no file or folder"):
        run(apart, tmp_path / "nowhere")
    assert run(apart).state == "done"


def test_while_another_process_writes_nothing_is_done(shelf: Shelf, apart: Apart) -> None:
    with shelf._resources.store().writing():
        report = run(apart)
    assert report.state == "busy"
    assert f"process {os.getpid()} on" in report.warnings[0]


def test_one_process_serves_many_runs_and_ends_when_nobody_needs_it(shelf: Shelf) -> None:
    apart = Apart(shelf.place, linger=0.5)
    run(apart)
    first = apart._process._process
    write(shelf, 1)
    assert run(apart).added == 1
    assert apart._process._process is first
    until(lambda: first.poll() is not None)
    write(shelf, 2)
    assert run(apart).added == 1
    apart.close()


def test_a_process_that_is_killed_fails_its_run_alone(shelf: Shelf, apart: Apart) -> None:
    write(shelf, 300)
    jobs = Jobs(apart)

    def kill() -> None:
        until(lambda: jobs.current is not None and jobs.current.progress is not None)
        apart._process._process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    job = jobs.start()
    assert job.wait(LONG)
    killer.join()
    assert (job.state, job.report) == ("failed", None)
    assert "the process that indexes was ended (signal 9). What it had written is kept." in job.error
    assert [hit.path for hit in shelf.search("pears")] == ["pears.md"]
    again = jobs.start()
    assert again.wait(LONG)
    assert again.state == "done"
    assert len(shelf.list_documents()) == 301
    jobs.close()


def test_a_process_that_died_between_two_runs_is_replaced(shelf: Shelf, apart: Apart) -> None:
    run(apart)
    apart._process._process.kill()
    apart._process._process.wait()
    assert run(apart).state == "done"


def test_a_run_that_is_told_to_stop_ends_with_the_shelf_whole(shelf: Shelf, apart: Apart) -> None:
    write(shelf, 300)
    stop = threading.Event()
    report = apart.add(progress=lambda _: stop.set(), stop=stop)
    assert report.state == "stopped"
    assert report.added < 300
    assert run(apart).state == "done"
    assert len(shelf.list_documents()) == 301


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be held here")
def test_a_process_that_does_not_listen_is_ended(shelf: Shelf, apart: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STOP_SECONDS", 0.1)
    monkeypatch.setattr(module, "_END_SECONDS", 0.1)
    write(shelf, 300)
    stop = threading.Event()

    def hold(_: Progress) -> None:
        os.kill(apart._process._process.pid, signal.SIGSTOP)
        stop.set()

    assert apart.add(progress=hold, stop=stop) == IndexReport(state="stopped")
    assert run(apart).state == "done"


FAULT = """
import gatherum.shelf

def fail(*_, **__):
    raise ValueError("pears keep in the cellar")

gatherum.shelf.Shelf.add = fail
"""


def test_a_fault_is_told_without_its_words(
    shelf: Shelf, apart: Apart, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAULT, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(GatherumError, match="indexing failed unexpectedly"):
        run(apart)
    assert "an index run failed: ValueError at " in caplog.text
    assert "cellar" not in caplog.text


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_runs_give_way(shelf: Shelf, apart: Apart) -> None:
    run(apart)
    pid = apart._process._process.pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


STRAND = """
import sys, threading
from gatherum import Shelf
from gatherum.server.apart import Apart
shelf = Shelf.open(sys.argv[1])
apart = Apart(shelf.place)
say = lambda _: print(apart._process._process.pid, flush=True)
apart.add(progress=say, stop=threading.Event())
threading.Event().wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("isolation", ["never", "always"])
def test_a_process_whose_starter_is_killed_ends(shelf: Shelf, isolation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(shelf, 300)
    monkeypatch.setenv("GATHERUM_READER_ISOLATION", isolation)
    command = [sys.executable, "-c", STRAND, str(shelf.place.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as starter:
        pid = int(starter.stdout.readline())
        assert is_there(pid)
        starter.kill()
        until(lambda: not is_there(pid))
    assert shelf.add().state == "done"


def test_where_no_process_can_be_started_the_user_is_told(
    shelf: Shelf, apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(ShelfError, match="Operation not permitted"):
        run(apart)
