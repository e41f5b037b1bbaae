"""Short answers that are not the protocol's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import Send

CLOSE = (b"connection", b"close")


async def reply(send: Send, status: int, text: str, *headers: tuple[bytes, bytes], kind: str = "text/plain") -> None:
    """Answer a request with a status and one line."""
    body = f"{text}\n".encode()
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", f"{kind}; charset=utf-8".encode()),
                (b"content-length", str(len(body)).encode()),
                (b"cache-control", b"no-store"),
                (b"x-content-type-options", b"nosniff"),
                *headers,
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})


def error_of(code: int, message: str, identity: Any = None) -> str:
    """Return an error as JSON-RPC 2.0 writes it; without an identity when the request could not be read."""
    return json.dumps({"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}})
