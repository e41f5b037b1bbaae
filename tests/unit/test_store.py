import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gatherum.errors import ShelfBusyError, ShelfError, ShelfNotFoundError
from gatherum.query import parse_query
from gatherum.store import Catalog, Searches, Store
from gatherum.store.rows import document_id
from gatherum.walk import Found

MODEL = "tiny@1"
NEW = " ".join(["new"] * 60)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "shelf", create=True, dimensions=4)


def version(store: Store) -> int:
    return int(store.table.version)


def paths(store: Store) -> list[str]:
    return [entry.path for entry in Catalog(store).entries()]


def vectors(store: Store) -> dict[str, list[float] | None]:
    rows = store.scan(("text", "vector", "model"), "ordinal >= 0")
    return {row["text"]: row["vector"] if row["model"] else None for row in rows}


def embed(store: Store, value: float = 1.0) -> None:
    rows = store.without_vector(MODEL, 100)
    made = np.array([[value, at, 0, 1] for at in range(len(rows))], dtype=np.float32)
    store.set_vectors([row["id"] for row in rows], list(made), MODEL)


# -- writing ---------------------------------------------------------------------------------------------------------


def test_a_batch_of_documents_is_one_commit(store: Store, document_row) -> None:
    before = version(store)
    many = [document_row(f"{n}.md", ("A", f"text {n}"), ("B", f"more {n}" * 20)) for n in range(30)]
    assert store.write(many) == sum(len(row.chunks) for row in many)
    assert version(store) == before + 1
    assert len(paths(store)) == 30


def test_documents_are_replaced_and_removed_in_the_same_commit(store: Store, document_row) -> None:
    store.write([document_row(f"{n}.md", ("A", f"text {n} old"), ("B", "x " * 300)) for n in range(3)])
    before = version(store)
    store.write([document_row("0.md", ("A", "text 0 new"))], [document_id("notes", "1.md")])
    assert version(store) == before + 1
    assert paths(store) == ["0.md", "2.md"]
    assert [c.text for c in Searches(store).matching(parse_query('path:0.md "text"'), limit=9)] == ["text 0 new"]


def test_nothing_to_write_is_no_commit(store: Store) -> None:
    before = version(store)
    assert store.write([]) == 0
    assert version(store) == before


def test_a_document_without_text_has_a_row_of_its_own(store: Store, document_row) -> None:
    assert store.write([document_row("empty.md")]) == 0
    (entry,) = Catalog(store).entries()
    assert (entry.path, entry.chunks) == ("empty.md", 0)


def test_the_same_path_in_two_collections_is_two_documents(store: Store, document_row) -> None:
    store.write([document_row("a.md", ("", "x"), collection=name) for name in ("one", "two")])
    assert paths(store) == ["a.md", "a.md"]
    assert set(store.states("one")) == {"a.md"}


def test_passages_with_equal_headings_keep_apart(store: Store, document_row) -> None:
    row = document_row(
        "a.md", ("A", "one " * 150 + "\n\n" + "two " * 150 + "\n\n" + "three " * 150), ("B", "x"), ("A", "y")
    )
    store.write([row])
    assert store.count("ordinal >= 0") == len(row.chunks) > 2


def test_what_was_stored_comes_back(store: Store, document_row) -> None:
    row = document_row("a.md", ("Über", "Text 漢字"), title="T", authors=("A", "B"), extra={"n": 1}, mtime_ns=5)
    store.write([row])
    catalog = Catalog(store)
    entry = catalog.by_id(document_id("notes", "a.md"))
    assert entry is not None
    assert (entry.title, entry.state, entry.format, entry.mtime_ns) == ("T", "read", "md", 5)
    text, metadata = catalog.content(entry)
    assert text == row.rendered.text
    assert (metadata.authors, metadata.extra) == (("A", "B"), {"n": 1})
    assert catalog.outline(entry) == row.rendered.outline
    state = store.states("notes")["a.md"]
    assert state.same_stat(row.found)
    assert (state.file_hash, state.recipe) == (row.file_hash, row.recipe)


