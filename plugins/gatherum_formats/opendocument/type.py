"""What kind of OpenDocument file a content is."""

from __future__ import annotations

import re
from typing import Final

MIMETYPE: Final = "application/vnd.oasis.opendocument."

_ROOT: Final = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_FLAT_TYPE: Final = re.compile(rb"""mimetype\s*=\s*["']application/vnd\.oasis\.opendocument\.([a-z-]+)""")


def flat_type(head: bytes) -> str | None:
    """Return what a flat file's first bytes say it is ("text", "presentation"); "" if they don't, None if not flat."""
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head.startswith((b"<?xml", b"<office:document")):
        return None
    root = _ROOT.search(head)
    if root is None or root[1] != b"document" or b"urn:oasis:names:tc:opendocument:" not in head:
        return None
    found = _FLAT_TYPE.search(head)
    return found[1].decode() if found else ""
