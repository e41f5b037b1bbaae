"""What an editor starts: its lines to the daemon, and the daemon's to it. Standard library only.

A daemon that ends, however it ends, is started again: the handshake is repeated, and so are the requests that have no
answer yet, which every tool of the server bears. Should that fail three times, a server in a process of its own
takes its place. Once a request is answered, no second answer to it gets through.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from gatherum.daemon.address import Address
from gatherum.daemon.client import DaemonError, NewerDaemonError, reach

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LONGEST: Final = 16 << 20
"""The longest line in bytes that is passed on."""

ATTEMPTS: Final = 3
"""How often one request may see its server end before it is answered with an error."""

DRAIN_SECONDS: Final = 10.0
"""How long answers are waited for when the editor has closed its end."""

_ENDLESS: Final = "subscriptions/listen"
_PARSE_ERROR: Final = -32700
_INTERNAL_ERROR: Final = -32603


class Link(Protocol):
    """A way to a server."""

    def read(self) -> bytes:
        """Return what comes next; nothing at the end."""

    def write(self, data: bytes) -> None:
        """Send all of *data*."""

    def close(self) -> None:
        """End it."""


class Child:
    """A server in a process of its own, over pipes.

    Args:
        command: What starts it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        import subprocess

        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def read(self) -> bytes:
        """Return what comes next; nothing at the end."""
        assert self._process.stdout is not None  # noqa: S101 - it was asked for
        return os.read(self._process.stdout.fileno(), 1 << 16)

    def write(self, data: bytes) -> None:
        """Send all of *data*."""
        assert self._process.stdin is not None  # noqa: S101 - it was asked for
        view = memoryview(data)
        while view:
            view = view[os.write(self._process.stdin.fileno(), view) :]

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


@dataclass(kw_only=True)
class Request:
    """A request of the editor that has no answer yet.

    Attributes:
        line: As it came.
        method: What it asks for.
        token: Its progress token, if any.
        attempts: How many servers it was sent to.
        cancelled: Whether the editor no longer wants the answer.
    """

    line: bytes
    method: str
    token: str | None = None
    attempts: int = 0
    cancelled: bool = False


@dataclass(kw_only=True)
class Memory:
    """What another server must be told in the place of one that ended.

    Attributes:
        handshake: The lines of the handshake, in the eras that have one.
        pending: The requests without an answer, by id as JSON.
        subscribed: The line that subscribed to each resource, by URI.
        progress: How far each request with a token got.
        swallowed: The ids of repeated requests whose answers the editor has had.
    """

    handshake: list[bytes] = field(default_factory=list)
    pending: dict[str, Request] = field(default_factory=dict)
    subscribed: dict[str, bytes] = field(default_factory=dict)
    progress: dict[str, float] = field(default_factory=dict)
    swallowed: set[str] = field(default_factory=set)


