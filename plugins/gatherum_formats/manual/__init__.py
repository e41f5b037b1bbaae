"""Manual pages in roff: the man and mdoc macros, read for what they say and never run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGINS: Final = rb"\s*(?:(?:'\\\"|\.\\\"|\.\s*\n)[^\n]*\n\s*){0,200}\.(?:TH|Dd|Dt)[ \t]\S"


class ManualHandler(Handler):
    """Read manual pages into sections with exact lines."""

    name = "manual"
    title = "Manual pages"
    extensions = (".man", ".mdoc", ".roff")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a manual page in reading order."""
        text = source.text(report).replace("\x00", " ")
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.manual.page import Page

        yield from Page(text.split("\n"), report).read()

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Recognise a page by the request that every page begins with."""
        return ".man" if re.match(_BEGINS, glimpse.head) else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [ManualHandler()]
