"""The server over HTTP, as a real process, asked by the SDK's client and by plain requests."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import httpx2
import pytest
from http_server import HELLO, MODERN, Served, serving
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gatherum import Shelf

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("project")
    (root / "manual.md").write_text("# Manual\n\n## Brakes\n\nThe brake pads wear out.\n", encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    Shelf.open(root / ".gatherum").add(root)
    yield root
    patch.undo()


@pytest.fixture(scope="module")
def server(project: Path) -> Iterator[Served]:
    with serving(project) as served:
        yield served


@pytest.mark.parametrize("mode", ["auto", "legacy", MODERN])
def test_a_client_searches_and_reads_in_every_era(server: Served, mode: str) -> None:
    async def talk() -> tuple[object, object]:
        headers = {"Authorization": f"Bearer {server.token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(server.url, http_client=http), mode=mode) as client,
        ):
            found = await client.call_tool("search", {"query": "brake pads"})
            identity = found.structured_content["results"][0]["id"]
            return found, await client.call_tool("fetch", {"id": identity})

    found, read = anyio.run(talk)
    assert found.structured_content["results"][0]["path"] == "manual.md"
    assert "wear out" in read.content[0].text


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_revision_with_sessions_is_spoken(server: Served, revision: str) -> None:
    hello = {**HELLO, "params": {**HELLO["params"], "protocolVersion": revision}}
    answer = server.request(body=hello)
    assert answer.status == 200
    assert answer.message["result"]["protocolVersion"] == revision
    headers = server.headers(Mcp_Session_Id=answer.headers["mcp-session-id"], MCP_Protocol_Version=revision)
    ready = server.request(body={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
    assert ready.status == 202
    listed = server.request(body={"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, headers=headers)
    assert "search" in [tool["name"] for tool in listed.message["result"]["tools"]]
    assert server.request("DELETE", headers=headers).status == 200
    gone = server.request(body={"jsonrpc": "2.0", "id": 3, "method": "tools/list"}, headers=headers)
    assert gone.status == 404


def test_the_revision_without_sessions_is_spoken(server: Served) -> None:
    answer = server.call("brake")
    assert answer.status == 200
    assert answer.message["result"]["structuredContent"]["results"][0]["path"] == "manual.md"
    assert "mcp-session-id" not in answer.headers


def test_an_unknown_session_is_not_found(server: Served) -> None:
    headers = server.headers(Mcp_Session_Id="no such session")
    assert server.request(body=HELLO, headers=headers).status == 404


def test_clients_beyond_the_number_of_sessions_are_turned_away_and_the_others_go_on(project: Path) -> None:
    before = "import gatherum.server.http as http; http.SESSIONS = 2"
    with serving(project, before=before) as served:
        first, second, third = (served.request(body=HELLO) for _ in range(3))
        assert (first.status, second.status, third.status) == (200, 200, 503)
        headers = served.headers(Mcp_Session_Id=first.headers["mcp-session-id"])
        assert served.request("DELETE", headers=headers).status == 200
        assert served.request(body=HELLO).status == 200


def test_a_session_that_nobody_uses_ends(project: Path) -> None:
    before = "import gatherum.server.http as http; http.SESSION_SECONDS = 0.2"
    with serving(project, before=before) as served:
        headers = served.headers(Mcp_Session_Id=served.request(body=HELLO).headers["mcp-session-id"])
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        while served.request(body=ping, headers=headers).status != 404:
            anyio.run(anyio.sleep, 0.5)


def test_the_state_is_told_to_everybody_and_nothing_else_is(server: Served, project: Path) -> None:
    headers = {"Host": f"localhost:{server.port}"}
    for path in ("/healthz", "/readyz"):
        answer = server.request("GET", path, headers=headers)
        assert (answer.status, answer.body) == (200, b'{"state":"ok"}\n')
    about = server.request("GET", "/", headers=headers)
    assert about.status == 200
    assert b"/mcp" in about.body
    for answer in (about, server.request("GET", "/no/such/page", headers=headers)):
        assert project.name.encode() not in answer.body
        assert b"uvicorn" not in json.dumps(answer.headers).encode()
    assert server.request("HEAD", "/readyz", headers=headers).body == b""
    assert server.request("POST", "/readyz", body=b"{}", headers=headers).status == 405
    assert server.request("GET", "/mcp/../secret", headers=headers).status == 404


def test_a_damaged_shelf_is_alive_but_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    (tmp_path / "manual.md").write_text("# Manual\n\nThe brake pads wear out.\n", encoding="utf-8")
    Shelf.open(tmp_path / ".gatherum").add(tmp_path)
    for file in (tmp_path / ".gatherum" / "db").rglob("*.lance"):
        if file.is_file():
            file.write_bytes(b"\0" * file.stat().st_size)
    with serving(tmp_path) as served:
        headers = {"Host": f"localhost:{served.port}"}
        ready = served.request("GET", "/readyz", headers=headers)
        assert ready.status == 503
        told = json.loads(ready.body)
        assert told["state"] == "unready"
        assert told["reason"] in ("shelf", "error")
        assert served.request("GET", "/healthz", headers=headers).status == 200


def complaint(project: Path, *options: str, **environment: str) -> str:
    """What `gatherum serve` says when it does not start."""
    done = subprocess.run(
        [sys.executable, "-m", "gatherum", "serve", "--project", str(project), *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "GATHERUM_EMBEDDING_MODEL": "none", **environment},
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_port_that_is_taken_is_named(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = complaint(project, "--http", str(port))
    assert f"127.0.0.1:{port}" in said
    assert "taken" in said


@pytest.mark.parametrize("address", ["no.such.host.invalid:0", "192.0.2.1:0"])
def test_an_address_of_another_machine_is_refused(project: Path, address: str) -> None:
    assert address in complaint(project, "--http", address)


def test_other_machines_are_not_served_without_a_token(project: Path) -> None:
    said = complaint(project, "--http", "0.0.0.0:0", "--no-token", GATHERUM_SERVER_ALLOWED_HOSTS="docs.example.com")
    assert "without a token" in said


def test_every_address_is_not_served_without_names(project: Path) -> None:
    assert "server.allowed_hosts" in complaint(project, "--http", "0.0.0.0:0")


def test_without_a_shelf_there_is_nothing_to_serve(tmp_path: Path) -> None:
    assert "gatherum index" in complaint(tmp_path, "--http", "0")
    assert list(tmp_path.iterdir()) == []


def test_the_token_stays_when_the_server_starts_again(tmp_path: Path, project: Path) -> None:
    file = tmp_path / "own.key"
    for _ in range(2):
        with serving(project, environment={"GATHERUM_SERVER_TOKEN_FILE": str(file)}) as served:
            served.token = file.read_text(encoding="ascii").strip()
            assert served.request(body=HELLO).status == 200


def test_the_token_is_in_no_listing(server: Served, project: Path) -> None:
    for arguments in (["config", "show"], ["config", "show", "--json"], ["status", "--json"]):
        command = [sys.executable, "-m", "gatherum", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=project, check=True)
        assert server.token not in done.stdout + done.stderr
    described = Path(f"/proc/{server.process.pid}")
    if described.is_dir():
        for name in ("cmdline", "environ"):
            assert server.token.encode() not in (described / name).read_bytes()


def test_a_line_a_request_is_written_without_what_was_asked(project: Path) -> None:
    with serving(project) as served:
        assert served.call("brake pads xylophone").status == 200
        served.request("GET", "/healthz?secret=sesame", headers={"Host": f"localhost:{served.port}"})
        served.stop()
    assert "POST /mcp tools/call search 200" in served.log
    assert "GET /healthz 200" in served.log
    for word in ("xylophone", "sesame", "wear out", served.token):
        assert word not in served.log


def test_quiet_writes_nothing(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "gatherum", "serve", "--quiet", "--http", f"{port}", "--project", str(project)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "GATHERUM_EMBEDDING_MODEL": "none"},
    )
    while server.poll() is None:
        try:
            httpx2.get(f"http://127.0.0.1:{port}/")
        except httpx2.TransportError:
            anyio.run(anyio.sleep, 0.05)
        else:
            server.terminate()
            break
    assert server.communicate()[1] == b""
    assert server.returncode == 0


def test_pages_of_allowed_origins_may_ask(project: Path) -> None:
    page = "https://notes.example.com"
    with serving(project, environment={"GATHERUM_SERVER_ALLOWED_ORIGINS": page}) as served:
        ask = {"Origin": page, "Access-Control-Request-Method": "POST"}
        asked = {**ask, "Access-Control-Request-Headers": "authorization,content-type,mcp-session-id"}
        before = served.request("OPTIONS", headers={"Host": f"localhost:{served.port}", **asked})
        assert before.status == 200
        assert before.headers["access-control-allow-origin"] == page
        answer = served.request(body=HELLO, headers=served.headers(Origin=page))
        assert answer.status == 200
        assert answer.headers["access-control-expose-headers"] == "Mcp-Session-Id"


def test_a_server_behind_a_name_is_reached_under_it(project: Path) -> None:
    with serving(project, environment={"GATHERUM_SERVER_ALLOWED_HOSTS": "Docs.Example.com"}) as served:
        for host in ("docs.example.com", f"docs.example.com:{served.port}", f"localhost:{served.port}"):
            assert served.request(body=HELLO, headers=served.headers(Host=host)).status == 200
        for host in ("docs.example.com:1", "docs.example.com.evil.test", "evil.docs.example.com"):
            assert served.request(body=HELLO, headers=served.headers(Host=host)).status == 421


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6")
def test_ipv6_is_served_too(project: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no ::1")
    with serving(project, "--http", "[::1]:0") as served:
        assert served.url.startswith("http://[::1]:")
        answer = httpx2.post(served.url, json=HELLO, headers=served.headers(Host=f"[::1]:{served.port}"))
        assert answer.status_code == 200
