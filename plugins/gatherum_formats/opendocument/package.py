"""OpenDocument files: a zip of XML parts, or all of it in one flat XML file."""

from __future__ import annotations

import posixpath
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from gatherum import UnreadableError
from gatherum.limits import Archive, parse_xml
from gatherum_formats.opendocument.names import attribute, clark, inner_text

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum import Report, Source

_MOST_MISSING = 20


class OpenDocument:
    """The parts of an OpenDocument file.

    Args:
        source: The file.
        report: Told of what is missing or damaged.

    Attributes:
        content: The root that holds the body.
        styles: The root that holds styles and page layouts; the same as *content* in flat files, None if missing.

    Raises:
        UnreadableError: It is no OpenDocument file, it is locked by a password, or its content is gone.
    """

    def __init__(self, source: Source, report: Report) -> None:
        self._report = report
        self._archive: Archive | None = None
        self._missing = 0
        content: _Element | None
        if source.data[:2] != b"PK" and b"<" in source.head() and b"document" in source.head(1 << 16):
            content = self._parse(source.data, source.name)
            if content is None or not str(content.tag).startswith(clark("office:document")):
                raise UnreadableError("corrupt", f"{source.name} is not an OpenDocument file")
            self.content: _Element = content
            self.styles: _Element | None = content
            self._meta: _Element | None = content
            return
        self._archive = Archive(source, report)
        if "META-INF/manifest.xml" in self._archive:
            self._refuse_encrypted(source.name)
        content = self.part("content.xml")
        if content is None:
            raise UnreadableError("corrupt", f"{source.name} has no content that can be read")
        self.content = content
        self.styles = self.part("styles.xml") if "styles.xml" in self._archive else None
        self._meta = self.part("meta.xml") if "meta.xml" in self._archive else None

    def _parse(self, data: bytes, name: str) -> _Element | None:
        return parse_xml(data, lambda message: self._report.problem("partial", f"{name}: {message}"))

    def _refuse_encrypted(self, name: str) -> None:
        manifest = self.part("META-INF/manifest.xml")
        for entry in manifest.iter(clark("manifest:file-entry")) if manifest is not None else ():
            path = attribute(entry, "manifest:full-path")
            if path in ("content.xml", "encrypted-package") and len(entry):
                raise UnreadableError("password_protected", f"{name} is protected by a password")

    def part(self, name: str) -> _Element | None:
        """Return a part's root; None, with a problem recorded, if it cannot be had."""
        return self._archive.xml(name) if self._archive is not None else None

    def embedded(self, link: str) -> _Element | None:
        """Return the content of the object that *link* names; None if it lies elsewhere or is not OpenDocument."""
        if self._archive is None or not link or ":" in link or link.startswith(("/", "..")):
            return None
        folder = posixpath.normpath(unquote(link))
        part = posixpath.join(folder, "content.xml")
        if part in self._archive:
            return self.part(part)
        if folder not in self._folders and folder not in self._archive and self._missing < _MOST_MISSING:
            self._missing += 1
            self._report.problem("missing_part", f"the embedded object {folder} is not in the file")
        return None

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(posixpath.dirname(name) for name in self._archive.names) if self._archive else frozenset()

    def find(self, root: _Element | None, name: str) -> _Element | None:
        """Return the child of a root with this prefixed name."""
        return None if root is None else root.find(clark(name))

    @property
    def body(self) -> _Element | None:
        """The element that holds text, presentation or drawing."""
        body = self.find(self.content, "office:body")
        return next(iter(body), None) if body is not None else None

    def describe(self) -> None:
        """Report what the file says about itself as metadata."""
        meta = self.find(self._meta, "office:meta")
        if meta is None:
            return
        text: dict[str, str] = {}
        tags: list[str] = []
        own: dict[str, str] = {}
        for element in meta:
            value = inner_text(element)
            if element.tag == clark("meta:keyword"):
                tags.append(value)
            elif element.tag == clark("meta:keywords"):
                tags.extend(inner_text(child) for child in element)
            elif element.tag == clark("meta:user-defined"):
                own[attribute(element, "meta:name")] = value
            else:
                text.setdefault(str(element.tag), value)
        written, changed = text.get(clark("meta:initial-creator")), text.get(clark("dc:creator"))
        self._report.metadata(
            title=text.get(clark("dc:title")),
            authors=[name for name in (written or changed,) if name],
            created=text.get(clark("meta:creation-date")),
            modified=text.get(clark("dc:date")),
            language=text.get(clark("dc:language")),
            tags=[part.strip() for tag in tags for part in tag.replace(";", ",").split(",") if part.strip()],
            description=text.get(clark("dc:description")),
            subject=text.get(clark("dc:subject")),
            last_modified_by=changed,
            properties={name: value for name, value in own.items() if name and value} or None,
        )
