"""Reach the daemon of a shelf, starting it where need be. Standard library only."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from gatherum import __version__
from gatherum.daemon.address import Address, AddressError, address_of
from gatherum.daemon.locks import lock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HELLO_SECONDS: Final = 5.0
"""How long a daemon may take to greet: it is one that hangs otherwise."""

START_SECONDS: Final = 30.0
"""How long a daemon may take to start, on a machine with other things to do."""

_GREETING: Final = 1 << 16
_STEP: Final = 0.02


class DaemonError(Exception):
    """There is no daemon, or it does not answer.

    Args:
        message: What happened.
        hint: What to do about it; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NoDaemonError(DaemonError):
    """There is no daemon."""


class NewerDaemonError(DaemonError):
    """The daemon is of a newer version than this client, and is not to be replaced."""


class Wire:
    """A connection to a daemon that has greeted.

    Args:
        connection: The connected socket.
        rest: What came behind the greeting.
        hello: The greeting: version, pid and shelf.
    """

    def __init__(self, connection: socket.socket, rest: bytes, hello: Mapping[str, Any]) -> None:
        self._socket = connection
        self._rest = rest
        self.hello = hello

    def read(self) -> bytes:
        """Return what comes next; nothing at the end."""
        if self._rest:
            rest, self._rest = self._rest, b""
            return rest
        return self._socket.recv(1 << 16)

    def write(self, data: bytes) -> None:
        """Send all of *data*."""
        self._socket.sendall(data)

    def wait(self, seconds: float | None) -> None:
        """Let reading and writing wait for so long; None for ever."""
        self._socket.settimeout(seconds)

    def close(self) -> None:
        """End the connection; whoever reads from it is woken."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def connect(address: Address, service: str, *, seconds: float = HELLO_SECONDS) -> Wire | None:
    """Return a connection to a running daemon; None if there is none.

    Args:
        address: Where it is.
        service: ``mcp`` or ``control``.
        seconds: How long it may take to greet.

    Raises:
        DaemonError: It does not greet.
    """
    reached = _reach(address, seconds)
    if reached is None:
        return None
    connection, token = reached
    hello = {"version": __version__, "service": service, **({"token": token} if token else {})}
    try:
        connection.settimeout(seconds)
        connection.sendall(json.dumps({"gatherum": hello}).encode() + b"\n")
        greeting, rest = _line(connection, time.monotonic() + seconds)
        answer = json.loads(greeting)["gatherum"]
        connection.settimeout(None)
    except (ConnectionError, EOFError):
        connection.close()
        return None  # it was about to end
    except (OSError, ValueError, KeyError, TypeError) as error:
        connection.close()
        raise DaemonError(
            f"the daemon does not answer ({type(error).__name__})", "`gatherum daemon stop` ends it."
        ) from None
    return Wire(connection, rest, answer)


def _reach(address: Address, seconds: float) -> tuple[socket.socket, str] | None:
    try:
        if address.tcp:
            with open(address.port, encoding="utf-8") as file:
                found = json.load(file)
            return socket.create_connection(("127.0.0.1", found["port"]), timeout=seconds), found["token"]
        connection = socket.socket(socket.AF_UNIX)
    except (OSError, ValueError, KeyError):
        return None
    try:
        connection.settimeout(seconds)
        connection.connect(address.socket)
    except OSError:
        connection.close()
        return None
    return connection, ""


def _line(connection: socket.socket, end: float) -> tuple[bytes, bytes]:
    received = b""
    while b"\n" not in received:
        more = connection.recv(1 << 12)
        if not more:
            raise EOFError
        received += more
        if len(received) > _GREETING or time.monotonic() > end:
            raise ValueError("no greeting")
    line, _, rest = received.partition(b"\n")
    return line, rest


def reach(address: Address, service: str, command: Sequence[str], *, seconds: float = START_SECONDS) -> Wire:
    """Return a connection to the daemon, started if it does not run and replaced if it is older than this client.

    Any number of processes may do so at the same time: one daemon is started.

    Args:
        address: Where it is.
        service: ``mcp`` or ``control``.
        command: What starts it.
        seconds: How long it may take to start.

    Raises:
        NewerDaemonError: A daemon of a newer version runs.
        DaemonError: It does not start, or does not answer.
    """
    if (wire := _current(address, service)) is not None:
        return wire
    end = time.monotonic() + seconds
    held = lock(address.starting, seconds=seconds)
    if held is None:
        raise DaemonError("another process has been starting the daemon for too long")
    try:
        if (wire := _current(address, service)) is not None:
            return wire
        child = _spawn(address, command)
        threading.Thread(target=child.wait, daemon=True).start()  # else it would stay as a zombie when it ends
        while time.monotonic() < end:
            ended = child.poll() is not None
            if (wire := connect(address, service)) is not None:
                return wire
            if ended:
                raise DaemonError("the daemon did not start", _complaint(address))
            time.sleep(_STEP)
    finally:
        os.close(held)
    raise DaemonError(f"the daemon did not start within {seconds:.0f} seconds")


def _current(address: Address, service: str) -> Wire | None:
    """Return a connection to a daemon that is not older than this client; an older one is told to end."""
    wire = connect(address, service)
    if wire is None:
        return None
    theirs, ours = order(str(wire.hello.get("version"))), order(__version__)
    if theirs == ours:
        return wire
    wire.close()
    if theirs > ours:
        raise NewerDaemonError(f"the running daemon is of version {wire.hello.get('version')}, this is {__version__}")
    tell_to_stop(address)
    return None


def order(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, to compare by."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()


def tell_to_stop(address: Address) -> None:
    """Ask a daemon to end, if one listens; who starts next waits for its lock."""
    with suppress(DaemonError):
        wire = connect(address, "control")
        if wire is None:
            return
        try:
            _request(wire, "stop", {}, HELLO_SECONDS)
        finally:
            wire.close()


def _spawn(address: Address, command: Sequence[str]) -> Any:
    import subprocess

    environment = {**os.environ, "MALLOC_ARENA_MAX": os.environ.get("MALLOC_ARENA_MAX", "2")}
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    descriptor = os.open(address.complaint, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=descriptor,
            env=environment,
            start_new_session=True,
            creationflags=flags,
        )
    except OSError as error:
        raise DaemonError(f"the daemon cannot be started: {error.strerror}") from None
    finally:
        os.close(descriptor)


def _complaint(address: Address) -> str:
    try:
        with open(address.complaint, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 16).strip()[-2000:]
    except OSError:
        return ""


def daemon_command(place_folder: str, *, start: str = "", config: str = "") -> list[str]:
    """Return what starts the daemon of a shelf.

    Args:
        place_folder: The shelf's folder.
        start: The folder from which its settings are looked for; by default the shelf's own.
        config: The settings file, if one was named or found.
    """
    parts = ["--shelf", place_folder, "--start", start or os.path.dirname(os.path.abspath(place_folder))]
    return [sys.executable, "-P", "-m", "gatherum.daemon", *parts, *(["--config", config] if config else [])]


def ask(place_folder: str, method: str, params: Mapping[str, Any], *, seconds: float, start: bool = False) -> Any:
    """Return the daemon's answer to one request of the control channel.

    Args:
        place_folder: The shelf's folder.
        method: The name of a method; `gatherum.daemon.control` lists them.
        params: Its parameters.
        seconds: How long it may take in all.
        start: Whether to start a daemon that does not run.

    Raises:
        NoDaemonError: There is none.
        DaemonError: It does not answer in time, or it refuses.
    """
    end = time.monotonic() + seconds
    try:
        address = address_of(place_folder)
    except AddressError as error:
        raise DaemonError(str(error)) from None
    if start:
        wire: Wire | None = reach(address, "control", daemon_command(place_folder), seconds=seconds)
    else:
        wire = connect(address, "control", seconds=seconds)
    if wire is None:
        raise NoDaemonError(f"no daemon runs for {place_folder}", "It starts with the first editor that asks.")
    try:
        return _request(wire, method, params, max(0.01, end - time.monotonic()))
    finally:
        wire.close()


def _request(wire: Wire, method: str, params: Mapping[str, Any], seconds: float) -> Any:
    end = time.monotonic() + seconds
    received = b""
    try:
        wire.wait(seconds)
        wire.write(json.dumps({"method": method, "params": dict(params)}).encode() + b"\n")
        while b"\n" not in received:
            wire.wait(max(0.001, end - time.monotonic()))
            more = wire.read()
            if not more:
                raise DaemonError("the daemon ended without an answer")
            received += more
            if time.monotonic() > end:
                raise TimeoutError
        answer = json.loads(received.partition(b"\n")[0])
    except TimeoutError:
        raise DaemonError(f"the daemon did not answer within {seconds:.1f} seconds") from None
    except (OSError, ValueError) as error:
        raise DaemonError(f"the daemon did not answer ({type(error).__name__})") from None
    if "error" in answer:
        raise DaemonError(str(answer["error"].get("message")), str(answer["error"].get("hint", "")))
    return answer.get("result")
