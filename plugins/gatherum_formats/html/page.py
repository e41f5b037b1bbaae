"""HTML pages from their bytes to their sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Locator
from gatherum_formats.html.archive import is_saved_page, saved_page
from gatherum_formats.html.decode import decode_html, plain_markup
from gatherum_formats.html.sections import html_sections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


def read_page(source: Source, report: Report) -> Iterator[Section]:
    """Yield the sections of a page, alone or saved with what it shows.

    Args:
        source: The file.
        report: Told of metadata and problems.
    """
    if is_saved_page(source.head()):
        # The page is encoded inside the file: its lines are not the file's.
        (text, subject), place = saved_page(source.data, report, name=source.name), Locator(unit="document")
        yield from html_sections(plain_markup(text), locator=place, report=report, metadata=True)
        report.metadata(title=subject)  # for a page that has no title of its own
        return
    text = decode_html(source.data, report, name=source.name)
    yield from html_sections(plain_markup(text), report=report, metadata=True)
