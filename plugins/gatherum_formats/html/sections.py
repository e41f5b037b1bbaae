"""HTML for every handler that meets it: whole pages, chapters, fragments inside other formats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.html.blocks import block_sections, settle
from gatherum_formats.html.walk import Walk, feed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatherum import Report, Section


_SHORT: Final = 50_000
_UNREAD: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|title|template)\b.*?(?:</\1|\Z)", re.DOTALL | re.IGNORECASE
)


def html_sections(
    text: str,
    *,
    builder: SectionBuilder | None = None,
    locator: Callable[[int, int], Locator] | Locator = Locator.lines,
    report: Report | None = None,
    metadata: bool = False,
) -> Iterator[Section]:
    """Yield the sections of a page or a fragment, of any size and depth and however broken.

    Args:
        text: HTML or XHTML, decoded.
        builder: Where its headings and text go, for HTML inside another document; whoever gives one closes it.
        locator: Makes the place of the lines *first* to *last* of *text* (counted from 1), or is the place of all.
        report: Told of hidden text.
        metadata: Whether the report is also told the title, language, authors and so on.
    """
    walk = Walk(content=builder is not None)
    blocks = settle(feed(text, walk))
    if not any(block.text for block in blocks) and _has_words(text):
        walk = Walk(content=builder is not None)
        blocks = settle(feed(_repaired(text), walk))
    if report is not None:
        if metadata:
            page_metadata(walk, report)
        if not any(block.text for block in blocks):
            pictured = "<img" in text or "<svg" in text
            report.problem("no_text" if pictured else "empty", "the page has no text")
        if any(block.layer == "hidden" for block in blocks):
            report.problem("hidden_text", "the page has text that its readers do not see")
    target = builder or SectionBuilder()
    places: dict[tuple[int, int], Locator] = {}

    def place(first: int, last: int) -> Locator:
        if isinstance(locator, Locator):
            return locator
        found = places.get((first, last))
        if found is None:
            found = places[first, last] = locator(first, last)
        return found

    yield from block_sections(blocks, walk.notes, target, lambda block: place(block.first, block.last))
    if builder is None:
        yield from target.close()


def _has_words(text: str) -> bool:
    """Say whether there is text outside of tags, scripts and comments in a page short enough to be read twice."""
    if len(text) > _SHORT:
        return False
    bare = _UNREAD.sub(" ", text)
    return any(letter.isalnum() for letter in re.sub(r"<[^<>]*>", " ", bare))


def _repaired(text: str) -> str:
    """Return a page as BeautifulSoup understands it."""
    import warnings

    from bs4 import BeautifulSoup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return BeautifulSoup(text, "html.parser").decode()


def html_text(fragment: str) -> str:
    """Return a fragment as Markdown: tables as pipe tables, lists, links, alternative texts; no hidden text."""
    if "<" not in fragment and "&" not in fragment:
        return fragment.strip()
    blocks = feed(fragment, Walk())
    return "\n\n".join(block.text for block in blocks if block.text and block.layer != "hidden")


def page_metadata(walk: Walk, report: Report) -> None:
    """Tell *report* what a page says about itself."""
    fields = walk.fields

    def first(*names: str) -> str:
        return next((fields[name] for name in names if fields.get(name)), "")

    report.metadata(
        title=walk.title or first("og:title", "dc.title", "dcterms.title", "twitter:title"),
        authors=first("author", "article:author", "dc.creator", "dcterms.creator", "citation_author"),
        created=first("article:published_time", "dcterms.created", "dc.date", "dcterms.date", "date"),
        modified=first("article:modified_time", "dcterms.modified", "last-modified", "revised"),
        language=walk.language or first("content-language", "dc.language", "dcterms.language", "language"),
        tags=[word.strip() for word in first("keywords", "news_keywords").split(",")],
        description=first("description", "og:description", "dc.description", "dcterms.description", "abstract"),
        images=list(walk.pictures),
    )
