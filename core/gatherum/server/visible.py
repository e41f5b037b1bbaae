"""Text as a reader would see it, for handing to an assistant."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def visible(text: str) -> tuple[str, bool]:
    """Return *text* without characters that nobody sees, and whether there were any.

    Control characters, zero-width and direction marks and tag characters can carry orders that a person reading the
    document never meets.
    """
    shown = _UNSEEN.sub("", text)
    return shown, len(shown) != len(text)
