"""Requests that nobody honest sends: each gets its refusal, and everybody else goes on being served."""

import itertools
import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from http_server import HELLO, MODERN, Served, serving

from gatherum import Shelf

HASTE = (
    "import gatherum.server.http_limits as limits, gatherum.server.http_connections as connections\n"
    "limits.BODY_SECONDS = connections.REQUEST_SECONDS = 1.0\n"
)
SLOW = (
    "import time, gatherum.shelf as shelf\n"
    "search = shelf.Shelf.search\n"
    "def slow(*given, **named):\n"
    "    time.sleep(1.5)\n"
    "    return search(*given, **named)\n"
    "shelf.Shelf.search = slow\n"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("project")
    (root / "manual.md").write_text("# Manual\n\n## Brakes\n\nThe brake pads wear out.\n", encoding="utf-8")
    (root.parent / "secret.md").write_text("# Secret\n\nopen sesame\n", encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    Shelf.open(root / ".gatherum").add(root)
    yield root
    patch.undo()


@pytest.fixture(scope="module")
def server(project: Path) -> Iterator[Served]:
    with serving(project, before=HASTE) as served:
        yield served
        assert is_well(served)
        served.stop()
    assert "Traceback" not in served.log
    assert served.token not in served.log
    assert "sesame" not in served.log
    assert served.log.isprintable() or not set(served.log) - set(map(chr, range(32, 127))) - {"\n"}


def is_well(served: Served) -> bool:
    answer = served.call("brake")
    return answer.status == 200 and "wear out" in json.dumps(answer.message)


def answer_to(served: Served, data: bytes) -> bytes:
    """All that comes back for raw bytes until the server closes, or has answered once."""
    with served.raw(data) as opened:
        opened.settimeout(30)
        got = b""
        while b"\r\n\r\n" not in got:
            part = opened.recv(65536)
            if not part:
                break
            got += part
    return got


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


# -- DNS rebinding: CVE-2025-66414, CVE-2025-66416, GHSA-89vp-x53w-74fx, CVE-2025-49596 --------------------------------


@pytest.mark.parametrize("path", ["/mcp", "/", "/healthz", "/readyz", "/none"])
@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "evil.test:{port}",
        "localhost",
        "127.0.0.1",
        "localhost:{port}.evil.test",
        "localhost:{port}@evil.test",
        "evil.test@localhost:{port}",
        "127.0.0.1:{port}.evil.test",
        "localhost.evil.test:{port}",
        "localhost.:{port}",
        "localhost:1{port}",
        "localhost:0{port}",
        "0.0.0.0:{port}",
        "127.1:{port}",
        "[::ffff:127.0.0.1]:{port}",
        "localhost:{port}, evil.test",
        "",
    ],
)
def test_other_hosts_are_misdirected(server: Served, host: str, path: str) -> None:
    headers = server.headers(Host=host.format(port=server.port))
    assert server.request("GET" if path != "/mcp" else "POST", path, body=HELLO, headers=headers).status == 421


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://evil.test",
        "http://evil.test:{port}",
        "https://localhost:{port}",
        "http://localhost",
        "http://localhost:1",
        "http://localhost:1@evil.test",
        "http://localhost:{port}@evil.test",
        "http://localhost:{port}.evil.test",
        "http://localhost:{port}/",
        "http://localhost.evil.test:{port}",
        "http://localhost:{port} http://evil.test",
        "file://",
        "vscode-webview://x",
        "",
    ],
)
def test_other_origins_are_forbidden(server: Served, origin: str) -> None:
    headers = server.headers(Origin=origin.format(port=server.port))
    assert server.request(body=HELLO, headers=headers).status == 403
    for method in ("GET", "DELETE", "OPTIONS"):
        assert server.request(method, headers=headers).status == 403


def test_our_own_names_and_origins_are_let_in(server: Served) -> None:
    for name in ("localhost", "127.0.0.1", "[::1]", "LocalHost"):
        host = f"{name}:{server.port}"
        headers = server.headers(Host=host, Origin=f"http://{host}")
        assert server.request(body=HELLO, headers=headers).status == 200


def test_no_answer_may_be_read_by_a_page_of_another_origin(server: Served) -> None:
    preflight = {"Origin": "http://evil.test", "Access-Control-Request-Method": "POST"}
    answer = server.request("OPTIONS", headers={"Host": f"localhost:{server.port}", **preflight})
    assert answer.status == 403
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


