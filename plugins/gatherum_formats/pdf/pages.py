"""Read the pages of an open PDF, one after the other."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from gatherum import Locator, UnreadableError
from gatherum_formats.pdf.layout import arrange
from gatherum_formats.pdf.lines import SOFT, Letters, Line
from gatherum_formats.pdf.marks import Marks, linked, picture_texts, read_marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum import Report
    from gatherum.limits import Limits

_PAGES: Final = 30_000
_LEAST: Final = 24
"""Bytes that a page takes in a file at the very least."""
_TRIED: Final = 20
_SAME: Final = 100
_DRAWINGS: Final = 8
_OBJECTS: Final = 50_000
_SMALLEST: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one page says.

    Attributes:
        number: Its number, from 1.
        lines: Its lines in reading order.
        top: The upper edge of the page, turned as its text is.
        height: The height of the page, turned as its text is.
        marks: Comments, fields, links and files on it.
        hidden: Text that nobody sees.
        lost: Addresses of links that no text carries.
        alts: What stands for its pictures.
        pictured: Whether it shows something although it has no text.
    """

    number: int
    lines: tuple[Line, ...] = ()
    top: float = 0.0
    height: float = 0.0
    marks: Marks = field(default_factory=Marks)
    hidden: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    alts: tuple[str, ...] = ()
    pictured: bool = False


