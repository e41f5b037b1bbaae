"""One line a request: who asked for what, and how it went; never what was asked."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("gatherum.access")

_LONGEST: Final = 100


class Logged:
    """Writes a line about each request when it is answered.

    Args:
        app: What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and write the line."""
        begin, status, size = time.monotonic(), 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, counted)
        finally:
            client = scope.get("client") or ("-",)
            path = scope["raw_path"].decode("ascii", "replace")[:_LONGEST]  # as it came: quoted, and without the query
            call = scope["state"].get("call", "")
            spent = (time.monotonic() - begin) * 1000
            log.info(
                "%s %s %s%s %s %d bytes %.0f ms",
                client[0],
                scope["method"],
                path,
                f" {call}" if call else "",
                status or "gone",
                size,
                spent,
            )
