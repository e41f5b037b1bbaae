"""What the daemon tells the service manager, whether its shelf is the same still, and whether it can answer."""

import shutil
import socket
from pathlib import Path

import pytest

from gatherum import Shelf
from gatherum.daemon.notify import notify, watchdog_seconds
from gatherum.daemon.readiness import readiness
from gatherum.daemon.unchanged import Unchanged


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    (tmp_path / "a.md").write_text("one", encoding="utf-8")
    shelf = Shelf.open(tmp_path / ".gatherum")
    shelf.add(tmp_path)
    return shelf


@pytest.fixture
def unchanged(shelf: Shelf, tmp_path: Path) -> Unchanged:
    return Unchanged(shelf.place.folder, start=tmp_path, config=None)


def test_a_shelf_that_is_as_it_was(unchanged: Unchanged, shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("two", encoding="utf-8")
    shelf.add()
    assert unchanged.reason() == ""


def test_a_shelf_that_is_gone_or_another_one(unchanged: Unchanged, shelf: Shelf) -> None:
    kept = shelf.place.folder.with_name("kept")
    shutil.move(shelf.place.folder, kept)
    assert "no longer there" in unchanged.reason()
    shutil.copytree(kept, shelf.place.folder)
    assert "another one" in unchanged.reason()


def test_settings_that_have_changed(unchanged: Unchanged, tmp_path: Path) -> None:
    file = tmp_path / "gatherum.toml"
    file.write_text("[search]\nlimit = ", encoding="utf-8")
    assert unchanged.reason() == ""  # half-written
    file.write_text("[search]\nlimit = 3\n", encoding="utf-8")
    assert "settings" in unchanged.reason()


def test_a_shelf_that_can_answer(shelf: Shelf, tmp_path: Path) -> None:
    before = readiness(shelf)
    assert before.ready
    assert (before.trouble, before.watching, before.queue) == ("", "off", 0)
    (tmp_path / "b.md").write_text("two", encoding="utf-8")
    shelf.add()
    assert readiness(shelf, watching="events").version > before.version


def test_a_shelf_that_cannot_answer(shelf: Shelf) -> None:
    for file in (shelf.place.folder / "db").rglob("*.lance"):
        if file.is_file():
            file.write_bytes(bytes(file.stat().st_size))
    found = readiness(Shelf.open(shelf.place.folder))
    assert not found.ready
    assert found.trouble


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs Unix sockets")
def test_the_service_manager_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        notify("READY=1")
        assert manager.recv(100) == b"READY=1"


@pytest.mark.parametrize("path", ["", "nowhere", "/nowhere/at/all"])
def test_where_nobody_listens_nothing_happens(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    notify("READY=1")


def test_how_often_the_watchdog_wants_to_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    assert watchdog_seconds() is None
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    assert watchdog_seconds() == 30.0
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert watchdog_seconds() is None
