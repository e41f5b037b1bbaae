"""Who may ask: exact lists of hosts and origins against DNS rebinding, and a token."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.server.http_reply import reply

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_CHALLENGE: Final = b'Bearer realm="gatherum"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Who may ask.

    Attributes:
        hosts: Allowed values of the Host header, in lower case.
        origins: Allowed values of the Origin header, in lower case; requests without one come from no web page.
        token: What clients must show; None when they need not.
    """

    hosts: frozenset[str]
    origins: frozenset[str]
    token: bytes | None

    def refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        """Return status and reason for a request that is not for us: 421 (RFC 9110, 15.5.20) by host, 403 by origin."""
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or _text(hosts[0]) not in self.hosts:
            return 421, "This server is not called so. The setting server.allowed_hosts names its names."
        if any(_text(value) not in self.origins for name, value in headers if name == b"origin"):
            return 403, "Pages of this origin may not ask. The setting server.allowed_origins names those that may."
        return None

    def admits(self, headers: list[tuple[bytes, bytes]]) -> bool:
        """Whether a request shows the token, if one is needed."""
        if self.token is None:
            return True
        given = [value for name, value in headers if name == b"authorization"]
        scheme, _, shown = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        return hmac.compare_digest(shown.strip(b" "), self.token) and scheme.lower() == b"bearer"


class Guard:
    """Lets through what is for us, whatever its path.

    Args:
        app: What answers.
        rules: Who may ask.
    """

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        refusal = self._rules.refusal(scope["headers"])
        if refusal:
            await reply(send, *refusal)
        else:
            await self._app(scope, receive, send)


class Locked:
    """Lets through who shows the token.

    Args:
        app: What answers.
        rules: Who may ask.
    """

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse; the body of a refused request is never looked at."""
        if self._rules.admits(scope["headers"]):
            await self._app(scope, receive, send)
            return
        wrong = any(name == b"authorization" for name, _ in scope["headers"])
        challenge = _CHALLENGE + (b', error="invalid_token"' if wrong else b"")
        await reply(
            send, 401, "The server's token is needed: Authorization: Bearer …", (b"www-authenticate", challenge)
        )


def _text(value: bytes) -> str:
    return value.decode("latin-1").lower()
