"""The walk through an HTML page: the parser's events in, blocks of text out."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import unquote

from gatherum_formats.html.common import common_attributes
from gatherum_formats.html.inline import apart
from gatherum_formats.html.rules import BLOCKS, CLOSING, RULES
from gatherum_formats.html.structure import titled
from gatherum_formats.html.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from gatherum_formats.html.blocks import Block, Note
    from gatherum_formats.html.math import MathGatherer

    Undo = Callable[[], None]

_MOST_PIECES: Final = 2000
_CROWDED: Final = 64
_LONG_FOR_A_HEADING: Final = 200


class Walk(Writer):
    """A target for lxml's HTML parser that turns what it is told into blocks.

    It keeps a stack of what to undo when each element ends, never calls itself, and looks at every event once: pages
    of any size and depth take linear time.

    Args:
        name: The page's own name, as links from other pages of the same book write it.
        anchors: Identifiers whose places are wanted as blocks.
        address: Makes of each link's target the address to show, or "" for none.
        content: Whether all of it is content, so that headers, footers and asides are too.
        depth: How many pages this one lies inside.
    """

    def __init__(
        self,
        *,
        name: str = "",
        anchors: Collection[str] = (),
        address: Callable[[str], str] | None = None,
        content: bool = False,
        depth: int = 0,
    ) -> None:
        super().__init__()
        self.name, self.anchors, self.address, self.depth = name, anchors, address, depth
        self.fallback: list[Block] = []
        self.notes: dict[str, Note] = {}
        self.fields: dict[str, str] = {}
        self.pictures: dict[str, None] = {}
        self.title = self.language = self.base = ""
        self.hiding: frozenset[str] = frozenset()
        self.notes_kind: Literal["", "footnote", "endnote"] = ""
        self.main = int(content)
        self.in_note = self.drawing = 0
        self.muted = 0
        self.switched = False
        self.raw: list[str] | None = None
        self.then: Callable[[str], None] | None = None
        self.math: MathGatherer | None = None
        self._undo: list[Undo | None] = []

    def start(self, tag: str, attrs: Mapping[str, str]) -> None:
        """An element begins."""
        if self.muted:
            self.muted += 1
            return
        if self.math is not None and self.math.start(tag, attrs, foreign=tag in BLOCKS):
            return
        if self.math is not None:
            self._undo.extend([None] * self.math.depth)
            self.end_math()
        rule = RULES.get(tag)
        if rule is None and ":" in tag:
            tag = tag.rpartition(":")[2]
            rule = RULES.get(tag)
        elif rule is None and "-" in tag:
            rule = apart
        undo: Undo | None = None
        block = tag in BLOCKS
        if attrs and attrs.get("role") == "heading":
            rule, block = titled, True
        if block and self.flow.solid:
            undo = self._interrupt(tag)
        elif block:
            self.end_block()
        if attrs:
            undo = both(common_attributes(self, tag, attrs, block), undo)
        if rule is not None and not self.muted:
            undo = both(rule(self, tag, attrs), undo)
        self._undo.append(both(self.end_block, undo) if block else undo)

    def end(self, tag: str) -> None:
        """An element ends."""
        if self.muted > 1:
            self.muted -= 1
            return
        if self.muted:
            self.muted = 0
            then, text = self.then, "".join(self.raw or ())
            self.then = self.raw = None
            if then is not None:
                then(text)
        elif self.math is not None:
            if self.math.end():
                return
            self.end_math()
        undo = self._undo.pop() if self._undo else None
        if undo is not None:
            undo()

    def data(self, text: str) -> None:
        """Text stands between tags."""
        if self.muted:
            if self.raw is not None:
                self.raw.append(text)
        elif self.math is not None:
            self.math.data(text)
        else:
            self.inline.append(text)

    def close(self) -> list[Block]:
        """Finish the page and return its blocks."""
        if self.math is not None:
            self.end_math()
        while self._undo:
            undo = self._undo.pop()
            if undo is not None:
                undo()
        self.end_block()
        self.flush()
        if not any(block.text for block in self.blocks):
            self.blocks += self.fallback
        return self.blocks

    def mute(self, then: Callable[[str], None] | None = None) -> None:
        """Pass over the element that has just begun; *then* is told its text."""
        self.muted, self.then = 1, then
        self.raw = None if then is None else []

    def _interrupt(self, tag: str) -> Undo | None:
        """Let a block begin inside a heading or code; end what it cannot stand in."""
        flow = self.flow
        if flow.solid == "heading":
            if tag in CLOSING or len(self.inline) > _CROWDED:
                text = "".join(self.inline)
                if text.strip() and (tag in CLOSING or len(text) > _LONG_FOR_A_HEADING):
                    self.end_heading()
                    return None
                self.inline[:] = [text] if text.strip() else []
                flow.turn += 1
            self.end_block()
            return None
        if tag not in CLOSING:
            self.end_block()
            return None
        self.end_pre()

        def resume() -> None:
            self.end_block()
            flow.solid = "pre"

        return resume

    def end_math(self) -> None:
        """Turn the formula that is open into text."""
        if self.math is not None:
            text, self.math = self.math.text(), None
            if text:
                self.inline.append(text)

    def nest(self, page: str) -> None:
        """Read a page that stands inside this one."""
        inner = Walk(depth=self.depth + 1, content=self.main > 0)
        feed(page, inner)
        for block in inner.blocks:
            layer = block.layer if self.layer == "body" else self.layer
            self.post(replace(block, layer=layer, first=self.line, last=self.line))

    def key(self, href: str) -> str:
        """Return the key of a place: a page's name and the fragment in it."""
        path, _, fragment = href.partition("#")
        if not path:
            return f"{self.name}#{unquote(fragment)}"
        return f"{posixpath.normpath(posixpath.join(posixpath.dirname(self.name), unquote(path)))}#{unquote(fragment)}"


def both(first: Undo | None, second: Undo | None) -> Undo | None:
    """Join two things to undo."""
    if first is None or second is None:
        return first or second
    return partial(_run_both, first, second)


def _run_both(first: Undo, second: Undo) -> None:
    first()
    second()


def feed(text: str, walk: Walk, *, lines: bool = True) -> list[Block]:
    """Walk through a page and return its blocks.

    The parser is fed in pieces of a few lines, so that blocks know their lines; those of very long pages are exact to
    within a few.

    Args:
        text: The page.
        walk: A new walk.
        lines: Whether lines are wanted.
    """
    from lxml import etree

    data = text.replace("\0", "").encode("utf-8", "replace")
    if not data.strip():
        return walk.close()
    target: Any = walk
    parser = etree.HTMLParser(target=target, encoding="utf-8", no_network=True, recover=True, huge_tree=True)
    pieces = data.splitlines(keepends=True) if lines else [data]
    step = 1 + len(pieces) // _MOST_PIECES
    try:
        for at in range(0, len(pieces), step):
            parser.feed(b"".join(pieces[at : at + step]))
            walk.line = at + step + 1
        walk.line = len(pieces)
        parser.close()
    except etree.LxmlError:
        walk.close()
    return walk.blocks
