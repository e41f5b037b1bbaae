"""HTML pages, XHTML, and pages saved whole (MHTML)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT: Final = (
    rb"(?is)(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?>(?:<!--(?:(?!-->).){0,1000}-->\s*)*)"
    rb"(?:<!doctype\s+html[\s>]|<html[\s>])"
)


class HtmlHandler(Handler):
    """Read HTML and XHTML.

    Text comes in the order of the page, under its headings. Navigation, page headers and footers are furniture, unless
    the page has no other text. What style hides from readers is kept apart as hidden text. Scripts and style sheets
    are never read, nothing is fetched.
    """

    name: ClassVar[str] = "html"
    title: ClassVar[str] = "HTML pages"
    extensions: ClassVar[tuple[str, ...]] = (".html", ".htm", ".xhtml", ".xht", ".mhtml", ".mht")
    also = (".xml",)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a page.

        Raises:
            UnreadableError: It is empty.
        """
        if not source.data.strip():
            raise UnreadableError("empty", f"{source.name} is empty")
        from gatherum_formats.html.page import read_page

        yield from read_page(source, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a page by its document type or its root."""
        if re.match(_ROOT, glimpse.head):
            return ".xhtml" if glimpse.head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<?xml") else ".html"
        return None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Bring the handler of HTML."""
    return [HtmlHandler()]
