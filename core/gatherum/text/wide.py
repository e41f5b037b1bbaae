"""Recognise UTF-16 and UTF-32 without a byte order mark."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from gatherum.text.alphabets import eastern

_SAMPLE: Final = 65_536
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_LOW: Final = re.compile(rb"[\x01-\x08\x0e-\x1a]")
_SMALL: Final = frozenset((*range(0x03, 0x08), 0x0E, 0x10))


def wide_encoding(data: bytes) -> str | None:
    """Return the codec of text in 16- or 32-bit units that has no mark, by where its zero bytes stand; else None.

    Text in two-byte units has nearly all zeros (of Latin letters, digits, spaces, line ends) on one side of the
    units, and few distinct bytes there; in four-byte units the two uppermost bytes are all but constant.
    """
    sample = data[:_SAMPLE]
    sample = sample[: len(sample) // 4 * 4] if len(sample) >= 8 else sample[: len(sample) // 2 * 2]
    if len(sample) < 4 or not _CONTROL.search(sample):
        return None
    units = len(sample) // 4
    lanes = [sample[lane::4] for lane in range(4)]
    nulls = [lane.count(0) for lane in lanes]
    if units >= 2:
        if nulls[3] == units and nulls[2] >= units * 0.9 and nulls[0] < units * 0.2:
            return "utf-32-le"
        if nulls[0] == units and nulls[1] >= units * 0.9 and nulls[3] < units * 0.2:
            return "utf-32-be"
    narrow = sample.isascii() and not _LOW.search(sample)
    for codec, high, low in (("utf-16-le", sample[1::2], sample[0::2]), ("utf-16-be", sample[0::2], sample[1::2])):
        above, below = high.count(0), low.count(0)
        if narrow and above < len(high) * 0.8:
            continue
        if above * 25 >= len(high) and above >= below * 10 and _few(high) and _readable(sample, codec):
            return codec
        if Counter(high).most_common(1)[0][1] >= len(high) * 0.7 and high[0] in _SMALL and _readable(sample, codec):
            return codec
    return next((codec for codec in ("utf-16-le", "utf-16-be") if _eastern(sample[:8192], codec)), None)


def _eastern(sample: bytes, codec: str) -> bool:
    """Tell text in ideographs or syllables by how many of the commonest ones are in it."""
    if sample.isascii():
        return False
    text = sample.decode(codec, errors="replace")
    return sum(map(text.count, eastern() & set(text))) >= len(text) * 0.35


def _few(high: bytes) -> bool:
    """Tell whether the upper bytes are those of text: mostly two values, or those of ideographs and syllables."""
    counts = Counter(high)
    if sum(count for _, count in counts.most_common(2)) >= len(high) * 0.8:
        return True
    east = sum(count for byte, count in counts.items() if byte in (0, 0x30, 0xFF) or 0x4E <= byte <= 0xD7)
    return east >= len(high) * 0.9


def _readable(sample: bytes, codec: str) -> bool:
    text = sample.decode(codec, errors="replace")
    odd = sum(text.count(char) for char in "\ufffd\x00\x01\x02\x03\x04\x05")
    return odd <= len(text) * 0.02
