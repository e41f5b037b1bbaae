"""Blocks into passages: a passage never crosses into a section of another parent, and none is lost for being small."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from gatherum.chunking.blocks import Block, blocks_of
from gatherum.chunking.chunk import Chunk, context_of
from gatherum.locator import Locator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum.chunking.blocks import Count
    from gatherum.config import ChunkingSettings
    from gatherum.document import Document, Kind, Metadata
    from gatherum.rendering import Rendered

_SLACK = 1.5
"""A section this much longer than the target stays whole: a short rest would be a poor passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """The blocks that stand under one heading path, or under several short ones with the same parent.

    Attributes:
        heading: The path; that of the parent when there are several.
        blocks: The text; empty for a heading alone.
        place: Where the heading stands.
        line: The line of it in the rendered document.
        several: Whether these are several sections.
    """

    heading: tuple[str, ...]
    blocks: tuple[Block, ...]
    place: Locator
    line: int
    several: bool = False

    @property
    def tokens(self) -> int:
        return sum(block.tokens for block in self.blocks)

    def titled(self) -> tuple[Block, ...]:
        """The blocks with the title as the first line of the text."""
        if self.several or not self.heading:
            return self.blocks
        title = f"**{self.heading[-1]}**" if self.blocks else self.heading[-1]
        tokens = len(title) // 3 + 1
        if not self.blocks:
            block = Block(text=title, kind="header", layer="body", locator=self.place, line=self.line, tokens=tokens)
            return (block,)
        first = self.blocks[0]
        return (replace(first, text=f"{title}\n\n{first.text}", tokens=first.tokens + tokens), *self.blocks[1:])


def chunk_document(
    document: Document, rendered: Rendered, count: Count, settings: ChunkingSettings, *, title: str
) -> list[Chunk]:
    """Return the passages of a document, its description last.

    Args:
        document: The document.
        rendered: The same, rendered.
        count: Counts the tokens of many texts at once.
        settings: How long passages are.
        title: The document's title.
    """
    chunks = [
        _chunk(run, group.heading, title)
        for group in _merged(_groups(rendered, count, settings), settings)
        for run in _packed(group.blocks, settings.target)
    ]
    if text := _description(document.metadata, title):
        place = Locator(unit="document", label="document properties")
        tokens = count([text])[0]
        block = Block(text=text, kind="metadata", layer="metadata", locator=place, line=1, tokens=tokens)
        chunks.append(_chunk([block], (), ""))
    return chunks


def _groups(rendered: Rendered, count: Count, settings: ChunkingSettings) -> Iterator[_Group]:
    pairs = zip(rendered.sections, rendered.lines, strict=True)
    for heading, run in groupby(pairs, key=lambda pair: pair[0].heading):
        pieces = list(run)
        blocks = blocks_of(pieces, count, target=settings.target, whole=settings.whole)
        section, line = pieces[0]
        yield _Group(heading=heading, blocks=tuple(blocks), place=section.locator, line=line)


def _merged(groups: Iterator[_Group], settings: ChunkingSettings) -> Iterator[_Group]:
    """Join each section that is too short to stand alone to the one after it, if that is its child or as short."""
    held: _Group | None = None
    for group in groups:
        joined = _join(held, group, settings.merge) if held else group
        if joined is None and held is not None:
            yield _alone(held)
        held = joined or group
        if held.tokens >= settings.merge:
            yield _alone(held)
            held = None
    if held is not None:
        yield _alone(held)


def _join(held: _Group, group: _Group, merge: int) -> _Group | None:
    """Return both as one, or None if they must stay apart.

    A short text before a section of some length goes under that section's heading; several short sections go under the
    heading that they share, each with its own title in the text.
    """
    base = held.heading if held.several else held.heading[:-1]
    below = not held.several and group.heading[: len(held.heading)] == held.heading
    if below and (not held.blocks or not held.heading or group.tokens >= merge):
        return replace(group, blocks=(*held.blocks, *group.blocks))
    if below:
        return replace(held, blocks=(*held.blocks, *group.titled()), several=True)
    if not base or not group.heading or base != group.heading[:-1] or group.tokens >= merge:
        return None
    return replace(held, heading=base, blocks=(*held.titled(), *group.titled()), several=True)


def _alone(group: _Group) -> _Group:
    """Give a heading without text its own title for text, so that it can be found."""
    return group if group.blocks else replace(group, blocks=group.titled())


def _packed(blocks: Sequence[Block], target: int) -> Iterator[list[Block]]:
    """Yield runs of blocks of nearly equal length around *target*; annotations keep to themselves."""
    for _, same in groupby(blocks, key=lambda block: block.layer == "annotation"):
        run = list(same)
        total = sum(block.tokens for block in run)
        if total <= target * _SLACK:
            yield run
            continue
        goal = total / -(-total // target)
        begin = used = 0
        for number, block in enumerate(run):
            if used and (used + block.tokens > target * _SLACK or used + block.tokens / 2 > goal):
                yield run[begin:number]
                begin, used = number, 0
            used += block.tokens
        yield run[begin:]


def _chunk(blocks: Sequence[Block], heading: tuple[str, ...], title: str) -> Chunk:
    weights: Counter[Kind] = Counter()
    for block in blocks:
        weights[block.kind] += block.tokens
    text = "".join(part for block in blocks for part in (block.glue, block.text)).lstrip("\n ")
    return Chunk(
        text=text,
        heading=heading,
        context=context_of(title, heading),
        kind=weights.most_common(1)[0][0],
        layer=blocks[0].layer,
        locator=blocks[0].locator.to(blocks[-1].locator),
        line=blocks[0].line,
        tokens=sum(block.tokens for block in blocks),
    )


def _description(metadata: Metadata, title: str) -> str:
    """Return what a document says about itself as a passage; "" if that is no more than its title."""
    rows = (
        ("Authors", ", ".join(metadata.authors)),
        ("Keywords", ", ".join(metadata.tags)),
        ("Description", metadata.description),
    )
    lines = [f"{name}: {value}" for name, value in rows if value]
    if not lines:
        return ""
    dates = (("Created", metadata.created), ("Modified", metadata.modified))
    lines += [f"{name}: {value}" for name, value in dates if value]
    return "\n".join([f"Title: {title}", *lines] if title else lines)
