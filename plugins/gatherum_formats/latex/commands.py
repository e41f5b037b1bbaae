"""Commands of LaTeX that say something of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.latex.blocks import Block, plain
from gatherum_formats.latex.names import LEVELS, LISTS, NUMBERED

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum.document import Kind
    from gatherum_formats.latex.walk import Walk


def heading(walk: Walk, name: str, start: int, at: int, end: int) -> int:
    """A heading opens a section."""
    option = walk.scan.option(at, end) if walk.text[at : at + 1] == "[" else None
    group = walk.scan.group(option[2] if option else at, end)
    if group is None:
        return at
    walk.flush(start)
    title = " ".join(plain(walk.said(group[0], group[1])).split())
    if title and not any(entry.rows for entry in walk.open):
        walk.flow.blocks.append(Block(text=title, start=start, end=group[2], level=LEVELS[name]))
    else:
        walk.put(title, start)
    return group[2]


def footnote(walk: Walk, name: str, start: int, at: int, end: int) -> int:
    """A note: its mark stays in the text, its words follow the paragraph."""
    option = walk.scan.option(at, end) if walk.text[at : at + 1] == "[" else None
    group = walk.scan.group(option[2] if option else at, end)
    if group is None:
        return at
    if option:
        label = walk.text[option[0] : option[1]].strip()
    else:
        walk.note += not name.endswith("text")
        label = str(max(walk.note, 1))
    if not name.endswith("text"):
        walk.put(f"[^{label}]", start)
    kind: Kind = "endnote" if name.startswith("endnote") else "footnote"
    text = walk.said(group[0], group[1])
    if text:
        walk.flow.notes.append(Block(text=f"[^{label}]: {text}", start=start, end=group[2], kind=kind, layer="notes"))
    return group[2]


def reference(walk: Walk, start: int, at: int, end: int) -> int:
    """A reference or citation shows its key."""
    notes: list[str] = []
    while walk.text[at : at + 1] == "[" and (option := walk.scan.option(at, end)):
        notes.append(walk.said(option[0], option[1]))
        at = option[2]
    group = walk.scan.group(at, end) if walk.text[at : at + 1] == "{" else None
    if group is None:
        return at
    keys = ", ".join(key.strip() for key in walk.text[group[0] : group[1]].split(","))
    before = f"{notes[0]} " if len(notes) > 1 and notes[0] else ""
    after = f", {notes[-1]}" if notes and notes[-1] else ""
    walk.put(f"[{before}{keys}{after}]", start)
    return group[2]


def item(walk: Walk, _name: str, start: int, at: int, end: int) -> int:
    """An item of a list begins."""
    walk.flush(start)
    entry = next((entry for entry in reversed(walk.open) if entry.name in LISTS), None)
    option = walk.scan.option(at, end) if walk.opens_option(at, end) else None
    at = option[2] if option else at
    if entry is None:
        return at
    entry.number += 1
    entry.mark = f"{entry.number}." if entry.name.rstrip("*") in NUMBERED else "-"
    if option and (label := walk.said(option[0], option[1])):
        walk.put(f"**{label}** ", start)
    return at


def bibitem(walk: Walk, name: str, start: int, at: int, end: int) -> int:
    """A work in the bibliography begins."""
    option = walk.scan.option(at, end) if walk.text[at : at + 1] == "[" else None
    group = walk.scan.group(option[2] if option else at, end)
    item(walk, name, start, start, start)
    if group is None:
        return at
    walk.put(f"[{walk.text[group[0] : group[1]]}] ", start)
    return group[2]


def caption(walk: Walk, _name: str, start: int, at: int, end: int) -> int:
    """The caption of a figure or table."""
    at = walk.skipped(at, end, 0)
    group = walk.scan.group(at, end)
    if group is None:
        return at
    text = walk.said(group[0], group[1])
    if any(entry.rows for entry in walk.open):
        entry = next(entry for entry in walk.open if entry.rows)
        target = entry.outer or walk.flow
        target.blocks.append(Block(text=text, start=start, end=group[2], kind="caption"))
    else:
        walk.flush(start)
        walk.place(text, start, group[2], "caption")
    return group[2]


def link(walk: Walk, name: str, start: int, at: int, end: int) -> int:
    """A link or an address."""
    at = walk.skipped(at, end, 0)
    group = walk.scan.group(at, end)
    if group is None:
        return at
    url = re.sub(r"\\([%#&_~{}])", r"\1", walk.text[group[0] : group[1]].strip())
    if name in ("url", "nolinkurl", "path"):
        walk.put(url, start)
        return group[2]
    label = walk.scan.group(group[2], end)
    if label is None:
        return group[2]
    text = " ".join(walk.said(label[0], label[1]).split())
    walk.put(f"[{text}]({url})" if text and text != url else url, start)
    return label[2]


def multicolumn(walk: Walk, _name: str, start: int, at: int, end: int) -> int:
    """A cell over several columns."""
    width = walk.scan.group(at, end)
    if width is None:
        return at
    number = walk.text[width[0] : width[1]].strip()
    if walk.open and walk.open[-1].rows and number.isdecimal():
        walk.open[-1].number = int(number[:4])
    spec = walk.scan.group(width[2], end)
    return walk.unknown(start, spec[2] if spec else width[2], end)


def include(walk: Walk, _name: str, start: int, at: int, end: int) -> int:
    """Another file is named, not read."""
    group = walk.scan.group(at, end)
    if group is None:
        return at
    walk.flush(start)
    name = walk.text[group[0] : group[1]].strip()
    walk.put(f"[{name}]({name})", start)
    walk.flush(group[2])
    return group[2]


def metadata(walk: Walk, name: str, _start: int, at: int, end: int) -> int:
    """What the document says about itself."""
    at = walk.skipped(at, end, 0)
    group = walk.scan.group(at, end)
    if group is None:
        return at
    walk.say(name, plain(walk.said(group[0], group[1])))
    walk.flow.notes, notes = [], walk.flow.notes
    for note in notes:
        walk.flow.blocks.append(note)
    return group[2]


def picture(walk: Walk, _name: str, start: int, at: int, end: int) -> int:
    """A picture gives its alternative text."""
    option = walk.scan.option(at, end) if walk.text[at : at + 1] == "[" else None
    alt = re.search(r"\balt\s*=\s*\{([^{}]*)\}", walk.text[option[0] : option[1]]) if option else None
    if alt:
        walk.put(alt[1], start)
    group = walk.scan.group(option[2] if option else at, end)
    return group[2] if group else at


def inline_math(walk: Walk, _name: str, start: int, at: int, end: int) -> int:
    """Mathematics in either mode."""
    group = walk.scan.group(at, end)
    if group is None:
        return at
    walk.put(f"${walk.text[group[0] : group[1]]}$", start)
    return group[2]


def note_mark(walk: Walk, name: str, start: int, at: int, end: int) -> int:
    """A mark whose note stands elsewhere."""
    option = walk.scan.option(at, end) if walk.text[at : at + 1] == "[" else None
    if option:
        walk.put(f"[^{walk.text[option[0] : option[1]].strip()}]", start)
        return option[2]
    walk.note += 1
    walk.put(f"[^{walk.note}]", start)
    return at


def paragraph(walk: Walk, _name: str, start: int, at: int, _end: int) -> int:
    """A paragraph ends."""
    walk.flush(start)
    return at


RULES: Final[dict[str, Callable[[Walk, str, int, int, int], int]]] = {
    "item": item,
    "bibitem": bibitem,
    "caption": caption,
    "captionof": caption,
    "href": link,
    "url": link,
    "nolinkurl": link,
    "path": link,
    "multicolumn": multicolumn,
    "input": include,
    "include": include,
    "subfile": include,
    "title": metadata,
    "author": metadata,
    "date": metadata,
    "keywords": metadata,
    "thanks": footnote,
    "includegraphics": picture,
    "par": paragraph,
    "maketitle": paragraph,
    "ensuremath": inline_math,
    "footnotemark": note_mark,
    "endnotemark": note_mark,
}
