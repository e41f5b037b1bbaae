"""Markdown as sections: for Markdown files, and for Markdown inside other formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Locator
from gatherum_formats.markdown.blocks import markdown_blocks
from gatherum_formats.markdown.order import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatherum import Report, Section, SectionBuilder


def markdown_sections(
    text: str,
    builder: SectionBuilder,
    report: Report,
    *,
    first: int = 1,
    mdx: bool = False,
    locator: Callable[[int, int], Locator] = Locator.lines,
) -> Iterator[Section]:
    """Yield the sections of a Markdown text without front matter; what is left in *builder* is the caller's to take.

    Args:
        text: The text, its line ends made single.
        builder: Takes headings and text, so that the text may continue what stands before it.
        report: Told of hidden text, and of text that could not be parsed.
        first: The number of the text's first line.
        mdx: Whether the tags of components and module statements belong to the language.
        locator: Makes the place of lines *start* to *end*.
    """
    lines = text.replace("\x00", " ").split("\n")
    try:
        blocks = markdown_blocks(lines, mdx=mdx)
    except RecursionError:
        report.problem("too_deep", "the text is nested too deeply to be parsed; it is kept as it is written")
        blocks = [Block(start=1, end=len(lines), text="\n".join(lines))]
    if any(block.layer == "hidden" for block in blocks):
        report.problem("hidden_text", "the text has comments that its readers do not see")
    for block in blocks:
        place = locator(block.start + first - 1, block.end + first - 1)
        if block.level:
            yield from builder.enter(block.level, block.text, locator=place)
        else:
            yield from builder.add(block.text, kind=block.kind, layer=block.layer, locator=place)