def test_a_touched_file_keeps_its_passages(store: Store, document_row) -> None:
    store.write([document_row("a.md", ("A", "text"))])
    before, count = version(store), store.count("true")
    found = Found(path="a.md", size=7, mtime_ns=8, ctime_ns=9, inode=10)
    store.touch([(document_id("notes", "a.md"), found)])
    assert version(store) == before + 1
    assert store.count("true") == count
    assert store.states("notes")["a.md"].same_stat(found)
    assert [c.text for c in Searches(store).matching(parse_query('"text"'), limit=9)] == ["text"]


# -- vectors ---------------------------------------------------------------------------------------------------------


def test_passages_get_their_vectors_in_one_commit(store: Store, document_row) -> None:
    store.write([document_row("a.md", ("A", "one")), document_row("b.md", ("B", "two"))])
    assert Searches(store).coverage(MODEL) == (2, 2)
    before = version(store)
    embed(store)
    assert version(store) == before + 1
    assert Searches(store).coverage(MODEL) == (0, 2)
    assert Searches(store).coverage("other@1") == (2, 2)


def test_a_passage_whose_text_is_known_keeps_its_vector(store: Store, document_row) -> None:
    store.write([document_row("a.md", ("A", "one"), title="T")])
    embed(store, 3.0)
    store.write(
        [document_row("moved.md", ("A", "one"), ("B", NEW), title="T")],
        [document_id("notes", "a.md")],
        model=MODEL,
    )
    kept = vectors(store)
    assert kept["one"] == [3.0, 0.0, 0.0, 1.0]
    assert [text for text, vector in kept.items() if vector is None] == [NEW]


def test_vectors_of_another_model_are_not_kept(store: Store, document_row) -> None:
    store.write([document_row("a.md", ("A", "one"))])
    embed(store)
    store.write([document_row("a.md", ("A", "one"))], model="other@1")
    assert Searches(store).coverage("other@1") == (1, 1)


def test_changed_text_loses_its_vector(store: Store, document_row) -> None:
    store.write([document_row("a.md", ("A", "one"))])
    embed(store)
    store.write([document_row("a.md", ("A", "other"))], model=MODEL)
    assert vectors(store) == {"other": None}


def test_room_is_made_for_vectors_of_another_length(store: Store, document_row) -> None:
    store.write([document_row("a.md", ("A", "one"))])
    embed(store)
    store.reset_vectors(8)
    assert store.dimensions == 8
    assert Searches(store).coverage(MODEL) == (1, 1)
    store.set_vectors([row["id"] for row in store.without_vector(MODEL, 9)], [np.ones(8, np.float32)], MODEL)
    assert Searches(store).coverage(MODEL) == (0, 1)
    assert Store(store.folder).dimensions == 8


def test_the_nearest_passages_come_first(store: Store, document_row) -> None:
    store.write([document_row(f"{n}.md", ("A", f"text {n}")) for n in range(3)])
    rows = sorted(store.without_vector(MODEL, 9), key=lambda row: row["text"])
    made = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]], dtype=np.float32)
    store.set_vectors([row["id"] for row in rows], list(made), MODEL)
    query = np.array([1, 0.1, 0, 0], dtype=np.float32)
    found = Searches(store).by_vector(parse_query("x"), query, model=MODEL, limit=9)
    assert [candidate.text for candidate in found] == ["text 0", "text 2", "text 1"]


