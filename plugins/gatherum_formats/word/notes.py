"""Footnotes, endnotes and comments of a Word document, given out where they are referred to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.numerals import roman
from gatherum_formats.word.parts import W

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum_formats.word.parts import Parts

_KINDS: Final = ("footnote", "endnote", "comment")


class Notes:
    """Every note of a document, each to be given out once.

    Args:
        parts: The package.
    """

    def __init__(self, parts: Parts) -> None:
        self._notes: dict[tuple[str, str], _Element] = {}
        self._marks: dict[tuple[str, str], str] = {}
        self._counts = dict.fromkeys(_KINDS, 0)
        self.part = {kind: parts.related(f"{kind}s") or "" for kind in _KINDS}
        for kind, part in self.part.items():
            root = parts.xml(part) if part else None
            for note in root.iterchildren(W + kind) if root is not None else ():
                if note.get(f"{W}type") in (None, "normal"):
                    self._notes.setdefault((kind, note.get(f"{W}id") or ""), note)

    def refer(self, kind: str, identity: str) -> tuple[str, _Element | None]:
        """Return a note's mark ("" for a comment) and the note itself; None when it was given out or is not there."""
        key = (kind, identity)
        note = self._notes.pop(key, None)
        if note is not None:
            self._counts[kind] += 1
            count = self._counts[kind]
            self._marks[key] = {"footnote": str(count), "endnote": roman(count)}.get(kind, "")
        return self._marks.get(key, ""), note

    def rest(self) -> Iterator[tuple[str, str, _Element]]:
        """Yield kind, mark and content of what nothing refers to."""
        for kind, identity in list(self._notes):
            mark, note = self.refer(kind, identity)
            if note is not None:
                yield kind, mark, note
