"""The tags of HTML as they occur between the words of Markdown."""

from __future__ import annotations

import re
from typing import Final

BREAKING: Final = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body br button caption center dd details dialog div dl dt fieldset "
        "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe li main menu nav ol "
        "option p picture pre section select summary table tbody td tfoot th thead title tr ul video audio",
    )
)
"""Tags that part words."""
INLINE: Final = frozenset(
    re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label link map mark "
        "math meta meter nobr noscript object output param path progress q rb rp rt rtc ruby s samp script "
        "small source span strike strong style sub sup svg time track tt u var wbr",
    )
)
"""Tags that stand inside words."""
_SAID = re.compile(
    r"""\b(?:title|label|alt|caption|heading|description|summary|placeholder|aria-label|tooltip)\s*=\s*"""
    r"""(?:"([^"]*)"|'([^']*)'|\{\s*["'`]([^"'`{}]*)["'`]\s*\})"""
)


def said(attributes: str) -> str:
    """Return what the attributes of a tag say to a reader: titles, labels, alternative text."""
    return " ".join(text.strip() for found in _SAID.findall(attributes) if (text := "".join(found)))


def known_tag(name: str) -> bool:
    """Return whether *name* is a tag of HTML that has no meaning for the text itself."""
    return name in BREAKING or name in INLINE
