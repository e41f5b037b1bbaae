"""Headings of a book: the table of contents gives the path, the headings inside each file refine it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from gatherum.text import fold
from gatherum_formats.html.blocks import Block

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum_formats.epub.contents import Entry

_DEEPEST: Final = 9
_MOST_PAIRED: Final = 100
_TEXTLESS: Final = frozenset(("heading", "anchor", "alt"))


@dataclass(slots=True, kw_only=True)
class _Region:
    """The blocks from one place of the table of contents to the next, and the headings that its lines speak of."""

    entries: list[Entry]
    blocks: list[Block]
    titles: list[Block] = field(default_factory=list)
    pairs: dict[Entry, Block] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """The level at which a line of the contents stands, and by how much headings below it are moved."""

    level: int
    shift: int = 0


class Outline:
    """Give the blocks of one file after the other the headings that they stand under.

    The ranks of the headings inside the files hold, as long as they do not contradict the table of contents: a line
    stands below the line above it, and a line without heading stands where its neighbours with headings do. A file
    that no line leads to does not belong to the line before it, unless that has a heading too.

    Args:
        entries: The table of contents.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._by_path: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.path:
                self._by_path.setdefault(entry.path, []).append(entry)
        self._parents = {parent for entry in entries for parent in entry.parents}
        self._planned: dict[str, list[_Region]] = {}
        self._ranks: dict[Entry | None, int] = {}
        self._open: dict[Entry, _Standing] = {}
        self._shift = 0
        self._bare: _Standing | None = None

    @property
    def any(self) -> bool:
        """Whether there is a table of contents at all."""
        return bool(self._by_path)

    def fragments(self, path: str) -> frozenset[str]:
        """Return the places inside a file that the table of contents leads to."""
        return frozenset(entry.fragment for entry in self._by_path.get(path, ()) if entry.fragment)

    def plan(self, path: str, blocks: list[Block]) -> None:
        """Find the places of the contents in a file; all files come before the first is laid out."""
        regions = self._planned[path] = self._regions(path, blocks)
        for region in regions:
            for block in region.blocks:
                if block.kind == "heading" and block.layer == "body":
                    region.titles.append(block)
                elif block.kind not in _TEXTLESS:
                    break
            region.pairs = _pair(region.entries, region.titles)
            for entry, title in region.pairs.items():
                above = entry.parents[-1] if entry.parents else None
                self._ranks[above] = min(title.level, self._ranks.get(above, _DEEPEST))

    def lay(self, path: str) -> Iterator[Block]:
        """Yield the blocks of a file with the headings of the table of contents among them, at their levels."""
        regions = self._planned.get(path, [])
        if self._bare is not None and regions and not regions[0].entries and regions[0].titles:
            lowest = min(title.level for title in regions[0].titles)
            self._shift = min(self._bare.shift, self._bare.level - lowest)
        for region in regions:
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
        done: set[Block] = set()
        for entry in region.entries:
            title = region.pairs.get(entry)
            if title is None and not region.blocks and entry not in self._parents:
                continue
            yield from self._open_parents(entry)
            standing = self._stand(entry, title, region.blocks)
            if title is not None:
                for earlier in region.titles[: region.titles.index(title)]:
                    if earlier not in done:
                        done.add(earlier)
                        yield _leveled(earlier, standing.shift)
                done.add(title)
            self._open[entry] = standing
            self._shift = standing.shift
            self._bare = replace(standing, shift=self._over(entry).shift) if title is None else None
            anchor = entry.fragment or (title.anchor if title is not None else "")
            text = entry.title if title is None else title.text
            yield Block(kind="heading", text=text, level=standing.level, anchor=anchor)
        for block in region.blocks:
            if block.kind != "heading":
                yield block
            elif block not in done:
                yield _leveled(block, self._shift) if block.layer == "body" else block

    def _open_parents(self, entry: Entry) -> Iterator[Block]:
        """Open the lines above a line that are not open yet, and close all others."""
        self._open = {opened: standing for opened, standing in self._open.items() if opened in entry.parents}
        for parent in entry.parents:
            if parent not in self._open:
                self._open[parent] = self._stand(parent, None, [])
                yield Block(kind="heading", text=parent.title, level=self._open[parent].level)

    def _over(self, entry: Entry) -> _Standing:
        """Return where the line above a line stands."""
        above = entry.parents[-1] if entry.parents else None
        return _Standing(level=0) if above is None else self._open.get(above, _Standing(level=above.depth))

    def _stand(self, entry: Entry, title: Block | None, blocks: list[Block]) -> _Standing:
        above = entry.parents[-1] if entry.parents else None
        over = self._over(entry)
        rank = title.level if title is not None else self._ranks.get(above, 0)
        level = min(max(entry.depth, over.level + 1, rank + over.shift if rank else 0), _DEEPEST)
        if title is not None:
            return _Standing(level=level, shift=level - title.level)
        lowest = min((block.level for block in blocks if block.kind == "heading"), default=0)
        return _Standing(level=level, shift=level + 1 - lowest if lowest else over.shift)


def _leveled(block: Block, shift: int) -> Block:
    level = min(max(block.level + shift, 1), _DEEPEST)
    return block if level == block.level else replace(block, level=level)


def _pair(entries: list[Entry], titles: list[Block]) -> dict[Entry, Block]:
    """Match entries with the headings at the top of their region, in order."""
    pairs: dict[Entry, Block] = {}
    left = [(_norm(title.text), title) for title in titles[:_MOST_PAIRED]]
    for entry in entries[:_MOST_PAIRED]:
        wanted = _norm(entry.title)
        for at, (said, title) in enumerate(left):
            if _alike(wanted, said):
                pairs[entry] = title
                del left[: at + 1]
                break
    if len(entries) == 1 and not pairs and titles:
        pairs[entries[0]] = titles[0]
    return pairs


def _alike(one: str, other: str) -> bool:
    """Say whether a line of the contents and a heading, both made plain, mean the same."""
    if not one or not other:
        return False
    return one == other or f" {one} " in f" {other} " or f" {other} " in f" {one} "


def _norm(title: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in fold(title)).split())