@pytest.mark.parametrize(("length", "last"), [(8, "IvfRq"), (9, "IvfFlat")])
def test_an_index_of_vectors_changes_no_answer_and_grows_with_the_shelf(
    tmp_path: Path, document_row, monkeypatch: pytest.MonkeyPatch, length: int, last: str
) -> None:
    store = Store(tmp_path / "shelf", create=True, dimensions=length)
    chance = np.random.default_rng(1)
    query = chance.standard_normal(length).astype(np.float32)
    kinds = []

    def look() -> None:
        nearest = Searches(store).by_vector(parse_query("x"), query, model=MODEL, limit=20)
        exact = {text: np.dot(v, query) / np.linalg.norm(v) for text, v in vectors(store).items()}
        assert [each.text for each in nearest] == sorted(exact, key=exact.__getitem__, reverse=True)[:20]
        kinds.append([each.index_type for each in store.table.list_indices() if each.columns == ["vector"]])

    monkeypatch.setattr("gatherum.store.table._VECTOR_INDEX_FROM", 100)
    monkeypatch.setattr("gatherum.store.table._QUANTIZE_FROM", 400)
    for batch in range(4):
        store.write([document_row(f"{batch}-{n}.md", ("A", f"text {batch} {n}")) for n in range(60)], model=MODEL)
        ids = [row["id"] for row in store.without_vector(MODEL, 100)]
        store.set_vectors(ids, list(chance.standard_normal((60, length), dtype=np.float32)), MODEL)
        look()
        store.maintain(force=True)
        look()
    assert kinds == [[], [], [], ["IvfFlat"], ["IvfFlat"], ["IvfFlat"], ["IvfFlat"], [last]]
    store.write([], [document_id("notes", f"{batch}-{n}.md") for batch in (0, 1) for n in range(60)])
    store.maintain(force=True)
    look()
    assert kinds[-1] == ["IvfFlat"]


# -- searching while others write ------------------------------------------------------------------------------------


def test_readers_see_each_commit_at_once(store: Store, document_row) -> None:
    reader = Searches(Store(store.folder))
    store.write([document_row("a.md", ("A", "needle"))])
    assert [c.path for c in reader.by_keyword(parse_query("needle"), limit=9)] == ["a.md"]
    store.write([], [document_id("notes", "a.md")])
    assert reader.by_keyword(parse_query("needle"), limit=9) == []


