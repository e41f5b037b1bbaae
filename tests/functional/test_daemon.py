"""One process that answers for a shelf, and what editors start to reach it: as real processes."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from gatherum import Shelf, __version__
from gatherum.daemon.address import address_of
from gatherum.daemon.client import DaemonError, NoDaemonError, ask, daemon_command, reach
from gatherum.daemon.ending import end

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "editor", "version": "1"}}
SEARCH = {"name": "search", "arguments": {"query": "brake pads"}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A gathered folder whose daemon, if one was started, is ended."""
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("GATHERUM_READER_ISOLATION", "never")
    monkeypatch.setenv("GATHERUM_SERVER_DAEMON", "true")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    root = tmp_path / "project"
    root.mkdir()
    (root / "manual.md").write_text("# Manual\n\nThe brake pads wear out.\n", encoding="utf-8")
    Shelf.open(root / ".gatherum").add(root)
    yield root
    end(address_of(str(root / ".gatherum")))


class Editor:
    """Speaks to ``gatherum serve`` line by line."""

    def __init__(self, project: Path, *options: str) -> None:
        command = [sys.executable, "-m", "gatherum", "serve", "--project", str(project), *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project
        )
        self._number = 0

    def send(self, message: dict[str, object]) -> None:
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, object]) -> int:
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def ask(self, method: str, params: dict[str, object]) -> dict[str, object]:
        number = self.request(method, params)
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == number
        return answer["result"]

    def search(self) -> str:
        return self.ask("tools/call", SEARCH)["structuredContent"]["results"][0]["path"]

    def greet(self) -> "Editor":
        self.ask("initialize", INITIALIZE)
        self.send({"method": "notifications/initialized"})
        return self

    def close(self) -> bytes:
        rest, _ = self.process.communicate()
        return rest


@pytest.fixture
def editor(project: Path) -> Iterator[Callable[..., Editor]]:
    editors = []

    def start(*options: str) -> Editor:
        editors.append(Editor(project, *options))
        return editors[-1]

    yield start
    for each in editors:
        with each.process as process:
            process.kill()


def status(project: Path) -> dict[str, object]:
    return ask(str(project / ".gatherum"), "status", {}, seconds=20)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_asks_through_the_daemon(project: Path, mode: str) -> None:
    async def talk() -> list[str]:
        arguments = ["-m", "gatherum", "serve", "--project", str(project)]
        server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        async with Client(server, mode=mode) as client:
            assert [tool.name for tool in (await client.list_tools()).tools][:2] == ["search", "fetch"]
            found = await client.call_tool("search", {"query": "brake pads"})
            assert status(project)["connections"] == 1
            return [hit["path"] for hit in found.structured_content["results"]]

    assert anyio.run(talk) == ["manual.md"]


def test_editors_that_start_at_once_share_one_daemon(project: Path, editor: Callable[..., Editor]) -> None:
    editors = [editor() for _ in range(4)]
    for each in editors:
        each.request("initialize", INITIALIZE)
    for each in editors:
        assert json.loads(each.process.stdout.readline())["id"] == 1
    assert status(project)["connections"] == 4
    assert (project / ".gatherum/daemon.log").read_text("utf-8").count("serving") == 1


def test_answers_are_those_of_a_server_of_ones_own(editor: Callable[..., Editor]) -> None:
    shared, alone = editor().greet(), editor("--no-daemon").greet()
    assert shared.ask("tools/list", {}) == alone.ask("tools/list", {})
    assert shared.search() == alone.search() == "manual.md"


def test_killing_the_daemon_loses_no_call_and_doubles_none(project: Path, editor: Callable[..., Editor]) -> None:
    editors = [editor().greet() for _ in range(4)]
    killed = set()

    def kill() -> None:
        while len(killed) < 2:
            time.sleep(0.3)
            try:
                pid = status(project)["pid"]
            except DaemonError:
                continue
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)

    def call(each: Editor, found: list[str]) -> None:
        while len(found) < 10 or len(killed) < 2:
            found.append(each.search())

    every: list[list[str]] = [[] for _ in editors]
    threads = [threading.Thread(target=call, args=pair) for pair in zip(editors, every, strict=True)]
    threads.append(threading.Thread(target=kill))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(killed) == 2
    assert all(len(found) >= 10 and set(found) == {"manual.md"} for found in every)
    assert [each.close() for each in editors] == [b""] * 4


def test_a_daemon_that_was_told_to_end_is_started_again_by_the_next_call(
    project: Path, editor: Callable[..., Editor]
) -> None:
    asking = editor().greet()
    first = end(address_of(str(project / ".gatherum")))
    assert asking.search() == "manual.md"
    assert status(project)["pid"] != first


def test_where_no_daemon_starts_the_editor_is_served_all_the_same(
    project: Path, editor: Callable[..., Editor], tmp_path: Path
) -> None:
    address = address_of(str(project / ".gatherum"))
    Path(address.socket).mkdir()
    asking = editor().greet()
    assert asking.search() == "manual.md"
    Path(address.socket).rmdir()
    with pytest.raises(NoDaemonError):
        status(project)
    asking.process.stdin.close()
    assert b"serving without the daemon" in asking.process.stderr.read()


