import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gatherum import Document
from gatherum.limits import Limits
from gatherum.reader import Reader, Recipe

HERE = Path(__file__).parent
DISTURBANCES = (
    *("environ", "path", "folder", "mask", "locale", "filters", "signals", "digits", "collecting"),
    *("builtins", "json", "files", "limits", "threads"),
)


@pytest.fixture(scope="module")
def recipe() -> Iterator[Recipe]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        from wild import WildRecipe

        yield WildRecipe(limits=Limits(), memory_bytes=1 << 30)


@pytest.fixture(scope="module")
def two(recipe: Recipe) -> Iterator[Reader]:
    with Reader(recipe, workers=2, seconds=60) as reader:
        yield reader


@pytest.fixture(scope="module")
def one(recipe: Recipe) -> Iterator[Reader]:
    with Reader(recipe, workers=1, seconds=60) as reader:
        yield reader


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[str]]:
    def make(*orders: str) -> list[str]:
        paths = [tmp_path / f"{number:03}.wild" for number in range(len(orders))]
        for path, order in zip(paths, orders, strict=True):
            path.write_text(order, encoding="utf-8")
        return [str(path) for path in paths]

    return make


def outcome(document: Document) -> str:
    return document.problems[0].code if document.problems else document.sections[0].text


def test_documents_come_in_the_order_of_their_paths(two: Reader, files) -> None:
    orders = [f"text {number}" for number in range(40)]
    paths = files(*orders)
    documents = list(two.read(paths))
    assert [document.path for document in documents] == paths
    assert [outcome(document) for document in documents] == orders


def test_a_slow_file_holds_up_nothing_and_loses_nothing(two: Reader, files) -> None:
    orders = ["slow", *(f"text {number}" for number in range(30)), "slow"]
    assert [outcome(document) for document in two.read(files(*orders))] == orders


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("abort", "crashed"),
        ("exit", "crashed"),
        ("eat memory", "memory"),
        ("leave", "handler_failed"),
        ("interrupt", "handler_failed"),
        ("raise", "handler_failed"),
    ],
)
def test_what_a_file_does_to_its_worker_is_told_of_that_file_alone(one: Reader, files, order: str, code: str) -> None:
    documents = list(one.read(files("before", order, "after")))
    assert [outcome(document) for document in documents] == ["before", code, "after"]
    assert documents[1].state == "unreadable"


def test_how_a_worker_ended_is_told(one: Reader, files) -> None:
    crashed, left = one.read(files("abort", "exit"))
    assert "signal 6" in crashed.problems[0].message
    assert "exit code 7" in left.problems[0].message


def test_a_file_that_takes_too_long_is_given_up(recipe: Recipe, files) -> None:
    with Reader(recipe, workers=1, seconds=60) as reader:
        list(reader.read(files("warm up")))
        reader._seconds = 0.3
        (document,) = reader.read(files("hang"))
        reader._seconds = 60
        (after,) = reader.read(files("after"))
    assert (outcome(document), outcome(after)) == ("timeout", "after")


