"""The table of contents of a book, from its navigation document or its NCX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from gatherum_formats.epub.package import resolve
from gatherum_formats.html.decode import decode_html, plain_markup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatherum.limits import Archive
    from gatherum_formats.epub.package import Package

_DEEPEST: Final = 9
_LONGEST_TITLE: Final = 1000
_MOST: Final = 50_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """A line of the table of contents.

    Attributes:
        depth: 1 to 9.
        title: What it says.
        path: The part that it leads to; "" if it leads nowhere.
        fragment: The place in that part; "" for its beginning.
        parents: The entries above it, from the top.
    """

    depth: int
    title: str
    path: str = ""
    fragment: str = ""
    parents: tuple[Entry, ...] = ()


class _Reader:
    """A target for lxml's parser that reads both kinds of contents."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str, str]] = []
        self._depth = 0
        self._in = 0
        self._wanted = 0
        self._gathering = 0
        self._text: list[str] = []
        self._href = self._title = ""

    def start(self, tag: str, attrs: Mapping[str, str]) -> None:
        """An element begins."""
        tag = tag.rpartition(":")[2]
        if tag in ("nav", "navmap"):
            self._text.clear()
            kinds = f"{attrs.get('epub:type', '')} {attrs.get('role', '')}".split()
            if tag == "navmap" or "toc" in kinds or "doc-toc" in kinds:
                self._wanted += 1
            elif self._wanted or kinds:
                self._in += 1
        elif tag in ("li", "navpoint"):
            self._say()
            self._depth += 1
        elif tag in ("a", "span", "text"):
            self._gathering += 1
            self._href = self._href or attrs.get("href") or ""
        elif tag == "content":
            self._href = self._href or attrs.get("src") or ""
        elif tag in ("ol", "ul"):
            self._say()
        elif tag == "img" and self._gathering:
            self._text.append(attrs.get("alt") or "")
        elif tag == "br":
            self._text.append(" ")

    def end(self, tag: str) -> None:
        """An element ends."""
        tag = tag.rpartition(":")[2]
        if tag in ("nav", "navmap"):
            self._say()
            if self._in:
                self._in -= 1
            elif self._wanted:
                self._wanted -= 1
        elif tag in ("li", "navpoint"):
            self._say()
            self._depth = max(0, self._depth - 1)
        elif tag == "navlabel":
            self._title = self._title or "".join(self._text)
            self._text.clear()
        elif tag in ("a", "span", "text"):
            self._gathering = max(0, self._gathering - 1)

    def data(self, text: str) -> None:
        """Text stands between tags."""
        if self._gathering:
            self._text.append(text)

    def close(self) -> list[tuple[int, str, str]]:
        """Return depth, title and target of every line."""
        self._say()
        return self.found

    def _say(self) -> None:
        title = " ".join((self._title or "".join(self._text)).split())[:_LONGEST_TITLE]
        if self._wanted and not self._in and self._depth and (title or self._href) and len(self.found) < _MOST:
            self.found.append((min(self._depth, _DEEPEST), title, self._href))
        self._text.clear()
        self._href = self._title = ""


def read_contents(archive: Archive, package: Package) -> list[Entry]:
    """Return the lines of the table of contents; [] if the book has none."""
    for path in (package.nav, package.ncx):
        data = archive.read(path) if path else None
        if not data:
            continue
        found = _lines(plain_markup(decode_html(data)))
        if found:
            return make_entries(archive, path, found)
    return []


def _lines(text: str) -> list[tuple[int, str, str]]:
    from lxml import etree

    reader: Any = _Reader()
    parser = etree.HTMLParser(target=reader, encoding="utf-8", no_network=True, recover=True, huge_tree=True)
    parser.feed(text.replace("\0", "").encode("utf-8", "replace"))
    parser.close()
    found: list[tuple[int, str, str]] = reader.found
    return found


def make_entries(archive: Archive, base: str, found: list[tuple[int, str, str]]) -> list[Entry]:
    """Resolve lines of contents that stand in the part *base*."""
    entries: list[Entry] = []
    above: list[Entry] = []
    paths: dict[str, str] = {}
    for depth, title, href in found:
        while above and above[-1].depth >= depth:
            above.pop()
        file, _, fragment = href.partition("#")
        if file not in paths:
            paths[file] = resolve(archive, base, file) if file else base if fragment else ""
        if not title:
            continue
        entry = Entry(depth=depth, title=title, path=paths[file], fragment=unquote(fragment), parents=tuple(above))
        entries.append(entry)
        above.append(entry)
    return entries
