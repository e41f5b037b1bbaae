"""What a page hides from its readers: the hidden attribute, inline styles, simple style sheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_HIDING: Final = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    r"|font-size\s*:\s*0{0,8}\.?0{0,8}(?:px|pt|em|rem|ex|%|vw|vh)?\s*(?=[;!}]|$))",
    re.IGNORECASE,
)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_OPENING: Final = re.compile(r"[{;]")
_BRACE: Final = re.compile(r"[{}]")
_SELECTOR: Final = re.compile(r"[a-zA-Z0-9]*([.#][\w-]+)\Z")
_LARGEST: Final = 500_000


def hides(style: str) -> bool:
    """Say whether an inline style takes text out of sight."""
    return ":" in style and _HIDING.search(style) is not None


def hiding_selectors(sheet: str) -> frozenset[str]:
    """Return the classes (".x") and identifiers ("#x") that a style sheet hides everywhere.

    Only selectors of a single class or identifier count, and no rule inside ``@media``: whatever needs more to be
    matched may be shown after all.
    """
    if "none" not in sheet and "hidden" not in sheet and "0" not in sheet:
        return frozenset()
    sheet = _COMMENT.sub("", sheet[:_LARGEST])
    found: set[str] = set()
    for rule in _outside_groups(sheet).split("}"):
        selectors, _, declarations = rule.rpartition("{")
        if hides(declarations):
            for selector in selectors.split(","):
                single = _SELECTOR.match(selector.strip())
                if single:
                    found.add(single[1])
    return frozenset(found)


def _outside_groups(sheet: str) -> str:
    """Drop ``@media`` and other groups of rules."""
    kept, at = [], 0
    while (start := sheet.find("@", at)) >= 0:
        kept.append(sheet[at:start])
        opening = _OPENING.search(sheet, start)
        if opening is None or opening[0] == ";":
            at = opening.end() if opening else len(sheet)
            continue
        depth, at = 1, opening.end()
        for brace in _BRACE.finditer(sheet, at):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                at = brace.end()
                break
        else:
            at = len(sheet)
    kept.append(sheet[at:])
    return "".join(kept)


def is_hidden(attrs: Mapping[str, str], selectors: frozenset[str]) -> bool:
    """Say whether an element with these attributes is out of its readers' sight."""
    if "hidden" in attrs or hides(attrs.get("style", "")):
        return True
    if not selectors:
        return False
    names = [f".{name}" for name in attrs.get("class", "").split()]
    return f"#{attrs.get('id', '')}" in selectors or not selectors.isdisjoint(names)
