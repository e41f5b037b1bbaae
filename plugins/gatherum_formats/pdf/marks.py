"""What lies on top of a page: comments, form fields, links, attached files; and the words that stand for pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gatherum_formats.pdf.library import attached, iso, narrow, wide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum_formats.pdf.lines import Line

_MARKS: Final = 5_000
_LINKS: Final = 300
_TAGS: Final = 20_000
_ADDRESS: Final = re.compile(r"(?:https?|ftp|mailto|news|tel|doi):[^\s<>]{1,2000}$", re.IGNORECASE)
_CHECKED: Final = ("☐", "☒")


@dataclass(kw_only=True)
class Marks:
    """What was found on one page.

    Attributes:
        comments: Comments as "Author, date: text".
        fields: Form fields as "name: value".
        links: Web addresses, each with the text that carries it and the height at which it stands.
        files: Files attached to comments, with their content.
        left_out: How many there are beyond the first 5,000.
    """

    comments: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    links: list[tuple[str, str, float]] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    left_out: int = 0


def read_marks(page: Any, text_page: Any, form: Any, document: Any, limit: int) -> Marks:
    """Return what lies on a page.

    Args:
        page: An open page of pdfium.
        text_page: Its text.
        form: The form environment; None where the document has no form.
        document: The document.
        limit: The largest attached file that is read.
    """
    import pypdfium2.raw as pdfium

    marks, seen, choices = Marks(), set[str](), dict[str, list[tuple[bool, str]]]()
    count = pdfium.FPDFPage_GetAnnotCount(page)
    marks.left_out = max(0, count - _MARKS)
    for index in range(min(count, _MARKS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == pdfium.FPDF_ANNOT_LINK:
            if len(marks.links) < _LINKS and (link := _link(annotation, text_page, document)):
                marks.links.append(link)
        elif kind == pdfium.FPDF_ANNOT_WIDGET:
            _field(annotation, form, marks, choices)
        else:
            if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT and hasattr(pdfium, "FPDFAnnot_GetFileAttachment"):
                file = pdfium.FPDFAnnot_GetFileAttachment(annotation)
                if file:
                    name = wide(partial(pdfium.FPDFAttachment_GetName, file))
                    marks.files.append(
                        (name.replace("/", "_").replace("\\", "_") or "attachment", attached(file, limit))
                    )
            contents = _string(annotation, b"Contents").replace("\r\n", "\n").replace("\r", "\n").strip()
            if contents and contents not in seen:
                seen.add(contents)
                who = [
                    _string(annotation, b"T"),
                    iso(_string(annotation, b"M") or _string(annotation, b"CreationDate")),
                ]
                label = ", ".join(part.strip() for part in who if part.strip())
                marks.comments.append(f"{label}: {contents}" if label else contents)
        pdfium.FPDFPage_CloseAnnot(annotation)
    for name, options in choices.items():
        marks.fields.append(f"{name}: " + " ".join(f"{_CHECKED[on]} {value}".rstrip() for on, value in options))
    return marks


def _string(annotation: Any, key: bytes) -> str:
    import pypdfium2.raw as pdfium

    return wide(partial(pdfium.FPDFAnnot_GetStringValue, annotation, key))


def _field(annotation: Any, form: Any, marks: Marks, choices: dict[str, list[tuple[bool, str]]]) -> None:
    """Note a form field; the buttons of one group are told together."""
    import pypdfium2.raw as pdfium

    if form is None:
        return
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_UNKNOWN):
        return
    name = wide(partial(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation))
    name = name or wide(partial(pdfium.FPDFAnnot_GetFormFieldName, form, annotation))
    name = " ".join(name.split())
    if kind in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
        value = wide(partial(pdfium.FPDFAnnot_GetFormFieldExportValue, form, annotation))
        option = value if value.casefold() not in ("yes", "on", "off", "1") else ""
        shown = _string(annotation, b"AS")
        checked = shown != "Off" if shown else bool(pdfium.FPDFAnnot_IsChecked(form, annotation))
        choices.setdefault(name, []).append((checked, option))
        return
    value = wide(partial(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation))
    line = f"{name}: {value.replace(chr(13), chr(10)).strip()}".strip()
    if line not in marks.fields:
        marks.fields.append(line)


def _link(annotation: Any, text_page: Any, document: Any) -> tuple[str, str, float] | None:
    import pypdfium2.raw as pdfium

    link = pdfium.FPDFAnnot_GetLink(annotation)
    action = pdfium.FPDFLink_GetAction(link) if link else None
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return None
    address = narrow(partial(pdfium.FPDFAction_GetURIPath, document, action)).strip()
    box = pdfium.FS_RECTF()
    if not _ADDRESS.match(address) or not pdfium.FPDFAnnot_GetRect(annotation, box):
        return None
    text = ""
    if text_page:
        edges = (box.left, max(box.top, box.bottom), box.right, min(box.top, box.bottom))
        size = pdfium.FPDFText_GetBoundedText(text_page, *edges, None, 0)
        if 0 < size < 2_000:
            text = _inside(text_page, edges, size)
    return address, " ".join(text.split()), (box.top + box.bottom) / 2


def _inside(text_page: Any, edges: tuple[float, float, float, float], size: int) -> str:
    """Return the text inside a rectangle; pdfium counts it in letters here."""
    import ctypes

    import pypdfium2.raw as pdfium

    buffer = (ctypes.c_ushort * (size + 1))()
    pdfium.FPDFText_GetBoundedText(text_page, *edges, buffer, size)
    return bytes(buffer)[: 2 * size].decode("utf-16-le", errors="replace").rstrip("\0")


def linked(lines: list[Line], links: list[tuple[str, str, float]]) -> tuple[list[Line], list[str]]:
    """Write each link where its text stands; return the lines and the addresses that found no place."""
    lines, lost = list(lines), list[str]()
    for address, text, height in links:
        shown = re.sub(r"^(?:https?://|mailto:)", "", address).rstrip("/")
        near = [at for at, line in enumerate(lines) if line.bottom <= height <= line.top and not line.turn]
        if any(shown in lines[at].text for at in near):
            continue
        place = next((at for at in near if len(text) > 1 and text in lines[at].text), None)
        if place is None:
            if address not in lost:
                lost.append(address)
            continue
        line = lines[place]
        lines[place] = replace(line, text=line.text.replace(text, f"[{text}]({address})", 1))
    return lines, lost


def picture_texts(page: Any) -> Iterator[str]:
    """Yield the words that a tagged page gives in place of its pictures."""
    import pypdfium2.raw as pdfium

    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return
    count = min(pdfium.FPDF_StructTree_CountChildren(tree), _TAGS)
    stack = [pdfium.FPDF_StructTree_GetChildAtIndex(tree, index) for index in reversed(range(count))]
    left, seen = _TAGS, set[str]()
    while stack and left:
        left -= 1
        tag = stack.pop()
        if not tag:
            continue
        text = wide(partial(pdfium.FPDF_StructElement_GetAltText, tag)).strip()
        if text and text not in seen:
            seen.add(text)
            yield text
        count = min(pdfium.FPDF_StructElement_CountChildren(tag), left)
        stack += [pdfium.FPDF_StructElement_GetChildAtIndex(tag, index) for index in reversed(range(count))]
    pdfium.FPDF_StructTree_Close(tree)
