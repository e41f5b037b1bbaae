"""Which of the numbers that a program counts belong to the headings that they stand before.

Some labels name what they count ("Article 3", "§ 3", "第3条"): such documents are cited by them, and they stay in the
heading, as do all levels of the same list ("3.1" below "Article 3"). A bare outline number ("3.1") is no part of a
title: it opens the text of its section instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAMED: Final = re.compile(r"[^\W\d_]{2}|[§第章节節条條제]")


def is_named(frames: Iterable[str]) -> bool:
    """Return whether the labels of a list name what they count.

    Args:
        frames: What stands around the numbers, for each level of the list.
    """
    return any(_NAMED.search(frame) for frame in frames)
