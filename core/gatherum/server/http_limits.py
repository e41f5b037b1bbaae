"""What one request may cost: the size and form of its body, time, and a place among the others."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final

import anyio

from gatherum.server.http_message import RefusedError, call_of, name_of
from gatherum.server.http_reply import CLOSE, error_of, reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_BYTES: Final = 1 << 20
"""The longest body of a request; a query has 2,000 characters at most."""

BODY_SECONDS: Final = 10.0
"""How long a body may take to arrive."""

ANSWER_SECONDS: Final = 60.0
"""How long an answer may take; clients give up after as long."""

AT_ONCE: Final = 16
"""How many requests are worked on at a time."""

WAITING: Final = 100
"""How many more may wait for their turn."""

STREAMS: Final = 256
"""How many clients may listen for changes at a time."""

_TIMEOUT: Final = -32001
_LISTEN: Final = "subscriptions/listen"


class Limits:
    """Passes whole and well-formed requests on, as many as can be worked on, as long as there is time.

    Args:
        app: What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turns = anyio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._streams = 0
        self._open: dict[anyio.CancelScope, bool] = {}
        self._stopping = False

    def stop(self, grace: float) -> None:
        """Take no more requests; cut those that are still arriving or only listen, and give the others some seconds."""
        self._stopping = True
        latest = anyio.current_time() + grace
        for scope, answering in list(self._open.items()):
            if answering:
                scope.deadline = min(scope.deadline, latest)
            else:
                scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        answer = _Answer(send)
        try:
            body = await self._arrived(scope, receive)
            if body is None:
                return
            if self._stopping:
                raise _stopping()
            call = call_of(scope, body)
            scope["state"]["call"] = name_of(call)
            await self._answer(scope, _replayed(body, receive), answer, call)
        except RefusedError as error:
            await answer.end(error, {})

    async def _arrived(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the whole body; None when the client went away."""
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if int(declared) > BODY_BYTES:  # the HTTP parser lets only digits through
            raise _too_large()
        if self._stopping:
            raise _stopping()
        body, more = bytearray(), True
        with self._limited(BODY_SECONDS, answering=False) as timer:
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                body += message.get("body", b"")
                if len(body) > BODY_BYTES:
                    raise _too_large()
                more = message.get("more_body", False)
        if timer.cancelled_caught:
            raise self._late("The request took too long to arrive.", status=408)
        return bytes(body)

    async def _answer(self, scope: Scope, receive: Receive, answer: _Answer, call: dict[str, Any]) -> None:
        listens = scope["method"] == "GET" or call.get("method") == _LISTEN
        seconds = float("inf") if listens else ANSWER_SECONDS
        with self._limited(seconds, answering=not listens) as timer:
            async with self._listening() if listens else self._turn():
                await self._app(scope, receive, answer)
        if timer.cancelled_caught:
            await answer.end(self._late("The answer took too long.", status=504), call)

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        if self._streams >= STREAMS:
            raise RefusedError(503, "Too many clients listen already.")
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._waiting >= WAITING:
            raise RefusedError(503, "Too many requests are waiting already.")
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    def _late(self, text: str, *, status: int) -> RefusedError:
        return _stopping() if self._stopping else RefusedError(status, text)

    @contextmanager
    def _limited(self, seconds: float, *, answering: bool) -> Iterator[anyio.CancelScope]:
        with anyio.CancelScope(deadline=anyio.current_time() + seconds) as scope:
            self._open[scope] = answering
            try:
                yield scope
            finally:
                del self._open[scope]


class _Answer:
    """Sends an answer, and remembers how far it is.

    Args:
        send: The way to the client.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._started = self._complete = self._events = False

    async def __call__(self, message: Message) -> None:
        """Send a part."""
        if message["type"] == "http.response.start":
            self._started = True
            kinds = [value for name, value in message.get("headers", ()) if name.lower() == b"content-type"]
            self._events = any(kind.startswith(b"text/event-stream") for kind in kinds)
        else:
            self._complete = not message.get("more_body", False)
        await self._send(message)

    async def end(self, error: RefusedError, call: dict[str, Any]) -> None:
        """Say that there will be no answer, in the form that the client waits for."""
        if not self._started:
            closing = () if error.status in (400, 413, 415) else (CLOSE,)
            await reply(self._send, error.status, error.text, *closing, kind=error.kind)
        elif not self._complete:
            last = b""
            if self._events and call.get("id") is not None and call.get("method") != _LISTEN:
                last = f"event: message\r\ndata: {error_of(_TIMEOUT, error.text, call['id'])}\r\n\r\n".encode()
            await self._send({"type": "http.response.body", "body": last, "more_body": False})


def _stopping() -> RefusedError:
    return RefusedError(503, "The server is stopping.")


def _too_large() -> RefusedError:
    return RefusedError(413, f"The request is longer than {BODY_BYTES:,} bytes.")


def _replayed(body: bytes, receive: Receive) -> Receive:
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return parts.pop() if parts else await receive()

    return again
