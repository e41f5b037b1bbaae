"""The proxy between an editor and servers that end when it suits them: nothing is lost, nothing comes twice."""

import json
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from gatherum.daemon.client import DaemonError, NewerDaemonError
from gatherum.daemon.proxy import ATTEMPTS, LONGEST, Proxy, pump

LONG = 20.0


class Server:
    """A link to a server that does what the test says."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self._said: queue.Queue[bytes] = queue.Queue()
        self._arrived = threading.Condition()
        self.ended = False

    def read(self) -> bytes:
        return self._said.get()

    def write(self, data: bytes) -> None:
        if self.ended:
            raise BrokenPipeError
        with self._arrived:
            self.received += [json.loads(line) for line in data.splitlines()]
            self._arrived.notify_all()

    def close(self) -> None:
        self.end()

    def say(self, **message: Any) -> None:
        self._said.put(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def say_raw(self, data: bytes) -> None:
        self._said.put(data)

    def end(self) -> None:
        self.ended = True
        self._said.put(b"")

    def expect(self, number: int) -> list[str]:
        """Wait for so many messages; return their methods."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.received) >= number, LONG), self.received
        return [message["method"] for message in self.received]


class Scene:
    """An editor, the proxy, and the servers that it was given one after the other."""

    def __init__(self) -> None:
        self.servers: queue.Queue[Server] = queue.Queue()
        self.alone: queue.Queue[Server] = queue.Queue()
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self.error: Exception | None = None
        self.proxy = Proxy(self._connect, self._fall_back, lambda line: self.heard.put(json.loads(line)))

    def _connect(self) -> Server:
        if self.error is not None:
            raise self.error
        server = Server()
        self.servers.put(server)
        return server

    def _fall_back(self) -> Server:
        server = Server()
        self.alone.put(server)
        return server

    def send(self, **message: Any) -> None:
        self.proxy.send(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def ask(self, number: int, method: str = "tools/call", **params: Any) -> None:
        self.send(id=number, method=method, params=params)

    def hear(self) -> dict[str, Any]:
        return self.heard.get(timeout=LONG)

    def server(self) -> Server:
        return self.servers.get(timeout=LONG)

    def silence(self) -> bool:
        time.sleep(0.1)
        return self.heard.empty()

    def greet(self) -> Server:
        self.ask(0, "initialize")
        server = self.server()
        server.expect(1)
        server.say(id=0, result={"server": 1})
        assert self.hear()["result"] == {"server": 1}
        self.send(method="notifications/initialized")
        server.expect(2)
        return server


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_a_call_under_way_is_asked_of_the_next_server_after_the_handshake(scene: Scene) -> None:
    first = scene.greet()
    scene.ask(1)
    first.expect(3)
    first.end()
    second = scene.server()
    assert second.expect(3) == ["initialize", "notifications/initialized", "tools/call"]
    second.say(id=0, result={"server": 2})
    second.say(id=1, result="found")
    assert scene.hear() == {"jsonrpc": "2.0", "id": 1, "result": "found"}
    assert scene.silence()


def test_a_handshake_under_way_is_answered_once(scene: Scene) -> None:
    scene.ask(0, "initialize")
    scene.server().end()
    scene.server().say(id=0, result="hello")
    assert scene.hear()["result"] == "hello"
    assert scene.silence()


def test_with_nothing_under_way_the_next_server_is_started_by_the_next_call(scene: Scene) -> None:
    scene.greet().end()
    time.sleep(0.1)
    assert scene.servers.empty()
    scene.ask(1)
    assert scene.server().expect(3) == ["initialize", "notifications/initialized", "tools/call"]


def test_subscriptions_are_made_again_at_once_and_their_answers_kept(scene: Scene) -> None:
    first = scene.greet()
    scene.ask(1, "resources/subscribe", uri="doc:///a.md")
    scene.ask(2, "resources/subscribe", uri="doc:///b.md")
    first.expect(4)
    first.say(id=1, result={})
    first.say(id=2, result={})
    assert [scene.hear()["id"], scene.hear()["id"]] == [1, 2]
    scene.ask(3, "resources/unsubscribe", uri="doc:///a.md")
    first.expect(5)
    first.say(id=3, result={})
    assert scene.hear()["id"] == 3
    first.end()
    second = scene.server()
    assert second.expect(3)[2] == "resources/subscribe"
    assert [each["params"] for each in second.received[2:]] == [{"uri": "doc:///b.md"}]
    second.say(id=second.received[2]["id"], result={})
    second.say(method="notifications/resources/updated", params={"uri": "doc:///b.md"})
    assert scene.hear()["method"] == "notifications/resources/updated"
    assert scene.silence()


def test_progress_only_ever_grows(scene: Scene) -> None:
    first = scene.greet()
    scene.ask(1, _meta={"progressToken": "t"})
    first.expect(3)
    for progress in (1, 5):
        first.say(method="notifications/progress", params={"progressToken": "t", "progress": progress})
        assert scene.hear()["params"]["progress"] == progress
    first.end()
    second = scene.server()
    for progress in (1, 5, 6):
        second.say(method="notifications/progress", params={"progressToken": "t", "progress": progress})
    second.say(id=1, result="done")
    second.say(method="notifications/progress", params={"progressToken": "t", "progress": 7})
    assert scene.hear()["params"]["progress"] == 6
    assert scene.hear()["result"] == "done"
    assert scene.silence()


def test_a_call_that_was_taken_back_is_not_asked_again(scene: Scene) -> None:
    first = scene.greet()
    scene.ask(1)
    scene.ask(2)
    scene.send(method="notifications/cancelled", params={"requestId": 1})
    first.expect(5)
    first.end()
    second = scene.server()
    second.expect(3)
    assert [message.get("id") for message in second.received] == [0, None, 2]


def test_a_call_that_ends_every_server_is_given_up_and_the_others_are_answered(scene: Scene) -> None:
    scene.greet()
    scene.ask(1)
    server = None
    for _ in range(ATTEMPTS):
        server = next_of(scene, server)
        server.end()
    answer = scene.hear()
    assert answer["id"] == 1
    assert "error" in answer
    scene.ask(2)
    last = next_of(scene, None)
    last.expect(3)
    last.say(id=2, result="fine")
    assert scene.hear()["result"] == "fine"


def next_of(scene: Scene, last: Server | None) -> Server:
    """Return the server in use, of whichever kind."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        server = scene.proxy._link
        if server is not None and server is not last and not server.ended:
            return server
        time.sleep(0.01)
    raise AssertionError("no server was started")


@pytest.mark.parametrize("error", [DaemonError("it does not start"), NewerDaemonError("it is newer"), OSError("no")])
def test_where_there_can_be_no_daemon_a_server_of_its_own_answers(scene: Scene, error: Exception) -> None:
    scene.error = error
    scene.ask(1, "tools/list")
    alone = scene.alone.get(timeout=LONG)
    assert alone.expect(1) == ["tools/list"]
    alone.say(id=1, result="tools")
    assert scene.hear()["result"] == "tools"


def test_what_nobody_asked_is_not_answered(scene: Scene) -> None:
    server = scene.greet()
    scene.ask(1)
    server.say(id=1, result="once")
    server.say(id=1, result="twice")
    server.say(id=99, result="never asked")
    assert scene.hear()["result"] == "once"
    assert scene.silence()


def test_lines_that_come_in_pieces_are_put_together(scene: Scene) -> None:
    server = scene.greet()
    scene.ask(1)
    server.say_raw(b'{"jsonrpc": "2.0", "id": 1, ')
    server.say_raw(b'"result": "whole"}\n{"jsonrpc"')
    assert scene.hear()["result"] == "whole"


def feed(*pieces: bytes) -> Callable[[], bytes]:
    rest = iter((*pieces, b""))
    return lambda: next(rest)


def test_an_editors_lines_in_pieces_too_long_or_no_json(scene: Scene) -> None:
    good = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    piece = b"x" * (1 << 20)
    too_long = [piece] * (LONGEST // len(piece) + 2)
    pump(
        scene.proxy,
        feed(good[:10], good[10:] + b"\r\n\n", *too_long, b"y\n", b"no json\n", good.replace(b"1", b"2"), b"\n"),
    )
    server = scene.server()
    assert server.expect(2) == ["ping", "ping"]
    refused = [scene.hear(), scene.hear()]
    assert [message["id"] for message in refused] == [None, None]
    assert all(message["error"]["code"] == -32700 for message in refused)
    assert scene.silence()
