"""Find the document that a name means."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from gatherum.errors import DocumentNotFoundError
from gatherum.nesting import SEPARATOR, is_archive
from gatherum.store.schema import literal
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatherum.store import Catalog, Entry

_ID: Final = re.compile(r"[0-9a-f]{24}")
_LINE: Final = re.compile(r"(.+)#L?(\d{1,9})")


class Resolver:
    """Looks names up in the shelf's table; the disk is never asked, so nothing outside the shelf can be reached.

    Args:
        catalog: The documents of the shelf.
        roots: The folders that it gathers, by the name of the collection.
    """

    def __init__(self, catalog: Catalog, roots: Mapping[str, Path]) -> None:
        self._catalog = catalog
        self._roots = roots

    def one(self, name: str) -> tuple[Entry, int]:
        """Return the document that *name* means, and the line that it points at.

        Args:
            name: The id of a document or of a passage, a path relative to its collection, the same after
                "collection/", an absolute path, an unambiguous end of a path, or "doc:///path"; with "#line" after it.

        Raises:
            DocumentNotFoundError: Nothing, or more than one document, is meant.
        """
        name = clean(name.strip())
        if _ID.fullmatch(name):
            if entry := self._catalog.by_id(name):
                return entry, 1
            if (chunk := self._catalog.chunk(name)) and (entry := self._catalog.by_id(chunk[0])):
                return entry, chunk[1]
        if name.startswith("doc:///"):
            name = unquote(name.removeprefix("doc:///"))
        for path, line in self._readings(name):
            if entry := self._by_path(path):
                return entry, line
        raise self._unknown(name)

    def several(self, name: str) -> list[Entry]:
        """Return all documents of a collection or a folder, or the one document that *name* means.

        Raises:
            DocumentNotFoundError: Nothing is meant.
        """
        if name in self._roots:
            return self._catalog.entries(f"collection = {literal(name)}")
        if (absolute := self._relative(name)) and absolute[1] == ".":
            return self._catalog.entries(f"collection = {literal(absolute[0])}")
        folder = (absolute[1] if absolute else name).rstrip("/")
        within = f"{folder}{SEPARATOR}" if is_archive(folder) else f"{folder}/"
        if inside := self._catalog.entries(f"starts_with(path, {literal(within)})"):
            return inside
        return [self.one(name)[0]]

    def _readings(self, name: str) -> list[tuple[str, int]]:
        """Return the ways to read a name: "#12" may point at a line or belong to the path."""
        match = _LINE.fullmatch(name)
        return [(name, 1), (match[1], max(1, int(match[2])))] if match else [(name, 1)]

    def _by_path(self, path: str) -> Entry | None:
        if absolute := self._relative(path):
            collection, path = absolute
            found = self._catalog.entries(f"collection = {literal(collection)} AND path = {literal(path)}")
            return found[0] if found else None
        path = os.path.normpath(path).replace(os.sep, "/") if path else path
        found = self._catalog.entries(f"path = {literal(path)}")
        collection, _, rest = path.partition("/")
        if not found and rest:
            found = self._catalog.entries(f"collection = {literal(collection)} AND path = {literal(rest)}")
        if not found:
            found = self._catalog.entries(f"ends_with(path, {literal(f'/{path}')})")
        if len(found) > 1:
            places = ", ".join(f"{entry.collection}/{entry.path}" for entry in found[:5])
            raise DocumentNotFoundError(f"{path!r} may be any of {places}", hint="Write more of the path.")
        return found[0] if found else None

    def _relative(self, path: str) -> tuple[str, str] | None:
        """Return the collection and the path in it of an absolute path."""
        if not os.path.isabs(path):  # noqa: PTH117 - it may hold characters that Path refuses
            return None
        for name, root in self._roots.items():
            for base in (root, Path(os.path.realpath(root))):
                if path == str(base) or path.startswith(f"{base}{os.sep}"):
                    return name, Path(path).relative_to(base).as_posix()
        return None

    def _unknown(self, name: str) -> DocumentNotFoundError:
        paths = [entry.path for entry in self._catalog.entries() if entry.state != "skipped"]
        nearest = difflib.get_close_matches(name, paths, n=3, cutoff=0.5)
        by_name = {path.rpartition("/")[2]: path for path in paths}
        nearest += [by_name[close] for close in difflib.get_close_matches(name.rpartition("/")[2], by_name, n=3)]
        hint = (
            f"Did you mean {', '.join(dict.fromkeys(nearest))}?" if nearest else "`gatherum list` shows what there is."
        )
        return DocumentNotFoundError(f"the shelf has no document {name!r}", hint=hint)
