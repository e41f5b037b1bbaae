"""The server of gatherum with fixtures of the conformance suite beside its own tools; for tests only.

Usage: fixture_server.py PROJECT stdio|http

It is `ShelfServer` served as `gatherum serve` serves it: nothing of the protocol is replaced. What the fixtures do not
know is answered by the server's own handlers.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fixtures
import mcp.types as wire
from mcp import MCPError

from gatherum import Shelf
from gatherum.server import http
from gatherum.server.http_address import Address
from gatherum.server.jobs import Jobs
from gatherum.server.mcp import ShelfServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.server import Server


def extend(server: Server[Any], method: str, takes: type[Any], own: Callable[[Any, Any], Awaitable[Any]]) -> None:
    """Let *own* answer *method* first; what it answers with None goes on to the server's own handler."""
    before = server.get_request_handler(method)

    async def answer(context: Any, params: Any) -> Any:
        result = await own(context, params)
        if result is None and before is None:
            data = {"uri": str(params.uri)} if method == "resources/read" else None
            raise MCPError(code=wire.INVALID_PARAMS, message="There is no such thing here.", data=data)
        return result if result is not None or before is None else await before.handler(context, params)

    server.add_request_handler(method, takes, answer)


def extend_list(server: Server[Any], method: str, result: type[Any], field: str, more: list[Any]) -> None:
    """Put *more* at the end of the last page of a list."""
    before = server.get_request_handler(method)

    async def answer(context: Any, params: wire.PaginatedRequestParams) -> Any:
        if before is None:
            return result(**{field: more})
        page: Any = await before.handler(context, params)
        return page if page.next_cursor else page.model_copy(update={field: [*getattr(page, field), *more]})

    server.add_request_handler(method, wire.PaginatedRequestParams, answer)


def extended(shelf: Shelf) -> ShelfServer:
    """Return the shelf's server with the fixtures."""
    shelved, behaviour = ShelfServer(shelf, jobs=Jobs(shelf)), fixtures.Behaviour()
    server = shelved.server
    extend_list(server, "tools/list", wire.ListToolsResult, "tools", fixtures.offered_tools(behaviour))
    extend_list(server, "resources/list", wire.ListResourcesResult, "resources", fixtures.offered_resources())
    extend_list(
        server,
        "resources/templates/list",
        wire.ListResourceTemplatesResult,
        "resource_templates",
        fixtures.offered_templates(),
    )
    extend_list(server, "prompts/list", wire.ListPromptsResult, "prompts", fixtures.offered_prompts())
    extend(server, "tools/call", wire.CallToolRequestParams, behaviour.call)
    extend(server, "resources/read", wire.ReadResourceRequestParams, fixtures.read)
    extend(server, "prompts/get", wire.GetPromptRequestParams, fixtures.prompt)
    extend(server, "completion/complete", wire.CompleteRequestParams, fixtures.complete)
    return shelved


def main(project: str, transport: str) -> None:
    shelf = Shelf.open(Path(project) / ".gatherum")
    server = extended(shelf)
    if transport == "stdio":
        server.serve_stdio()

    def started(url: str) -> None:
        print(f"Serving {project} at {url}", file=sys.stderr, flush=True)

    http.run(server, shelf, address=Address(host="127.0.0.1", port=0), token=False, started=started)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
