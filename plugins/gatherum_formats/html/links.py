"""Links: their addresses, and references to notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from gatherum_formats.html.blocks import BREAK, Block

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum_formats.html.walk import Walk

    Attrs = Mapping[str, str]
    Undo = Callable[[], None]

_LONGEST_LINK: Final = 2000
_LONGEST_LABEL: Final = 16
_MOST_PIECES: Final = 500
UNSAFE: Final = re.compile(r"\s*(?:javascript|vbscript|data|about|blob|file)\s*:", re.IGNORECASE)
_PERMALINK: Final = re.compile(
    r"\b(?:headerlink|permalink|heading-?anchor|anchor(?:js)?-?link|anchor)\b", re.IGNORECASE
)
_BACKLINK: Final = frozenset(("doc-backlink", "backlink"))
_REFERENCE: Final = frozenset(("doc-noteref", "noteref"))
_REFERENCE_CLASSES: Final = frozenset(("footnote-ref", "footnote-reference", "footnoteref", "noteref"))


def link(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Write ``[text](url)``, or refer to a note."""
    href = attrs.get("href")
    if not href:
        return None
    kinds = {*attrs.get("role", "").split(), *attrs.get("epub:type", "").split()}
    if kinds & _BACKLINK or (walk.in_note and href.startswith("#") and "back" in attrs.get("class", "")):
        walk.mute()
        return None
    if "#" in href and (kinds & _REFERENCE or _refers(attrs)):
        return _reference(walk, href)
    if href.startswith("#"):
        if walk.flow.solid == "heading" and _PERMALINK.search(attrs.get("class", "")):
            walk.mute()
            return None
        return _named(walk, attrs.get("title", ""))
    if walk.flow.solid:
        return None
    url = _address(walk, href)
    if not url:
        return None
    parts, start, flow = walk.inline, len(walk.inline), walk.flow
    turn = flow.turn

    def undo() -> None:
        if flow.turn != turn or walk.inline is not parts:
            return
        if longer(parts, start, _LONGEST_LINK):
            return
        raw = "".join(parts[start:]).replace(BREAK, " ")
        text, target = " ".join(raw.split()), url
        if text and text != url and f"mailto:{text}" != url:
            hint = " ".join(attrs.get("title", "").split()).replace('"', "'")
            if hint and len(hint) <= _LONGEST_LINK and hint.casefold() not in f"{text} {url}".casefold():
                target = f'{url} "{hint}"'
            lead, trail = " " if raw[0].isspace() else "", " " if raw[-1].isspace() else ""
            parts[start:] = [f"{lead}[{text}]({target}){trail}"]

    return undo


def _refers(attrs: Attrs) -> bool:
    """Say whether a link is marked as reference to a note the way converters do it."""
    if "data-footnote-ref" in attrs or attrs.get("rel") == "footnote":
        return True
    return not _REFERENCE_CLASSES.isdisjoint(attrs.get("class", "").lower().split())


def _named(walk: Walk, hint: str) -> Undo | None:
    """Let the title of a button-like link say what its sign means."""
    parts, start = walk.inline, len(walk.inline)
    if not hint or walk.flow.solid:
        return None

    def undo() -> None:
        if walk.inline is not parts or longer(parts, start, _LONGEST_LABEL):
            return
        if not any(letter.isalnum() for piece in parts[start:] for letter in piece):
            parts.append(f" {hint} ")

    return undo


def longer(parts: list[str], start: int, limit: int) -> bool:
    """Say whether the pieces from *start* are too long for what they stand in, without joining them."""
    return len(parts) - start > _MOST_PIECES or sum(map(len, parts[start:])) > limit


def _address(walk: Walk, href: str) -> str:
    href = href.strip()
    if UNSAFE.match(href) or len(href) > _LONGEST_LINK:
        return ""
    if walk.address is not None:
        href = walk.address(href)
    elif walk.base:
        try:
            href = urljoin(walk.base, href)
        except ValueError:
            return ""
    href = "%20".join(href.split())
    return f"<{href}>" if "(" in href or ")" in href else href


def _reference(walk: Walk, href: str) -> Undo:
    parts, start, flow = walk.inline, len(walk.inline), walk.flow

    def undo() -> None:
        if walk.inline is not parts:
            return
        if longer(parts, start, _LONGEST_LABEL):
            parts.append(f"[^{href.rpartition('#')[2]}]")
            return
        label = "".join("".join(parts[start:]).replace(BREAK, " ").split()).strip("[](){}.^*†‡")
        label = label or href.rpartition("#")[2]
        parts[start:] = [] if flow.solid else [f"[^{label}]"]
        flow.after.append(Block(kind="reference", text=label, anchor=walk.key(href), first=walk.line, last=walk.line))

    return undo
