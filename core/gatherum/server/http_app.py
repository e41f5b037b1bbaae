"""What is served over HTTP: the protocol at /mcp, the state of the server, and a word about what this is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.middleware.cors import CORSMiddleware

from gatherum.jsonable import dumps
from gatherum.server.http_guard import Guard, Locked, Rules
from gatherum.server.http_log import Logged
from gatherum.server.http_reply import reply

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from gatherum.server.http_health import Health

ENDPOINT: Final = "/mcp"

_HEADERS: Final = ("Authorization", "Content-Type", "Last-Event-ID", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version")
_SESSION: Final = "Mcp-Session-Id"
_ABOUT: Final = f"This is gatherum, a server of the Model Context Protocol. Its endpoint is {ENDPOINT}."


class Pages:
    """The pages by their path.

    Args:
        protocol: What answers at the endpoint.
        health: What knows the state of the shelf.
    """

    def __init__(self, protocol: ASGIApp, health: Health) -> None:
        self._protocol = protocol
        self._health = health

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        path = scope["path"]
        if path == ENDPOINT:
            await self._protocol(scope, receive, send)
        elif path not in ("/", "/healthz", "/readyz"):
            await reply(send, 404, f"There is nothing here. The endpoint is {ENDPOINT}.")
        elif scope["method"] not in ("GET", "HEAD"):
            await reply(send, 405, "This can only be read.", (b"allow", b"GET, HEAD"))
        elif path == "/":
            await reply(send, 200, _ABOUT)
        else:
            trouble = await self._health.trouble() if path == "/readyz" else ""
            state = {"state": "unready", "reason": trouble} if trouble else {"state": "ok"}
            await reply(send, 503 if trouble else 200, dumps(state), kind="application/json")


def application(protocol: ASGIApp, health: Health, rules: Rules, pages: tuple[str, ...] = ()) -> ASGIApp:
    """Return all that is served, with its guards.

    Args:
        protocol: What answers at the endpoint.
        health: What knows the state of the shelf.
        rules: Who may ask.
        pages: Origins of other web pages that may read the answers (CORS).
    """
    app: ASGIApp = Pages(Locked(protocol, rules), health)
    if pages:
        app = CORSMiddleware(
            app,
            allow_origins=pages,
            allow_methods=("GET", "POST", "DELETE"),
            allow_headers=(*_HEADERS, _SESSION),
            expose_headers=(_SESSION,),
        )
    return Logged(Guard(app, rules))
