"""MCP over streamable HTTP: one endpoint for all revisions of the protocol, for this machine unless told otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from gatherum.errors import ConfigError, ShelfNotFoundError
from gatherum.server.http_address import Address, Listener, listen, origins
from gatherum.server.http_app import ENDPOINT, application
from gatherum.server.http_connections import BoundedConnection
from gatherum.server.http_guard import Rules
from gatherum.server.http_health import Health
from gatherum.server.http_limits import BODY_BYTES, Limits
from gatherum.server.http_token import TOKEN_FILE, token_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatherum.server.mcp import ShelfServer
    from gatherum.shelf import Shelf

SESSIONS: Final = 256
"""How many clients of the revisions with sessions there may be."""

SESSION_SECONDS: Final = 1800.0
"""How long a session lives on without a request."""

KEEP_ALIVE_SECONDS: Final = 5
"""How long a connection stays open for the next request."""

GRACE_SECONDS: Final = 4.0
"""How long requests may go on when the server stops."""


class _Uvicorn(uvicorn.Server):
    """Uvicorn, without a hand in the process's signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to whoever runs us."""
        yield


def token_file(shelf: Shelf) -> Path:
    """Return where the token is."""
    return Path(shelf.settings.server.token_file or shelf.place.folder / TOKEN_FILE)


async def serve(
    server: ShelfServer,
    shelf: Shelf,
    *,
    address: Address,
    token: bool = True,
    stop: anyio.Event,
    started: Callable[[str], None],
) -> None:
    """Serve until *stop* is set; requests that are being answered then are given some seconds.

    Any number of servers may run in one event loop, beside anything else; signals are the caller's matter.

    Args:
        server: What answers the protocol.
        shelf: The shelf behind it, whose settings hold.
        address: Where to serve.
        token: Whether clients must show the token; they need not, either, when the settings do not ask for it.
        stop: Set by the caller to end.
        started: Told the endpoint's URL once it can be called.

    Raises:
        GatherumError: The address cannot be had, the token cannot be used, or a setting would let strangers in.
    """
    listener = listen(address)
    try:
        rules = _rules(listener, shelf, token=token)
        manager = StreamableHTTPSessionManager(
            server.server,
            max_request_body_size=BODY_BYTES,
            max_sessions=SESSIONS,
            session_idle_timeout=SESSION_SECONDS,
        )
        limits = Limits(manager.handle_request)
        pages = tuple(sorted(origins(shelf.settings.server.allowed_origins)))
        config = uvicorn.Config(
            application(limits, Health(shelf), rules, pages),
            http=BoundedConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=round(GRACE_SECONDS) + 1,
        )
        listening = _Uvicorn(config)
        async with manager.run(), anyio.create_task_group() as group:
            group.start_soon(listening.serve, list(listener.sockets))
            started(f"{listener.url}{ENDPOINT}")
            await stop.wait()
            limits.stop(GRACE_SECONDS)
            listening.should_exit = True
    finally:
        listener.close()


def run(
    server: ShelfServer, shelf: Shelf, *, address: Address, token: bool = True, started: Callable[[str], None]
) -> None:
    """Serve until the process is told to end, by Ctrl-C or SIGTERM; a second time ends it at once.

    Raises:
        GatherumError: As `serve`.
    """

    async def main() -> None:
        stop, loop = anyio.Event(), asyncio.get_running_loop()

        def end(number: int, _: object) -> None:
            if stop.is_set():
                os._exit(128 + number)
            loop.call_soon_threadsafe(stop.set)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        await serve(server, shelf, address=address, token=token, stop=stop, started=started)

    anyio.run(main)


def log_requests() -> None:
    """Write a line a request to the log."""
    logging.getLogger("gatherum.access").setLevel(logging.INFO)


def _rules(listener: Listener, shelf: Shelf, *, token: bool) -> Rules:
    settings = shelf.settings.server
    return Rules(
        hosts=(hosts := listener.hosts(settings.allowed_hosts)),
        origins=origins(settings.allowed_origins) | {f"http://{host}" for host in hosts if listener.loopback},
        token=_token(listener, shelf, needed=token and settings.require_token),
    )


def _token(listener: Listener, shelf: Shelf, *, needed: bool) -> bytes | None:
    if not needed and listener.loopback:
        return None
    if not needed:
        raise ConfigError(
            f"other machines could read the shelf on {listener.address} without a token",
            hint="Leave the token on, or serve on 127.0.0.1.",
        )
    file = token_file(shelf)
    if file.parent == shelf.place.folder and not shelf.place.exists:
        raise ShelfNotFoundError(
            f"there is no shelf in {shelf.place.folder} to serve", hint="Run `gatherum index FOLDER` first."
        )
    return token_of(file)