@pytest.mark.parametrize("how", ["option", "setting", "no shelf"])
def test_no_daemon_is_started_where_none_is_wanted(
    project: Path, editor: Callable[..., Editor], monkeypatch: pytest.MonkeyPatch, how: str, tmp_path: Path
) -> None:
    if how == "setting":
        (project / "gatherum.toml").write_text("[server]\ndaemon = false\n", encoding="utf-8")
        monkeypatch.delenv("GATHERUM_SERVER_DAEMON")
    options = {"option": ["--no-daemon"], "no shelf": ["--shelf", str(tmp_path / "none")]}.get(how, [])
    editor(*options).greet()
    with pytest.raises(NoDaemonError):
        status(project)


def test_an_editor_that_closes_its_end_leaves_nothing_waiting(editor: Callable[..., Editor]) -> None:
    asking = editor()
    asking.request("initialize", INITIALIZE)
    asking.process.stdin.close()
    lines = asking.process.stdout.read().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [1]
    assert asking.process.wait() == 0


def test_a_line_that_is_no_json_is_refused_and_the_next_is_answered(editor: Callable[..., Editor]) -> None:
    asking = editor().greet()
    asking.process.stdin.write(b"{nonsense\n")
    asking.process.stdin.flush()
    assert json.loads(asking.process.stdout.readline())["error"]["code"] == -32700
    assert asking.search() == "manual.md"


def test_only_the_user_can_reach_the_daemon(project: Path, editor: Callable[..., Editor]) -> None:
    editor().greet()
    path = Path(address_of(str(project / ".gatherum")).socket)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((project / ".gatherum/daemon.log").stat().st_mode) == 0o600


def test_an_idle_daemon_ends(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_SERVER_IDLE_SECONDS", "1")
    folder = str(project / ".gatherum")
    pid = ask(folder, "status", {}, seconds=30, start=True)["pid"]
    while Path(address_of(folder).socket).exists():
        time.sleep(0.05)
    end(address_of(folder))
    assert f"{pid} INFO nobody asked for 1 seconds" in (project / ".gatherum/daemon.log").read_text("utf-8")


def test_a_sigterm_ends_the_daemon_in_order(project: Path) -> None:
    folder = str(project / ".gatherum")
    os.kill(ask(folder, "status", {}, seconds=30, start=True)["pid"], signal.SIGTERM)
    end(address_of(folder))
    assert not Path(address_of(folder).socket).exists()
    assert (project / ".gatherum/daemon.log").read_text("utf-8").endswith(" INFO ended\n")


def test_a_daemon_of_an_older_version_gives_way(project: Path) -> None:
    address = address_of(str(project / ".gatherum"))
    told = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address.socket)
        listener.listen()

        def older() -> None:
            while b"stop" not in b"".join(told):
                connection, _ = listener.accept()
                with connection:
                    told.append(connection.recv(1 << 12))
                    connection.sendall(b'{"gatherum": {"version": "0.0.1", "pid": 1, "shelf": ""}}\n')
                    told.append(connection.recv(1 << 12))
                    if b"stop" in told[-1]:
                        Path(address.socket).unlink()
                        connection.sendall(b'{"result": {}}\n')

        thread = threading.Thread(target=older)
        thread.start()
        wire = reach(address, "control", daemon_command(str(project / ".gatherum")))
        thread.join()
    assert wire.hello["version"] == __version__
    wire.close()


@pytest.mark.parametrize("line", [b"", b"nonsense", b"[]", b'{"gatherum": 1}', b"x" * 70_000])
def test_strangers_at_the_socket_are_turned_away(project: Path, line: bytes) -> None:
    ask(str(project / ".gatherum"), "status", {}, seconds=30, start=True)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(address_of(str(project / ".gatherum")).socket)
        stranger.sendall(line + b"\n")
        assert stranger.recv(100) == b""
    assert status(project)["connections"] == 0


def test_an_unknown_method_is_refused(project: Path) -> None:
    with pytest.raises(DaemonError, match="does not know"):
        ask(str(project / ".gatherum"), "nonsense", {}, seconds=30, start=True)


def test_over_tcp_the_token_is_asked_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_TCP", "1")
    folder = str(project / ".gatherum")
    assert ask(folder, "status", {}, seconds=30, start=True)["shelf"] == folder
    port = json.loads(Path(address_of(folder).port).read_text("ascii"))["port"]
    with socket.create_connection(("127.0.0.1", port)) as stranger:
        stranger.sendall(b'{"gatherum": {"version": "1", "service": "control", "token": "guess"}}\n')
        assert stranger.recv(100) == b""


def test_the_command_line_shows_and_ends_it(project: Path, editor: Callable[..., Editor]) -> None:
    def gatherum(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gatherum", "daemon", *arguments]
        return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)

    assert gatherum("status").returncode == 1
    asking = editor().greet()
    assert "to 1 editor" in gatherum("status").stdout
    assert json.loads(gatherum("status", "--json").stdout)["running"] is True
    assert "Ended process" in gatherum("stop").stdout
    assert json.loads(gatherum("stop", "--json").stdout) == {"stopped": False, "pid": None}
    assert asking.process.poll() is None


def test_what_an_editor_starts_loads_the_standard_library_alone() -> None:
    code = "import gatherum.daemon.proxy, sys; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    ours = {name for name in modules if name.partition(".")[0] == "gatherum"}
    assert ours == {"gatherum", "gatherum.daemon"} | {
        f"gatherum.daemon.{x}" for x in ("address", "client", "locks", "proxy")
    }
    assert not {"click", "mcp", "pydantic", "anyio", "pathlib"} & set(modules)
