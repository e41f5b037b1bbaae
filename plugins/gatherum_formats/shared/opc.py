"""Open Packaging Conventions (ECMA-376 part 2): the zip of parts and relationships beneath Office files."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from gatherum.limits import Archive, parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum import Report, Source

_STRICT = (
    (b"http://purl.oclc.org/ooxml/officeDocument/", b"http://schemas.openxmlformats.org/officeDocument/2006/"),
    (
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
    (b"http://purl.oclc.org/ooxml/presentationml/main", b"http://schemas.openxmlformats.org/presentationml/2006/main"),
    (b"http://purl.oclc.org/ooxml/drawingml/", b"http://schemas.openxmlformats.org/drawingml/2006/"),
)
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_CORE = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """One edge from a part to another part or to the outside.

    Attributes:
        kind: The last step of its type, for example "footnotes".
        target: A part's name, or a URL when it is external.
        external: Whether it leads out of the package.
    """

    kind: str
    target: str
    external: bool = False


class Package:
    """An Office file as parts and relationships, strict and transitional alike.

    Args:
        source: The file.
        report: Told of what is missing or damaged.
    """

    def __init__(self, source: Source, report: Report) -> None:
        self.archive = Archive(source, report)
        self._report = report
        self._edges: dict[str, dict[str, Relationship]] = {}

    def xml(self, part: str) -> _Element | None:
        """Return a part's root with strict namespaces made transitional; None, with a problem, if it can't be had."""
        data = self.archive.read(part)
        if data is None:
            return None
        if b"purl.oclc.org/ooxml" in data[:8192]:
            for strict, transitional in _STRICT:
                data = data.replace(strict, transitional)
        return parse_xml(data, lambda message: self._report.problem("partial", f"the part {part}: {message}"))

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """Return a part's relationships by id; "" for the package itself."""
        if part not in self._edges:
            self._edges[part] = self._read_relationships(part)
        return self._edges[part]

    def _read_relationships(self, part: str) -> dict[str, Relationship]:
        folder, name = posixpath.split(part)
        where = posixpath.join(folder, "_rels", f"{name}.rels")
        if where not in self.archive:
            return {}
        root = self.xml(where)
        found: dict[str, Relationship] = {}
        for edge in root if root is not None else ():
            target, kind = edge.get("Target") or "", (edge.get("Type") or "").rpartition("/")[2]
            external = edge.get("TargetMode") == "External"
            if not external:
                path = unquote(target.split("#")[0])
                target = path.lstrip("/") if path.startswith("/") else posixpath.normpath(posixpath.join(folder, path))
            found[edge.get("Id") or ""] = Relationship(kind=kind, target=target, external=external)
        return found

    def main(self, default: str) -> str:
        """Return the name of the main part."""
        for edge in self.relationships().values():
            if edge.kind == "officeDocument" and edge.target in self.archive:
                return edge.target
        return default

    def core_properties(self) -> None:
        """Report title, authors, keywords, dates and the rest of docProps/core.xml as metadata."""
        part = next(
            (e.target for e in self.relationships().values() if e.kind == "core-properties"), "docProps/core.xml"
        )
        root = self.xml(part) if part in self.archive else None
        if root is None:
            return
        text = {element.tag: (element.text or "").strip() for element in root}
        keywords = text.get(f"{_CORE}keywords", "").replace(";", ",").split(",")
        self._report.metadata(
            title=text.get(f"{_DC}title"),
            authors=[name.strip() for name in text.get(f"{_DC}creator", "").split(";") if name.strip()],
            created=text.get(f"{_TERMS}created"),
            modified=text.get(f"{_TERMS}modified"),
            language=text.get(f"{_DC}language"),
            tags=[word.strip() for word in keywords if word.strip()],
            description=text.get(f"{_DC}description"),
            subject=text.get(f"{_DC}subject"),
            category=text.get(f"{_CORE}category"),
            last_modified_by=text.get(f"{_CORE}lastModifiedBy"),
        )
