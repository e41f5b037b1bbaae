import inspect
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from gatherum import config
from gatherum.config import Settings, find_config, load_settings, override, setting_rows
from gatherum.errors import ConfigError


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = "gatherum.toml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def error(file: Path | None = None, **environ: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load_settings(file, environ=environ)
    return caught.value


def test_nothing_set_gives_defaults() -> None:
    assert load_settings(environ={}) == Settings()
    assert {origin for *_, origin in setting_rows(Settings())} == {"default"}


def test_the_file_is_under_the_environment_and_flags_are_over_both(file) -> None:
    path = file("[search]\nlimit = 5\nmode = 'keyword'\n[chunking]\ntarget = 150\n")
    settings = load_settings(path, environ={"GATHERUM_SEARCH_LIMIT": "7", "GATHERUM_SEARCH_PER_FILE": "2"})
    settings = override(settings, {"search": {"per_file": 3}}, origin="flags", base=Path())
    assert (settings.search.mode, settings.search.limit, settings.search.per_file) == ("keyword", 7, 3)
    assert settings.chunking.target == 150
    origins = {name: origin for name, _, origin in setting_rows(settings)}
    assert origins["search.mode"] == str(path)
    assert origins["search.limit"] == "environment"
    assert origins["search.per_file"] == "flags"
    assert origins["chunking.merge"] == "default"


def test_pyproject_holds_settings_too(file) -> None:
    path = file("[tool.gatherum.search]\nlimit = 5\n[project]\nname = 'x'\n", "pyproject.toml")
    assert load_settings(path, environ={}).search.limit == 5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("exclude = ['a', 'b']", ("a", "b")),
        ("exclude = []", ()),
    ],
)
def test_lists_are_read(file, text: str, value: tuple[str, ...]) -> None:
    assert load_settings(file(f"[index]\n{text}\n"), environ={}).index.exclude == value


@pytest.mark.parametrize(("text", "value"), [("a, b", ("a", "b")), ("a", ("a",)), ("", ()), (" , ", ())])
def test_lists_in_the_environment_are_parted_by_commas(text: str, value: tuple[str, ...]) -> None:
    assert load_settings(environ={"GATHERUM_INDEX_EXCLUDE": text}).index.exclude == value


@pytest.mark.parametrize(("text", "value"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("FALSE", False)])
def test_switches_in_the_environment(text: str, *, value: bool) -> None:
    assert load_settings(environ={"GATHERUM_INDEX_HIDDEN": text}).index.hidden is value


def test_tables_are_read(file) -> None:
    settings = load_settings(file("[reader.handlers]\n'.txt' = 'shout'\n"), environ={})
    assert settings.reader.handlers == {".txt": "shout"}


def test_paths_are_relative_to_the_file_that_names_them(file, tmp_path: Path) -> None:
    path = file("[shelf]\npath = 'my/shelf'\n[collections]\nnotes = 'notes'\nhome = '~/x'\nabs = '/srv/docs'\n")
    settings = load_settings(path, environ={})
    assert settings.shelf.path == str(tmp_path / "my/shelf")
    assert settings.collections == {
        "notes": str(tmp_path / "notes"),
        "home": str(Path("~/x").expanduser()),
        "abs": "/srv/docs",
    }


def test_a_path_in_the_environment_is_relative_to_the_working_folder(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings(environ={"GATHERUM_SHELF_PATH": "s"}).shelf.path == str(tmp_path / "s")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[search]\nlimits = 5", "search.limits", "'search.limit'"),
        ("[serach]\nlimit = 5", "'serach'", "'search'"),
        ("[index]\nfollow_symlinks = true", "follow_symlinks", "'index.follow_links'"),
        ("[qqqq]\nx = 1", "'qqqq'", "Known: shelf, index"),
        ("search = 5", "[search] must be a table", ""),
        ("[search]\nlimit = 'ten'", "search.limit is 'ten'", "a number from 1"),
        ("[search]\nlimit = true", "search.limit is True", "a number"),
        ("[search]\nlimit = 0", "search.limit is 0", "a number from 1"),
        ("[search]\nper_file = -1", "search.per_file is -1", "a number from 0"),
        ("[search]\nmode = 'fuzzy'", "search.mode is 'fuzzy'", "hybrid, keyword, semantic"),
        ("[search]\nmode = ['hybrid']", "search.mode", "one of"),
        ("[chunking]\ntarget = 0", "chunking.target is 0", "a number from 16"),
        ("[reader]\nseconds = 0", "reader.seconds", "a number from 1"),
        ("[reader]\nmemory_mb = 8", "reader.memory_mb", "a number from 256"),
        ("[index]\nhidden = 2", "index.hidden is 2", "true or false"),
        ("[index]\nexclude = 'a'\ninclude = [1]", "index.include", "a list of strings"),
        ("[shelf]\npath = 3", "shelf.path", "a string"),
        ("[reader]\nhandlers = {'.txt' = 1}", "reader.handlers", "a table of strings"),
        ("[collections]\nnotes = 3", "[collections] maps names", "notes"),
        ("collections = 'notes'", "[collections] maps names", "notes"),
        ("limit = ", "not valid TOML", ""),
    ],
)
def test_a_wrong_setting_is_named_with_its_file_and_what_is_right(file, text: str, message: str, hint: str) -> None:
    path = file(text)
    caught = error(path)
    assert message in str(caught)
    assert str(path) in str(caught)
    assert hint in caught.hint


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("GATHERUM_SEARCH_LIMITS", "5", "search.limits"),
        ("GATHERUM_SEARCH_LIMIT", "²", "search.limit"),
        ("GATHERUM_SEARCH_LIMIT", "9" * 5000, "search.limit"),
        ("GATHERUM_SEARCH_LIMIT", "-1", "search.limit"),
        ("GATHERUM_INDEX_HIDDEN", "perhaps", "index.hidden"),
        ("GATHERUM_READER_HANDLERS", ".txt=shout", "reader.handlers"),
    ],
)
def test_a_wrong_variable_is_named(name: str, value: str, message: str) -> None:
    caught = error(**{name: value})
    assert message in str(caught)
    assert str(caught).startswith("environment: ")


