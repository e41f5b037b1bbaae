"""A document as one readable Markdown text: what `read` shows and what line numbers count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.results import OutlineEntry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatherum.document import Document, Layer, Section

READ_LAYERS: Final[frozenset[Layer]] = frozenset(("body", "notes", "annotation"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A document's readable text.

    Attributes:
        text: Markdown, headings included.
        sections: The sections shown, in order.
        lines: For each of these, the line on which its text starts, from 1.
        outline: The headings, in order.
    """

    text: str
    sections: tuple[Section, ...]
    lines: tuple[int, ...]
    outline: tuple[OutlineEntry, ...]


def render(document: Document) -> Rendered:
    """Return the text that its readers and annotators wrote; furniture and hidden text are left out."""
    shown = [section for section in document.sections if section.layer in READ_LAYERS]
    out: list[str] = []
    starts: list[int] = []
    entries: list[OutlineEntry] = []
    path: tuple[str, ...] = ()
    line = 1
    for section in shown:
        if section.heading != path:
            fresh = _common(path, section.heading)
            if fresh == len(section.heading):
                fresh -= 1
            for depth in range(max(fresh, 0), len(section.heading)):
                leaf = depth == len(section.heading) - 1
                entries.append(
                    OutlineEntry(
                        level=section.level if leaf else depth + 1,
                        title=section.heading[depth],
                        heading=section.heading[: depth + 1],
                        locator=section.locator,
                        line=line,
                        chars=0,
                    )
                )
                out.append(f"{'#' * min(depth + 1, 6)} {section.heading[depth]}\n")
                line += 2
            path = section.heading
        starts.append(line)
        if section.text:
            text = quoted(section)
            out.append(f"{text}\n")
            line += text.count("\n") + 2
            if entries and entries[-1].heading == path:
                entries[-1] = _longer(entries[-1], len(section.text))
    return Rendered(text="\n".join(out), sections=tuple(shown), lines=tuple(starts), outline=tuple(entries))


def quoted(section: Section) -> str:
    """Return a section's text as it is shown: comments and speaker notes are set apart as quotes."""
    if section.layer == "annotation" or section.kind == "note":
        return "\n".join(f"> {line}".rstrip() for line in section.text.split("\n"))
    return section.text


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return same


def _longer(entry: OutlineEntry, chars: int) -> OutlineEntry:
    from dataclasses import replace

    return replace(entry, chars=entry.chars + chars)