def read_pages(document: Any, bytes_: int, limits: Limits, report: Report) -> list[Page]:
    """Return the pages of a document, as many as can honestly be in it.

    Args:
        document: An open document of pdfium.
        bytes_: The size of the file.
        limits: What may be read.
        report: Told of pages that are left out or cannot be read.

    Raises:
        UnreadableError: None of the first pages can be read.
    """
    import pypdfium2.raw as pdfium

    count = pdfium.FPDF_GetPageCount(document)
    if not any(_loads(document, index) for index in range(min(count, _TRIED))):
        raise UnreadableError("corrupt", "the document has no pages that can be read")
    allowed = max(10, min(_PAGES, bytes_ // _LEAST))
    if count > allowed:
        report.problem("too_large", f"the document claims {count} pages; {allowed} were read")
    pages: list[Page] = []
    chars, same, previous = limits.text_chars, 0, ""
    tagged = bool(pdfium.FPDFCatalog_IsTagged(document))
    with _form(document, report) as form:
        for index in range(min(count, allowed)):
            page = pdfium.FPDF_LoadPage(document, index)
            if not page:
                report.problem("partial", f"page {index + 1} cannot be read", Locator.page(index + 1))
                pages.append(Page(number=index + 1))
                continue
            try:
                found, text = _page(page, index + 1, document, form, tagged, limits)
            finally:
                pdfium.FPDF_ClosePage(page)
            if found.marks.left_out:
                message = f"page {index + 1} has {found.marks.left_out} more comments and links than are read"
                report.problem("too_large", message, Locator.page(index + 1))
            same = same + 1 if text and text == previous else 0
            previous, chars = text, chars - len(text)
            if same > _SAME:
                report.problem("partial", f"the page before page {index + 1} is repeated; repetitions were left out")
                break
            pages.append(found)
            if chars < 0:
                report.problem("too_large", f"the text is longer than allowed; read to page {index + 1}")
                break
    _pictured(pages, report)
    return pages


def _loads(document: Any, index: int) -> bool:
    import pypdfium2.raw as pdfium

    page = pdfium.FPDF_LoadPage(document, index)
    if page:
        pdfium.FPDF_ClosePage(page)
    return bool(page)


def _page(page: Any, number: int, document: Any, form: Any, tagged: bool, limits: Limits) -> tuple[Page, str]:
    import pypdfium2.raw as pdfium

    text_page = pdfium.FPDFText_LoadPage(page)
    lines: list[Line] = []
    text = ""
    hidden: tuple[str, ...] = ()
    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    if text_page:
        letters = Letters(text_page, box.right - box.left)
        text = letters.text
        rows, hidden = _seen(letters.rows(), page, box)
        lines = arrange(rows)
    marks = read_marks(page, text_page, form, document, limits.member_bytes)
    lost: list[str] = []
    if marks.links:
        lines, lost = linked(lines, marks.links)
    if text_page:
        pdfium.FPDFText_ClosePage(text_page)
    turn = lines[0].turn if lines else 0
    edges = ((box.bottom, box.top), (-box.right, -box.left), (-box.top, -box.bottom), (box.left, box.right))[turn]
    found = Page(
        number=number,
        lines=tuple(lines),
        top=edges[1],
        height=max(1.0, edges[1] - edges[0]),
        marks=marks,
        hidden=hidden,
        lost=tuple(lost),
        alts=tuple(picture_texts(page)) if tagged else (),
        pictured=not lines and not hidden and _shows(page),
    )
    return found, text


@contextmanager
def _form(document: Any, report: Report) -> Iterator[Any]:
    """Give the form of a document, None if it has none."""
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDF_GetFormType(document)
    if kind == pdfium.FORMTYPE_XFA_FULL:
        report.problem("partial", "its form is made with XFA, of which nothing is read")
    if kind == pdfium.FORMTYPE_NONE:
        yield None
        return
    config = pdfium.FPDF_FORMFILLINFO(version=2)
    form = pdfium.FPDFDOC_InitFormFillEnvironment(document, config)
    try:
        yield form or None
    finally:
        if form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(form)


def _seen(rows: list[list[Line]], page: Any, box: Any) -> tuple[list[list[Line]], tuple[str, ...]]:
    """Part lines that readers see from those that they surely do not.

    What is not painted is hidden unless there is a picture: then it is the picture's text. White text is hidden where
    the page has nothing but text. Letters below a point, and lines outside the page, are always hidden.
    """
    shades = {line.shade for row in rows for line in row} - {"plain"}
    if shades:
        kinds = _kinds(page)
        pictures = bool(kinds & {"picture", "form"})
        shades = {shade for shade in shades if not (pictures if shade == "none" else kinds - {"text"})}
    shown, hidden = [], []
    for row in rows:
        line = row[0]
        outside = line.right < box.left or row[-1].left > box.right or line.top < box.bottom or line.bottom > box.top
        outside = outside and box.left < box.right and box.bottom < box.top
        if line.shade in shades or 0 < line.size < _SMALLEST or outside:
            hidden.append(" ".join(piece.text.replace(SOFT, "-") for piece in row))
        else:
            shown.append(row)
    return shown, tuple(hidden)


def _kinds(page: Any) -> set[str]:
    import pypdfium2.raw as pdfium

    names = {pdfium.FPDF_PAGEOBJ_TEXT: "text", pdfium.FPDF_PAGEOBJ_IMAGE: "picture", pdfium.FPDF_PAGEOBJ_FORM: "form"}
    count = min(pdfium.FPDFPage_CountObjects(page), _OBJECTS)
    types = (pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, index)) for index in range(count))
    return {names.get(kind, "drawing") for kind in types}


def _shows(page: Any) -> bool:
    """Whether a page has pictures, or drawings enough to be letters."""
    import pypdfium2.raw as pdfium

    return pdfium.FPDFPage_CountObjects(page) > _DRAWINGS or bool(_kinds(page) & {"picture", "form"})


def _pictured(pages: Sequence[Page], report: Report) -> None:
    """Name the pages that hold pictures only, in as few ranges as there are."""
    numbers = [page.number for page in pages if page.pictured]
    start = 0
    for at, number in enumerate(numbers, 1):
        if at < len(numbers) and numbers[at] == number + 1:
            continue
        place = Locator.page(numbers[start], number)
        verb = "holds" if numbers[start] == number else "hold"
        report.problem("no_text", f"{place.label} {verb} pictures only", place)
        start = at