def test_variables_of_other_kinds_are_left_alone() -> None:
    assert load_settings(environ={"GATHERUM_SOMETHING": "1", "GATHERUM_": "", "GATHERUM_SEARCH": "x"}) == Settings()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "none.toml") in str(error(tmp_path / "none.toml"))
    (tmp_path / "bad.toml").write_bytes(b"a = '\xff'")
    assert "not valid TOML" in str(error(tmp_path / "bad.toml"))


# -- where settings are found ----------------------------------------------------------------------------------------


def test_the_nearest_file_is_found(file, tmp_path: Path) -> None:
    outer, inner = file(""), file("", "in/gatherum.toml")
    (tmp_path / "in/deep").mkdir()
    assert find_config(tmp_path / "in/deep") == inner
    assert find_config(tmp_path) == outer


def test_a_pyproject_counts_only_if_it_speaks_of_gatherum(file, tmp_path: Path) -> None:
    file("[tool.ruff]\nline-length = 3\n", "in/pyproject.toml")
    outer = file("[tool.gatherum.search]\nlimit = 3\n", "pyproject.toml")
    assert find_config(tmp_path / "in") == outer


@pytest.mark.parametrize(
    "text", ["[project\n", "tool = 3\n", "dependencies = ['gatherum']\n", "[tool]\ngatherum.x = 1"]
)
def test_a_pyproject_of_somebody_else_never_disturbs(file, tmp_path: Path, text: str) -> None:
    path = file(text, "pyproject.toml")
    assert find_config(tmp_path) == (path if "gatherum.x" in text else None)


def test_a_pyproject_whose_settings_are_no_table_is_named(file) -> None:
    assert "must be a table" in str(error(file("[tool]\ngatherum = 3\n", "pyproject.toml")))


# -- documentation ---------------------------------------------------------------------------------------------------


def described(cls: type) -> dict[str, str]:
    """Return what a class says of its attributes."""
    text = inspect.cleandoc(cls.__doc__ or "").partition("Attributes:\n")[2]
    parts = re.split(r"^ {4}(\w+): ", text, flags=re.MULTILINE)[1:]
    return {name: " ".join(about.split()) for name, about in zip(parts[::2], parts[1::2], strict=True)}


def shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(shown, value))}]"
    return "{}" if value == {} else str(value)


def page() -> str:
    settings = Settings()
    about = described(Settings)
    parts = [
        "# Settings\n",
        "Defaults are overridden by `gatherum.toml` (or `[tool.gatherum]` in `pyproject.toml`), that by variables of\n"
        "the environment, those by flags. `gatherum config show` says where each value comes from. Paths are relative\n"
        "to the file that they stand in. An unknown setting is an error.\n",
    ]
    for entry in fields(settings):
        value = getattr(settings, entry.name)
        if entry.name == "collections":
            parts.append(f'## [collections]\n\n{about[entry.name]}\n\n```toml\n[collections]\nnotes = "notes"\n```\n')
        if not is_dataclass(value):
            continue
        inner = described(type(value))
        rows = []
        for one in fields(value):
            default, meaning = getattr(value, one.name), inner[one.name].replace("``", "`")
            variable = "" if default == {} else f"`GATHERUM_{entry.name}_{one.name}`".upper()
            rows.append(f"| `{one.name}` | `{shown(default)}` | {variable} | {meaning} |")
        head = inspect.cleandoc(type(value).__doc__ or "").partition("\n")[0]
        table = "\n".join(["| Setting | Default | Variable | Meaning |", "| --- | --- | --- | --- |", *rows])
        parts.append(f"## [{entry.name}]\n\n{head}\n\n{table}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("cls", [cls for _, cls in inspect.getmembers(config, is_dataclass)])
def test_every_setting_is_described(cls: type) -> None:
    assert list(described(cls)) == [entry.name for entry in fields(cls)]
    assert all(about.endswith(".") for about in described(cls).values())


def test_the_page_of_settings_is_in_step(project: Path, in_step) -> None:
    in_step(project / "docs/reference/settings.md", page())
