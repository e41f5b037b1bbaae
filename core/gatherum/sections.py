"""Build sections while walking a document: keeps the heading path and joins blocks of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum.document import Section
from gatherum.locator import WHOLE, Locator

if TYPE_CHECKING:
    from gatherum.document import Kind, Layer


class SectionBuilder:
    """Turn headings and blocks, met in reading order, into sections.

    Every method returns the sections that have become complete, for the handler to yield::

        builder = SectionBuilder()
        for block in blocks:
            if block.is_heading:
                yield from builder.enter(block.level, block.text, locator=block.place)
            else:
                yield from builder.add(block.text, kind=block.kind, locator=block.place)
        yield from builder.close()

    Blocks of the same kind and layer under one heading are joined into one section by a blank line (by the
    separator given with the later block). A heading closes every open heading of its own level or deeper.

    Args:
        base: A heading path that all sections stand under, for documents inside documents.
    """

    def __init__(self, base: tuple[str, ...] = ()) -> None:
        self._base = base
        self._open: list[tuple[int, str]] = []
        self._place = WHOLE
        self._silent = False
        self._parts: list[str] = []
        self._first = self._last = WHOLE
        self._key: tuple[Kind, Layer, str | None] = ("prose", "body", None)

    @property
    def heading(self) -> tuple[str, ...]:
        """The path of the heading that is open now."""
        return (*self._base, *(title for _, title in self._open))

    @property
    def level(self) -> int:
        """The level of the heading that is open now; 0 before the first."""
        return self._open[-1][0] if self._open else 0

    def enter(self, level: int, title: str, *, locator: Locator = WHOLE) -> list[Section]:
        """Open a heading of *level* (1 is the highest); white space in *title* is made single."""
        done = self.leave(level)
        self._open.append((level, " ".join(title.split())))
        self._place, self._silent = locator, True
        return done

    def leave(self, level: int) -> list[Section]:
        """Close every open heading of *level* or deeper, where what follows belongs to none of them."""
        done = self.close()
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        return done

    def add(
        self,
        text: str,
        *,
        kind: Kind = "prose",
        layer: Layer = "body",
        locator: Locator = WHOLE,
        language: str | None = None,
        separator: str = "\n\n",
    ) -> list[Section]:
        """Add a block under the open heading; blank text is ignored."""
        text = text.strip("\n")
        if not text.strip():
            return []
        done: list[Section] = []
        if self._parts and self._key != (kind, layer, language):
            done = self._flush()
        if self._parts:
            self._parts.append(separator)
        else:
            self._first = locator
        self._parts.append(text)
        self._last = locator
        self._key = (kind, layer, language)
        return done

    def close(self) -> list[Section]:
        """Finish the piece at hand; call it once more at the end of the document."""
        if self._parts:
            return self._flush()
        if self._silent:
            self._silent = False
            return [Section(text="", heading=self.heading, level=self.level, locator=self._place)]
        return []

    def _flush(self) -> list[Section]:
        kind, layer, language = self._key
        section = Section(
            text="".join(self._parts),
            heading=self.heading,
            level=self.level,
            kind=kind,
            layer=layer,
            locator=self._first.to(self._last),
            language=language,
        )
        self._parts, self._silent = [], False
        return [section]