def test_a_request_has_one_host(server: Served) -> None:
    port = server.port
    for lines in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost:%d\r\nHost: evil.test\r\n\r\n" % port,
        b"GET / HTTP/1.1\r\nHost: evil.test\r\nHost: localhost:%d\r\n\r\n" % port,
        b"GET / HTTP/1.1\r\nHost: localhost:%d\r\nHost: localhost:%d\r\n\r\n" % (port, port),
    ):
        assert status_of(answer_to(server, lines)) in (400, 421)


# -- the token -------------------------------------------------------------------------------------------------------


def test_without_the_token_nothing_is_told(server: Served) -> None:
    headers = server.headers()
    del headers["Authorization"]
    for method in ("POST", "GET", "DELETE", "PUT", "OPTIONS"):
        answer = server.request(method, body=HELLO, headers=headers)
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == 'Bearer realm="gatherum"'
        assert b"brake" not in answer.body


@pytest.mark.parametrize(
    "shown", ["Bearer wrong", "Bearer", "Basic Z2F0aGVydW06", "Bearer \xe9", "{token}", "x" * 8000]
)
def test_a_wrong_token_is_refused(server: Served, shown: str) -> None:
    answer = server.request(body=HELLO, headers=server.headers(Authorization=shown.format(token=server.token)))
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert server.token.encode() not in answer.body


def test_the_token_does_not_count_in_the_address(server: Served) -> None:
    headers = server.headers()
    del headers["Authorization"]
    for name in ("token", "access_token", "authorization"):
        assert server.request(path=f"/mcp?{name}={server.token}", body=HELLO, headers=headers).status == 401


def test_a_session_id_is_no_token(server: Served) -> None:
    session = server.request(body=HELLO).headers["mcp-session-id"]
    headers = server.headers(Mcp_Session_Id=session)
    del headers["Authorization"]
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    assert server.request(body=ping, headers=headers).status == 401


# -- bodies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ["2025-06-18", MODERN])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(b"", 400, id="empty"),
        pytest.param(b"{", 400, id="half"),
        pytest.param(b"[" * 100_000, 400, id="deep and open"),
        pytest.param(b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 400, id="deep"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, 400, id="deep list"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', 400, id="lone surrogate"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\udfff":1}}', 400, id="surrogate name"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}', 400, id="surrogate in UTF-8"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', 400, id="no UTF-8"),
        pytest.param('{"jsonrpc":"2.0"}'.encode("utf-16"), 400, id="UTF-16"),
        pytest.param(b"[]", 400, id="no messages"),
        pytest.param(b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, id="batch"),
        pytest.param(b"17", 400, id="number"),
        pytest.param(b"null", 400, id="null"),
        pytest.param(b"{}", 400, id="nothing"),
        pytest.param(b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, id="other version"),
        pytest.param(b'{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, id="odd id"),
        pytest.param(b'{"jsonrpc":"2.0","id":1' + b"0" * 5000 + b',"method":"ping"}', 400, id="long number"),
        pytest.param(b'{"x":"' + b"a" * (1 << 20) + b'"}', 413, id="a MiB"),
        pytest.param(b" " * (5 << 20), 413, id="five MiB"),
    ],
)
def test_a_body_that_is_no_message_is_refused(server: Served, body: bytes, status: int, era: str) -> None:
    headers = server.headers(MCP_Protocol_Version=era, Mcp_Method="ping")
    assert server.request(body=body, headers=headers).status == status


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
        "application/json-seq",
        "application/json, text/plain",
        "application/json; charset=utf-16",
        "text/plain; application/json",
        "",
        None,
    ],
)
@pytest.mark.parametrize("era", ["2025-06-18", MODERN])
def test_a_body_says_that_it_is_json(server: Served, kind: str | None, era: str) -> None:
    headers = server.headers(MCP_Protocol_Version=era)
    del headers["Content-Type"]
    if kind is not None:
        headers["Content-Type"] = kind
    assert server.request(body=HELLO, headers=headers).status == 415


def is_cut(opened: socket.socket, *parts: bytes, pause: float = 0) -> bool:
    """Send the parts; whether the server closes before all are sent."""
    try:
        for part in parts or itertools.repeat(b"10000\r\n" + b" " * 65536 + b"\r\n"):
            opened.sendall(part)
            time.sleep(pause)
    except OSError:
        return True
    return False


