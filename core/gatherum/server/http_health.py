"""Whether the server can answer, for whoever watches over it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import anyio

from gatherum.errors import GatherumError

if TYPE_CHECKING:
    from gatherum.shelf import Shelf

log = logging.getLogger("gatherum")

KEPT_SECONDS: Final = 2.0
"""How long a finding holds, so that asking often costs nothing."""


class Health:
    """Looks at a shelf when asked.

    Args:
        shelf: The shelf.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._lock = anyio.Lock()
        self._until = float("-inf")
        self._trouble = ""

    async def trouble(self) -> str:
        """Return the code of what keeps the shelf from answering; empty when nothing does."""
        async with self._lock:
            if anyio.current_time() >= self._until:
                self._trouble = await anyio.to_thread.run_sync(self._look, abandon_on_cancel=True)
                self._until = anyio.current_time() + KEPT_SECONDS
            return self._trouble

    def _look(self) -> str:
        try:
            self._shelf.check()
        except GatherumError as error:
            return error.code
        except Exception as error:  # noqa: BLE001 - whatever it is, the shelf cannot answer
            log.error("the shelf cannot be looked at: %s", type(error).__name__)
            return "error"
        return ""
