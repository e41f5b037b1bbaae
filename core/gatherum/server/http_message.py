"""What a request asks: its body as a message of the protocol, or why it is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from mcp.types import INVALID_REQUEST, PARSE_ERROR
from pydantic_core import from_json

from gatherum.server.http_reply import error_of

if TYPE_CHECKING:
    from starlette.types import Scope

_JSON: Final = re.compile(rb"application/json\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_/-]{0,63}")


class RefusedError(Exception):
    """A request that is not passed on.

    Args:
        status: Its HTTP status.
        text: Why.
        kind: The media type of *text*.
    """

    def __init__(self, status: int, text: str, *, kind: str = "text/plain") -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.kind = kind


def call_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return what a POST asks.

    Raises:
        RefusedError: Its body is no JSON: 415 by its own account, 400 by ours (depth and lone surrogates included).
    """
    if scope["method"] != "POST":
        return {}
    kinds = [value for name, value in scope["headers"] if name == b"content-type"]
    if len(kinds) != 1 or not _JSON.fullmatch(kinds[0]):
        raise RefusedError(415, "The request's Content-Type must be application/json, in UTF-8.")
    try:
        message = from_json(body)
    except ValueError:
        text = error_of(PARSE_ERROR, "Parse error: the body is no JSON, or nested too deeply")
        raise RefusedError(400, text, kind="application/json") from None
    if not isinstance(message, dict):
        text = error_of(INVALID_REQUEST, "The body must be one JSON-RPC message")
        raise RefusedError(400, text, kind="application/json")
    return message


def name_of(call: dict[str, Any]) -> str:
    """Return what a call is for, as it may stand in a log: names only, and no odd ones."""
    params = call.get("params")
    names = (call.get("method"), params.get("name") if isinstance(params, dict) else None)
    return " ".join(name for name in names if isinstance(name, str) and _PLAIN.fullmatch(name))