class Proxy:
    """Stands between an editor and whatever server there is.

    Args:
        connect: Returns a way to the daemon.
        fall_back: Returns a way to a server of its own.
        emit: Gives the editor a line.
    """

    def __init__(self, connect: Callable[[], Link], fall_back: Callable[[], Link], emit: Callable[[bytes], None]):
        self._connect = connect
        self._fall_back = fall_back
        self._emit = emit
        self._lock = threading.RLock()
        self._memory = Memory()
        self._link: Link | None = None
        self._alone = False
        self._failures = 0

    @property
    def waiting(self) -> bool:
        """Whether an answer is to come."""
        return any(not each.cancelled and each.method != _ENDLESS for each in self._memory.pending.values())

    def send(self, line: bytes) -> None:
        """Pass a line of the editor on."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self.refuse("Parse error: this is not JSON")
            return
        with self._lock:
            if isinstance(message, dict):
                self._remember(line, message)
            if self._link is None:
                self._heal(line)
                return
            try:
                self._link.write(line + b"\n")
            except OSError:
                self._heal(line)

    def refuse(self, message: str) -> None:
        """Answer a line of which no id is known."""
        error = {"code": _PARSE_ERROR, "message": message}
        self._emit(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode())

    def _remember(self, line: bytes, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        memory = self._memory
        if method == "initialize":
            memory.handshake = [line]
        elif method == "notifications/initialized" and memory.handshake:
            memory.handshake = [memory.handshake[0], line]
        elif method == "notifications/cancelled":
            if request := memory.pending.get(json.dumps(params.get("requestId"))):
                request.cancelled = True
        elif method == "resources/unsubscribe":
            memory.subscribed.pop(str(params.get("uri")), None)
        if method and "id" in message:
            meta = params.get("_meta")
            token = meta.get("progressToken") if isinstance(meta, dict) else None
            memory.pending[json.dumps(message["id"])] = Request(
                line=line, method=method, token=None if token is None else json.dumps(token), attempts=1
            )

    def _heal(self, line: bytes = b"") -> None:
        """Find another server and tell it what the last one knew; *line* is new, and may be none of that."""
        memory = self._memory
        memory.pending = {key: request for key, request in memory.pending.items() if not request.cancelled}
        while True:
            self._drop()
            self._give_up_on_requests()
            try:
                self._link = self._next_link()
                memory.swallowed.clear()
                self._repeat(self._link, line)
            except OSError:
                self._failures += 1
                self._again()
                continue
            threading.Thread(target=self._listen, args=(self._link,), daemon=True).start()
            return

    def _again(self) -> None:
        for request in self._memory.pending.values():
            request.attempts += 1

    def _next_link(self) -> Link:
        while not self._alone and self._failures < ATTEMPTS:
            try:
                return self._connect()
            except NewerDaemonError as error:
                self._say(error)
                break
            except (DaemonError, OSError) as error:
                self._failures += 1
                if self._failures >= ATTEMPTS:
                    self._say(error)
        if self._failures >= 2 * ATTEMPTS:
            self._surrender()
        self._alone = True
        return self._fall_back()

    def _say(self, error: Exception) -> None:
        hint = getattr(error, "hint", "")
        sys.stderr.write(f"gatherum: {error}; serving without the daemon. {hint}\n")
        sys.stderr.flush()

    def _surrender(self) -> None:
        for key in list(self._memory.pending):
            self._answer_with_error(key, "gatherum's server does not stay up; its log says why.")
        os._exit(1)

    def _give_up_on_requests(self) -> None:
        for key, request in list(self._memory.pending.items()):
            if request.attempts > ATTEMPTS and request.method not in ("initialize", _ENDLESS):
                self._answer_with_error(key, f"gatherum's server ended {ATTEMPTS} times while it worked on this.")

    def _answer_with_error(self, key: str, message: str) -> None:
        self._forget(key)
        error = {"code": _INTERNAL_ERROR, "message": message}
        self._emit(json.dumps({"jsonrpc": "2.0", "id": json.loads(key), "error": error}).encode())

    def _forget(self, key: str) -> Request | None:
        request = self._memory.pending.pop(key, None)
        if request and request.token is not None:
            self._memory.progress.pop(request.token, None)
        return request

    def _repeat(self, link: Link, line: bytes) -> None:
        memory = self._memory
        sent = set(memory.handshake)
        for each in memory.handshake:
            key = _id_of(each)
            if key is not None and key not in memory.pending:
                memory.swallowed.add(key)
            link.write(each + b"\n")
        for number, each in enumerate(memory.subscribed.values()):
            again = json.loads(each)
            again["id"] = f"gatherum-again-{number}"
            memory.swallowed.add(json.dumps(again["id"]))
            link.write(json.dumps(again).encode() + b"\n")
        for request in memory.pending.values():
            if request.line not in sent:
                link.write(request.line + b"\n")
                sent.add(request.line)
        if line and line not in sent:
            link.write(line + b"\n")

    def _drop(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            with suppress(OSError):
                link.close()

    def _listen(self, link: Link) -> None:
        """Pass on what a server says, until it ends."""
        received = bytearray()
        while True:
            try:
                more = link.read()
            except (OSError, ValueError):
                more = b""
            if not more:
                break
            at = len(received)
            received += more
            if b"\n" not in more:
                continue
            end = received.rindex(b"\n", at)
            lines = bytes(received[:end]).split(b"\n")
            del received[: end + 1]
            with self._lock:
                if link is not self._link:
                    return
                for line in lines:
                    self._pass(line)
        with self._lock:
            if link is not self._link:
                return
            self._drop()
            if self._memory.pending or self._memory.subscribed:
                self._failures += 1
                self._again()
                self._heal()

    def _pass(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return  # no server of ours says so
        if not isinstance(message, dict):
            return
        if message.get("method") == "notifications/progress":
            if self._is_progress(message.get("params") or {}):
                self._emit(line)
            return
        if "method" in message or message.get("id") is None:
            self._emit(line)
            return
        key = json.dumps(message["id"])
        if key in self._memory.swallowed:
            self._memory.swallowed.discard(key)
            return
        request = self._forget(key)
        if request is None:
            return
        self._failures = 0
        if request.method == "resources/subscribe" and "result" in message:
            self._memory.subscribed[str(json.loads(request.line)["params"].get("uri"))] = request.line
        self._emit(line)

    def _is_progress(self, params: dict[str, Any]) -> bool:
        """Tell whether it is news: a request that was repeated starts over."""
        token, progress = json.dumps(params.get("progressToken")), params.get("progress")
        if not isinstance(progress, int | float) or not any(
            request.token == token for request in self._memory.pending.values()
        ):
            return False
        if progress <= self._memory.progress.get(token, -1):
            return False
        self._memory.progress[token] = progress
        return True


def _id_of(line: bytes) -> str | None:
    message = json.loads(line)
    return json.dumps(message["id"]) if "id" in message else None


def pump(proxy: Proxy, read: Callable[[], bytes]) -> None:
    """Give the proxy what the editor sends, line by line, until it closes its end."""
    received = bytearray()
    skipping = False
    while more := read():
        at = len(received)
        received += more
        if b"\n" in more:
            end = received.rindex(b"\n", at)
            lines = bytes(received[:end]).split(b"\n")
            del received[: end + 1]
            if skipping:
                lines, skipping = lines[1:], False
            for line in lines:
                if len(line) > LONGEST:
                    proxy.refuse(f"This line is longer than {LONGEST} bytes")
                elif line.strip():
                    proxy.send(line.rstrip(b"\r"))
        if len(received) > LONGEST:
            received.clear()
            if not skipping:
                proxy.refuse(f"This line is longer than {LONGEST} bytes")
            skipping = True


_BOOT: Final = "import sys; sys.path.insert(0, sys.argv[1]); from gatherum.daemon import proxy; proxy.main()"


def become(address: Address, *, daemon: Sequence[str], fall_back: Sequence[str]) -> None:
    """Put a fresh interpreter, with none of what this one has loaded, in the place of this process.

    Args:
        address: Where the daemon is.
        daemon: What starts it.
        fall_back: What starts a server without it.
    """
    if sys.platform == "win32":  # where a process cannot be replaced: its parent would see it end
        run(address, daemon=daemon, fall_back=fall_back)
    options = {"base": address.base, "tcp": address.tcp, "daemon": list(daemon), "fall_back": list(fall_back)}
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", _BOOT, root, json.dumps(options)])  # noqa: S606


def main() -> None:
    """Run between stdin and stdout as the last argument says, in JSON; does not return."""
    options = json.loads(sys.argv[-1])
    run(Address(base=options["base"], tcp=options["tcp"]), daemon=options["daemon"], fall_back=options["fall_back"])


def run(address: Address, *, daemon: Sequence[str], fall_back: Sequence[str]) -> None:
    """Stand between stdin and stdout and the daemon until stdin ends or a signal comes; does not return.

    Args:
        address: Where the daemon is.
        daemon: What starts it.
        fall_back: What starts a server without it.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(0))
    wire = os.dup(1)  # whatever is printed by mistake does not get between the protocol's lines
    os.dup2(2, 1)
    writing = threading.Lock()

    def emit(line: bytes) -> None:
        with writing:
            view = memoryview(line + b"\n")
            try:
                while view:
                    view = view[os.write(wire, view) :]
            except OSError:
                os._exit(0)  # nobody reads any more

    proxy = Proxy(lambda: reach(address, "mcp", daemon), lambda: Child(fall_back), emit)
    pump(proxy, lambda: os.read(0, 1 << 16))
    end = time.monotonic() + DRAIN_SECONDS
    while proxy.waiting and time.monotonic() < end:
        time.sleep(0.005)
    os._exit(0)
