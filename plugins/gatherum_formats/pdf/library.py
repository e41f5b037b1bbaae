"""Open a PDF with pdfium and ask it for plain values."""

from __future__ import annotations

import ctypes
import re
import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gatherum import UnreadableError
from gatherum_formats.pdf.xmp import read_xmp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatherum import Report

LOCK: Final = threading.Lock()
"""Held while pdfium is at work: it knows no threads."""

LONGEST: Final = 1 << 22
"""Neither a string nor a page has more letters than this that are read."""

_PASSWORD, _SECURITY = 4, 5
_DATE: Final = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?")
_FIELDS: Final = (
    ("title", "Title"),
    ("authors", "Author"),
    ("description", "Subject"),
    ("tags", "Keywords"),
    ("created", "CreationDate"),
    ("modified", "ModDate"),
    ("creator", "Creator"),
    ("producer", "Producer"),
)


def wide(ask: Callable[[Any, int], int]) -> str:
    """Return a string that pdfium writes as UTF-16 into a buffer; it tells the size in bytes when given none."""
    size = int(ask(None, 0))
    if not 2 < size <= LONGEST:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    ask(buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", errors="replace")


def narrow(ask: Callable[[Any, int], int]) -> str:
    """Return a string that pdfium writes as bytes into a buffer; it tells the size when given none."""
    size = int(ask(None, 0))
    if not 1 < size <= LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(buffer, size)
    return buffer.raw[: size - 1].decode("utf-8", errors="replace")


@contextmanager
def opened(data: bytes, name: str) -> Iterator[Any]:
    """Open a document, with the empty password if it is encrypted, and close it afterwards.

    Raises:
        UnreadableError: It needs a password, or is no PDF.
    """
    import pypdfium2.raw as pdfium

    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        reason = pdfium.FPDF_GetLastError()
        if reason == _PASSWORD:
            raise UnreadableError("password_protected", f"{name} is protected by a password")
        if reason == _SECURITY:
            raise UnreadableError("password_protected", f"{name} is protected in a way that is not known")
        raise UnreadableError("corrupt", f"{name} is not a readable PDF")
    try:
        yield document
    finally:
        pdfium.FPDF_CloseDocument(document)


def describe(document: Any, data: bytes, report: Report) -> None:
    """Record what the document says about itself, in its properties or else in XML."""
    import pypdfium2.raw as pdfium

    found: dict[str, object] = {}
    for field, key in _FIELDS:
        value = wide(partial(pdfium.FPDF_GetMetaText, document, key.encode()))
        value = value.replace("\0", " ").strip()
        if field in ("created", "modified"):
            value = _iso(value)
        if value:
            found[field] = _keywords(value) if field == "tags" else value
    if hasattr(pdfium, "FPDFCatalog_GetLanguage"):
        language = wide(partial(pdfium.FPDFCatalog_GetLanguage, document))
        found |= {"language": language} if language else {}
    described = read_xmp(data)
    if found.get("authors") in described.get("authors", ()):
        found["authors"] = described["authors"]
    for field, values in described.items():
        found.setdefault(field, values if field in ("authors", "tags") else values[0])
    report.metadata(**found, pages=int(pdfium.FPDF_GetPageCount(document)))


def attachments(document: Any, limit: int) -> list[tuple[str, bytes]]:
    """Return the names and contents of the files inside the document; those above *limit* bytes come empty."""
    import pypdfium2.raw as pdfium

    found = []
    for index in range(min(pdfium.FPDFDoc_GetAttachmentCount(document), 1_000)):
        attachment = pdfium.FPDFDoc_GetAttachment(document, index)
        if not attachment:
            continue
        name = wide(partial(pdfium.FPDFAttachment_GetName, attachment))
        data = attached(attachment, limit)
        limit -= len(data)
        found.append((re.sub(r"[\x00-\x1f/\\]", "_", name).strip()[-200:] or "attachment", data))
    return found


def attached(attachment: Any, limit: int) -> bytes:
    """Return the content of a file inside the document; nothing if it is larger than *limit* bytes."""
    import pypdfium2.raw as pdfium

    size = ctypes.c_ulong()
    if not pdfium.FPDFAttachment_GetFile(attachment, None, 0, size) or not 0 < size.value <= limit:
        return b""
    buffer = ctypes.create_string_buffer(size.value)
    pdfium.FPDFAttachment_GetFile(attachment, buffer, size.value, size)
    return buffer.raw


def iso(value: str) -> str:
    """Return a PDF date as ISO 8601, without the time; "" if it is none."""
    return _iso(value)[:10]


def _iso(value: str) -> str:
    match = _DATE.match(value)
    if not match:
        return ""
    year, month, day, hour, minute, second, utc, hours, minutes = match.groups()
    date = "-".join(part for part in (year, month, day if month else None) if part)
    if not hour or not day:
        return date
    zone = "+00:00" if utc else f"{hours}:{minutes or '00'}" if hours else ""
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}{zone}"


def _keywords(value: str) -> list[str]:
    separator = ";" if ";" in value else ","
    return [word.strip() for word in value.split(separator) if word.strip()][:200]
