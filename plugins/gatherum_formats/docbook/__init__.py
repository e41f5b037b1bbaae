"""DocBook 4 and 5: books, articles, reference pages and their parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Handler, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Glimpse, Report, Section, Source

_OWN: Final = re.compile(
    r"refentry|refsect[1-3]|refsection|reference|sect[1-5]|simplesect|bibliography|glossary|qandaset|revhistory|"
    r"articleinfo|bookinfo|chapterinfo|partintro"
)
_SHARED: Final = re.compile(
    r"set|book|part|chapter|appendix|preface|article|section|dedication|colophon|info|para|legalnotice"
)
_MARK: Final = re.compile(rb"DTD DocBook|http://docbook\.org/ns/docbook")
_INNER: Final = re.compile(
    rb"<(?:simpara|para|bookinfo|articleinfo|chapterinfo|sect1|refentry|informaltable|programlisting|itemizedlist|"
    rb"variablelist|orderedlist)[\s>]"
)


class DocBookHandler(Handler):
    """Read DocBook by its parts, chapters and sections."""

    name = "docbook"
    title = "DocBook documents"
    extensions = (".dbk", ".docbook")
    also = (".xml",)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the text of *source* under its titles; the title of a book or an article is its metadata.

        Raises:
            UnreadableError: It is empty, or no XML.
        """
        from gatherum_formats.docbook.rules import RULES
        from gatherum_formats.xmldoc.reading import read_source

        yield from read_source(source, RULES, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know DocBook by its namespace, its document type, or roots that it alone has."""
        from gatherum_formats.xmldoc.source import glimpse_root

        root, beside = glimpse_root(glimpse.head)
        if _OWN.fullmatch(root):
            return ".docbook"
        if _SHARED.fullmatch(root) and (_MARK.search(beside.encode()) or _INNER.search(glimpse.head)):
            return ".docbook"
        return ".docbook" if root and _MARK.search(beside.encode()) else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [DocBookHandler()]
