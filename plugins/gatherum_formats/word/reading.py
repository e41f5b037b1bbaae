"""Word documents, read on their XML trees.

The text is walked on the XML trees of the package, because python-docx's object model leaves out text boxes, notes,
content controls, insertions, charts and list numbers, and takes quadratic time on tables. Opening the package with it
takes as long as all the rest of reading an ordinary document, and it refuses strict files, templates, macros, broken
relationships and damaged XML: so it is asked only where no document is found, and the same walker reads what it opens.

The style Title is the title of the document, not a heading: Word's own outline leaves it out.

A heading number that Word counts itself stands in the heading where it names what it counts ("Article 3 Scope", "3.1
Terms" below it): such documents are cited by it. A bare outline number ("3.1") opens the text of its section instead:
it changes whenever a heading is added above it, and the path by which a section is known and compared does not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gatherum import Locator, Section, SectionBuilder, UnreadableError
from gatherum_formats.shared.fence import fenced
from gatherum_formats.word.block import Block
from gatherum_formats.word.graphics import Attached
from gatherum_formats.word.notes import Notes
from gatherum_formats.word.numbering import Numbering
from gatherum_formats.word.parts import Parts, R, W
from gatherum_formats.word.story import Context, Story
from gatherum_formats.word.styles import Styles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from gatherum import Report, Source


def read_document(source: Source, report: Report) -> Iterator[Section]:
    """Yield the sections of a document; page headers and footers come last.

    Raises:
        UnreadableError: It is no usable archive, or has no main part.
    """
    parts = Parts(source, report)
    if parts.document is None:
        parts = Parts(source, report, opened=True)
    empty = True
    for section in read_parts(parts, source, report):
        empty = False
        yield section
    if empty and not report.problems:
        pictures = any("/media/" in name for name in parts.package.archive.names)
        report.problem("no_text" if pictures else "empty", f"{source.name} has no text in it")


def read_parts(parts: Parts, source: Source, report: Report) -> Iterator[Section]:
    """Yield the sections of an opened package."""
    root = parts.document
    if root is None:
        raise UnreadableError("corrupt", f"{source.name} has no document in it")
    parts.package.core_properties()
    numbering = Numbering(_related(parts, "numbering"))
    styles = Styles(_related(parts, "styles"), numbering.level_of_style)
    context = Context(parts=parts, report=report, styles=styles, numbering=numbering, notes=Notes(parts))
    story = context.story(parts.main)
    body = root.find(f"{W}body")
    yield from _sections(story, story.blocks(body if body is not None else root), report)
    report.metadata(title=story.title)
    builder = SectionBuilder()
    for block in (*_unreferenced(context, story), *_furniture(context, root)):
        yield from builder.add(block.text, kind=block.kind, layer=block.layer)
    yield from builder.close()


def _sections(story: Story, blocks: Iterable[Block], report: Report) -> Iterator[Section]:
    builder = SectionBuilder()
    code: list[str] = []
    place = begun = Locator.paragraph(1)
    for block in blocks:
        if story.position != place.start:
            place = Locator.paragraph(story.position)
        if block.kind == "code":
            begun = begun if code else place
            code.append(block.text)
            continue
        if code:
            yield from builder.add(fenced("\n".join(code).strip("\n")), kind="code", locator=begun)
            code = []
        if block.level:
            yield from builder.enter(block.level, block.text, locator=place)
            yield from builder.add(block.number, locator=place)
        elif block.child is not None:
            yield from builder.close()
            for section in report.child(block.text, block.child):
                yield _rehomed(section, builder, place)
        else:
            separator = "\n" if block.kind in ("list", "toc") else "\n\n"
            yield from builder.add(block.text, kind=block.kind, layer=block.layer, locator=place, separator=separator)
    if code:
        yield from builder.add(fenced("\n".join(code).strip("\n")), kind="code", locator=begun)
    yield from builder.close()


def _rehomed(section: Section, builder: SectionBuilder, place: Locator) -> Section:
    """Put a section of a document inside the document under the heading that is open."""
    level = builder.level + section.level if section.level else builder.level
    return replace(section, heading=(*builder.heading, *section.heading), level=min(level, 9), locator=place)


def _related(parts: Parts, kind: str) -> _Element | None:
    part = parts.related(kind)
    return parts.xml(part) if part else None


def _unreferenced(context: Context, story: Story) -> Iterator[Block]:
    """Yield the notes and comments that stand in the file without a place in the text."""
    for kind, mark, element in context.notes.rest():
        yield from story.note(Attached(what=kind, element=element, mark=mark))


def _furniture(context: Context, root: _Element) -> Iterator[Block]:
    """Yield page headers and footers, each distinct text once, in the order in which the pages use them."""
    edges = context.parts.relationships(context.parts.main)
    used = [
        edges.get(reference.get(f"{R}id") or "")
        for reference in root.iter(f"{W}headerReference", f"{W}footerReference")
    ]
    rest = [edge for edge in edges.values() if edge.kind in ("header", "footer")]
    seen: set[str] = set()
    for part in dict.fromkeys(edge.target for edge in (*used, *rest) if edge is not None and not edge.external):
        if part not in context.parts:
            context.report.problem("missing_part", "a page header or footer is not in the file")
            continue
        header = context.parts.xml(part)
        for block in context.story(part).blocks(header, 1) if header is not None else ():
            text = " ".join(block.text.split())
            if text and text not in seen and block.child is None:
                seen.add(text)
                kept = block.layer == "hidden"
                yield block if kept else Block(text=block.text, kind="header", layer="furniture")
