"""The sections of OpenDocument text, presentations and drawings.

The parts are read with the guards of `gatherum.limits` and walked once. odfpy gives the names of the markup and is the
second reader in the tests; it does not open the files, because that takes four times as long as reading them, raises on
document type declarations, prints damaged XML to standard output, and keeps deleted text.

The style Title is the title of the document, not a heading. The numbers that the outline gives
to headings are kept in them or at the start of their text: see `shared.heading_numbers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Locator, SectionBuilder
from gatherum_formats.opendocument.names import clark
from gatherum_formats.opendocument.package import OpenDocument
from gatherum_formats.opendocument.reading import furniture, new_walker
from gatherum_formats.opendocument.slides import Slides

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatherum import Report, Section, Source
    from gatherum_formats.opendocument.flow import Block


def read_document(source: Source, report: Report) -> Iterator[Section]:
    """Yield text in reading order, then headers and footers.

    Args:
        source: The file.
        report: Told of metadata and problems.

    Raises:
        UnreadableError: It is no OpenDocument file, or is locked by a password.
    """
    package = OpenDocument(source, report)
    package.describe()
    body = package.body
    if body is not None:
        walker = new_walker(package, report)
        report.metadata(language=walker.styles.language)
        if body.tag in (clark("office:presentation"), clark("office:drawing")):
            yield from Slides(walker, report).sections(body)
        else:
            yield from _text(walker.blocks(body))
            report.metadata(title=walker.title)
    yield from furniture(package, report)


def _text(blocks: Iterable[Block]) -> Iterator[Section]:
    """Make sections of running text; boxes with headings of their own come at the end of the section around them."""
    builder = SectionBuilder()
    boxed: list[Block] = []
    for block in blocks:
        if block.boxed:
            boxed.append(block)
            continue
        if block.level and boxed:
            yield from _add_boxed(builder, boxed)
            boxed = []
        yield from _add(builder, block, block.level)
    yield from _add_boxed(builder, boxed)
    yield from builder.close()


def _add_boxed(builder: SectionBuilder, blocks: list[Block]) -> Iterator[Section]:
    """Add boxes below the open heading, so that the headings that follow keep their parents."""
    shift = max(0, builder.level + 1 - min((block.level for block in blocks if block.level), default=9))
    for block in blocks:
        yield from _add(builder, block, min(block.level + shift, 9) if block.level else 0)


def _add(builder: SectionBuilder, block: Block, level: int) -> list[Section]:
    where = Locator.paragraph(max(block.place, 1))
    if level:
        return builder.enter(level, block.text, locator=where) + builder.add(block.number, locator=where)
    return builder.add(block.text, kind=block.kind, layer=block.layer, separator=block.separator, locator=where)
