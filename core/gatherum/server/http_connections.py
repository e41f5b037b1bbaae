"""Connections under a deadline: clients that send headers or bodies drop by drop make room for others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from uvicorn.config import Config
    from uvicorn.server import ServerState

REQUEST_SECONDS: Final = 10.0
"""How long a connection may take for the headers of a request."""

MOST: Final = 512
"""How many connections there may be; each takes a file descriptor."""


class BoundedConnection(H11Protocol):
    """Uvicorn's connection, cut when a request's headers take too long, and when it waits while others need its place.

    Uvicorn limits neither, and its own ``limit_concurrency`` turns everybody away once there are too many.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._deadline: asyncio.TimerHandle | None = None
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; if there are too many, the one that has kept us waiting longest goes."""
        super().connection_made(transport)
        self._since = self.loop.time()  # again: many are accepted at once before the first of them begins
        if len(self.connections) > (most := _most()):
            others = [each for each in self.connections if isinstance(each, BoundedConnection)]
            alive = [each for each in others if not each.transport.is_closing()]
            if len(alive) > most:
                min((each for each in alive if not each.answering), key=lambda each: each._since).transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._unwatch()

    @property
    def answering(self) -> bool:
        """Whether a whole request is here and its answer is not complete."""
        cycle = self.cycle
        return cast("Any", cycle) is not None and not cycle.response_complete and not cycle.more_body

    def _watch(self) -> None:
        """Start the clock when it does not run; once a request is being dealt with, its own limits hold."""
        if cast("Any", self.cycle) is not None and not self.cycle.response_complete:
            self._unwatch()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _most() -> int:
    """Return how many connections fit; half of the file descriptors are left to the shelf."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if limit == resource.RLIM_INFINITY else max(1, min(MOST, limit // 2))
