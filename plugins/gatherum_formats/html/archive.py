"""Pages saved whole: MHTML, a message whose parts are a page and what it shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.html.decode import decode_html
from gatherum_formats.shared.mail_date import iso_date

if TYPE_CHECKING:
    from email.message import EmailMessage

    from gatherum import Report

_HEAD: Final = re.compile(rb"\s*[A-Za-z][A-Za-z0-9-]{1,60}:")
_TYPE: Final = re.compile(rb"^content-type:\s*(?:multipart/related|text/html)", re.IGNORECASE | re.MULTILINE)


def is_saved_page(head: bytes) -> bool:
    """Say whether a file begins with the header of a page saved whole."""
    return _HEAD.match(head) is not None and _TYPE.search(head) is not None and b"mime-version" in head.lower()


def saved_page(data: bytes, report: Report, *, name: str) -> tuple[str, str]:
    """Return the page inside a saved one, "" if there is none, and its subject; tell *report* its date."""
    from email import message_from_bytes, policy

    message = message_from_bytes(data, policy=policy.default)
    report.metadata(
        created=iso_date(_header(message, "date")),
        url=_header(message, "snapshot-content-location"),
    )
    plain = ""
    for part in message.walk():
        kind = part.get_content_type()
        if kind not in ("text/html", "application/xhtml+xml", "text/plain"):
            continue
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes):
            continue
        text = decode_html(payload, report, name=name, declared=part.get_content_charset() or "")
        if kind != "text/plain":
            return text, _header(message, "subject")
        plain = plain or text
    return f"<pre>{plain}</pre>" if plain else "", _header(message, "subject")


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name) or "").split())
    except (ValueError, LookupError, TypeError, AttributeError, IndexError):
        return ""
