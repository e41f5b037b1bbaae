"""Make text fit for storing and for comparing."""

from __future__ import annotations

import re
import unicodedata

# Besides control characters and surrogates: the byte order mark, which stays where files were joined, and tag
# characters, which nobody sees (after a black flag they choose a country and stay).
_UNWANTED = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]|(\U0001f3f4[\U000e0020-\U000e007f]{2,7})"
    "|[\U000e0000-\U000e007f]"
)


def clean(text: str) -> str:
    """Return *text* fit for storing: no surrogates, no control characters but tab, line feed and form feed.

    Byte order marks and invisible tag characters go too, and so does what a subclass of `str` adds.
    """
    if type(text) is not str:
        text = str.__str__(text)
    if text.replace("\n", "").isprintable():  # as nearly all text is, and ten times faster than the search
        return text
    return _UNWANTED.sub(_replaced, text)


def _replaced(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    char = match[0]
    if char == "\x00":
        return " "
    return "\ufffd" if "\ud800" <= char <= "\udfff" or char in "\ufffe\uffff" else ""


def fold(text: str) -> str:
    """Return *text* with compatibility forms unified and case removed, for comparing."""
    return unicodedata.normalize("NFKC", text).casefold()
