"""The bytes of an HTML page as text."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

from gatherum.text import decode

if TYPE_CHECKING:
    from gatherum import Report

_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_PROLOGUE: Final = 4096
_SUBSET: Final = re.compile(r"<!DOCTYPE\s[^<>\[]{0,1000}\[", re.IGNORECASE)
_SUBSET_END: Final = re.compile(r"\]\s*>")
_ENTITY: Final = re.compile(r"""<!ENTITY\s+([\w.-]{1,100})\s+(["'])((?:(?!\2)[^&%]){0,1000})\2\s*>""")
_LONGEST_PROLOGUE: Final = 65_536
_LONGEST_EXPANSION: Final = 100_000
_SAMPLE: Final = 200_000
_TELLING: Final = 24
_TOLERANCE: Final = 50
_UNICODE: Final = frozenset(("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7"))

# What pages mean by a name, where that is more than the standard of that name: as browsers read them.
_MEANT: Final = {
    "ascii": "windows-1252",
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso-8859-1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "iso-8859-11": "windows-874",
    "iso8859-1": "windows-1252",
    "ks_c_5601-1987": "cp949",
    "latin1": "windows-1252",
    "shift-jis": "cp932",
    "shift_jis": "cp932",
    "sjis": "cp932",
    "tis-620": "windows-874",
    "unicode": "utf-8",
    "us-ascii": "windows-1252",
    "x-gbk": "gb18030",
    "x-sjis": "cp932",
}


def decode_html(data: bytes, report: Report | None = None, *, name: str = "the page", declared: str = "") -> str:
    """Return a page as text: by its byte order mark, its declaration, validity, and at last by its looks.

    Args:
        data: HTML or XHTML.
        report: Told of a guessed encoding and of damaged bytes.
        name: What it is called there.
        declared: The encoding that whatever holds the page names for it.
    """
    if data.startswith(_MARKS):
        return decode(data).text
    if data[:2] in (b"<\0", b"\0<"):
        return decode(data, declared="utf-16-le" if data[1] == 0 else "utf-16-be").text
    try:
        text = data.decode("utf-8")
        if "\x1b" not in text:
            return _newlines(text)
    except UnicodeDecodeError:
        pass
    return _newlines(_legacy(data, _known(declared) or _declared(data), report, name))


def plain_markup(text: str) -> str:
    """Return XHTML as a parser of plain HTML reads it: CDATA sections opened, the document's own entities replaced."""
    text = _open_cdata(text)
    subset = _SUBSET.search(text, 0, _LONGEST_PROLOGUE)
    end = _SUBSET_END.search(text, subset.end()) if subset else None
    if not subset or not end:
        return text
    entities: dict[str, str] = {name: value for name, _, value in _ENTITY.findall(text[subset.end() : end.start()])}
    text = text[: subset.start()] + text[end.end() :]
    if not entities:
        return text
    left = _LONGEST_EXPANSION

    def expand(match: re.Match[str]) -> str:
        nonlocal left
        value = entities.get(match[1])
        if value is None or len(value) > left:
            return match[0]
        left -= len(value)
        return value

    return re.sub(r"&([\w.-]{1,100});", expand, text)


def _open_cdata(text: str) -> str:
    start = text.find("<![CDATA[")
    if start < 0:
        return text
    parts: list[str] = []
    at = 0
    while start >= 0 and (end := text.find("]]>", start)) >= 0:
        parts += (text[at:start], text[start + 9 : end].replace("&", "&amp;").replace("<", "&lt;"))
        at = end + 3
        start = text.find("<![CDATA[", at)
    return "".join((*parts, text[at:]))


def _declared(data: bytes) -> str:
    """Return the encoding that a page names for itself, as Python calls it; "" if it names none."""
    from bs4.dammit import EncodingDetector

    name: str | None = EncodingDetector.find_declared_encoding(data[:_PROLOGUE], is_html=True)
    return _known(name or "")


def _known(name: str) -> str:
    """Return an encoding as Python calls it; "" if it is unknown."""
    name = name.strip().lower()
    name = _MEANT.get(name, name)
    try:
        return codecs.lookup(name).name if name else ""
    except (LookupError, ValueError):
        return ""


def _legacy(data: bytes, declared: str, report: Report | None, name: str) -> str:
    """Decode a page that is not UTF-8 throughout."""
    if declared and declared not in _UNICODE:
        text = data.decode(declared, errors="replace")
        if text.count("\ufffd") * _TOLERANCE <= len(text):
            return text
    text = data.decode("utf-8", errors="replace")
    damaged = text.count("\ufffd")
    if damaged * 10 <= len(re.findall(r"[\x80-\ufffc]", text)):
        if report is not None:
            report.problem("partial", f"{damaged} bytes of {name} are not valid UTF-8")
        return text
    encoding = _likeliest(data)
    if report is not None:
        report.problem("encoding_guessed", f"{name} was read as {encoding}, the likeliest encoding")
    return data.decode(encoding, errors="replace")


def _likeliest(data: bytes) -> str:
    """Guess an encoding from the text between the tags; what says too little is taken for Western European."""
    from bs4.dammit import UnicodeDammit

    text = re.sub(rb"<[^<>]{0,2000}>|\s+", b" ", data[:_SAMPLE])
    odd = b" ".join(word for word in text.split() if not word.isascii())
    if len(odd) < _TELLING:
        return "windows-1252"
    guessed = UnicodeDammit(odd, is_html=True).original_encoding or ""
    try:
        guessed = codecs.lookup(_MEANT.get(guessed, guessed)).name
        odd.decode(guessed)
    except (LookupError, ValueError):
        return "windows-1252"
    return guessed


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
