"""Each source in fixtures/FORMAT/sources reads as its golden file says, word for word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile

import pytest
from fixture_files import FIXTURES, SOURCES, difference, golden_of, golden_text, read

from gatherum import load_registry


def _name(path):
    return path.relative_to(FIXTURES).as_posix().replace("/sources/", "/")


@pytest.mark.parametrize("source", SOURCES, ids=_name)
def test_a_source_reads_as_its_golden_file_says(source, regenerate):
    found = golden_text(read(source))
    golden = golden_of(source)
    if regenerate:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found, encoding="utf-8")
    assert golden.is_file(), f"{golden} is missing: run with GATHERUM_REGENERATE=1, and check by eye what it wrote"
    expected = golden.read_text(encoding="utf-8")
    if found != expected:
        pytest.fail(
            f"{difference(expected, found, _name(source))}\n\nIf the new reading is right, run with "
            "GATHERUM_REGENERATE=1 and commit the golden file.",
            pytrace=False,
        )


@pytest.mark.parametrize("source", SOURCES, ids=_name)
def test_every_word_of_a_source_can_be_searched(source):
    ledger = json.loads(golden_text(read(source)))["ledger"]
    searchable = sum(ledger["words"].get(layer, 0) for layer in ("body", "notes", "annotation"))
    assert ledger["reached"] == searchable


def test_golden_files_are_compared_in_ci_and_never_written(regenerate):
    assert not (regenerate and os.environ.get("CI"))


def test_no_golden_file_is_left_over():
    assert {golden_of(source) for source in SOURCES} == set(FIXTURES.glob("*/golden/*"))


def test_every_built_in_format_has_sources():
    built_in = {handler.name for info, handler in load_registry().plugins.handlers if info.built_in}
    assert built_in == {source.parents[1].name for source in SOURCES}


def test_sources_are_small():
    sizes = {_name(source): source.stat().st_size for source in SOURCES}
    assert not {name: size for name, size in sizes.items() if size > 60_000}
    assert sum(path.stat().st_size for path in FIXTURES.rglob("*") if ".gatherum" not in path.parts) < 6_000_000


def test_the_script_makes_the_committed_sources_again(tmp_path):
    script = [sys.executable, FIXTURES / "make.py", "--into", tmp_path]
    subprocess.run(script, check=True, capture_output=True)
    made = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*") if path.is_file()}
    assert len(made) > 50
    assert not [name for name, path in made.items() if not same(path, FIXTURES / name)]


def same(one, other):
    """Whether two files are equal, zips by their members: compressors differ from system to system."""
    if not zipfile.is_zipfile(one):
        return one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as a, zipfile.ZipFile(other) as b:
        return a.namelist() == b.namelist() and all(a.read(name) == b.read(name) for name in a.namelist())
