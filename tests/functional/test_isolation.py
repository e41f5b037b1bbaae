"""Hostile files among good ones: the good are gathered, the bad are named, and neither a run nor its output suffers."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

GOOD = 50


@pytest.fixture(scope="module")
def isolation() -> ModuleType:
    """The benchmark, which does the same with a thousand files."""
    file = Path(__file__).parents[2] / "benchmarks/isolation.py"
    spec = importlib.util.spec_from_file_location("isolation", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_hostile_files_are_named_and_the_others_gathered(isolation: ModuleType, tmp_path: Path) -> None:
    done, bad = isolation.gather(tmp_path, GOOD)
    assert len(bad) == 10
    assert isolation.faults(done, GOOD, bad) == []
    assert "CANARY" not in done.stdout + done.stderr


def test_a_crashing_content_is_tried_again_when_it_or_its_handler_changes_and_not_before(
    isolation: ModuleType, tmp_path: Path
) -> None:
    site, notes, tries = tmp_path / "site", tmp_path / "notes", tmp_path / "tries"
    isolation.install(site)
    module = site / "gatherum_hostile.py"
    counting = f'open({str(tries)!r}, "a").write("x")\n            ctypes.string_at(0)'
    module.write_text(isolation.PLUGIN.replace("ctypes.string_at(0)", counting), encoding="utf-8")
    notes.mkdir()
    (notes / "good.md").write_text("# Good\n\ntext\n", encoding="utf-8")
    for name in ("one", "two"):
        (notes / f"{name}.hostile").write_text("crash", encoding="utf-8")

    def run() -> tuple[dict[str, object], int]:
        environ = {"PYTHONPATH": str(site), "GATHERUM_EMBEDDING_MODEL": "none", "GATHERUM_READER_WORKERS": "1"}
        command = [sys.executable, "-m", "gatherum", "index", str(notes), "--shelf", str(tmp_path / "shelf"), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environ})
        return json.loads(done.stdout), len(tries.read_text(encoding="utf-8"))

    report, tried = run()
    assert (report["added"], report["failed"], tried) == (1, 2, 2)
    report, tried = run()
    assert (report["unchanged"], report["failed"], tried) == (3, 0, 2)
    (notes / "one.hostile").write_text("crash otherwise", encoding="utf-8")
    report, tried = run()
    assert (report["unchanged"], report["failed"], tried) == (2, 1, 4)
    source = module.read_text(encoding="utf-8")
    module.write_text(source.replace("    def read", "    version = 2\n\n    def read"), encoding="utf-8")
    report, tried = run()
    assert (report["unchanged"], report["failed"], tried) == (1, 2, 8)
    (notes / "copy.hostile").write_text("crash", encoding="utf-8")
    (notes / "two.hostile").rename(notes / "renamed.hostile")
    report, tried = run()
    assert (report["unchanged"], report["failed"], report["removed"], tried) == (2, 2, 1, 8)
