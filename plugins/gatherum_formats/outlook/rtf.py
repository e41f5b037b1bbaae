"""The compression of formatted text in Outlook messages: LZFu, [MS-OXRTFCP] sections 2 and 3.1."""

from __future__ import annotations

from typing import Final

_FIRST: Final = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    rb"\pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""What the dictionary begins with, section 2.1.3.1.1."""
_SIZE: Final = 4096
_HEADER: Final = 16
_PACKED: Final = b"LZFu"
_PLAIN: Final = b"MELA"
_SHORTEST: Final = 2


def unpack_rtf(data: bytes, limit: int) -> bytes:
    """Return the RTF text of the property ``PidTagRtfCompressed``; what comes before any damage.

    Args:
        data: The property's value.
        limit: How many bytes at most.

    Raises:
        ValueError: It is in no known form.
    """
    kind, size = data[8:12], min(int.from_bytes(data[4:8], "little"), limit)
    if kind == _PLAIN:
        return data[_HEADER : _HEADER + size]
    if kind != _PACKED:
        raise ValueError("unknown compression")
    window = bytearray(_SIZE)
    window[: len(_FIRST)] = _FIRST
    write, at = len(_FIRST), _HEADER
    out = bytearray()
    while at < len(data) and len(out) < size:
        control = data[at]
        at += 1
        for bit in range(8):
            if control >> bit & 1:
                token = int.from_bytes(data[at : at + 2], "big")
                at += 2
                read, length = token >> 4, (token & 15) + _SHORTEST
                if read == write or at > len(data):
                    return bytes(out[:size])
                for step in range(length):
                    byte = window[(read + step) % _SIZE]
                    out.append(byte)
                    window[write] = byte
                    write = (write + 1) % _SIZE
            elif at < len(data):
                out.append(data[at])
                window[write] = data[at]
                write = (write + 1) % _SIZE
                at += 1
    return bytes(out[:size])
