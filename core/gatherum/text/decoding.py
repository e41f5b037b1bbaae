"""Turn bytes into text."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from gatherum.text.guessing import guess, likelihood, reading_worth, sample_of
from gatherum.text.wide import wide_encoding

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
# What files mean by a name where that is more than its standard.
_MEANT: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
}
_NAMED: Final = {
    "x-sjis": "cp932",
    "x-gbk": "gb18030",
    "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman",
    "ks_c_5601-1987": "cp949",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "utf8mb4": "utf-8",
    "unicode": "utf-16",
}
_NOT_ENCODINGS: Final = frozenset(
    (
        *("idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "raw_unicode_escape", "undefined"),
        *("unicode-escape", "unicode_escape", "utf-16", "utf-32", "utf-7", "utf-8-sig"),
    )
)
_SEVEN_BIT: Final = (
    (re.compile(rb"\x1b\$[@B]|\x1b\$\([DOPQ]"), "iso2022_jp_ext"),
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"~\{(?:[!-w][!-~]){2,}~\}"), "hz"),
)
_BEYOND: Final = re.compile(rb"[\x80-\xff]")
_SEQUENCE: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}", re.DOTALL)
_FEW: Final = 200_000
_WINDOW: Final = 8_192
_LETTERLIKE: Final = frozenset("ŠŽŒšžœŸƒªº")
_TYPOGRAPHIC: Final = frozenset("“”‘’„‚–—…•«»°§€£©®™\xa0·´")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    r"""Text and how it was had.

    Attributes:
        text: The text, line ends made ``\n``.
        encoding: The codec that was used.
        guessed: Whether statistics chose it, rather than a mark, a declaration or validity.
        damaged: How many bytes are not valid in it: they were read as cp1252 where that gives a likely letter or
            sign, and U+FFFD stands for the others.
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
            return _plain(data[len(bom) :], encoding)
    if b"\x00" in data[:65_536] and (wide := wide_encoding(data)):
        return _plain(data, wide)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start
    else:
        seven = _seven_bit(data) if text.isascii() else None
        return seven or Decoded(text=_newlines(text), encoding="utf-8")
    if start < 65_536 and (wide := wide_encoding(data)):
        return _plain(data, wide)
    return _legacy(data, start, _codec(declared))


def _legacy(data: bytes, start: int, declared: str | None) -> Decoded:
    sample = sample_of(data)
    if start > len(sample):  # what is wrong begins far inside: let it be seen
        sample = sample_of(data[:start], size=32_768) + b"\n" + sample_of(data[start:], size=32_768)
    if _mostly_utf8(sample, data, start):
        return _mixed(data)
    if declared == "utf-8":
        declared = None
    encoding = guess(sample, declared=declared)
    if encoding is None:
        if _SEQUENCE.search(sample):
            return _mixed(data)
        encoding = "cp1252"
    decoded = _plain(data, encoding)
    return Decoded(text=decoded.text, encoding=encoding, guessed=encoding != declared, damaged=decoded.damaged)


def _mostly_utf8(sample: bytes, data: bytes, start: int) -> bool:
    """Tell UTF-8 with damage from other encodings."""
    if start > len(data) - 4 and (start < len(data) - 1 or len(data) > len(sample)) and _cut(data[start:]):
        return True
    good = sum(len(match) for match in _SEQUENCE.findall(sample))
    if not good:
        return False
    bad = len(_BEYOND.findall(sample)) - good
    if bad * 20 <= good or start > len(data) - 4:
        return True
    if good * 8 < bad:
        return False
    rare = b" ".join(re.findall(rb"[^\x00-\x20]*[\x80-\xff][^\x00-\x20]*", sample))[:6000]
    codec = guess(rare)
    if codec is None:
        return True
    best = likelihood(rare, codec)
    text, lost = _recode(rare)
    return reading_worth(text) - 2.5 * lost - 12.0 * text.count("\ufffd") > best


