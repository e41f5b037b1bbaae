import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gatherum.errors import ShelfError
from gatherum.results import IndexReport, Progress
from gatherum.server.jobs import Job, Jobs


class SlowShelf:
    """Stands for a shelf whose runs end when they are let go."""

    def __init__(self) -> None:
        self.runs: list[tuple[Path, ...]] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.error: Exception | None = None

    def add(self, *paths: Path, progress: Callable[[Progress], None], stop: threading.Event) -> IndexReport:
        self.runs.append(paths)
        self.begun.release()
        progress(Progress(stage="read", done=1, total=2, path="a.md"))
        while not self.go.acquire(timeout=0.01):
            if stop.is_set():
                return IndexReport(state="stopped")
        if self.error:
            raise self.error
        return IndexReport(added=1)


@pytest.fixture
def shelf() -> SlowShelf:
    return SlowShelf()


@pytest.fixture
def jobs(shelf: SlowShelf):
    jobs = Jobs(shelf)
    yield jobs
    jobs.close()


A, B = Path("a"), Path("b")


def test_a_run_says_where_it_is_and_what_it_did(shelf: SlowShelf, jobs: Jobs) -> None:
    job = jobs.start((A,))
    shelf.begun.acquire()
    assert (job.state, jobs.current, job.wait(0)) == ("running", job, False)
    shelf.go.release()
    assert job.wait(10)
    assert (job.state, job.report, jobs.current) == ("done", IndexReport(added=1), None)
    assert job.progress == Progress(stage="read", done=1, total=2, path="a.md")


def test_one_run_goes_on_and_one_waits_for_all_who_ask_meanwhile(shelf: SlowShelf, jobs: Jobs) -> None:
    first = jobs.start((A,))
    shelf.begun.acquire()
    second, third = jobs.start((A,)), jobs.start((B,))
    assert second is third
    assert (second.state, second.asked, jobs.last) == ("waiting", 2, second)
    shelf.go.release(2)
    assert first.wait(10)
    assert second.wait(10)
    assert shelf.runs == [(A,), (A, B)]


def test_a_run_over_everything_takes_the_others_in(shelf: SlowShelf, jobs: Jobs) -> None:
    jobs.start()
    shelf.begun.acquire()
    jobs.start((A,))
    last = jobs.start()
    shelf.go.release(2)
    assert last.wait(10)
    assert shelf.runs == [(), ()]


def test_a_cancelled_run_ends_early(shelf: SlowShelf, jobs: Jobs) -> None:
    job = jobs.start()
    shelf.begun.acquire()
    job.cancel()
    assert job.wait(10)
    assert (job.state, job.report) == ("stopped", IndexReport(state="stopped"))


def test_who_asks_after_a_waiting_run_was_cancelled_gets_a_new_one(shelf: SlowShelf, jobs: Jobs) -> None:
    jobs.start()
    shelf.begun.acquire()
    cancelled = jobs.start((A,))
    cancelled.cancel()
    wanted = jobs.start((B,))
    assert cancelled.wait(10)
    assert cancelled.state == "stopped"
    shelf.go.release(2)
    assert wanted.wait(10)
    assert shelf.runs == [(), (B,)]


@pytest.mark.parametrize(
    ("error", "said"),
    [(ShelfError("no folder", hint="Make it."), "no folder. Make it."), (ZeroDivisionError("secret"), "unexpectedly")],
)
def test_a_failed_run_says_why_and_the_next_one_works(
    shelf: SlowShelf, jobs: Jobs, error: Exception, said: str
) -> None:
    shelf.error = error
    shelf.go.release()
    job = jobs.start()
    assert job.wait(10)
    assert job.state == "failed"
    assert said in job.error
    assert "secret" not in job.error
    shelf.error = None
    shelf.go.release()
    again = jobs.start()
    assert again.wait(10)
    assert again.state == "done"


def test_all_are_told_of_each_run_even_if_one_of_them_fails(shelf: SlowShelf, jobs: Jobs) -> None:
    told: list[Job] = []
    done = threading.Event()
    jobs.on_done(lambda job: told[99])
    jobs.on_done(lambda job: (told.append(job), done.set()))
    shelf.go.release()
    job = jobs.start()
    assert done.wait(10)
    assert told == [job]


def test_closing_ends_what_goes_on_and_what_waits(shelf: SlowShelf, jobs: Jobs) -> None:
    first = jobs.start()
    shelf.begun.acquire()
    second = jobs.start()
    jobs.close()
    assert (first.state, second.state) == ("stopped", "stopped")
    with pytest.raises(ShelfError, match="is ending"):
        jobs.start()
