"""A presentation as sections: its slides in the order in which they are shown, each with notes and comments."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.powerpoint.comments import comment_authors, read_comments
from gatherum_formats.powerpoint.layouts import Layouts, P
from gatherum_formats.powerpoint.slides import Block, ShapeTree
from gatherum_formats.powerpoint.text import A, R

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from gatherum import Report, Section
    from gatherum_formats.powerpoint.slides import Slide
    from gatherum_formats.shared.opc import Package, Relationship

_P14: Final = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
MAIN: Final = "ppt/presentation.xml"
_SLIDE_NAME: Final = re.compile(r"ppt/slides/slide(\d{1,9})\.xml")
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\((?:<([^<>]*)>|([^()\s]*))\)")
_TITLE: Final = 250
_LEAD: Final = 100
"""A slide without a title is named by its first text, cut to so many characters."""


class Deck:
    """One presentation while it is read.

    Args:
        package: The presentation.
        report: Told of metadata, and of what is missing or hidden.
    """

    def __init__(self, package: Package, report: Report) -> None:
        self._package = package
        self._report = report
        self._layouts = Layouts(package)
        self._builder = SectionBuilder()
        self._said: set[str] = set()
        self._pictured = self._texts = False
        self._hiding: Locator | None = None
        self._authors: dict[str, str] | None = None
        self._edges: dict[str, Relationship] = {}

    def read(self) -> Iterator[Section]:
        """Yield the sections of all slides."""
        main = self._package.main(MAIN)
        root = self._package.xml(main)
        self._edges = self._package.relationships(main)
        slides = list(self._listed(root)) if root is not None else []
        slides = slides or [(part, "") for part in self._found()]
        hidden, within = [], ""
        for number, (part, section) in enumerate(slides, 1):
            place = Locator.slide(number)
            if section and section != within:
                yield from self._builder.enter(1, section, locator=place)
            within = section
            shape_root = self._package.xml(part)
            if shape_root is None:
                yield from self._builder.enter(2 if section else 1, f"Slide {number}", locator=place)
                continue
            if shape_root.get("show", "1") in ("0", "false"):
                hidden.append(number)
            yield from self._slide(part, shape_root, place, 2 if section else 1)
        yield from self._builder.close()
        self._report.metadata(hidden_slides=hidden)
        if self._pictured and not self._texts:
            self._report.problem("no_text", "the slides show pictures and no text")

    def _listed(self, root: _Element) -> Iterator[tuple[str, str]]:
        """Yield the slides that are shown, each with the name of its section."""
        sections: dict[str, str] = {}
        for section in root.iter(f"{_P14}section"):
            for member in section.iter(f"{_P14}sldId"):
                sections.setdefault(member.get("id", ""), " ".join(section.get("name", "").split()))
        seen: set[str] = set()
        for entry in root.iter(f"{P}sldId"):
            edge = self._edges.get(entry.get(f"{R}id", ""))
            if edge is None or edge.external:
                self._report.problem("missing_part", "the presentation lists a slide that is not in the file")
            elif edge.target not in seen:
                seen.add(edge.target)
                yield edge.target, sections.get(entry.get("id", ""), "")

    def _found(self) -> list[str]:
        """Return the slides of a presentation whose list of slides is lost: as the library has them, or by name."""
        names = ((match, name) for name in self._package.archive.names if (match := _SLIDE_NAME.fullmatch(name)))
        parts = [name for _, name in sorted((int(match[1]), name) for match, name in names)]
        if not parts:
            return []
        self._report.problem("partial", "the list of slides is lost; the slides that are in the file were read")
        return _known_to_library(self._package) or parts

    def _slide(self, part: str, root: _Element, place: Locator, level: int) -> Iterator[Section]:
        edges = self._package.relationships(part)
        targets = [(edge.kind, edge.target) for edge in edges.values() if not edge.external]
        layout = self._layouts.of(next((target for kind, target in targets if kind == "slideLayout"), None))
        slide = ShapeTree(self._package, self._report, edges, layout).read(root)
        title, blocks = _named(slide, place.start)
        self._texts = self._texts or bool(slide.title or slide.blocks)
        self._pictured = self._pictured or (not self._texts and next(root.iter(f"{A}blip"), None) is not None)
        yield from self._builder.enter(level, title, locator=place)
        yield from self._blocks(blocks, place)
        for kind, target in targets:
            if kind == "notesSlide":
                yield from self._notes(target, place)
        for kind, target in targets:
            if kind == "comments":
                yield from self._comments(target, place)
        for text in layout.furniture if root.get("showMasterSp", "1") not in ("0", "false") else ():
            yield from self._furniture(text, place)

    def _blocks(self, blocks: Iterable[Block], place: Locator) -> Iterator[Section]:
        for block in blocks:
            if block.layer == "furniture":
                yield from self._furniture(block.text, place)
                continue
            if block.layer == "hidden" and self._hiding is None:
                self._hiding = place
                self._report.problem("hidden_text", "there are shapes that are not shown and have text", place)
            separator = "\n" if block.close else "\n\n"
            yield from self._builder.add(
                block.text, kind=block.kind, layer=block.layer, locator=place, separator=separator
            )

    def _furniture(self, text: str, place: Locator) -> Iterator[Section]:
        """Yield a header or footer, the first time that it is met."""
        if text not in self._said:
            self._said.add(text)
            yield from self._builder.add(text, kind="header", layer="furniture", locator=place)

    def _notes(self, part: str, place: Locator) -> Iterator[Section]:
        root = self._package.xml(part)
        if root is None:
            return
        linked = next(root.iter(f"{A}hlinkClick", f"{A}graphicData"), None) is not None
        edges = self._package.relationships(part) if linked else {}
        page = ShapeTree(self._package, self._report, edges).read(root)
        notes = (
            replace(block, kind="note", layer="notes") if block.layer == "body" else block for block in page.blocks
        )
        yield from self._blocks(notes, place)

    def _comments(self, part: str, place: Locator) -> Iterator[Section]:
        root = self._package.xml(part)
        if root is None:
            return
        if self._authors is None:
            self._authors = comment_authors(self._package, self._edges)
        for text in read_comments(root, self._authors):
            yield from self._builder.add(text, kind="comment", layer="annotation", locator=place)


def _named(slide: Slide, number: int) -> tuple[str, list[Block]]:
    """Return a slide's heading, and its blocks without the text that became the heading."""
    if slide.title:
        if len(slide.title) <= _TITLE:
            return slide.title, slide.blocks
        return _cut(slide.title, _TITLE), [Block(text=slide.title), *slide.blocks]
    for at, block in enumerate(slide.blocks):
        lead = " ".join(_LINK.sub(r"\1", block.lead).split())
        if not lead:
            continue
        if len(lead) > _LEAD:
            return _cut(lead, _LEAD), slide.blocks
        targets = [Block(text=f"<{match[2] or match[3]}>") for match in _LINK.finditer(block.text)]
        return lead, [*slide.blocks[:at], *targets, *slide.blocks[at + 1 :]]
    return f"Slide {number}", slide.blocks


def _cut(text: str, length: int) -> str:
    return f"{text[:length].rsplit(' ', 1)[0]}…"


def _known_to_library(package: Package) -> list[str]:
    """Return the parts of the slides that python-pptx finds."""
    from pptx import Presentation

    try:
        deck = Presentation(package.archive.slim(lambda name: name.endswith((".xml", ".rels"))))
        return [str(slide.part.partname).lstrip("/") for slide in deck.slides]
    except Exception:  # noqa: BLE001 - what the library raises for a damaged package is open-ended
        return []
