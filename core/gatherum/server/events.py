"""Tell clients that documents changed, in both eras of the protocol.

Since 2026-07-28 a client opens a stream of the events that it wants (subscriptions/listen). Before, each connection
was told when the list changed, and of the resources that it had subscribed to.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import anyio
import mcp.types as wire
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gatherum.server.documents import STATUS
from gatherum.server.tools import url_of

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext
    from mcp.server.connection import Connection
    from mcp.server.context import CallNext, HandlerResult

    from gatherum.results import IndexReport

log = logging.getLogger("gatherum")

_SUBSCRIPTIONS: Final = 1000
"""How many resources one connection may subscribe to."""

_PATIENCE: Final = 5.0
"""How long in seconds a client that does not read is waited for."""


class Events:
    """The clients of one server that want to be told."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._connections: dict[Connection, set[str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.listen = ListenHandler(self._bus)

    async def track(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Remember the connections of the older revisions for as long as they last; a middleware."""
        self._loop = asyncio.get_running_loop()
        result = await call_next(ctx)
        if ctx.method == "notifications/initialized":
            self._remember(_connection(ctx))
        return result

    def _remember(self, connection: Connection) -> None:
        if connection.protocol_version in MODERN_PROTOCOL_VERSIONS or connection in self._connections:
            return
        self._connections[connection] = set()
        connection.exit_stack.callback(self._connections.pop, connection, None)

    async def subscribe(
        self, context: ServerRequestContext[Any, Any], params: wire.SubscribeRequestParams
    ) -> wire.EmptyResult:
        """Tell this connection when a resource changes."""
        wanted = self._connections.get(_connection(context))
        if wanted is not None and len(wanted) < _SUBSCRIPTIONS:
            wanted.add(str(params.uri))
        return wire.EmptyResult()

    async def unsubscribe(
        self, context: ServerRequestContext[Any, Any], params: wire.UnsubscribeRequestParams
    ) -> wire.EmptyResult:
        """Tell it no longer."""
        self._connections.get(_connection(context), set()).discard(str(params.uri))
        return wire.EmptyResult()

    async def changed(self, report: IndexReport) -> None:
        """Tell all clients what an index run changed; nothing, if it changed nothing."""
        if not (report.documents or report.added or report.changed or report.moved or report.removed):
            return
        uris = [*map(url_of, report.documents), STATUS]
        for uri in uris:
            await self._bus.publish(ResourceUpdated(uri=uri))
        await self._bus.publish(ResourcesListChanged())
        async with anyio.create_task_group() as group:
            for connection, wanted in list(self._connections.items()):
                group.start_soon(_tell, connection, [uri for uri in uris if uri in wanted])

    def changed_soon(self, report: IndexReport) -> None:
        """Do the same from another thread, without waiting; nobody is told where nobody ever asked anything."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        telling = self.changed(report)
        try:
            asyncio.run_coroutine_threadsafe(telling, loop)
        except RuntimeError:  # it was closed meanwhile
            telling.close()


def _connection(context: ServerRequestContext[Any, Any]) -> Connection:
    """Return what lasts as long as the client; a session of the SDK is one request."""
    return context.session._connection


async def _tell(connection: Connection, uris: list[str]) -> None:
    with anyio.move_on_after(_PATIENCE):
        for uri in uris:
            await connection.notify("notifications/resources/updated", {"uri": uri})
        await connection.notify("notifications/resources/list_changed", None)
