"""EPUB books."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl
from gatherum.limits import Archive
from gatherum_formats._epub_book import Book
from gatherum_formats._epub_contents import read_contents
from gatherum_formats._epub_library import library_view
from gatherum_formats._epub_metadata import book_metadata
from gatherum_formats._epub_package import has_licence, locked_parts, read_package

if TYPE_CHECKING:
    from collections.abc import Iterator

_MIMETYPE = "application/epub+zip"
_CONTAINER = "META-INF/container.xml"


class EpubHandler(Handler):
    """Read EPUB 2 and 3.

    The files of the book come in the order of its spine, then those that only its contents or a link lead to. The
    table of contents gives the heading path, the headings in each file refine it. Notes stand after the paragraph
    that refers to them.
    """

    name: ClassVar[str] = "epub"
    title: ClassVar[str] = "EPUB books"
    extensions: ClassVar[tuple[str, ...]] = (".epub",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a book.

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
        contents = library_view(archive, package, report)
        contents = read_contents(archive, package) or contents
        book = Book(archive, package, contents, report, room=source.limits.text_chars)
        yield from book.sections(locked)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a book by its media type, or by the container that all books have."""
        if glimpse.mimetype == _MIMETYPE:
            return ".epub"
        packaged = _CONTAINER in glimpse.members and any(name.endswith(".opf") for name in glimpse.members)
        return ".epub" if packaged else None


def _ciphered(archive: Archive, page: str) -> bool:
    """Say whether a page is no markup at all."""
    return b"<" not in (archive.read(page) or b"")[:2000]


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Bring the handler of EPUB."""
    return [EpubHandler()]
