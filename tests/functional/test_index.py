"""A shelf follows its folders: what is new, changed, moved or gone, and what cannot be read."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gatherum import Shelf
from gatherum.embedding import Embedder
from gatherum.errors import ShelfError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "a.md").write_text("# Alpha\n\nThe first letter.\n", encoding="utf-8")
    (root / "sub").mkdir()
    (root / "sub/b.md").write_text("# Beta\n\nThe second letter.\n\n## More\n\nOf beta.\n", encoding="utf-8")
    (root / "c.html").write_text("<h1>Gamma</h1><p>The third letter.</p>", encoding="utf-8")
    return root


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    return Shelf.open(tmp_path / "shelf")


def counts(report: object) -> dict[str, int]:
    names = ("added", "changed", "moved", "removed", "unchanged", "failed")
    return {name: value for name in names if (value := getattr(report, name))}


def version(shelf: Shelf) -> int:
    return int(shelf._resources.store().table.version)


def age(*files: Path) -> None:
    """Make files old enough that their stat values can be trusted."""
    for file in files:
        os.utime(file, ns=(1_700_000_000_000_000_000, 1_700_000_000_000_000_000))


def test_a_folder_is_gathered_and_found(folder: Path, shelf: Shelf) -> None:
    assert counts(shelf.add(folder)) == {"added": 3}
    (hit,) = shelf.search("second letter", limit=1)
    assert (hit.path, hit.heading) == ("sub/b.md", ("Beta",))


def test_a_second_run_reads_nothing_and_commits_nothing(folder: Path, shelf: Shelf) -> None:
    age(*folder.rglob("*.*"))
    shelf.add(folder)
    before = version(shelf)
    report = shelf.add()
    assert counts(report) == {"unchanged": 3}
    assert report.chunks == 0
    assert version(shelf) == before


def test_a_file_that_was_only_touched_is_not_read_again(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    age(folder / "a.md")
    assert counts(shelf.add()) == {"unchanged": 3}


def test_a_changed_file_is_read_again_and_its_old_text_is_gone(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    (folder / "a.md").write_text("# Alpha\n\nNow about quinces.\n", encoding="utf-8")
    assert counts(shelf.add()) == {"changed": 1, "unchanged": 2}
    assert [hit.path for hit in shelf.search("quinces")] == ["a.md"]
    assert not shelf.search('"first letter"').results


def test_a_change_that_keeps_size_and_mtime_is_seen(folder: Path, shelf: Shelf) -> None:
    age(folder / "a.md")
    shelf.add(folder)
    stat = (folder / "a.md").stat()
    (folder / "a.md").write_text("# Alpha\n\nThe firsT letter.\n", encoding="utf-8")
    os.utime(folder / "a.md", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert (folder / "a.md").stat().st_size == stat.st_size
    assert counts(shelf.add()) == {"changed": 1, "unchanged": 2}


def test_a_deleted_file_is_no_longer_found(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    (folder / "sub/b.md").unlink()
    assert counts(shelf.add()) == {"removed": 1, "unchanged": 2}
    assert "sub/b.md" not in {hit.path for hit in shelf.search("letter")}


def test_a_moved_file_is_found_at_its_new_place(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    (folder / "sub/b.md").rename(folder / "beta.md")
    assert counts(shelf.add()) == {"moved": 1, "unchanged": 2}
    assert {hit.path for hit in shelf.search("second")} == {"beta.md"}


def test_only_the_named_part_of_a_folder_is_looked_at(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    (folder / "a.md").unlink()
    (folder / "sub/new.md").write_text("# Delta\n", encoding="utf-8")
    assert counts(shelf.add(folder / "sub")) == {"added": 1, "unchanged": 1}
    assert "a.md" in {document.path for document in shelf.list_documents()}


def test_a_single_file_can_be_gathered(folder: Path, shelf: Shelf) -> None:
    assert counts(shelf.add(folder / "a.md")) == {"added": 1}
    assert [document.path for document in shelf.list_documents()] == ["a.md"]


def test_of_a_single_file_s_folder_only_that_file_is_followed(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder / "a.md")
    assert counts(shelf.add()) == {"unchanged": 1}
    shelf.add(folder / "c.html")
    assert counts(shelf.add()) == {"unchanged": 2}
    assert counts(shelf.add(folder)) == {"added": 1, "unchanged": 2}
    assert counts(shelf.add()) == {"unchanged": 3}


def test_several_parts_of_a_folder_can_be_named_at_once(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    (folder / "a.md").unlink()
    (folder / "sub/b.md").unlink()
    assert counts(shelf.add(folder / "a.md", folder / "sub")) == {"removed": 2}


def test_what_is_no_longer_named_in_the_settings_is_taken_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    config = folder / "gatherum.toml"
    config.write_text('[collections]\nall = "."\nsub = "sub"\n', encoding="utf-8")
    assert Shelf.find(folder).add().added == 4
    config.write_text('[collections]\nall = "."\n', encoding="utf-8")
    assert counts(Shelf.find(folder).add()) == {"removed": 1, "unchanged": 3}


def test_more_time_gives_a_slow_file_another_chance(
    folder: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gatherum.document import Document
    from gatherum.problems import Problem
    from gatherum.reader import Reader

    late = (Problem(code="timeout", message="not read in time"),)
    with monkeypatch.context() as patch:
        patch.setattr(
            Reader,
            "read",
            lambda _, paths, *__, **___: (Document(path=p, state="unreadable", problems=late) for p in paths),
        )
        assert counts(shelf.add(folder)) == {"failed": 3}
        assert counts(shelf.add()) == {"unchanged": 3}
    monkeypatch.setenv("GATHERUM_READER_SECONDS", "60")
    assert counts(Shelf.open(shelf.place.folder).add()) == {"changed": 3}


def test_another_handler_version_reads_a_file_again(
    folder: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gatherum_formats.markdown import MarkdownHandler

    shelf.add(folder)
    monkeypatch.setattr(MarkdownHandler, "version", MarkdownHandler.version + 1)
    assert counts(shelf.add()) == {"changed": 2, "unchanged": 1}


def test_other_passage_sizes_cut_everything_again(folder: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.add(folder)
    monkeypatch.setenv("GATHERUM_CHUNKING_TARGET", "120")
    assert counts(Shelf.open(shelf.place.folder).add()) == {"changed": 3}


def test_bad_files_are_named_and_the_good_ones_found(folder: Path, shelf: Shelf) -> None:
    (folder / "empty.docx").write_bytes(b"")
    (folder / "cut.pptx").write_bytes(b"PK\x03\x04 and then nothing")
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (folder / "picture.xyz").write_bytes(bytes(range(256)))
    report = shelf.add(folder)
    assert report.added == 3
    named = {problem.path: problem.code for problem in report.problems}
    assert named["empty.docx"] == "empty"
    assert named["cut.pptx"] == "corrupt"
    assert "old.doc" in named
    assert named["picture.xyz"] == "unsupported"
    assert all(problem.message and problem.advice for problem in report.problems)
    assert len(shelf.search("letter").results) >= 3
    assert {problem.path for problem in shelf.status(problems=True).problems} == set(named)


def test_a_bad_file_is_not_tried_again_until_it_changes(folder: Path, shelf: Shelf) -> None:
    bad = folder / "cut.pptx"
    bad.write_bytes(b"PK\x03\x04 and then nothing")
    age(*folder.rglob("*.*"))
    shelf.add(folder)
    assert counts(shelf.add()) == {"unchanged": 4}


def test_a_folder_that_is_gone_loses_nothing(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(ShelfError, match="is not there"):
        shelf.add()
    assert shelf.search("second letter").results


def test_a_removed_collection_is_forgotten(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    assert shelf.remove("notes") == 3
    assert shelf.collections == {}
    assert not shelf.search("letter").results


def test_two_folders_are_told_apart(folder: Path, shelf: Shelf, tmp_path: Path) -> None:
    other = tmp_path / "other" / "notes"
    other.mkdir(parents=True)
    (other / "a.md").write_text("# Alef\n\nAnother first letter.\n", encoding="utf-8")
    shelf.add(folder, other)
    assert set(shelf.collections) == {"notes", "notes-2"}
    hits = {(hit.collection, hit.path) for hit in shelf.search("first letter")}
    assert {("notes", "a.md"), ("notes-2", "a.md")} <= hits
    assert shelf.read("notes-2/a.md").title == "Alef"
    assert {hit.collection for hit in shelf.search("letter in:notes-2")} == {"notes-2"}


def test_a_shelf_moves_with_its_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    Shelf.open(folder / ".gatherum").add(folder)
    moved = folder.rename(folder.with_name("moved"))
    shelf = Shelf.find(moved / "sub")
    assert counts(shelf.add()) == {"unchanged": 3}


def test_a_second_writer_is_told_who_holds_the_shelf(folder: Path, shelf: Shelf) -> None:
    shelf.add(folder)
    with shelf._resources.store().writing():
        report = Shelf.open(shelf.place.folder).add()
    assert report.state == "busy"
    assert str(os.getpid()) in report.warnings[0]


def test_progress_names_every_stage(folder: Path, shelf: Shelf) -> None:
    moments = []
    shelf.add(folder, progress=moments.append)
    reading = [moment for moment in moments if moment.stage == "read"]
    assert [(moment.done, moment.total) for moment in reading] == [(1, 3), (2, 3), (3, 3)]
    assert {"read", "optimize"} <= {moment.stage for moment in moments}


@pytest.mark.slow
def test_a_killed_run_is_finished_by_the_next(tmp_path: Path, shelf: Shelf) -> None:
    root = tmp_path / "many"
    root.mkdir()
    for number in range(300):
        (root / f"{number}.md").write_text(f"# File {number}\n\nAbout the number {number}.\n" * 5, encoding="utf-8")
    command = [sys.executable, "-m", "gatherum", "index", str(root), "--shelf", str(shelf.place.folder), "--quiet"]
    for wait in (0.6, 0.9, 1.2):
        process = subprocess.Popen(command, start_new_session=True)
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    report = shelf.add(root)
    assert report.added + report.unchanged == 300
    assert len(shelf.list_documents()) == 300
    assert len({document.id for document in shelf.list_documents()}) == 300
    assert counts(shelf.add()) == {"unchanged": 300}


@pytest.mark.model
def test_the_same_text_is_embedded_once_in_a_run(tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "multilingual-e5-small")
    asked: list[str] = []
    passages = Embedder.passages

    def counted(embedder: Embedder, texts: list[str]) -> object:
        asked.extend(texts)
        return passages(embedder, texts)

    monkeypatch.setattr(Embedder, "passages", counted)
    folder = tmp_path / "same"
    for number in range(5):
        (folder / f"{number}").mkdir(parents=True)
        (folder / f"{number}/notice.md").write_text("# Notice\n\nAll rights reserved.\n", encoding="utf-8")
    report = Shelf.open(tmp_path / "shelf").add(folder)
    assert (report.embedded, len(asked)) == (5, 1)


@pytest.mark.model
def test_numbers_alone_are_found_as_words_and_get_no_vector(
    tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "multilingual-e5-small")
    monkeypatch.setattr(Embedder, "__init__", lambda *_, **__: pytest.fail("the model was loaded"))
    folder = tmp_path / "numbers"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(f"# {number}\n\n70{number} 4.5 %\n", encoding="utf-8")
    shelf = Shelf.open(tmp_path / "shelf")
    assert shelf.add(folder).chunks == 3
    assert [hit.path for hit in shelf.search("702", mode="keyword").results] == ["2.md"]
    assert shelf.status().warnings == shelf.search("702", mode="keyword").warnings == ()
    assert shelf.add().embedded == 0


@pytest.mark.model
def test_passages_keep_their_vectors_when_their_file_moves_or_changes(folder: Path, tmp_path: Path) -> None:
    shelf = Shelf.open(tmp_path / "shelf")
    first = shelf.add(folder)
    assert first.embedded == first.chunks
    (folder / "sub/b.md").rename(folder / "beta.md")
    assert shelf.add().embedded == 0
    text = (folder / "beta.md").read_text(encoding="utf-8")
    (folder / "beta.md").write_text(
        text + "\n## New\n\n" + "A wholly new passage about swans and geese. " * 8, encoding="utf-8"
    )
    assert shelf.add().embedded == 1
    assert shelf.status().embedded == shelf.status().chunks


def test_a_run_that_is_stopped_keeps_what_it_has_and_the_next_goes_on(shelf: Shelf, folder: Path) -> None:
    stop = threading.Event()
    report = shelf.add(folder, progress=lambda at: stop.set() if at.stage == "read" else None, stop=stop)
    assert report.state == "stopped"
    assert len(shelf.list_documents()) == report.added == 1
    assert len(report.documents) == 1
    assert shelf.search("letter").results
    rest = shelf.add(folder)
    assert (rest.state, rest.added, rest.unchanged) == ("done", 2, 1)


def test_a_run_that_is_stopped_takes_nothing_off_the_shelf(shelf: Shelf, folder: Path) -> None:
    shelf.add(folder)
    (folder / "a.md").rename(folder / "z.md")
    (folder / "new.md").write_text("New", encoding="utf-8")
    stop = threading.Event()
    shelf.add(folder, progress=lambda at: stop.set() if at.stage == "read" else None, stop=stop)
    assert {"a.md", "c.html", "sub/b.md"} <= {document.path for document in shelf.list_documents()}
    shelf.add(folder)
    assert {document.path for document in shelf.list_documents()} == {"z.md", "new.md", "c.html", "sub/b.md"}


def test_a_run_that_is_stopped_at_once_does_nothing(shelf: Shelf, folder: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert shelf.add(folder, stop=stop).state == "stopped"
    assert shelf.list_documents() == ()


def test_the_report_names_what_changed(shelf: Shelf, folder: Path) -> None:
    assert set(shelf.add(folder).documents) == {"a.md", "c.html", "sub/b.md"}
    (folder / "a.md").unlink()
    (folder / "c.html").write_text("<p>Other</p>", encoding="utf-8")
    assert set(shelf.add(folder).documents) == {"a.md", "c.html"}
    assert shelf.add(folder).documents == ()
