"""MathML met on the way through a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum.text import clean
from gatherum_formats.shared.mathml import mathml_to_tex

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEEPEST: Final = 200
_NAME: Final = re.compile(r"[a-z][a-z-]{0,40}")
_KEPT: Final = frozenset(("alttext", "close", "encoding", "linethickness", "open", "separators"))


class MathGatherer:
    """Build the small tree of one formula from events.

    Attributes:
        depth: How many elements are open inside it.
    """

    def __init__(self, attrs: Mapping[str, str]) -> None:
        from lxml import etree

        self.depth = 0
        self._tree = etree.TreeBuilder()
        self._open: list[str] = []
        self._begin("math", attrs)

    def _begin(self, tag: str, attrs: Mapping[str, str]) -> None:
        self._open.append(tag)
        self._tree.start(tag, {name: clean(value) for name, value in attrs.items() if name in _KEPT})

    def start(self, tag: str, attrs: Mapping[str, str], *, foreign: bool) -> bool:
        """Take an element; False if it cannot belong to a formula, which then was never closed."""
        if foreign:
            return False
        self.depth += 1
        if self.depth <= _DEEPEST:
            name = tag.rpartition(":")[2]
            self._begin(name if _NAME.fullmatch(name) else "mrow", attrs)
        return True

    def end(self) -> bool:
        """End an element inside; False if it is the formula that ends."""
        if not self.depth:
            return False
        if self.depth <= _DEEPEST:
            self._tree.end(self._open.pop())
        self.depth -= 1
        return True

    def data(self, text: str) -> None:
        """Take text."""
        self._tree.data(clean(text))

    def text(self) -> str:
        """Return the formula between dollar signs; "" if it is empty."""
        while self._open:
            self._tree.end(self._open.pop())
        tex = mathml_to_tex(self._tree.close())
        return f"${tex}$" if tex else ""
