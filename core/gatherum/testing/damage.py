"""Spoilt and foreign input."""

from __future__ import annotations

import io
import random
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FOREIGN = {
    "empty": b"",
    "zeros": bytes(4096),
    "every byte": bytes(range(256)) * 16,
    "one long line": b"x" * 1_000_000,
    "lone surrogates": "a\ud800b\udfffc".encode("utf-8", "surrogatepass"),
    "an empty zip": b"PK\x05\x06" + bytes(18),
    "a cut zip": b"PK\x03\x04\x14\x00",
    "deep brackets": b"[" * 50_000,
    "deep tags": b"<a>" * 20_000,
    "deep braces": b"{" * 50_000,
    "deep quotes": b">" * 50_000,
    "half an entity": b"<!DOCTYPE x [<!ENTITY a 'b",
    "an outside entity": b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><x>&a;</x>',
    "an old Office file": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
}
"""Input that is no document of any format, by what it is."""


def damaged(data: bytes, *, seed: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield (what was done, spoilt copy) for a document: cut, flipped, doubled, shuffled, members lost.

    Args:
        data: A good document.
        seed: Where chance starts, so that a failure can be repeated.
    """
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    for part in range(1, 8):
        yield f"cut to {part}/8", data[: len(data) * part // 8]
    for _ in range(16):
        at = chance.randrange(len(data)) if data else 0
        yield f"byte {at} flipped", data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :] if data else b"\xff"
    middle = len(data) // 2
    yield "halves swapped", data[middle:] + data[:middle]
    yield "doubled", data + data
    yield "a hole in it", data[: middle - 20] + data[middle + 20 :]
    if data.startswith(b"PK\x03\x04"):
        yield from _without_members(data)


def _without_members(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for lost in list(members)[:40]:
        copy = io.BytesIO()
        with zipfile.ZipFile(copy, "w") as archive:
            for name, content in members.items():
                if name != lost:
                    archive.writestr(name, content)
        yield f"without {lost}", copy.getvalue()
