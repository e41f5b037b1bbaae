"""Put a PDF together again whose table of contents or tree of pages is lost: cut files, above all."""

from __future__ import annotations

import re
from typing import Final

_PAGE: Final = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_OBJECT: Final = re.compile(rb"(\d{1,8})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj")
_NUMBER: Final = re.compile(rb"(?<!\d)(\d{1,8})[ \t\r\n]+\d{1,5}[ \t\r\n]+obj")
_NEAR: Final = 4_096
_PAGES: Final = 5_000


def rescued(data: bytes) -> bytes | None:
    """Return the file with a new tree of all pages that can be found in it; None if there are none.

    Encrypted files are left alone: what unlocks them stood in what is lost.
    """
    if b"/Encrypt" in data:
        return None
    kids: dict[bytes, None] = {}
    for match in _PAGE.finditer(data):
        begin = max(0, match.start() - _NEAR)
        at = data.rfind(b"obj", begin, match.start())
        head = data[max(begin, at - 24) : at + 3]
        found = _OBJECT.search(head)
        if found and not head.endswith(b"endobj"):
            kids[b"%d %d R" % (int(found[1]), int(found[2]))] = None
        if len(kids) >= _PAGES:
            break
    if not kids:
        return None
    free = max(int(match[1]) for match in _NUMBER.finditer(data)) + 1
    tree = b"%d 0 obj\n<</Type/Pages/Count %d/Kids[%b]>>\nendobj\n" % (free + 1, len(kids), b" ".join(kids))
    root = b"%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (free, free + 1)
    trailer = b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n0\n%%%%EOF\n" % (free + 2, free)
    return b"%PDF-1.7\n" + data + b"\nendstream\nendobj\n" + tree + root + trailer