def test_an_endless_body_is_cut(server: Served) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in server.headers().items())
    with server.raw(f"POST /mcp HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n".encode()) as opened:
        assert is_cut(opened)


def test_a_declared_length_is_believed_before_anything_is_read(server: Served) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in server.headers().items())
    for length in (b"99999999999", b"9" * 20, b"1048577"):
        request = f"POST /mcp HTTP/1.1\r\n{head}".encode() + b"Content-Length: " + length + b"\r\n\r\n"
        assert status_of(answer_to(server, request)) == 413


@pytest.mark.parametrize(
    "lines",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n",
        b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}{}{}",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 0x10\r\n\r\n",
        b"Content-Length: 1" + b"0" * 30 + b"\r\n\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        b"X-Y: a\r\n b\r\nBad Header\r\n\r\n",
        b"X-Long: " + b"a" * 200_000 + b"\r\n\r\n",
        b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + b"\r\n",
        b"X-Nul: \0\r\n\r\n",
    ],
)
def test_broken_heads_are_refused(server: Served, lines: bytes) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in server.headers().items())
    try:
        answer = answer_to(server, f"POST /mcp HTTP/1.1\r\n{head}".encode() + lines)
    except ConnectionError:
        answer = b""
    assert status_of(answer) in (0, 400, 413, 501)
    assert b"smuggled" not in answer


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\0" * 100_000,
        b"\r\n" * 1000 + b"x\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 10,
    ],
)
def test_what_is_not_http_is_refused(server: Served, data: bytes) -> None:
    try:
        answer = answer_to(server, data)
    except ConnectionError:
        answer = b""
    assert status_of(answer) in (0, 400, 421, 505)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "OPTIONS", "BREW", "HEAD"])
@pytest.mark.parametrize("era", ["2025-06-18", MODERN])
def test_other_methods_are_not_allowed(server: Served, method: str, era: str) -> None:
    assert server.request(method, headers=server.headers(MCP_Protocol_Version=era)).status in (400, 405)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.md",
        "/%2e%2e/secret.md",
        "/mcp/%2e%2e/%2e%2e/secret.md",
        "/..%5csecret.md",
        "/mcp/",
        "//mcp",
        "/mcp%00",
        "/MCP",
        "/healthz%0d%0aX-Injected:%20yes",
        "/.gatherum/token.key",
        "/.well-known/oauth-protected-resource",
        "http://evil.test/mcp",
        "*",
    ],
)
def test_there_are_no_other_pages(server: Served, path: str) -> None:
    answer = server.request("GET", path, headers=server.headers())
    assert answer.status in (400, 404)
    assert b"sesame" not in answer.body
    assert "x-injected" not in map(str.lower, answer.headers)


def test_a_switch_to_web_sockets_is_not_made(server: Served) -> None:
    more = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "a" * 22 + "=="}
    answer = server.request("GET", headers={**server.headers(), **more, "Sec-WebSocket-Version": "13"})
    assert answer.status in (400, 404, 405, 406)


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "text/event-stream", ""])
def test_clients_accept_what_is_sent(server: Served, accept: str) -> None:
    assert server.request(body=HELLO, headers=server.headers(Accept=accept)).status == 406


# -- queries ---------------------------------------------------------------------------------------------------------


def test_a_query_of_a_megabyte_reaches_no_index(server: Served) -> None:
    assert server.call("x" * 1_000_000).message["result"]["isError"]
    assert server.call("x" * 2_000_000).status == 413


@pytest.mark.parametrize(
    ("query", "more"),
    [
        (" ".join(f"w{number}" for number in range(50_000)), {}),
        ("brake", {"limit": 10**9}),
        ("brake", {"limit": -1}),
        ("brake", {"limit": "1; DROP TABLE chunks"}),
        ("brake", {"path": ["a"]}),
        ("brake", {"nonsense": True}),
        ("", {}),
    ],
)
def test_an_immoderate_query_is_explained(server: Served, query: str, more: dict[str, object]) -> None:
    answer = server.call(query, **more)
    assert answer.status == 200
    assert answer.message["result"]["isError"]


