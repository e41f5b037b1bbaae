"""MediaWiki markup: headings, lists, tables, templates, references and links of a wiki page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class MediaWikiHandler(Handler):
    """Read wiki pages into sections with exact lines."""

    name = "mediawiki"
    title = "MediaWiki pages"
    extensions = (".mediawiki", ".wiki")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a page in reading order."""
        text = source.text(report).replace("\x00", " ")
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.mediawiki.page import read_page

        yield from read_page(text, report)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [MediaWikiHandler()]
