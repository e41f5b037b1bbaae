"""What ebooklib makes of a book, where it is installed and can open it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final

from gatherum_formats._epub_contents import Entry, make_entries

if TYPE_CHECKING:
    from gatherum import Report
    from gatherum.limits import Archive
    from gatherum_formats._epub_package import Package

_LARGEST: Final = 2000
_DEEPEST: Final = 9


def library_view(archive: Archive, package: Package, report: Report) -> list[Entry]:
    """Let ebooklib add what it knows about the book to *report*; return its table of contents.

    It is given the package document and the contents only, never a page, and no book depends on it: many that people
    can read it refuses, and it need not be installed.
    """
    if package.root is None or len(archive.names) > _LARGEST:
        return []
    try:
        from ebooklib import epub
    except ImportError:
        return []
    wanted = {package.path, package.nav, package.ncx, "META-INF/container.xml"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = epub.read_epub(archive.slim(wanted.__contains__), options={"ignore_ncx": False})
            found = _lines(book.toc)
            fields = {name: [str(value) for value, _ in book.get_metadata("DC", name) if value] for name in _NAMES}
    except Exception:  # noqa: BLE001 - it raises whatever its parsers raise, and nothing depends on it
        return []
    report.metadata(
        **{
            field: fields[name] if field in ("authors", "tags") else (fields[name] or [""])[0]
            for name, field in _NAMES.items()
        }
    )
    return make_entries(archive, package.path, found)


_NAMES: Final = {
    "title": "title",
    "creator": "authors",
    "language": "language",
    "subject": "tags",
    "description": "description",
    "identifier": "identifier",
    "publisher": "publisher",
}


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
