"""Text as a reader would see it, for handing to an assistant."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)


def visible(text: str) -> tuple[str, bool]:
    """Return *text* without characters that nobody sees, and whether there were any.

    Control characters, zero-width and direction marks and tag characters can carry orders that a person reading the
    document never meets.
    """
    shown = _UNSEEN.sub("", text)
    return shown, len(shown) != len(text)


def one_line(text: str) -> str:
    """Return a title or a path as a reader sees it, on one line."""
    return " ".join(visible(text)[0].split())
