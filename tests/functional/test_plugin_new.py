"""`gatherum plugin new` writes a plugin that works as it is."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatherum import Registry, Source
from gatherum.cli import main
from gatherum.cli.plugin import plugin_files
from gatherum.plugins import collect


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["plugin", "new", "plain-song", "--extension", ".song", "--quiet"]) == 0
    return tmp_path / "gatherum-plain-song"


def test_it_passes_its_own_tests(written: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "."],
        cwd=written,
        env={**os.environ, "PYTHONPATH": str(written)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"^[1-9]\d* passed in ", done.stdout, re.MULTILINE), done.stdout


def test_its_entry_point_brings_its_handler(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(written))
    settings = tomllib.loads((written / "pyproject.toml").read_text(encoding="utf-8"))
    ((name, module),) = settings["project"]["entry-points"]["gatherum"].items()
    registry = Registry(collect([EntryPoint(name, module, "gatherum")]))
    assert [(info.name, info.state, info.handlers) for info in registry.infos] == [
        ("plain-song", "active", ("plain-song",))
    ]
    document = registry.read(written / "sample.song")
    assert [section.heading for section in document.sections] == [("First heading",), ("Second heading",)]
    assert registry.read(Source("empty.song", b"")).problems == ()


def test_it_is_a_package_for_this_version(written: Path) -> None:
    settings = tomllib.loads((written / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["name"] == "gatherum-plain-song"
    assert settings["project"]["dependencies"] == ["gatherum>=0.1,<1"]
    assert settings["tool"]["hatch"]["build"]["targets"]["wheel"]["include"] == ["gatherum_plain_song.py"]
    assert sorted(path.name for path in written.iterdir()) == sorted(plugin_files("plain-song", ".song"))


@pytest.mark.parametrize("name", ["shout", "two-words", "a1"])
def test_what_it_writes_is_in_the_style_of_the_house(project: Path, tmp_path: Path, name: str) -> None:
    for file, text in plugin_files(name, f".{name}").items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    for command in (["check", "--ignore", "D,S,RUF012,I001"], ["format", "--check"]):
        options = ["--isolated", "--no-cache", "--line-length", "120"]
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *options, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("arguments", [["Shout"], ["9x"], ["a--b"], ["a b"], ["x/y"], ["shout", "--extension", ".A/B"]])
def test_names_that_are_none_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["plugin", "new", *arguments]) == 1
    assert "is no" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(written: Path, capsys) -> None:
    assert main(["plugin", "new", "other", "--folder", str(written)]) == 1
    assert "is there already" in capsys.readouterr().err


def test_the_prefix_of_the_package_may_be_given_and_the_folder_chosen(tmp_path: Path, capsys) -> None:
    assert main(["plugin", "new", "gatherum-shout", "--folder", str(tmp_path / "here"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["folder"] == str(tmp_path / "here")
    assert "gatherum_shout.py" in answer["files"]
    assert 'extensions = (".shout",)' in (tmp_path / "here/gatherum_shout.py").read_text(encoding="utf-8")


def test_its_help_says_what_comes() -> None:
    from gatherum.cli import gatherum

    assert "to start from" in CliRunner().invoke(gatherum, ["plugin", "new", "--help"]).stdout
