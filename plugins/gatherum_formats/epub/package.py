"""The package of an EPUB book: what is in it, in which order, and what it says about itself."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from gatherum.limits import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum import Report
    from gatherum.limits import Archive

_REMOTE: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:")
_TEXTUAL: Final = re.compile(r"x?html|xml|svg|oeb1-document|dtbook|text/plain", re.IGNORECASE)
_SUFFIXES: Final = (".xhtml", ".html", ".htm", ".xht", ".xml", ".svg")
_FONTS: Final = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
_MOST_MISSING: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A resource of the book.

    Attributes:
        id: Its identifier in the manifest.
        path: The part that holds it; "" if it is not in the file.
        href: How the manifest writes it.
        media_type: In lower case, without parameters.
        properties: What the manifest says of it.
        fallback: The identifier of the item that stands in for it.
    """

    id: str
    path: str
    href: str
    media_type: str = ""
    properties: frozenset[str] = frozenset()
    fallback: str = ""

    @property
    def textual(self) -> bool:
        """Whether it can hold text of the book."""
        if _TEXTUAL.search(self.media_type) and "ncx" not in self.media_type:
            return True
        known = self.media_type.partition("/")[0] in ("image", "audio", "video", "font") or "css" in self.media_type
        return not known and self.href.lower().partition("#")[0].endswith(_SUFFIXES)


@dataclass(slots=True, kw_only=True)
class Package:
    """What the package document lists.

    Attributes:
        path: Where it is; "" if the book has none.
        root: Its root.
        items: The manifest, by identifier.
        spine: Items in reading order, each once.
        ncx: The part of the older table of contents.
    """

    path: str = ""
    root: _Element | None = None
    items: dict[str, Item] = field(default_factory=dict)
    spine: list[Item] = field(default_factory=list)
    ncx: str = ""

    @property
    def nav(self) -> str:
        """The part of the navigation document; "" if there is none."""
        return next((item.path for item in self.items.values() if "nav" in item.properties and item.path), "")

    def by_path(self) -> dict[str, Item]:
        """Return the items that are in the file, by their part."""
        return {item.path: item for item in reversed(self.items.values()) if item.path}


def resolve(archive: Archive, base: str, href: str) -> str:
    """Return the part that *href* names from the part *base*; "" if it is elsewhere or missing.

    Percent-encoding, another case of letters, paths that climb out of the book and paths from its root are borne.
    """
    href = href.strip().partition("#")[0]
    if not href or _REMOTE.match(href):
        return ""
    for path in (unquote(href), href):
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(base), path.replace("\\", "/")))
        while joined.startswith("../"):
            joined = joined[3:]
        found = archive.find(joined) or archive.find(path.lstrip("/"))
        if found:
            return found
    return ""


def read_package(archive: Archive, report: Report) -> Package:
    """Return the book's package; one made of its pages in the archive's order if it has none that can be read."""
    path = _package_path(archive)
    root = archive.xml(path) if path else None
    if root is None:
        report.problem("missing_part", "the book has no package document; its pages were read in the file's order")
        pages = (name for name in archive.names if name.lower().endswith(_SUFFIXES[:4]))
        items = [Item(id=name, path=name, href=name, media_type="application/xhtml+xml") for name in pages]
        return Package(items={item.id: item for item in items}, spine=items)
    package = Package(path=path, root=root)
    spine: _Element | None = None
    for part in root.iter():
        name = local_name(part)
        if name == "item" and part.get("href"):
            item = _item(archive, path, part)
            package.items.setdefault(item.id, item)
        elif name == "spine" and spine is None:
            spine = part
    _read_spine(package, spine, report)
    return package


def _package_path(archive: Archive) -> str:
    root = archive.xml("META-INF/container.xml") if "META-INF/container.xml" in archive else None
    for part in () if root is None else root.iter():
        if local_name(part) == "rootfile":
            found = archive.find(unquote(part.get("full-path") or "").strip() or "?")
            if found:
                return found
    packages = [name for name in archive.names if name.lower().endswith(".opf")]
    return min(packages, key=lambda name: name.count("/"), default="")


def _item(archive: Archive, package: str, part: _Element) -> Item:
    href = (part.get("href") or "").strip()
    return Item(
        id=part.get("id") or href,
        path=resolve(archive, package, href),
        href=href,
        media_type=(part.get("media-type") or "").partition(";")[0].strip().lower(),
        properties=frozenset((part.get("properties") or "").split()),
        fallback=part.get("fallback") or "",
    )


def _read_spine(package: Package, spine: _Element | None, report: Report) -> None:
    seen: set[str] = set()
    missing: list[str] = []
    for reference in () if spine is None else spine:
        ident = reference.get("idref") or ""
        if local_name(reference) != "itemref" or ident in seen:
            continue
        seen.add(ident)
        item = package.items.get(ident)
        if item is None:
            missing.append(ident or "an item without name")
            continue
        item = _readable(package, item)
        if item.path and item.textual:
            if item.path not in seen:
                seen.add(item.path)
                package.spine.append(item)
        elif not item.path:
            missing.append(item.href)
    for name in missing[:_MOST_MISSING]:
        report.problem("missing_part", f"the book lists {name[:200]}, which is not in the file")
    if len(missing) > _MOST_MISSING:
        report.problem("missing_part", f"the book lists {len(missing)} items that are not in the file")
    if not package.spine:
        package.spine = [item for item in package.items.values() if item.path and item.textual and not item.properties]
    ncx = package.items.get(spine.get("toc") or "") if spine is not None else None
    if ncx is None or not ncx.path:
        ncx = next((item for item in package.items.values() if "dtbncx" in item.media_type and item.path), None)
    package.ncx = ncx.path if ncx is not None else ""


def _readable(package: Package, item: Item) -> Item:
    """Follow the fallbacks of an item that holds no text to one that does."""
    seen = {item.id}
    found = item
    while not (found.path and found.textual) and found.fallback not in seen:
        seen.add(found.fallback)
        following = package.items.get(found.fallback)
        if following is None:
            return item
        found = following
    return found


def locked_parts(archive: Archive) -> frozenset[str]:
    """Return the parts that are encrypted by more than the obfuscation of fonts."""
    root = archive.xml("META-INF/encryption.xml") if "META-INF/encryption.xml" in archive else None
    locked: set[str] = set()
    for part in () if root is None else root.iter():
        if local_name(part) != "EncryptedData":
            continue
        algorithms = {inner.get("Algorithm") or "" for inner in part if local_name(inner) == "EncryptionMethod"}
        if algorithms and algorithms <= _FONTS:
            continue
        for inner in part.iter():
            if local_name(inner) == "CipherReference":
                locked.add(archive.find(unquote(inner.get("URI") or "").strip() or "?") or "")
    return frozenset(locked - {""})


def has_licence(archive: Archive) -> bool:
    """Say whether a vendor's licence lies in the book."""
    return any(f"META-INF/{name}" in archive for name in ("rights.xml", "license.lcpl", "sinf.xml"))
