"""Take the sting out of streams that unpack to more than memory holds, before pdfium meets them.

pdfium ends the process when it cannot have the memory. Deflate packs at most a thousand times, so only streams that are
long, or packed more than once, need a look, and only those that begin like a bomb are unpacked (and thrown away at
once) to the end.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report

_STREAM: Final = re.compile(rb"stream\r?\n(?=[\x08-\x78][\x01\x5e\x9c\xda\x80-\xff])")
_PACKED: Final = re.compile(rb"/(?:Fl|FlateDecode|LZW|LZWDecode)\b")
_DICTIONARY: Final = 2_000
_SHORT: Final = 100_000
_SAMPLE: Final = 16_384
_SUSPECT: Final = 100
_LARGEST: Final = 192 << 20
_STEP: Final = 1 << 20


def defused(data: bytes, report: Report) -> bytes:
    """Return the file with every stream made empty that unpacks to more than 192 MiB."""
    bombs = [match.end() for match in _STREAM.finditer(data) if _is_bomb(data, match)]
    if not bombs:
        return data
    report.problem("too_large", f"{len(bombs)} of its streams unpack to more than {_LARGEST >> 20} MiB")
    harmless = bytearray(data)
    for start in bombs:
        harmless[start : start + 64] = bytes(64)
    return bytes(harmless)


def _is_bomb(data: bytes, match: re.Match[bytes]) -> bool:
    start = match.end()
    end = data.find(b"endstream", start)
    end = len(data) if end < 0 else end
    about = data.rfind(b"obj", max(0, start - _DICTIONARY), start)
    times = len(_PACKED.findall(data, max(0, about), start))
    if times < 2 and end - start < _SHORT:
        return False
    pieces: Iterator[bytes] = iter((data[start:end],))
    try:
        sample = zlib.decompressobj().decompress(data[start : start + _SAMPLE], _SAMPLE * _SUSPECT)
        if times < 2 and len(sample) < _SAMPLE * _SUSPECT:
            return False
        for _ in range(max(times, 1)):
            pieces = _unpacked(pieces)
        total = 0
        for piece in pieces:
            total += len(piece)
            if total > _LARGEST:
                return True
    except zlib.error:
        pass
    return False


def _unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    stream = zlib.decompressobj()
    for piece in pieces:
        packed = piece
        while packed and not stream.eof:
            yield stream.decompress(packed, _STEP)
            packed = stream.unconsumed_tail
