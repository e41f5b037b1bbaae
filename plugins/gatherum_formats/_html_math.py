"""MathML met on the way through a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats._mathml import mathml_to_tex

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEEPEST: Final = 200
_FOREIGN: Final = frozenset(
    ("p", "div", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "blockquote", "pre")
)


class MathGatherer:
    """Build the small tree of one formula from events.

    Attributes:
        depth: How many elements are open inside it.
    """

    def __init__(self, attrs: Mapping[str, str]) -> None:
        from lxml import etree

        self.depth = 0
        self._tree = etree.TreeBuilder()
        self._tree.start("math", dict(attrs))

    def start(self, tag: str, attrs: Mapping[str, str]) -> bool:
        """Take an element; False if it cannot belong to a formula, which then was never closed."""
        tag = tag.rpartition(":")[2]
        if tag in _FOREIGN:
            return False
        self.depth += 1
        if self.depth <= _DEEPEST:
            self._tree.start(tag, {name: value for name, value in attrs.items() if ":" not in name})
        return True

    def end(self, tag: str) -> bool:
        """End an element inside; False if it is the formula that ends."""
        if not self.depth:
            return False
        if self.depth <= _DEEPEST:
            self._tree.end(tag.rpartition(":")[2])
        self.depth -= 1
        return True

    def data(self, text: str) -> None:
        """Take text."""
        self._tree.data(text)

    def text(self) -> str:
        """Return the formula between dollar signs; "" if it is empty."""
        for _ in range(min(self.depth, _DEEPEST)):
            self._tree.end("")
        self._tree.end("math")
        tex = mathml_to_tex(self._tree.close())
        return f"${tex}$" if tex else ""
