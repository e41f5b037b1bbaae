import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gatherum.errors import ConfigError, ShelfError
from gatherum.place import Collections, Place, find_place

Make = Callable[..., Path]


def place(start: Path, **options: object) -> Place:
    return find_place(start, environ={}, **options)  # type: ignore[arg-type]


@pytest.fixture
def folders(tmp_path: Path) -> Make:
    """Make a folder, and a shelf in it if asked."""

    def make(path: str, *, shelf: bool = False) -> Path:
        folder = tmp_path / path
        (folder / ".gatherum/db" if shelf else folder).mkdir(parents=True, exist_ok=True)
        return folder

    return make


def test_the_nearest_shelf_above_holds(folders: Make) -> None:
    folders("a", shelf=True)
    inner = folders("a/b", shelf=True)
    deep = folders("a/b/c/d")
    assert place(deep).folder == inner / ".gatherum"
    assert place(deep).exists


def test_a_file_stands_for_its_folder(folders: Make) -> None:
    folder = folders("a", shelf=True)
    (folder / "note.md").write_text("x", encoding="utf-8")
    assert place(folder / "note.md").folder == folder / ".gatherum"


def test_without_a_shelf_one_would_be_made_where_one_is(folders: Make) -> None:
    folder = folders("a/b")
    found = place(folder)
    assert found.folder == folder / ".gatherum"
    assert not found.exists


def test_a_folder_called_like_a_shelf_but_empty_is_none(folders: Make) -> None:
    outer = folders("a", shelf=True)
    (folders("a/b") / ".gatherum").mkdir()
    assert place(outer / "b").folder == outer / ".gatherum"


def test_the_shelf_that_is_named_holds(folders: Make) -> None:
    folder = folders("a", shelf=True)
    assert place(folder, shelf=folder / "mine").folder == folder / "mine"


def test_settings_name_the_shelf_relative_to_themselves(folders: Make) -> None:
    folders("a/b", shelf=True)
    config = folders("a") / "gatherum.toml"
    config.write_text("[shelf]\npath = 'elsewhere/shelf'\n", encoding="utf-8")
    found = place(folders("a/b/c"))
    assert (found.folder, found.config) == (folders("a") / "elsewhere/shelf", config)


def test_settings_without_a_path_put_the_shelf_beside_them(folders: Make) -> None:
    (folders("a") / "gatherum.toml").write_text("", encoding="utf-8")
    assert place(folders("a/b/c")).folder == folders("a") / ".gatherum"


def test_the_environment_names_the_shelf(folders: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folders("work"))
    found = find_place(folders("a"), environ={"GATHERUM_SHELF_PATH": "mine"})
    assert found.folder == folders("work") / "mine"


def test_a_settings_file_that_is_named_must_be_there(folders: Make) -> None:
    with pytest.raises(ConfigError, match="there is no settings file"):
        place(folders("a"), config=folders("a") / "none.toml")


# -- collections -----------------------------------------------------------------------------------------------------


def collections(root: Path) -> Collections:
    return Collections(place(root))


def test_a_folder_becomes_a_collection_and_stays_one(folders: Make) -> None:
    root, notes = folders("a"), folders("a/notes")
    added = collections(root).add(notes)
    assert (added.name, added.root, added.below) == ("notes", notes, "")
    assert collections(root).all() == {"notes": notes}


def test_a_file_is_a_part_of_the_collection_of_its_folder(folders: Make) -> None:
    file = folders("a/notes") / "one.md"
    file.write_text("x", encoding="utf-8")
    added = collections(folders("a")).add(file)
    assert (added.name, added.root, added.below) == ("notes", file.parent, "one.md")


def test_what_is_gathered_already_makes_no_new_collection(folders: Make) -> None:
    shelf = collections(folders("a"))
    shelf.add(folders("a"))
    added = shelf.add(folders("a/notes/deep"))
    assert (added.name, added.below) == ("a", "notes/deep")
    assert list(shelf.all()) == ["a"]


def test_the_innermost_collection_holds_a_path(folders: Make) -> None:
    shelf = collections(folders("a"))
    shelf.add(folders("a/notes/deep"))
    shelf.add(folders("a/notes"))
    located = shelf.locate(folders("a/notes/deep/er"))
    assert located is not None
    assert (located.name, located.below) == ("deep", "er")
    assert shelf.locate(folders("b")) is None


def test_collections_of_one_name_are_numbered(folders: Make) -> None:
    shelf = collections(folders("a"))
    names = [shelf.add(folders(f"{place}/notes")).name for place in ("x", "y", "z")]
    assert names == ["notes", "notes-2", "notes-3"]


def test_what_the_settings_name_comes_with_what_was_added(folders: Make) -> None:
    (folders("a") / "gatherum.toml").write_text("[collections]\nmine = 'docs'\n", encoding="utf-8")
    shelf = collections(folders("a"))
    shelf.add(folders("b"))
    assert shelf.all() == {"b": folders("b"), "mine": folders("a") / "docs"}
    shelf.remove("b")
    shelf.remove("mine")
    assert list(shelf.all()) == ["mine"]


def test_a_shelf_moves_with_its_project(folders: Make) -> None:
    project = folders("old/project")
    collections(project).add(project)
    collections(project).add(folders("outside"))
    moved = folders("new") / "project"
    project.rename(moved)
    assert collections(moved).all() == {"project": moved, "outside": folders("outside")}


def test_links_are_seen_through(folders: Make, tmp_path: Path) -> None:
    notes = folders("a/notes")
    (tmp_path / "link").symlink_to(notes)
    shelf = collections(folders("a"))
    assert shelf.add(tmp_path / "link").root == notes
    assert shelf.add(notes).name == "notes"


def test_what_is_not_there_cannot_be_added(folders: Make) -> None:
    with pytest.raises(ShelfError, match="there is no file or folder"):
        collections(folders("a")).add(folders("a") / "gone")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"collections": 3}', '{"collections": {"a": 3}}', "\xff"])
def test_a_damaged_list_of_collections_is_named(folders: Make, text: str) -> None:
    (folders("a", shelf=True) / ".gatherum/shelf.json").write_text(text, encoding="latin-1")
    with pytest.raises(ShelfError, match=r"shelf\.json is damaged") as error:
        collections(folders("a")).all()
    assert error.value.hint


def test_a_folder_whose_name_is_not_utf8_can_be_gathered(folders: Make) -> None:
    odd = Path(os.fsdecode(os.fsencode(folders("a")) + b"/caf\xe9"))
    odd.mkdir()
    shelf = collections(folders("a"))
    assert shelf.add(odd).name == "caf\ufffd"
    assert collections(folders("a")).all() == {"caf\ufffd": odd}
