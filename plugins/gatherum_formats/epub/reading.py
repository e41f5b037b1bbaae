"""EPUB books from their package to their sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import UnreadableError
from gatherum.limits import Archive
from gatherum_formats.epub.book import Book
from gatherum_formats.epub.contents import read_contents
from gatherum_formats.epub.library import library_view
from gatherum_formats.epub.metadata import book_metadata
from gatherum_formats.epub.package import has_licence, locked_parts, read_package

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


def read_book(source: Source, report: Report) -> Iterator[Section]:
    """Yield the sections of a book.

    Args:
        source: The file.
        report: Told of metadata and of what cannot be read.

    Raises:
        UnreadableError: It is no book, or locked by its vendor; what it says about itself is reported even then.
    """
    archive = Archive(source, report)
    package = read_package(archive, report)
    if package.root is not None:
        book_metadata(package.root, report)
    if not package.spine:
        raise UnreadableError("missing_part", f"{source.name} has no page that could be read")
    locked = locked_parts(archive)
    pages = {item.path for item in package.spine}
    if pages <= locked or (has_licence(archive) and not locked and _ciphered(archive, package.spine[0].path)):
        raise UnreadableError("drm", f"{source.name} is locked by its vendor")
    if pages & locked:
        report.problem("drm", f"{len(pages & locked)} of {len(pages)} files of {source.name} are locked")
    contents = read_contents(archive, package) or library_view(archive, package, report)
    book = Book(archive, package, contents, report, room=source.limits.text_chars)
    yield from book.sections(locked)


def _ciphered(archive: Archive, page: str) -> bool:
    """Say whether a page is no markup at all."""
    return b"<" not in (archive.read(page) or b"")[:2000]
