"""PDF documents: text in reading order, with headings and exact pages.

Headings come from the document's outline; where it has none, from lines that are surely set as headings; where there
are none either, each page is a section. Heads and feet that repeat are furniture. Nothing is recognised in pictures.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Section, SectionBuilder, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Source
    from gatherum_formats.pdf.headings import Headings
    from gatherum_formats.pdf.pages import Page


_MEMORY: Final = 512 << 20
"""For pdfium in bytes: few kilobytes can ask for any amount."""


class PdfHandler(Handler):
    """Read PDF documents."""

    name = "pdf"
    title = "PDF documents"
    extensions = (".pdf",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the pages of *source*, then the files attached to it.

        Raises:
            UnreadableError: It is empty, damaged beyond reading, or needs a password.
        """
        from gatherum_formats.pdf.rescue import rescued
        from gatherum_formats.pdf.sections import sections
        from gatherum_formats.pdf.streams import defused

        if not source.data.strip():
            raise UnreadableError("empty", f"{source.name} is empty")
        data = defused(source.data, report)
        try:
            pages, outline, files = _content(data, source, report)
        except UnreadableError as error:
            mended = rescued(data) if error.code == "corrupt" else None
            if mended is None:
                raise
            report.problem("partial", "the file is damaged; its pages were put together from what is left")
            pages, outline, files = _content(mended, source, report)
        written = False
        for section in sections(pages, outline):
            written = True
            yield section
        if any(page.hidden for page in pages):
            report.problem("hidden_text", "the document has text that its readers do not see")
        files += [file for page in pages for file in page.marks.files if file not in files]
        if files:
            yield from _attached(files, report)
        elif not written and not any(page.pictured for page in pages):
            report.problem("empty", f"{source.name} has no text")

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a PDF by its first line."""
        return ".pdf" if glimpse.head.lstrip(b"\xef\xbb\xbf\0\t\r\n ").startswith(b"%PDF-") else None


def _content(data: bytes, source: Source, report: Report) -> tuple[list[Page], Headings, list[tuple[str, bytes]]]:
    """Return the pages, the outline and the attached files of a document."""
    from gatherum.limits import within_memory
    from gatherum_formats.pdf.headings import read_outline
    from gatherum_formats.pdf.library import LOCK, attachments, describe, opened
    from gatherum_formats.pdf.pages import read_pages

    with LOCK, within_memory(_MEMORY), opened(data, source.name) as document:
        pages = read_pages(document, len(data), source.limits, report)
        describe(document, data, report)
        return pages, read_outline(document, pages), attachments(document, source.limits.member_bytes)


def _attached(files: list[tuple[str, bytes]], report: Report) -> Iterator[Section]:
    """Name the attached files, then yield what each of them says."""
    builder = SectionBuilder()
    yield from builder.enter(1, "Attachments")
    names = "\n".join(f"- {name}" for name in dict.fromkeys(name for name, _ in files))
    yield from builder.add(names, kind="list")
    yield from builder.close()
    for name, data in files:
        if not data.strip():
            report.problem("missing_part", f"the attached file {name} is empty, damaged or too large")
            continue
        for section in report.child(name, data):
            yield replace(section, heading=("Attachments", name, *section.heading), level=min(section.level + 2, 9))


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler of PDF documents."""
    return [PdfHandler()]
