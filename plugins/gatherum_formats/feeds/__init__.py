"""Feeds (RSS, Atom) and outlines (OPML)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROLOGUE: Final = rb"(?s)\s*(?:<\?xml[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>]*>|<\?[^>]*\?>|\s)*"
_ROOT: Final = rb"<(?:[\w.-]+:)?(opml|rss|feed)(?=[\s>])"
_KNOWN: Final = {b"opml": ".opml", b"rss": ".rss", b"feed": ".atom"}


class FeedHandler(Handler):
    """Read feeds, an entry at a time, and outlines by their levels."""

    name = "feeds"
    title = "Feeds and outlines"
    extensions = (".opml", ".rss", ".atom")
    also = (".xml",)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the entries or the outline."""
        if not source.data.strip():
            raise UnreadableError("empty", f"{source.name} is empty")
        from gatherum_formats.feeds.reading import read_feed

        yield from read_feed(source, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know the roots of these formats."""
        head = glimpse.head.removeprefix(b"\xef\xbb\xbf")
        prologue = re.match(_PROLOGUE, head)
        root = re.match(_ROOT, head[prologue.end() if prologue else 0 :])
        if root is None or (root[1] == b"feed" and b"http://www.w3.org/2005/Atom" not in head):
            return None
        return _KNOWN[root[1]]


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [FeedHandler()]
