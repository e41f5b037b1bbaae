"""Turn bytes into text, and text into clean text."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNWANTED = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    r"""Text and how it was had.

    Attributes:
        text: The text, line ends made ``\n``.
        encoding: The codec that was used.
        guessed: Whether statistics chose it, rather than a mark, a declaration or validity.
        damaged: How many bytes could not be decoded; U+FFFD stands for them.
    """

    text: str
    encoding: str
    guessed: bool = False
    damaged: int = 0


def decode(data: bytes, *, declared: str | None = None) -> Decoded:
    """Decode *data* by its byte order mark, its declaration, validity, and at last by statistics.

    Args:
        data: Text in any encoding.
        declared: The encoding that the text names for itself, if any; ignored when the bytes contradict it.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decoded(data[len(bom) :], encoding)
    for encoding in filter(None, (declared, "utf-8")):
        try:
            return Decoded(text=_newlines(data.decode(encoding)), encoding=encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return _decoded(data, "utf-8")


def _decoded(data: bytes, encoding: str, *, guessed: bool = False) -> Decoded:
    text = data.decode(encoding, errors="replace")
    return Decoded(text=_newlines(text), encoding=encoding, guessed=guessed, damaged=text.count("\ufffd"))


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def clean(text: str) -> str:
    """Return *text* fit for storing: no surrogates, no control characters but tab, line feed and form feed."""
    if text.isascii() and text.isprintable():
        return text
    return _UNWANTED.sub(lambda match: " " if match[0] == "\x00" else "\ufffd" if match[0] > "\ud7ff" else "", text)


def fold(text: str) -> str:
    """Return *text* with compatibility forms unified and case removed, for comparing."""
    return unicodedata.normalize("NFKC", text).casefold()
