"""Word documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Glimpse, Handler, Report, Section, Source, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class WordHandler(Handler):
    """Read Word documents and templates, with and without macros, transitional and strict."""

    name = "word"
    title = "Word documents"
    extensions = (".docx", ".docm", ".dotx", ".dotm")

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a document; page headers and footers come last.

        Raises:
            UnreadableError: It is no usable archive, or has no main part.
        """
        from gatherum_formats.word.reading import read_document

        yield from read_document(source, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Return ".docx" for a package with a Word document in it."""
        found = "[Content_Types].xml" in glimpse.members and "word/document.xml" in glimpse.members
        return ".docx" if found else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Read Word documents."""
    return [WordHandler()]
