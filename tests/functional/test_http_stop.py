"""How the server over HTTP ends: it answers what it has begun, waits for nobody else, and leaves the shelf whole."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from http_server import HELLO, MODERN, Served, serving

from gatherum import Shelf

SLOW = (
    "import time, gatherum.shelf as shelf\n"
    "search = shelf.Shelf.search\n"
    "def slow(*given, **named):\n"
    "    print('searching', file=sys.stderr, flush=True)\n"
    "    time.sleep({seconds})\n"
    "    return search(*given, **named)\n"
    "shelf.Shelf.search = slow\n"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("project")
    (root / "manual.md").write_text("# Manual\n\n## Brakes\n\nThe brake pads wear out.\n", encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    Shelf.open(root / ".gatherum").add(root)
    yield root
    patch.undo()


def until_said(served: Served, word: str) -> None:
    while word not in served.log:
        assert served.process.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_server_ends_when_told(project: Path, number: signal.Signals) -> None:
    with serving(project) as served:
        assert served.call("brake").status == 200
        assert served.stop(number) == 0
    assert "Traceback" not in served.log


def test_open_connections_keep_no_server_alive(project: Path) -> None:
    with serving(project) as served:
        session = served.request(body=HELLO).headers["mcp-session-id"]
        head = "".join(f"{name}: {value}\r\n" for name, value in served.headers(Mcp_Session_Id=session).items())
        listening = served.raw(f"GET /mcp HTTP/1.1\r\n{head}\r\n".encode())
        assert b"200 OK" in listening.recv(65536)
        modern = "".join(
            f"{name}: {value}\r\n"
            for name, value in served.headers(MCP_Protocol_Version=MODERN, Mcp_Method="subscriptions/listen").items()
        )
        slow = f"POST /mcp HTTP/1.1\r\n{modern}Content-Length: 1000\r\n\r\n{{".encode()
        others = [served.raw(slow) for _ in range(20)] + [served.raw(b"GET /")]
        assert served.stop() == 0
        for each in (listening, *others):
            each.close()
    assert "Traceback" not in served.log


def test_a_request_in_flight_is_answered(project: Path) -> None:
    with serving(project, before=SLOW.format(seconds=1.5)) as served, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(served.call, "brake")
        until_said(served, "searching")
        assert served.stop() == 0
        assert asked.result().status == 200
        assert "wear out" in json.dumps(asked.result().message)
    assert "Traceback" not in served.log


def test_a_request_that_does_not_end_is_given_up(project: Path) -> None:
    before = f"import gatherum.server.http as http; http.GRACE_SECONDS = 0.5\n{SLOW.format(seconds=600)}"
    with serving(project, before=before) as served, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(served.call, "brake")
        until_said(served, "searching")
        assert served.stop() == 0
        assert asked.result().status == 503
    assert "Traceback" not in served.log


def test_a_second_signal_ends_at_once(project: Path) -> None:
    with serving(project, before=SLOW.format(seconds=600)) as served, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(served.call, "brake")
        until_said(served, "searching")
        served.process.send_signal(signal.SIGTERM)
        while served.process.poll() is None:
            time.sleep(0.05)
            served.process.send_signal(signal.SIGINT)
        assert served.process.returncode == 128 + signal.SIGINT
        assert isinstance(asked.exception(), OSError)


def test_after_being_killed_it_starts_again_and_answers(project: Path) -> None:
    for _ in range(2):
        with serving(project) as served:
            assert served.call("brake").status == 200
            served.process.kill()
            served.process.wait()


def test_the_port_is_free_again_at_once(project: Path) -> None:
    with serving(project) as served:
        assert served.call("brake").status == 200
        served.stop()
    with serving(project, "--http", str(served.port)) as again:
        assert again.port == served.port
        assert again.call("brake").status == 200


def test_a_shelf_that_is_being_written_is_served_and_left_whole(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    (tmp_path / "first.md").write_text("# First\n\nThe brake pads wear out.\n", encoding="utf-8")
    shelf = Shelf.open(tmp_path / ".gatherum")
    shelf.add(tmp_path)
    for number in range(60):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nThe brake of bus {number}.\n", encoding="utf-8")
    with serving(tmp_path) as served:
        command = [sys.executable, "-m", "gatherum", "index", str(tmp_path), "--quiet"]
        writer = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        statuses = {served.call("brake").status}
        while writer.poll() is None:
            statuses.add(served.call("brake").status)
        assert served.stop() == 0
    assert writer.returncode == 0
    assert statuses == {200}
    assert shelf.status().documents == 61
    shelf.check()


INDEXING = (
    "import threading, gatherum.server.http as http\n"
    "serve = http.serve\n"
    "async def both(server, shelf, **named):\n"
    "    threading.Thread(target=shelf.add, args=[shelf.place.folder.parent]).start()\n"
    "    await serve(server, shelf, **named)\n"
    "http.serve = both\n"
)


@pytest.mark.parametrize("seconds", [0.0, 0.3, 0.8])
def test_a_server_that_is_itself_writing_ends_and_leaves_the_shelf_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    (tmp_path / "first.md").write_text("# First\n\nThe brake pads wear out.\n", encoding="utf-8")
    shelf = Shelf.open(tmp_path / ".gatherum")
    shelf.add(tmp_path)
    for number in range(400):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nThe brake of bus {number}.\n", encoding="utf-8")
    with serving(tmp_path, before=INDEXING) as served:
        assert served.call("brake").status == 200
        time.sleep(seconds)
        assert served.stop() == 0
    shelf.check()
    assert shelf.add(tmp_path).state == "done"
    assert shelf.status().documents == 401
