"""FictionBook 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class FictionBookHandler(Handler):
    """Read FictionBook books."""

    name = "fictionbook"
    title = "FictionBook books"
    extensions = (".fb2", ".fbz")

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of *source*."""
        raise UnreadableError("unsupported", f"{source.name} is not read yet")


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [FictionBookHandler()]
