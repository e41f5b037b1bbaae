"""The daemon itself: one process that answers for a shelf, until nobody has asked for a while."""

from __future__ import annotations

import argparse
import hmac
import json
import logging
import os
import secrets
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.from_thread
import anyio.to_thread
from anyio.abc import SocketAttribute

from gatherum import __version__
from gatherum.daemon.address import Address, AddressError, address_of
from gatherum.daemon.control import METHODS, Session
from gatherum.daemon.locks import lock
from gatherum.daemon.log import log_to
from gatherum.daemon.notify import notify
from gatherum.daemon.unchanged import Unchanged
from gatherum.daemon.upkeep import Upkeep
from gatherum.errors import GatherumError
from gatherum.place import find_place
from gatherum.server.faults import described
from gatherum.server.mcp import ShelfServer
from gatherum.server.stream import Conversation
from gatherum.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anyio.abc import ByteStream

    from gatherum.place import Place

log = logging.getLogger("gatherum")

GREETING_SECONDS: Final = 5.0
"""How long a client may take to say what it wants."""

GRACE_SECONDS: Final = 5.0
"""How long requests may go on when the daemon ends; less than the next one waits for its lock."""

LOCK_SECONDS: Final = 10.0
"""How long a daemon waits for one before it to end."""

_LINE: Final = 8 << 20
_TICK: Final = 1.0
_GONE: Final = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)


