"""FictionBook 2: books as XML, plain or zipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Handler, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Glimpse, Report, Section, Source

_MOST_MEMBERS: Final = 10


class FictionBookHandler(Handler):
    """Read books by their sections, notes where they are referred to."""

    name = "fictionbook"
    title = "FictionBook books"
    extensions = (".fb2", ".fbz")
    also = (".xml", ".zip")

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the text of *source*; its pictures are passed over undecoded.

        Raises:
            UnreadableError: It is empty, no XML, or an archive without a book.
        """
        from gatherum_formats.fictionbook.rules import RULES
        from gatherum_formats.xmldoc.reading import read_tree
        from gatherum_formats.xmldoc.rules import loose
        from gatherum_formats.xmldoc.source import load_tree

        data = _unzipped(source, report) if source.head(4) == b"PK\x03\x04" else source.data
        tree = load_tree(_without_pictures(data), source.name, report)
        yield from read_tree(tree, RULES, loose, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a book by its root, or an archive that holds one and little else."""
        from gatherum_formats.xmldoc.source import glimpse_root

        if glimpse.members:
            books = sum(name.lower().endswith(".fb2") for name in glimpse.members)
            return ".fbz" if books == 1 and len(glimpse.members) <= _MOST_MEMBERS else None
        return ".fb2" if glimpse_root(glimpse.head)[0] == "FictionBook" else None


def _unzipped(source: Source, report: Report) -> bytes:
    """Return the book in an archive."""
    from gatherum.limits import Archive

    archive = Archive(source, report)
    books = [name for name in archive.names if name.lower().endswith(".fb2")]
    if not books:
        raise UnreadableError("missing_part", f"there is no book in {source.name}")
    if len(books) > 1:
        report.problem("partial", f"{source.name} holds {len(books)} books; the first was read")
    data = archive.read(books[0])
    if data is None:
        raise UnreadableError("corrupt", f"the book in {source.name} cannot be unpacked")
    return data


def _without_pictures(data: bytes) -> bytes:
    """Return a book without its pictures, which are most of its bytes, each line in its place."""
    pieces: list[bytes] = []
    at = 0
    while (start := data.find(b"<binary", at)) >= 0:
        end = data.find(b"</binary>", start)
        stop = len(data) if end < 0 else end + len(b"</binary>")
        empty = data.find(b">", start, stop)
        if empty > start and data[empty - 1 : empty] == b"/":
            stop = empty + 1
        pieces += (data[at:start], b"\n" * data.count(b"\n", start, stop))
        at = stop
    return b"".join((*pieces, data[at:])) if pieces else data


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [FictionBookHandler()]