def test_every_good_file_of_a_hostile_crowd_is_read(two: Reader, files) -> None:
    orders = [("abort", "raise", "exit", "eat memory")[n // 10 % 4] if n % 10 == 5 else f"good {n}" for n in range(60)]
    outcomes = [outcome(document) for document in two.read(files(*orders))]
    assert [found for found in outcomes if found.startswith("good")] == [o for o in orders if o.startswith("good")]
    assert outcomes.count("crashed") == 3


@pytest.mark.parametrize("order", ["print", "close"])
def test_nothing_that_a_handler_prints_comes_out(two: Reader, files, order: str, capfd) -> None:
    assert [outcome(document) for document in two.read(files(order, "after"))] == [order, "after"]
    assert capfd.readouterr() == ("", "")


def test_a_handler_cannot_fill_the_disk(one: Reader, files, tmp_path: Path) -> None:
    assert outcome(next(iter(one.read(files("write"))))) in ("denied", "handler_failed", "crashed")
    assert (tmp_path / "written").stat().st_size <= 1 << 20


def test_a_missing_file_is_told(one: Reader, tmp_path: Path) -> None:
    (document,) = one.read([str(tmp_path / "gone.wild")])
    assert outcome(document) == "vanished"


def test_no_worker_is_started_for_no_file(recipe: Recipe) -> None:
    with Reader(recipe) as reader:
        assert list(reader.read([])) == []
        assert reader._workers == []


def test_reading_may_be_given_up_in_the_middle(recipe: Recipe, files) -> None:
    with Reader(recipe, workers=2, seconds=60) as reader:
        documents = reader.read(files(*["slow"] * 6))
        assert outcome(next(documents)) == "slow"
        documents.close()
    assert reader._workers == []


def test_without_isolation_this_process_reads(recipe: Recipe, files) -> None:
    with Reader(recipe, isolation="never") as reader:
        documents = list(reader.read(files("one", "raise", "leave", "three")))
        assert reader._workers == []
    assert [outcome(document) for document in documents] == ["one", "handler_failed", "handler_failed", "three"]


def test_where_no_worker_can_start_this_process_reads_and_says_so(
    recipe: Recipe, files, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def forbidden(reader: Reader) -> None:
        raise PermissionError("not in this sandbox")

    monkeypatch.setattr(Reader, "_spawn", forbidden)
    with Reader(recipe, isolation="auto") as reader:
        assert [outcome(document) for document in reader.read(files("one", "two"))] == ["one", "two"]
    assert "without limits" in caplog.text
    with Reader(recipe, isolation="always") as reader, pytest.raises(PermissionError):
        list(reader.read(files("one")))


def test_plugins_that_load_slowly_take_no_time_from_the_first_file(recipe: Recipe, files) -> None:
    from wild import SluggishRecipe

    with Reader(SluggishRecipe(limits=Limits(), memory_bytes=1 << 30), workers=1, seconds=1) as reader:
        documents = list(reader.read(files("one", "hang", "three")))
    assert [outcome(document) for document in documents] == ["one", "timeout", "three"]


def test_without_isolation_ctrl_c_stops_reading(recipe: Recipe, files) -> None:
    with Reader(recipe, isolation="never") as reader, pytest.raises(KeyboardInterrupt):
        list(reader.read(files("interrupt")))


def test_a_script_needs_no_guard_around_its_start(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello", encoding="utf-8")
    script = tmp_path / "script.py"
    script.write_text(
        "from gatherum.limits import Limits\n"
        "from gatherum.reader import Reader, Recipe\n"
        "with Reader(Recipe(limits=Limits()), workers=1) as reader:\n"
        "    for document in reader.read(['a.txt']):\n"
        "        print(document.state, document.sections[0].text)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("read hello\n", "")


def test_a_crash_that_does_not_happen_again_costs_nothing(one: Reader, files) -> None:
    documents = list(one.read(files("before", "abort once", "after")))
    assert [outcome(document) for document in documents] == ["before", "abort once", "after"]
    assert {document.state for document in documents} == {"read"}


def test_a_file_is_tried_twice_and_no_more(one: Reader, files, tmp_path: Path) -> None:
    assert outcome(next(iter(one.read(files("abort noted"))))) == "crashed"
    assert (tmp_path / "tries").read_text().splitlines() == ["000.wild"] * 2


@pytest.mark.parametrize("workers", [1, 2])
def test_a_content_that_crashed_is_not_tried_under_another_name(recipe: Recipe, files, tmp_path, workers: int) -> None:
    orders = ["abort noted", "good", "abort noted", "abort noted", "abort noted", "good"]
    hashes = ["bad" if order == "abort noted" else "" for order in orders]
    with Reader(recipe, workers=workers, seconds=60) as reader:
        documents = list(reader.read(files(*orders), hashes))
        crashed = [document for document in documents if outcome(document) == "crashed"]
        (later,) = reader.read(files("abort noted"), ["bad"])
    assert [outcome(document) for document in documents] == ["crashed", "good", *["crashed"] * 3, "good"]
    assert outcome(later) == "crashed"
    assert "same content" in later.problems[0].message
    assert len((tmp_path / "tries").read_text().splitlines()) <= 2 * workers
    assert [document.path for document in crashed] == [str(tmp_path / f"{n:03}.wild") for n in (0, 2, 3, 4)]


def test_a_reader_with_only_known_crashers_ends(recipe: Recipe, files) -> None:
    with Reader(recipe, workers=1, seconds=60) as reader:
        list(reader.read(files("abort"), ["bad"]))
        documents = list(reader.read(files(*["abort"] * 20), ["bad"] * 20))
    assert {outcome(document) for document in documents} == {"crashed"}


def test_a_worker_that_keeps_memory_retires(recipe: Recipe, files) -> None:
    frugal = replace(recipe, growth_bytes=16 << 20)
    with Reader(frugal, workers=1, seconds=60) as reader:
        first, same, _, other = map(outcome, reader.read(files("process", "process", "grow", "process")))
    assert first == same
    assert other != first


def test_a_worker_within_its_memory_stays(one: Reader, files) -> None:
    first, _, same = map(outcome, one.read(files("process", "grow", "process")))
    assert first == same


@pytest.mark.parametrize("order", ["hang", "abort"])
def test_a_handler_that_fails_when_it_is_asked_costs_no_file_and_is_named(recipe: Recipe, files, order: str) -> None:
    orders = [f"asked {order} {number}" for number in range(4)]
    with Reader(recipe, workers=1, seconds=60) as reader:
        list(reader.read(files("warm up")))
        reader._seconds = 0.5
        documents = list(reader.read(files(*orders)))
    assert [document.sections[0].text for document in documents] == orders
    assert {document.state for document in documents} == {"read"}
    blamed = [problem for document in documents for problem in document.problems]
    assert len(blamed) == 2, "after two failures it is asked no more"
    assert all("the handler asked" in problem.message for problem in blamed)
    assert "not asked any more" in blamed[1].message


@pytest.mark.parametrize("order", ["raise", "leave"])
def test_what_a_handler_raises_when_it_is_asked_is_told(one: Reader, files, order: str) -> None:
    (document,) = one.read(files(f"asked {order}"))
    assert (document.state, document.sections[0].text) == ("read", f"asked {order}")
    assert "the handler asked failed when asked" in document.problems[0].message


def test_a_content_that_ran_out_of_time_twice_is_not_tried_again(recipe: Recipe, files, tmp_path: Path) -> None:
    with Reader(recipe, workers=1, seconds=60) as reader:
        list(reader.read(files("warm up")))
        reader._seconds = 0.5
        documents = list(reader.read(files(*["hang noted"] * 4), ["slow"] * 4))
    assert {outcome(document) for document in documents} == {"timeout"}
    assert len((tmp_path / "tries").read_text().splitlines()) == 2
    assert "same content" in documents[3].problems[0].message


def test_contents_known_to_crash_are_not_tried(recipe: Recipe, files, tmp_path: Path) -> None:
    with Reader(recipe, workers=1, seconds=60) as reader:
        reader.distrust(("bad", "wild@1"), "crashed")
        reader.distrust(("other", "wild@0"), "crashed")
        documents = list(reader.read(files("abort noted", "text"), ["bad", "other"]))
    assert [outcome(document) for document in documents] == ["crashed", "text"]
    assert not (tmp_path / "tries").exists()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no process groups")
@pytest.mark.parametrize("order", ["spawn", "spawn hang"])
def test_what_a_handler_starts_ends_with_its_worker(recipe: Recipe, files, tmp_path: Path, order: str) -> None:
    with Reader(recipe, workers=1, seconds=60) as reader:
        list(reader.read(files("warm up")))
        reader._seconds = 2
        list(reader.read(files(order)))
    assert not alive(int((tmp_path / "child").read_text()))


def alive(process: int) -> bool:
    """Whether a process still runs after a while."""
    for _ in range(100):
        if not runs(process):
            return False
        time.sleep(0.05)
    return True


def runs(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


def test_what_a_handler_changes_in_its_process_does_not_reach_the_next_file(one: Reader, files) -> None:
    before, _, after = map(outcome, one.read(files("state", "disturb", "state")))
    assert before == after
    assert "b''" in after


@pytest.mark.parametrize("what", DISTURBANCES)
def test_no_file_is_read_otherwise_for_what_another_has_changed(one: Reader, files, what: str) -> None:
    before, changed, after = map(outcome, one.read(files("surroundings", f"disturb {what}", "surroundings")))
    assert changed == f"disturb {what}"
    assert after == before


def test_the_copy_of_a_worker_that_forks_itself_answers_nothing(one: Reader, files) -> None:
    orders = ["fork", "one", "fork", "two", "three"]
    assert [outcome(document) for document in one.read(files(*orders))] == orders


def test_what_is_written_into_a_workers_pipe_is_a_crash_of_that_file(one: Reader, files) -> None:
    before, scribbled, after = map(outcome, one.read(files("before", "scribble", "after")))
    assert (before, after) == ("before", "after")
    assert scribbled in ("crashed", "scribble")


def test_values_arrive_in_the_types_that_they_should_have(one: Reader, files) -> None:
    (document,) = one.read(files("own types"))
    (section,) = document.sections
    (problem,) = document.problems
    assert problem.locator
    assert section.locator.label == "line 1"
    values = [section.text, *section.heading, section.level, section.kind, section.locator.unit, section.locator.start]
    values += [section, document.metadata.title, *document.metadata.extra, *document.metadata.extra.values()]
    values += [problem.message, problem.locator.start]
    assert {type(value).__module__ for value in values} == {"builtins", "gatherum.document"}


def test_a_document_has_a_thousand_problems_at_most(one: Reader, files) -> None:
    (document,) = one.read(files("problems"))
    assert len(document.problems) == 1001
    assert "not listed" in document.problems[-1].message
    assert max(len(problem.message) for problem in document.problems) == 2000


def test_metadata_is_no_book_of_its_own(one: Reader, files) -> None:
    (document,) = one.read(files("much metadata"))
    metadata = document.metadata
    assert len(metadata.description) + sum(map(len, metadata.tags)) < 3_000_000
    assert sum(map(len, map(str, metadata.extra.values()))) <= 5_000_000
    assert (document.state, outcome(document)) == ("partial", "too_large")


def test_titles_above_a_section_are_counted(one: Reader, files) -> None:
    (document,) = one.read(files("deep headings"))
    assert len(document.sections[0].heading) == 64
    assert outcome(document) == "too_deep"


def test_a_handler_that_never_ends_gives_what_a_document_may_have(one: Reader, files) -> None:
    (document,) = one.read(files("for ever"))
    assert (len(document.sections), outcome(document)) == (200_000, "too_large")


def test_an_error_that_cannot_be_told_is_named(one: Reader, files) -> None:
    (document,) = one.read(files("unspeakable"))
    assert "Unspeakable" in document.problems[0].message


@pytest.mark.parametrize("order", ["hang", "spin", "hang child"])
def test_a_busy_worker_ends_with_a_reader_that_is_killed(files, tmp_path: Path, order: str) -> None:
    (path,) = files(f"told {order}")
    script = (
        "import sys\n"
        f"sys.path.insert(0, {str(HERE)!r})\n"
        "from gatherum.limits import Limits\n"
        "from gatherum.reader import Reader\n"
        "from wild import WildRecipe\n"
        f"list(Reader(WildRecipe(limits=Limits()), workers=1).read([{path!r}]))\n"
    )
    reader = subprocess.Popen([sys.executable, "-c", script])
    told = tmp_path / "processes"
    while not told.exists():
        assert reader.poll() is None
        time.sleep(0.01)
    workers = [int(number) for number in told.read_text(encoding="utf-8").split()]
    assert all(map(runs, workers))
    reader.kill()
    reader.wait()
    assert not any(map(alive, workers))
