"""Code in fences."""

from __future__ import annotations

import re
from typing import Final

_TICKS: Final = re.compile("`{3,}")


def fenced(text: str, language: str = "") -> str:
    """Return *text* in a fence that nothing in it can close; "" if it is blank."""
    if not text.strip():
        return ""
    longest = max(map(len, _TICKS.findall(text)), default=2) if "```" in text else 2
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
