"""EPUB books."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from gatherum import Glimpse, Handler, Report, Section, Source, hookimpl

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
        from gatherum_formats.epub.reading import read_book

        yield from read_book(source, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a book by its media type, or by the container that all books have."""
        if glimpse.mimetype == _MIMETYPE:
            return ".epub"
        packaged = _CONTAINER in glimpse.members and any(name.endswith(".opf") for name in glimpse.members)
        return ".epub" if packaged else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Bring the handler of EPUB."""
    return [EpubHandler()]
