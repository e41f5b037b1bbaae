"""The text of a book: its files in reading order, each walked once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.epub.outline import Outline
from gatherum_formats.epub.package import resolve
from gatherum_formats.html.blocks import Block, Note, block_sections, settle
from gatherum_formats.html.decode import decode_html, plain_markup
from gatherum_formats.html.walk import Walk, feed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum import Report, Section
    from gatherum.limits import Archive
    from gatherum_formats.epub.contents import Entry
    from gatherum_formats.epub.package import Package


_MARKS: Final = frozenset(("anchor", "reference"))


@dataclass(slots=True, kw_only=True)
class Chapter:
    """A file of the book, walked."""

    path: str
    title: str = ""
    language: str = ""
    blocks: list[Block] = field(default_factory=list)


class Book:
    """Read the files of a book and give their sections.

    Args:
        archive: The book.
        package: Its package.
        entries: Its table of contents.
        report: Told of what is missing, damaged or hidden.
        room: How many characters may be read.
    """

    def __init__(
        self, archive: Archive, package: Package, entries: Sequence[Entry], report: Report, *, room: int
    ) -> None:
        self._archive, self._package, self._report, self._room = archive, package, report, room
        self._outline = Outline(entries)
        self._entries = entries
        self._notes: dict[str, Note] = {}
        self._reached: dict[str, None] = {}
        self._hiding: dict[str, None] = {}

    def sections(self, locked: frozenset[str]) -> Iterator[Section]:
        """Yield the sections of every file that is not *locked*: the spine first, then what only links lead to."""
        chapters = [self._walk(item.path) for item in self._package.spine if item.path not in locked and self._room > 0]
        chapters += list(self._others({chapter.path for chapter in chapters} | locked))
        names = self._names(chapters)
        if not any(block.text for chapter in chapters for block in chapter.blocks):
            self._report.problem("no_text", "no page of the book has text")
        if self._hiding:
            first, more = next(iter(self._hiding)), len(self._hiding) - 1
            others = f" and {more} other files have" if more else " has"
            self._report.problem("hidden_text", f"{first}{others} text that readers do not see")
        builder = SectionBuilder()
        for chapter in chapters:
            self._outline.plan(chapter.path, chapter.blocks)
        for number, chapter in enumerate(chapters, 1):
            blocks = list(self._outline.lay(chapter.path))
            title = names.get(chapter.path)
            if title:
                blocks.insert(0, Block(kind="heading", text=title, level=1))
            yield from self._chapter(number, chapter, blocks, builder)
        yield from builder.close()

    def _walk(self, path: str) -> Chapter:
        chapter = Chapter(path=path)
        data = self._archive.read(path)
        if data is None:
            return chapter
        text = plain_markup(decode_html(data, self._report, name=path))
        self._room -= len(text)
        reached = self._reached
        known: set[str] = set()

        def address(href: str) -> str:
            if ":" in href[:20]:
                return href
            file = href.partition("#")[0]
            if file and file not in known:
                known.add(file)
                found = resolve(self._archive, path, file)
                if found:
                    reached[found] = None
            return ""

        walk = Walk(name=path, anchors=self._outline.fragments(path), address=address, content=True)
        blocks = feed(text, walk, lines=False)
        if path == self._package.nav:
            chapter.blocks = [
                replace(block, kind="toc", layer="furniture", level=0)
                for block in blocks
                if block.layer != "hidden" and block.kind not in _MARKS
            ]
            return chapter
        chapter.blocks = settle(blocks)
        chapter.title, chapter.language = walk.title, walk.language
        self._notes |= walk.notes
        for block in chapter.blocks:
            if block.kind == "reference":
                reached[block.anchor.partition("#")[0]] = None
            elif block.layer == "hidden":
                self._hiding[path] = None
        return chapter

    def _others(self, seen: set[str] | frozenset[str]) -> Iterator[Chapter]:
        """Walk files out of the spine that the table of contents, a link or a reference leads to."""
        seen = {*seen, self._package.nav}
        items = self._package.by_path()
        for entry in self._entries:
            if entry.path:
                self._reached[entry.path] = None
        while True:
            waiting = [path for path in self._reached if path in items and path not in seen and items[path].textual]
            if not waiting or self._room <= 0:
                return
            for path in waiting:
                seen.add(path)
                yield self._walk(path)

    def _names(self, chapters: list[Chapter]) -> dict[str, str]:
        """Return the titles of files without any heading, when the book has no table of contents and they differ."""
        if self._outline.any:
            return {}
        counts: dict[str, int] = {self._report.build().title: 1}
        for chapter in chapters:
            counts[chapter.title] = counts.get(chapter.title, 0) + 1
        return {
            chapter.path: chapter.title
            for chapter in chapters
            if chapter.title and counts[chapter.title] == 1 and not any(b.kind == "heading" for b in chapter.blocks)
        }

    def _chapter(
        self, number: int, chapter: Chapter, blocks: list[Block], builder: SectionBuilder
    ) -> Iterator[Section]:
        anchor = ""
        here = Locator.chapter(number, name=chapter.path)

        def place(block: Block) -> Locator:
            nonlocal anchor, here
            if block.kind == "heading" and block.anchor != anchor:
                anchor = block.anchor
                here = Locator.chapter(number, name=chapter.path, anchor=anchor)
            return here

        yield from block_sections(blocks, self._notes, builder, place)
