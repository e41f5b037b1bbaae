"""JATS: articles of scientific journals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Handler, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Glimpse, Report, Section, Source

_MARK: Final = re.compile(rb"DTD (?:JATS|Journal|BITS)|JATS-|<front>|<journal-meta>|<article-meta>|\barticle-type=")


class JatsHandler(Handler):
    """Read articles by their sections."""

    name = "jats"
    title = "Journal articles (JATS)"
    extensions = (".nxml", ".jats")
    also = (".xml",)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the abstract, the text and the references of *source*.

        Raises:
            UnreadableError: It is empty, or no XML.
        """
        from gatherum_formats.jats.rules import RULES
        from gatherum_formats.xmldoc.reading import read_source

        yield from read_source(source, RULES, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know an article by its document type, or by its front matter."""
        from gatherum_formats.xmldoc.source import glimpse_root

        known = glimpse_root(glimpse.head)[0] in ("article", "book", "book-part-wrapper") and _MARK.search(glimpse.head)
        return ".jats" if known else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [JatsHandler()]
