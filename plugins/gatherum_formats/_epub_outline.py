"""Headings of a book: the table of contents gives the path, the headings inside each file refine it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from gatherum.text import fold
from gatherum_formats._html_blocks import Block

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gatherum_formats._epub_contents import Entry

_DEEPEST: Final = 9
_MOST_PAIRED: Final = 100
_TEXTLESS: Final = frozenset(("heading", "anchor", "alt"))


@dataclass(slots=True, kw_only=True)
class _Region:
    """The blocks from one place of the table of contents to the next."""

    entries: list[Entry]
    blocks: list[Block]


class Outline:
    """Give the blocks of one file after the other the headings that they stand under.

    Args:
        entries: The table of contents.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._by_path: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.path:
                self._by_path.setdefault(entry.path, []).append(entry)
        self._parents = {parent for entry in entries for parent in entry.parents}
        self._open: list[Entry] = []
        self._shift = 0

    @property
    def any(self) -> bool:
        """Whether there is a table of contents at all."""
        return bool(self._by_path)

    def fragments(self, path: str) -> frozenset[str]:
        """Return the places inside a file that the table of contents leads to."""
        return frozenset(entry.fragment for entry in self._by_path.get(path, ()) if entry.fragment)

    def lay(self, path: str, blocks: list[Block]) -> Iterator[Block]:
        """Yield the blocks of a file with the headings of the table of contents among them, at their levels."""
        for region in self._regions(path, blocks):
            yield from self._lay(region)

    def _regions(self, path: str, blocks: list[Block]) -> list[_Region]:
        """Split a file where the table of contents leads to; a place that is not there is looked for by its title."""
        entries = self._by_path.get(path, [])
        places = {block.anchor for block in blocks if block.kind == "anchor"}
        titles = {_norm(block.text) for block in blocks if block.kind == "heading"} if entries else set()
        at: dict[str, list[Entry]] = {}
        named: dict[str, Entry] = {}
        start: list[Entry] = []
        for entry in entries:
            if entry.fragment in places:
                at.setdefault(entry.fragment, []).append(entry)
            elif entry.fragment and start and _norm(entry.title) in titles:
                named.setdefault(_norm(entry.title), entry)
            elif not entry.fragment or not start:
                start.append(entry)
        regions = [_Region(entries=start, blocks=[])]
        for block in blocks:
            arrived: list[Entry] = []
            if block.kind == "anchor":
                arrived = at.pop(block.anchor, [])
            elif block.kind == "heading" and named:
                found = named.pop(_norm(block.text), None)
                arrived = [found] if found else []
            if arrived:
                last = regions[-1]
                if any(given.kind != "anchor" for given in last.blocks):
                    regions.append(_Region(entries=arrived, blocks=[]))
                else:
                    last.entries += arrived
            if block.kind != "anchor":
                regions[-1].blocks.append(block)
        return regions

    def _lay(self, region: _Region) -> Iterator[Block]:
        blocks = region.blocks
        titles = []
        for block in blocks:
            if block.kind == "heading" and block.layer == "body":
                titles.append(block)
            elif block.kind not in _TEXTLESS:
                break
        pairs = _pair(region.entries, titles)
        done: set[int] = set()
        for entry in region.entries:
            title = pairs.get(id(entry))
            if title is None:
                if not blocks and entry not in self._parents:
                    continue
                lowest = min((block.level for block in blocks if block.kind == "heading"), default=1)
                yield from self._enter(entry, entry.title, blocks[0] if blocks else None)
                self._shift = entry.depth + 1 - lowest
                continue
            for earlier in titles[: titles.index(title)]:
                if id(earlier) not in done:
                    done.add(id(earlier))
                    yield self._leveled(earlier, entry.depth - title.level)
            done.add(id(title))
            self._shift = entry.depth - title.level
            yield from self._enter(entry, title.text, title)
        for block in blocks:
            if block.kind != "heading":
                yield block
            elif id(block) not in done:
                yield self._leveled(block, self._shift) if block.layer == "body" else block

    def _enter(self, entry: Entry, title: str, place: Block | None) -> Iterator[Block]:
        """Open an entry, after those above it that are not open yet."""
        still = [opened for opened in self._open if opened in entry.parents]
        for parent in entry.parents:
            if parent not in still:
                yield Block(kind="heading", text=parent.title, level=parent.depth)
        self._open = [*entry.parents, entry]
        anchor = entry.fragment or (place.anchor if place is not None and place.kind == "heading" else "")
        yield Block(kind="heading", text=title, level=entry.depth, anchor=anchor)

    @staticmethod
    def _leveled(block: Block, shift: int) -> Block:
        level = min(max(block.level + shift, 1), _DEEPEST)
        return block if level == block.level else replace(block, level=level)


def _pair(entries: Iterable[Entry], titles: list[Block]) -> dict[int, Block]:
    """Match entries with the headings at the top of their region, in order."""
    pairs: dict[int, Block] = {}
    left = [(_norm(title.text), title) for title in titles[:_MOST_PAIRED]]
    wanting = list(entries)
    for entry in wanting[:_MOST_PAIRED]:
        wanted = _norm(entry.title)
        for at, (said, title) in enumerate(left):
            if _alike(wanted, said):
                pairs[id(entry)] = title
                del left[: at + 1]
                break
    if len(wanting) == 1 and not pairs and titles:
        pairs[id(wanting[0])] = titles[0]
    return pairs


def _alike(one: str, other: str) -> bool:
    """Say whether a line of the contents and a heading, both made plain, mean the same."""
    if not one or not other:
        return False
    return one == other or f" {one} " in f" {other} " or f" {other} " in f" {one} "


def _norm(title: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in fold(title)).split())