def test_many_passages_that_no_index_has_are_left_out_until_one_has_them(
    store: Store, document_row, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gatherum.store.search.UNINDEXED_ROWS", 4)
    searches = Searches(store)
    for n, unsearched in ((0, 0), (1, 0), (2, 6)):
        store.write([document_row(f"{n}.md", ("A", f"needle {n}"))])
        assert searches.unsearched == unsearched
    assert searches.by_keyword(parse_query("needle"), limit=9) == []
    store.maintain(force=True)
    assert searches.unsearched == 0
    assert len(searches.by_keyword(parse_query("needle"), limit=9)) == 3


def test_a_long_run_is_indexed_in_between(store: Store, document_row, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gatherum.store.table.UNINDEXED_ROWS", 4)
    behind = []
    for n in range(30):
        store.write([document_row(f"{n}.md", ("A", f"needle {n}"))])
        store.catch_up()
        behind.append(store.behind)
    assert max(behind) == 16
    assert 0 in behind


def test_tidying_changes_no_answer(store: Store, document_row) -> None:
    for n in range(5):
        store.write([document_row(f"{n}.md", ("A", f"needle {n}"))])
    before = [c.path for c in Searches(store).by_keyword(parse_query("needle"), limit=9)]
    store.maintain(force=True)
    assert [c.path for c in Searches(store).by_keyword(parse_query("needle"), limit=9)] == before
    assert len(before) == 5


# -- the folder ------------------------------------------------------------------------------------------------------


def test_the_folder_is_for_its_owner_and_not_for_git(store: Store) -> None:
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert (store.folder / ".gitignore").read_text(encoding="utf-8") == "*\n"
    assert sorted(path.name for path in store.folder.iterdir()) == [".gitignore", "db"]


def test_a_second_writer_is_told_who_holds_the_shelf(store: Store) -> None:
    holder = pytest.raises(ShelfBusyError, match=f"process {os.getpid()} on ")
    with store.writing(), holder as error, Store(store.folder).writing():
        pytest.fail("two writers")
    assert error.value.hint


def test_another_process_is_told_too_and_may_write_afterwards(store: Store) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from gatherum.errors import ShelfBusyError\n"
        "from gatherum.store import Store\n"
        "try:\n"
        "    with Store(Path(sys.argv[1])).writing(): print('free')\n"
        "except ShelfBusyError as error: print(error)\n"
    )

    def run() -> str:
        command = [sys.executable, "-c", script, str(store.folder)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    with store.writing():
        assert f"process {os.getpid()}" in run()
    assert run() == "free"


def test_a_writer_that_was_killed_leaves_the_shelf_free(store: Store) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from gatherum.store import Store\n"
        "with Store(Path(sys.argv[1])).writing(): os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(store.folder)], check=False)
    assert (store.folder / "writer.json").exists()
    with store.writing():
        assert json.loads((store.folder / "writer.json").read_text(encoding="utf-8"))["pid"] == os.getpid()
    assert not (store.folder / "writer.json").exists()


def test_a_lock_without_a_readable_name_on_it_still_holds(store: Store) -> None:
    with store.writing():
        (store.folder / "writer.json").write_text("{", encoding="utf-8")
        with pytest.raises(ShelfBusyError, match="another process"), Store(store.folder).writing():
            pytest.fail("two writers")


def test_where_there_is_no_shelf_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(ShelfNotFoundError) as error:
        Store(tmp_path)
    assert "gatherum index" in error.value.hint


def damaged(store: Store) -> list[Path]:
    return sorted(path for path in (store.folder / "db").rglob("*.manifest"))


@pytest.mark.parametrize("content", [b"", b"\0" * 500, b"garbage"])
def test_a_damaged_shelf_is_an_error_with_a_way_out(store: Store, document_row, content: bytes) -> None:
    store.write([document_row("a.md", ("A", "x"))])
    for manifest in damaged(store):
        manifest.write_bytes(content)
    with pytest.raises(ShelfError, match=r"cannot be opened|another version") as error:
        Store(store.folder)
    assert "delete the folder and index again" in error.value.hint


@pytest.mark.parametrize("content", [b"", b"garbage", None])
def test_lost_data_is_an_error_with_a_way_out(store: Store, document_row, content: bytes | None) -> None:
    store.write([document_row("a.md", ("A", "x"))])
    for data in (store.folder / "db").rglob("*.lance"):
        if data.is_file():
            data.unlink() if content is None else data.write_bytes(content)
    again = Store(store.folder)
    for use in (
        lambda: Catalog(again).entries(),
        lambda: Searches(again).matching(parse_query("path:a"), limit=9),
        lambda: Searches(again).by_vector(parse_query("x"), np.ones(4, np.float32), model=MODEL, limit=9),
    ):
        with pytest.raises(ShelfError, match="damaged") as error:
            use()
        assert "delete the folder and index again" in error.value.hint


def test_a_shelf_without_its_table_is_no_shelf(store: Store) -> None:
    import shutil

    shutil.rmtree(next((store.folder / "db").iterdir()))
    with pytest.raises(ShelfNotFoundError):
        Store(store.folder)


def test_a_shelf_of_another_version_is_an_error_with_a_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gatherum.store.schema.VERSION", "0")
    with pytest.raises(ShelfError, match="another version") as error:
        Store(tmp_path / "shelf", create=True)
    assert "index again" in error.value.hint


def test_a_place_that_cannot_hold_a_shelf_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for place in (tmp_path / "file", tmp_path / "file/shelf"):
        with pytest.raises(ShelfError, match="cannot be written") as error:
            Store(place, create=True)
        assert "shelf.path" in error.value.hint


def test_a_file_system_without_hard_links_is_named_before_any_work(tmp_path: Path, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(ShelfError, match="Operation not permitted"):
        Store(tmp_path / "shelf", create=True)
    assert [path.name for path in (tmp_path / "shelf").iterdir()] == [".gitignore"]


@pytest.mark.parametrize("made", [(), ("id", "doc"), ("id", "doc", "text_hash", "format")])
def test_a_table_whose_making_was_cut_short_is_completed(tmp_path: Path, document_row, made: tuple[str, ...]) -> None:
    folder = tmp_path / "shelf"
    store = Store(folder, create=True)
    for index in store.table.list_indices():
        if index.columns[0] not in made:
            store.table.drop_index(index.name)
    completed = Store(folder, create=True)
    assert {index.columns[0] for index in completed.table.list_indices()} == {
        "id",
        "doc",
        "text_hash",
        "format",
        "fts",
    }
    completed.write([document_row("a.md", ("Fruit", "All about quinces."))])
    completed.maintain()
    assert Searches(completed).by_keyword(parse_query("quinces"), limit=5)
