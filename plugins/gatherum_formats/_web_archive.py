"""Web pages saved as MIME messages (RFC 2557: ``.mht``), which Word documents may include."""

from __future__ import annotations

import codecs


def archived_page(data: bytes) -> bytes:
    """Return the HTML page of a web archive as UTF-8 with its mark; b"" if there is none. Never raises."""
    from email import message_from_bytes

    try:
        for part in message_from_bytes(data).walk():
            if part.get_content_type() == "text/html":
                page = part.get_payload(decode=True)
                if isinstance(page, bytes):
                    return codecs.BOM_UTF8 + page.decode(part.get_content_charset("utf-8"), errors="replace").encode()
    except (LookupError, ValueError, TypeError, RecursionError):
        return b""
    return b""
