"""Tell text from other content."""

from __future__ import annotations

from typing import Final

_MAGIC: Final = (
    b"\x7fELF",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b\x08",
    b"BZh9",
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"OggS\x00",
    b"fLaC",
    b"ID3\x03",
    b"ID3\x04",
    b"SQLite format 3\x00",
    b"\x00asm\x01",
    b"wOFF",
    b"wOF2",
    b"\x00\x01\x00\x00\x00",
    b"II*\x00",
    b"MM\x00*",
)
_CONTROLS: Final = bytes(sorted({*range(0x01, 0x20)} - {*b"\t\n\x0b\x0c\r\x08\x1b\x1a"} | {0x7F}))
_SAMPLE: Final = 65_536
_MANY: Final = 0.03
_MANY_NUL: Final = 0.3


def is_binary(data: bytes) -> bool:
    """Return whether *data* is no text in any encoding: by its first bytes, or by its share of control characters."""
    from gatherum.text.wide import wide_encoding

    head = data[:_SAMPLE]
    if head.startswith(_MAGIC) or (head.startswith(b"RIFF") and head[8:12] in (b"WAVE", b"AVI ", b"WEBP")):
        return True
    if not head or wide_encoding(head):
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    zeros = head.count(0)
    if controls + zeros > len(head) * _MANY and controls > len(head) * _MANY / 3:
        return not _escaped(head, controls)
    return zeros > len(head) * _MANY_NUL


def _escaped(head: bytes, controls: int) -> bool:
    """Tell terminal output, whose control characters stand in plain ASCII or UTF-8, from binary content."""
    try:
        text = head[:4096].decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head[:4096]) - 4:
            return False
        text = head[: error.start].decode("utf-8")
    return controls < len(head) * 0.3 and sum(char.isalnum() or char.isspace() for char in text) > len(text) * 0.5