@pytest.mark.parametrize("query", ['"', "(", "a:b", "*", "\0", "path:' OR 1=1 --", "😀" * 900, "-", "w " * 999])
def test_an_odd_query_is_answered(server: Served, query: str) -> None:
    assert server.call(query).status == 200


# -- many, slow and greedy clients ------------------------------------------------------------------------------------


def closed_in_the_end(opened: socket.socket) -> bool:
    try:
        while opened.recv(65536):
            pass
    except ConnectionError:
        pass
    return True


def test_half_open_requests_and_slow_bodies_hold_nobody_up_and_are_cut(project: Path) -> None:
    with serving(project, before=HASTE) as served:
        head = "".join(f"{name}: {value}\r\n" for name, value in served.headers().items())
        slow = f"POST /mcp HTTP/1.1\r\n{head}Content-Length: 1000\r\n\r\n{{".encode()
        opened = [served.raw(b"POST /mcp HTTP/1.1\r\nHost: loc") for _ in range(500)]
        opened += [served.raw(slow) for _ in range(200)]
        try:
            assert all(is_well(served) for _ in range(3))
            assert all(closed_in_the_end(each) for each in opened)
        finally:
            for each in opened:
                each.close()
        assert is_well(served)


@pytest.mark.parametrize("start", [b"", b"GET /healthz HTTP/1.1\r\nHost: localhost:%d\r\n\r\n"])
def test_a_head_that_comes_drop_by_drop_is_cut(server: Served, start: bytes) -> None:
    with server.raw(start % server.port if start else b"") as opened:
        if start:
            assert b"200 OK" in opened.recv(65536)
        letters = b"GET / HTTP/1.1\r\nX-A: " + b"a" * 600
        assert is_cut(opened, *(bytes([letter]) for letter in letters), pause=0.05)


def test_a_body_that_comes_drop_by_drop_is_timed_out(server: Served) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in server.headers().items())
    with server.raw(f"POST /mcp HTTP/1.1\r\n{head}Content-Length: 600\r\n\r\n".encode()) as opened:
        opened.settimeout(0.05)
        got = b""
        for _ in range(600):
            try:
                opened.sendall(b" ")
                got += opened.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                break
            if got:
                break
    assert status_of(got) == 408


def test_more_connections_than_fit_push_out_the_idle_ones(project: Path) -> None:
    before = "import gatherum.server.http_connections as c; c.MOST = 20; c.REQUEST_SECONDS = 600"
    with serving(project, before=before) as served:
        opened = [served.raw() for _ in range(200)]
        try:
            assert is_well(served)
            assert all(closed_in_the_end(each) for each in opened[:150])
        finally:
            for each in opened:
                each.close()


def test_a_request_too_many_is_told_to_come_again(project: Path) -> None:
    before = f"import gatherum.server.http_limits as limits; limits.AT_ONCE = limits.WAITING = 1\n{SLOW}"
    with serving(project, before=before) as served, ThreadPoolExecutor(6) as pool:
        statuses = [reply.status for reply in pool.map(lambda _: served.call("brake"), range(6))]
        assert set(statuses) == {200, 503}
        assert is_well(served)


def test_an_answer_that_takes_too_long_is_given_up(project: Path) -> None:
    before = f"import gatherum.server.http_limits as limits; limits.ANSWER_SECONDS = 0.5\n{SLOW}"
    with serving(project, before=before) as served:
        assert served.call("brake").status == 504
        headers = served.headers(Mcp_Session_Id=served.request(body=HELLO).headers["mcp-session-id"])
        params = {"name": "search", "arguments": {"query": "brake"}}
        late = served.request(
            body={"jsonrpc": "2.0", "id": "mine", "method": "tools/call", "params": params}, headers=headers
        )
        assert late.message["id"] == "mine"
        assert "too long" in late.message["error"]["message"]
        listed = {"jsonrpc": "2.0", "id": 3, "method": "tools/list"}
        assert served.request(body=listed, headers=headers).status == 200


def test_without_a_token_the_rest_still_holds(project: Path) -> None:
    with serving(project, "--http", "0", "--no-token") as served:
        assert served.token == ""
        assert is_well(served)
        assert served.request(body=HELLO, headers=served.headers(Host="evil.test")).status == 421
        assert served.request(body=HELLO, headers=served.headers(Origin="http://evil.test")).status == 403
        assert served.request(body=HELLO, headers=served.headers(Content_Type="text/plain")).status == 415
