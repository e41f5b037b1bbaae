"""HTML blocks inside Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from gatherum_formats.html.walk import Walk, feed

if TYPE_CHECKING:
    from gatherum.document import Kind, Layer
    from gatherum_formats.html.blocks import Block as HtmlBlock

_CONTAINER = re.compile(r"<(/?)(table|ul|ol|dl|svg|select)\b", re.IGNORECASE)
_HEADING = re.compile(r"<(/?)h([1-6])\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some text of an HTML block.

    Attributes:
        text: What it says.
        kind: As for sections.
        layer: As for sections.
        level: A heading's level, or 0.
        first: Its first line in the block, counted from 1.
        last: Its last line.
    """

    text: str
    kind: Kind = "prose"
    layer: Layer = "body"
    level: int = 0
    first: int = 1
    last: int = 1


def html_parts(fragment: str) -> list[Part]:
    """Return what an HTML block says, in order."""
    walk = Walk()
    parts: list[Part] = []
    for block in feed(fragment, walk):
        part = _part(block)
        if block.kind == "reference":
            note = walk.notes.get(block.anchor)
            if note is not None:
                parts.append(replace(part, text=f"[^{block.text}]: {note.text}", kind=note.kind, layer="notes"))
        elif block.text and block.kind != "anchor":
            parts.append(part)
    return parts


def _part(block: HtmlBlock) -> Part:
    mark = block.kind in ("heading", "anchor", "reference")
    return Part(
        text=block.text,
        kind="prose" if mark else cast("Kind", block.kind),
        layer="body" if block.layer == "furniture" else block.layer,
        level=block.level if block.kind == "heading" else 0,
        first=max(1, block.first),
        last=max(1, block.last),
    )


def open_container(fragment: str) -> str:
    """Return the name of the outermost table or list that is still open at the end of *fragment*; "" if none is."""
    stack: list[str] = []
    for match in _CONTAINER.finditer(fragment):
        name = match[2].lower()
        if not match[1]:
            stack.append(name)
        elif name in stack[-20:]:
            while stack.pop() != name:
                pass
    return stack[0] if stack else ""


def open_heading(fragment: str) -> int:
    """Return the level of a heading that *fragment* opens but leaves to the next block to fill; 0 if there is none."""
    last = None
    for match in _HEADING.finditer(fragment):
        last = None if match[1] else match
    if last is None or _TAG.sub("", fragment[last.end() :]).strip():
        return 0
    return int(last[2])
