"""The protocol's lines over a connection that is already there: those of stdio, in both eras."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.server.runner import serve_dual_era_loop
from mcp.server.stdio import stdio_server

if TYPE_CHECKING:
    from anyio.abc import ByteStream

    from gatherum.server.mcp import ShelfServer

LONGEST: Final = 16 << 20
"""The longest line in bytes that is taken; a client with a longer one is cut off."""

_ENDLESS: Final = frozenset({"subscriptions/listen"})
_GONE: Final = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)


class Conversation:
    """One client's connection.

    Args:
        stream: The connection.
        received: What has been read of it already.
    """

    def __init__(self, stream: ByteStream, received: bytes = b"") -> None:
        self._stream = stream
        self._received = bytearray(received)
        self._waiting: set[str] = set()
        self._answered = anyio.Event()
        self._ending = False
        self._scope = anyio.CancelScope()

    @property
    def waiting(self) -> int:
        """How many requests have no answer yet."""
        return len(self._waiting)

    async def serve(self, server: ShelfServer) -> None:
        """Answer until the client goes, or `finish` is done."""
        lines: Any = _Lines(self)
        with self._scope:
            async with self._stream, stdio_server(lines, lines) as (reading, writing):
                await serve_dual_era_loop(
                    server.server,
                    reading,
                    writing,
                    lifespan_state={},
                    init_options=server.server.create_initialization_options(),
                )

    async def finish(self) -> None:
        """Take no more requests, wait until those before are answered, and end: clients ask the rest elsewhere."""
        self._ending = True
        while self._waiting:
            self._answered = anyio.Event()
            await self._answered.wait()
        self._scope.cancel()

    async def line(self) -> str | None:
        """Return the next line of the client; None at the end."""
        while True:
            at = self._received.find(b"\n")
            if at >= 0:
                line = bytes(self._received[: at + 1])
                del self._received[: at + 1]
                if self._ending:
                    await anyio.sleep_forever()
                self._note(line, asked=True)
                return line.decode("utf-8", errors="replace")
            if len(self._received) > LONGEST:
                return None
            try:
                self._received += await self._stream.receive()
            except _GONE:
                return None

    async def send(self, text: str) -> None:
        """Send lines to the client; if it has gone, nobody misses them."""
        data = text.encode("utf-8", errors="replace")
        with suppress(*_GONE):
            await self._stream.send(data)
        self._note(data, asked=False)
        self._answered.set()

    def _note(self, line: bytes, *, asked: bool) -> None:
        with suppress(ValueError):
            message = json.loads(line)
            if not isinstance(message, dict):
                return
            method = message.get("method")
            if asked and method == "notifications/cancelled":
                self._waiting.discard(json.dumps((message.get("params") or {}).get("requestId")))
            elif "id" not in message:
                return
            elif asked and method and method not in _ENDLESS:
                self._waiting.add(json.dumps(message["id"]))
            elif not asked and not method:
                self._waiting.discard(json.dumps(message["id"]))


class _Lines:
    """What the SDK takes for standard input and output."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        line = await self._conversation.line()
        if line is None:
            raise StopAsyncIteration
        return line

    async def write(self, text: str) -> None:
        await self._conversation.send(text)

    async def flush(self) -> None:
        """Everything is sent at once."""