class Daemon:
    """Answers clients of one shelf.

    Args:
        shelf: The shelf.
        address: Where it listens.
        upkeep: What it does unasked.
        log_file: The log, as clients are told.
    """

    def __init__(self, shelf: Shelf, address: Address, upkeep: Upkeep, log_file: str) -> None:
        self._shelf = shelf
        self._address = address
        self._upkeep = upkeep
        self._server = ShelfServer(shelf, jobs=upkeep.jobs)
        self._conversations: set[Conversation] = set()
        self._clients = 0
        self._used = time.monotonic()
        self._stop = anyio.Event()
        self._token = secrets.token_urlsafe(32) if address.tcp else ""
        self._session = Session(
            shelf=shelf,
            upkeep=upkeep,
            log=log_file,
            started=self._used,
            connections=lambda: len(self._conversations),
            stop=lambda: anyio.from_thread.run_sync(self.stop),
        )

    def stop(self) -> None:
        """End once what is being asked is answered."""
        self._stop.set()

    async def serve(self) -> None:
        """Listen and answer until told to end, idle for as long as the settings say, or the shelf is gone."""
        listener = await self._listen()
        log.info("serving %s, version %s", self._shelf.place.folder, __version__)
        async with anyio.create_task_group() as group:
            group.start_soon(listener.serve, self._answer)
            group.start_soon(self._watch)
            group.start_soon(self._upkeep.run, self.stop)
            notify("READY=1")
            await self._stop.wait()
            notify("STOPPING=1")
            self._unlist()
            with anyio.move_on_after(GRACE_SECONDS):
                async with anyio.create_task_group() as finishing:
                    finishing.start_soon(self._upkeep.close)
                    for conversation in self._conversations:
                        finishing.start_soon(conversation.finish)
            group.cancel_scope.cancel()
        log.info("ended")

    async def _listen(self) -> Any:
        self._unlist()
        if not self._address.tcp:
            return await anyio.create_unix_listener(self._address.socket, mode=0o600, backlog=128)
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
        port = listener.listeners[0].extra(SocketAttribute.local_port)  # noqa: S610 - no Django
        fresh = Path(f"{self._address.port}.new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump({"port": port, "token": self._token}, file)
        fresh.replace(self._address.port)
        return listener

    def _unlist(self) -> None:
        """Take away what clients find the daemon by: those that come now start the next one."""
        for path in (self._address.socket, self._address.port):
            Path(path).unlink(missing_ok=True)

    async def _watch(self) -> None:
        idle = self._shelf.settings.server.idle_seconds
        while True:
            await anyio.sleep(_TICK)
            if not self._shelf.place.exists:
                log.info("the shelf is gone")
                self.stop()
            elif idle and not self._busy and time.monotonic() - self._used > idle:
                log.info("nobody asked for %d seconds", idle)
                self.stop()

    @property
    def _busy(self) -> bool:
        return bool(self._clients) or self._upkeep.jobs.last is not None

    async def _answer(self, stream: ByteStream) -> None:
        self._clients += 1
        try:
            async with stream:
                await self._serve_client(stream)
        except _GONE:
            pass
        except Exception as error:  # noqa: BLE001 - the others go on
            log.error("a connection failed: %s", described(error))
        finally:
            self._clients -= 1
            self._used = time.monotonic()

    async def _serve_client(self, stream: ByteStream) -> None:
        with anyio.move_on_after(GREETING_SECONDS) as greeting:
            first, rest = await _line(stream, b"")
        if greeting.cancelled_caught or first is None:
            return
        try:
            wish = json.loads(first)["gatherum"]
            service, token = wish["service"], str(wish.get("token", ""))
        except (ValueError, KeyError, TypeError, AttributeError):
            return
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return
        hello = {"version": __version__, "pid": os.getpid(), "shelf": str(self._shelf.place.folder)}
        await stream.send(json.dumps({"gatherum": hello}).encode() + b"\n")
        if service == "mcp":
            conversation = Conversation(stream, rest)
            self._conversations.add(conversation)
            try:
                await conversation.serve(self._server)
            finally:
                self._conversations.discard(conversation)
        elif service == "control":
            await self._control(stream, rest)

    async def _control(self, stream: ByteStream, rest: bytes) -> None:
        while True:
            line, rest = await _line(stream, rest)
            if line is None:
                return
            answer = await self._ask(line)
            await stream.send(json.dumps(answer, ensure_ascii=True).encode() + b"\n")

    async def _ask(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            method, params = request["method"], request.get("params") or {}
            run = METHODS[method]
        except (ValueError, KeyError, TypeError, AttributeError):
            return _refusal("the daemon does not know this method", "Versions may differ: `gatherum daemon stop`.")
        try:
            return {"result": await anyio.to_thread.run_sync(run, self._session, params, abandon_on_cancel=True)}
        except GatherumError as error:
            return _refusal(error.message, error.hint)
        except Exception as error:  # noqa: BLE001 - the daemon goes on
            log.error("the method %s failed: %s", method, described(error))
            return _refusal(f"{method} failed unexpectedly", f"See {self._session.log}.")


def _refusal(message: str, hint: str) -> dict[str, Any]:
    return {"error": {"message": message, "hint": hint}}


async def _line(stream: ByteStream, received: bytes) -> tuple[bytes | None, bytes]:
    """Return the next line and what came behind it; None at the end, or when it is too long."""
    while b"\n" not in received:
        if len(received) > _LINE:
            return None, b""
        try:
            received += await stream.receive()
        except _GONE:
            return None, b""
    line, _, rest = received.partition(b"\n")
    return line, rest


def main(args: Sequence[str]) -> int:
    """Run the daemon of one shelf; return 1 if it cannot be."""
    parser = argparse.ArgumentParser(prog="gatherum.daemon", description="Serve a shelf to every editor.")
    parser.add_argument("--shelf", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--config", type=Path)
    options = parser.parse_args(args)
    folder = options.shelf.absolute()
    try:
        place = find_place((options.start or folder.parent).absolute(), shelf=folder, config=options.config)
        if not place.exists:
            raise GatherumError(f"there is no shelf in {folder}", hint="Run `gatherum index FOLDER` first.")
        _run(place, (options.start or folder.parent).absolute(), options.config)
    except (GatherumError, AddressError, OSError) as error:
        hint = getattr(error, "hint", "")
        sys.stderr.write(f"{error}. {hint}\n" if hint else f"{error}\n")
        return 1
    return 0


def _run(place: Place, start: Path, config: Path | None) -> None:
    address = address_of(str(place.folder))
    held = lock(address.lock, seconds=LOCK_SECONDS)
    if held is None:
        raise GatherumError("a daemon for this shelf runs already", hint="`gatherum daemon stop` ends it.")
    os.ftruncate(held, 0)
    os.write(held, json.dumps({"pid": os.getpid(), "version": __version__}).encode())
    os.chdir(os.sep)  # no folder is kept busy
    file = log_to(place.folder, Path(f"{address.base}.log"))
    shelf = Shelf(place)
    upkeep = Upkeep(shelf, Unchanged(place.folder, start=start, config=config))

    async def serve() -> None:
        daemon = Daemon(shelf, address, upkeep, str(file))
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with anyio.create_task_group() as group:
                group.start_soon(_end_on, signals, daemon)
                await daemon.serve()
                group.cancel_scope.cancel()

    anyio.run(serve)
    logging.shutdown()
    os._exit(0)  # searches may go on in threads that nobody waits for


async def _end_on(signals: Any, daemon: Daemon) -> None:
    async for _ in signals:
        daemon.stop()