def _mixed(data: bytes) -> Decoded:
    text, lost = _recode(data)
    return Decoded(text=_newlines(text), encoding="utf-8", damaged=lost)


def _recode(data: bytes) -> tuple[str, int]:
    """Decode UTF-8 and read each byte that is not part of it as cp1252 where that is likely; count these bytes."""
    parts: list[str] = []
    lost = at = 0
    while at < len(data):
        window = data[at : at + _WINDOW]
        try:
            parts.append(window.decode("utf-8"))
            at += len(window)
            continue
        except UnicodeDecodeError as error:
            first, last = error.start, error.end
        parts.append(window[:first].decode("utf-8"))
        if first and len(window) - first < 4 and at + len(window) < len(data):
            at += first  # the window may end inside a character
            continue
        first, last = at + first, at + last
        stop = first
        while stop - first < 64 and stop < len(data) and data[stop] >= 0x80 and not _SEQUENCE.match(data, stop):
            stop += 1
        stop = max(stop, last)
        lost += stop - first
        parts.append(_as_cp1252(data, first, stop))
        at = stop
        if lost > _FEW:
            rest = data[at:].decode("utf-8", errors="replace")
            parts.append(rest)
            lost += rest.count("\ufffd")
            break
    return "".join(parts), lost


def _as_cp1252(data: bytes, first: int, stop: int) -> str:
    """Return the bytes as cp1252, or U+FFFD for each if they make no likely text there."""
    bad = data[first:stop]
    text = bad.decode("cp1252", errors="replace")
    before, after = data[first - 1 : first], data[stop : stop + 1]
    beside_letter = before.isalpha() or after.isalpha() or before >= b"\x80" or after >= b"\x80"
    if stop == len(data) and _cut(bad):
        return "\ufffd"
    likely = all(char.isalpha() or char in _LETTERLIKE or char in _TYPOGRAPHIC for char in text)
    if likely and ((len(bad) == 1 and (beside_letter or text in _TYPOGRAPHIC or text.isalpha())) or _wordlike(text)):
        return text
    return "\ufffd" * len(bad)


def _wordlike(text: str) -> bool:
    return len(text) > 1 and sum(char.isalpha() for char in text) >= len(text) - 1 and text[1:] == text[1:].lower()


def _cut(bad: bytes) -> bool:
    """Tell whether *bad* begins a UTF-8 sequence and lacks its end."""
    need = 2 if 0xC2 <= bad[0] <= 0xDF else 3 if 0xE0 <= bad[0] <= 0xEF else 4 if 0xF0 <= bad[0] <= 0xF4 else 0
    return 0 < len(bad) < need and all(0x80 <= byte <= 0xBF for byte in bad[1:])


def _seven_bit(data: bytes) -> Decoded | None:
    """Decode the encodings that write East Asian text in ASCII bytes."""
    if b"\x1b" not in data and b"~" not in data:  # looking for one byte is ten times as fast as for two
        return None
    for pattern, encoding in _SEVEN_BIT:
        if pattern.search(data):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                continue
            if not text.isascii():
                return Decoded(text=_newlines(text), encoding=encoding)
    return None


def _codec(declared: str | None) -> str | None:
    """Return the codec that a declared name means; None if it names no encoding of text."""
    if not declared or len(declared) > 40:
        return None
    name = declared.strip().strip("\"'").lower()
    try:
        info = codecs.lookup(_NAMED.get(name, name))
        "".encode(info.name)
    except (LookupError, ValueError, UnicodeError):
        return None
    return None if info.name in _NOT_ENCODINGS else _MEANT.get(info.name, info.name)


def _plain(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(text=_newlines(data.decode(encoding)), encoding=encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, errors="replace")
    if encoding == "utf-8":
        return _mixed(data)
    damaged = text.count("\ufffd") or 1
    return Decoded(text=_newlines(text), encoding=encoding, damaged=damaged)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
