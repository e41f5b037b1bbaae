"""What a plugin has read stays on the shelf when the plugin is gone, and the next run says so."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gatherum import Shelf

PLUGIN = """
from gatherum import Handler, Section, hookimpl
class Whisper(Handler):
    name, title, extensions = "whisper", "Whispered notes", (".whisper", ".md")
    def read(self, source, report):
        yield Section(text=source.text() + " whispered")
@hookimpl
def gatherum_handlers():
    return [Whisper()]
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    """Install the plugin for as long as a block lasts."""
    site = tmp_path / "site"
    about = site / "gatherum_whisper-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "plugin_that_whispers.py").write_text(PLUGIN, encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: gatherum-whisper\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[gatherum]\nwhisper = plugin_that_whispers\n", encoding="utf-8")

    @contextmanager
    def install() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.syspath_prepend(str(site))
            yield

    return install


@pytest.fixture
def notes(corpus, installed, make_shelf) -> Path:
    root = corpus({"a.whisper": "quince", "b.whisper": "medlar", "c.md": "# Plum\n\nplum\n", "d.txt": "sloe"})
    with installed():
        assert make_shelf().add(root).added == 4
    return root


def found(shelf: Shelf, query: str) -> list[str]:
    return [hit.path for hit in shelf.search(query)]


def test_what_it_read_stays_and_is_told(notes: Path, make_shelf) -> None:
    shelf = make_shelf()
    report = shelf.add()
    assert (report.unchanged, report.changed, report.removed, report.skipped) == (3, 1, 0, 0)
    (warning,) = report.warnings
    assert "2 documents were read by the handler 'whisper', which is no longer installed" in warning
    assert report.problems == ()
    assert found(shelf, "quince") == ["a.whisper"]
    assert shelf.add().warnings == report.warnings


def test_another_handler_takes_over_what_it_can_read(notes: Path, make_shelf) -> None:
    shelf = make_shelf()
    shelf.add()
    (hit,) = shelf.search("plum")
    assert (hit.path, hit.heading) == ("c.md", ("Plum",))
    assert found(shelf, "whispered") == ["a.whisper", "b.whisper"]


def test_a_changed_file_keeps_its_last_known_text(notes: Path, make_shelf) -> None:
    (notes / "a.whisper").write_text("quite another text", encoding="utf-8")
    shelf = make_shelf()
    assert "2 documents" in shelf.add().warnings[0]
    assert found(shelf, "quince") == ["a.whisper"]
    assert shelf.read("a.whisper").stale


def test_a_deleted_file_is_taken_off(notes: Path, make_shelf) -> None:
    (notes / "a.whisper").unlink()
    report = make_shelf().add()
    assert report.removed == 1
    assert "1 document was read" in report.warnings[0]


def test_installed_again_it_goes_on(notes: Path, installed, make_shelf) -> None:
    make_shelf().add()
    (notes / "a.whisper").write_text("quite another text", encoding="utf-8")
    with installed():
        report = make_shelf().add()
    assert (report.changed, report.unchanged, report.warnings) == (2, 2, ())  # c.md is its own again
    assert found(make_shelf(), "another text") == ["a.whisper"]


def test_a_blocked_plugin_is_treated_alike(notes: Path, installed, make_shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_READER_BLOCK", "gatherum-whisper")
    with installed():
        assert "2 documents" in make_shelf().add().warnings[0]
