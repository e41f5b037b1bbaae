"""Turn the pages of a PDF into sections."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.pdf.furniture import find_furniture, wording
from gatherum_formats.pdf.headings import guess_headings
from gatherum_formats.pdf.layout import paragraphs
from gatherum_formats.pdf.lines import LEADER, SOFT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum import Section
    from gatherum.document import Kind
    from gatherum_formats.pdf.headings import Headings
    from gatherum_formats.pdf.lines import Line
    from gatherum_formats.pdf.pages import Page

_LISTED: Final = re.compile(rf"\s{LEADER}\s+(?:\d+|[ivxlc]+)$")
_COMPOUND: Final = re.compile(r"\w+(?:-\w+)+")


class _Words:
    """The words that a document writes with a hyphen inside a line."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages

    def __contains__(self, word: str) -> bool:
        return word in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        texts = (line.text.casefold() for page in self._pages for line in page.lines if "-" in line.text)
        return frozenset(word for text in texts for word in _COMPOUND.findall(text))


def sections(pages: Sequence[Page], outline: Headings) -> Iterator[Section]:
    """Yield the sections of a document, none of which runs over the end of a page.

    Args:
        pages: The pages.
        outline: Its bookmarks; where it is empty, headings are looked for in the text.
    """
    furniture = find_furniture(pages)
    headings = outline or guess_headings(pages, furniture)
    builder, words, told = SectionBuilder(), _Words(pages), set[str]()
    lines = _mended(pages, furniture, headings, words)
    for at, page in enumerate(pages):
        place = Locator.page(page.number)
        for line_at, line in enumerate(page.lines):
            if (at, line_at) in furniture and (said := wording(line)) not in told:
                told.add(said)
                text = line.text.replace(SOFT, "-")
                yield from builder.add(text, kind="header", layer="furniture", locator=place)
        run: list[Line] = []
        skip = 0
        for line_at in range(len(page.lines) + 1):
            for heading in headings.get((at, line_at), ()):
                yield from _written(builder, run, words, place)
                run = []
                yield from builder.enter(heading.level, heading.title, locator=place)
                skip = max(skip, heading.lines)
            if skip:
                skip -= 1
            elif line_at < len(page.lines) and (at, line_at) not in furniture:
                run.append(lines[at][line_at])
        yield from _written(builder, run, words, place)
        yield from _extras(builder, page, place)
        if run or page.hidden or page.alts or page.lost or page.marks.fields or page.marks.comments:
            yield from builder.close()
    yield from builder.close()


def _mended(
    pages: Sequence[Page], furniture: set[tuple[int, int]], headings: Headings, words: _Words
) -> list[list[Line]]:
    """Return the lines of each page; a word that a page end breaks is put together on the first page."""
    lines = [list(page.lines) for page in pages]
    last: tuple[int, int] | None = None
    for at, page in enumerate(pages):
        body = [line_at for line_at in range(len(page.lines)) if (at, line_at) not in furniture]
        if not body:
            continue
        first = body[0]
        if last and lines[last[0]][last[1]].text.endswith(SOFT) and not headings.get((at, first)):
            before, after = lines[last[0]][last[1]], lines[at][first]
            head, (tail, _, rest) = before.text.removesuffix(SOFT), after.text.partition(" ")
            if tail[:1].islower() and head[-1:].isalpha():
                hyphen = "-" * (f"{head.rpartition(' ')[2]}-{tail}".casefold() in words)
                lines[last[0]][last[1]] = replace(before, text=f"{head}{hyphen}{tail}")
                lines[at][first] = replace(after, text=rest)
        last = at, body[-1]
    return lines


def _written(builder: SectionBuilder, run: Sequence[Line], words: _Words, place: Locator) -> Iterator[Section]:
    for paragraph in paragraphs(run, words.__contains__):
        listed = sum(bool(_LISTED.search(line.text)) for line in paragraph.lines)
        kind: Kind = "toc" if listed > 0.6 * len(paragraph.lines) else "prose"
        yield from builder.add(paragraph.text, kind=kind, locator=place, separator="\n" if listed else "\n\n")


def _extras(builder: SectionBuilder, page: Page, place: Locator) -> Iterator[Section]:
    if page.hidden:
        yield from builder.add("\n".join(page.hidden), kind="note", layer="hidden", locator=place)
    for alt in page.alts:
        yield from builder.add(alt, kind="alt", locator=place)
    if page.lost:
        yield from builder.add("\n".join(f"- <{address}>" for address in page.lost), kind="list", locator=place)
    if page.marks.fields:
        yield from builder.add("\n".join(page.marks.fields), kind="form", locator=place)
    for comment in page.marks.comments:
        yield from builder.add(comment, kind="comment", layer="annotation", locator=place)
