"""The output of terminals as text."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor movements
    "|\x1b\\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\\\)"  # titles, links
    "|\x1b[ -/]{0,3}[0-~]"
)
_STRUCK: Final = re.compile("[^\b\n]\b")


def plain_output(text: str) -> str:
    """Return terminal output without escape sequences, and as overwriting leaves it.

    Progress bars rewrite a line after a carriage return: the last writing stays. Backspaces take back a character.
    """
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPE.sub("", text)
    if "\b" in text:
        for _ in range(8):
            text, count = _STRUCK.subn("", text)
            if not count:
                break
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            text = "\n".join(_last_writing(line) for line in text.split("\n"))
    return text


def _last_writing(line: str) -> str:
    return next((part for part in reversed(line.split("\r")) if part.strip()), "") if "\r" in line else line
