"""A running daemon follows its folders, its shelf and its settings, and tells the service manager so."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gatherum import Shelf
from gatherum.daemon.address import Address, address_of
from gatherum.daemon.client import DaemonError, ask, connect

LONG = 60.0


def until(condition: Callable[[], Any]) -> Any:
    end = time.monotonic() + LONG
    while not (found := condition()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found


class Running:
    """A daemon in a process of its own."""

    def __init__(self, notes: Path, environment: dict[str, str]) -> None:
        self.notes = notes
        self.folder = str(notes / ".gatherum")
        command = [sys.executable, "-P", "-m", "gatherum.daemon", "--shelf", self.folder, "--start", str(notes)]
        self.process = subprocess.Popen(command, env={**os.environ, **environment})
        until(lambda: self.process.poll() is not None or self.answers())

    def answers(self) -> bool:
        try:
            self.status()
        except DaemonError:
            return False
        return True

    def status(self) -> dict[str, Any]:
        return ask(self.folder, "status", {}, seconds=LONG)

    def paths(self) -> set[str]:
        return {document.path for document in Shelf.open(self.folder).list_documents()}

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    for name in ("a", "sub/b"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nText.\n", encoding="utf-8")
    Shelf.open(folder / ".gatherum").add(folder)
    return folder


@pytest.fixture
def daemon(notes: Path) -> Iterator[Running]:
    running = Running(notes, {})
    yield running
    running.end()


def test_files_that_changed_while_nobody_looked_are_gathered_at_the_start(notes: Path) -> None:
    (notes / "late.md").write_text("# Late\n", encoding="utf-8")
    daemon = Running(notes, {})
    until(lambda: "late.md" in daemon.paths())
    daemon.end()


def test_files_are_gathered_as_they_change(daemon: Running) -> None:
    until(lambda: daemon.status()["readiness"]["watching"] == "events")
    (daemon.notes / "new.md").write_text("# New\n", encoding="utf-8")
    until(lambda: daemon.paths() == {"a.md", "sub/b.md", "new.md"})
    (daemon.notes / "sub").rename(daemon.notes / "other")
    until(lambda: daemon.paths() == {"a.md", "other/b.md", "new.md"})
    (daemon.notes / "a.md").unlink()
    until(lambda: daemon.paths() == {"other/b.md", "new.md"})


def test_the_shelf_itself_is_no_change(daemon: Running) -> None:
    until(lambda: daemon.status()["readiness"]["watching"] == "events" and not daemon.status()["job"])
    (daemon.notes / "new.md").write_text("# New\n", encoding="utf-8")
    until(lambda: "new.md" in daemon.paths() and not daemon.status()["job"])
    log = Path(daemon.status()["log"])
    runs = log.read_text(encoding="utf-8").count("index run")
    time.sleep(3)
    assert log.read_text(encoding="utf-8").count("index run") <= runs + 1


def test_a_daemon_can_be_told_to_look(notes: Path) -> None:
    daemon = Running(notes, {"GATHERUM_SERVER_WATCH": "no"})
    until(lambda: "index run" in Path(daemon.status()["log"]).read_text(encoding="utf-8"))
    assert daemon.status()["readiness"]["watching"] == "off"
    (notes / "new.md").write_text("# New\n", encoding="utf-8")
    assert ask(daemon.folder, "index", {}, seconds=LONG)["job"]
    until(lambda: "new.md" in daemon.paths())
    daemon.end()


def test_status_says_whether_searches_can_be_answered(daemon: Running) -> None:
    readiness = daemon.status()["readiness"]
    assert readiness["ready"]
    assert readiness["version"] > 0


def test_other_settings_or_another_shelf_end_it(notes: Path) -> None:
    daemon = Running(notes, {})
    (notes / "gatherum.toml").write_text("[search]\nlimit = 3\n", encoding="utf-8")
    assert daemon.process.wait(LONG) == 0
    again = Running(notes, {})
    shutil.rmtree(again.folder)
    assert again.process.wait(LONG) == 0


def test_it_ends_cleanly_in_the_middle_of_an_index_run(daemon: Running) -> None:
    for number in range(400):
        (daemon.notes / f"{number}.md").write_text(f"# Note {number}\n\n{'Text. ' * 50}\n", encoding="utf-8")
    until(lambda: daemon.status()["job"])
    daemon.process.terminate()
    assert daemon.process.wait(LONG) == 0
    Shelf.open(daemon.folder).add()
    assert len(daemon.paths()) == 402


def test_the_log_says_nothing_of_what_documents_say(notes: Path) -> None:
    (notes / "secret.md").write_text("# Marmalade\n\nThe marmalade is behind the clock.\n", encoding="utf-8")
    (notes / "broken.docx").write_bytes(b"PK\x03\x04 marmalade")
    daemon = Running(notes, {})
    until(lambda: "secret.md" in daemon.paths())
    log = Path(daemon.status()["log"])
    daemon.process.terminate()
    daemon.process.wait(LONG)
    text = log.read_text(encoding="utf-8")
    assert "index run" in text
    assert "marmalade" not in text.lower()
    assert log.stat().st_mode & 0o077 == 0


def test_the_service_manager_is_told_that_it_is_ready_alive_and_ending(notes: Path, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "manager"))
        manager.settimeout(LONG)
        daemon = Running(notes, {"NOTIFY_SOCKET": str(tmp_path / "manager"), "WATCHDOG_USEC": "1000000"})
        assert manager.recv(100) == b"READY=1"
        assert manager.recv(100) == b"WATCHDOG=1"
        daemon.process.terminate()
        while (told := manager.recv(100)) == b"WATCHDOG=1":
            pass
        assert told == b"STOPPING=1"
        assert daemon.process.wait(LONG) == 0


def test_editors_are_told_of_documents_that_change(daemon: Running) -> None:
    address: Address = address_of(daemon.folder)
    wire = connect(address, "mcp")
    assert wire is not None
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    for message in messages:
        wire.write(json.dumps(message).encode() + b"\n")
    until(lambda: daemon.status()["readiness"]["watching"] == "events")
    (daemon.notes / "new.md").write_text("# New\n", encoding="utf-8")
    received = b""
    wire.wait(LONG)
    while b"notifications/resources/list_changed" not in received:
        more = wire.read()
        assert more, "the daemon ended"
        received += more
    wire.close()
