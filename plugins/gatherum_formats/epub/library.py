"""What ebooklib makes of a book, where it is installed and can open it."""

from __future__ import annotations

import io
import posixpath
import warnings
import zipfile
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote
from xml.sax.saxutils import quoteattr

from gatherum_formats.epub.contents import Entry, make_entries

if TYPE_CHECKING:
    from gatherum import Report
    from gatherum.limits import Archive
    from gatherum_formats.epub.package import Package

_MOST: Final = 2000
_DEEPEST: Final = 9
_CONTAINER: Final = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path={}'
    ' media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_NAMES: Final = {
    "title": "title",
    "creator": "authors",
    "language": "language",
    "subject": "tags",
    "description": "description",
    "identifier": "identifier",
    "publisher": "publisher",
}


def library_view(archive: Archive, package: Package, report: Report) -> list[Entry]:
    """Let ebooklib add what it knows about the book to *report*; return its table of contents.

    It is given the package document and the contents, with every page empty, and no book depends on it: some that
    people can read it refuses, and it need not be installed.
    """
    if package.root is None or len(package.items) > _MOST:
        return []
    try:
        from ebooklib import epub
    except ImportError:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = epub.read_epub(_excerpt(archive, package), options={"ignore_ncx": False})
            found = _lines(book.toc)
            values = {name: [str(value) for value, _ in book.get_metadata("DC", name) if value] for name in _NAMES}
    except Exception:  # noqa: BLE001 - it raises whatever its parsers raise, and nothing depends on it
        return []
    fields = {field: values[name] for name, field in _NAMES.items()}
    report.metadata(
        authors=fields.pop("authors"),
        tags=fields.pop("tags"),
        **{name: (all_of or [""])[0] for name, all_of in fields.items()},
    )
    return make_entries(archive, package.path, found)


def _excerpt(archive: Archive, package: Package) -> io.BytesIO:
    """Return a small book with the package document and the contents of this one, and empty pages."""
    folder = posixpath.dirname(package.path)
    parts = {"META-INF/container.xml": _CONTAINER.format(quoteattr(package.path)).encode()}
    for item in package.items.values():
        name = posixpath.normpath(posixpath.join(folder, unquote(item.href)))
        wanted = item.path and item.path in (package.nav, package.ncx)
        parts.setdefault(name, (archive.read(item.path) or b"") if wanted else b"")
    parts[posixpath.normpath(package.path)] = archive.read(package.path) or b""
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as excerpt:
        for name, data in parts.items():
            excerpt.writestr(zipfile.ZipInfo(name), data)
    copy.seek(0)
    return copy


def _lines(contents: Any) -> list[tuple[int, str, str]]:
    """Flatten the library's tree of links and sections into depth, title and target."""
    found: list[tuple[int, str, str]] = []
    waiting = [(1, entry) for entry in reversed(contents)]
    while waiting:
        depth, entry = waiting.pop()
        inner: Any = ()
        if isinstance(entry, tuple | list):
            entry, inner = entry[0], entry[1]
        found.append((min(depth, _DEEPEST), " ".join((entry.title or "").split()), entry.href or ""))
        waiting += [(depth + 1, below) for below in reversed(inner)]
    return found
