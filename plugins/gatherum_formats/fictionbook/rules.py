"""What the elements of FictionBook mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.fictionbook.meta import description
from gatherum_formats.xmldoc import rows
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import child, every
from gatherum_formats.xmldoc.source import attribute, short_name
from gatherum_formats.xmldoc.walk import BREAK

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Rule, Walk

_NOTES: Final = re.compile(r"notes|comments|footnotes|примечани", re.IGNORECASE)
_LABEL: Final = re.compile(r"\W*[\w*]{1,6}\W*")
_STOPS: Final = ".:!?…,;—"


def _title_of(walk: Walk, element: _Element) -> str:
    """Join the paragraphs of a title."""
    text = ""
    walk.bare += 1
    parts = walk.collect(element)
    walk.bare -= 1
    for part in parts:
        said = " ".join(part.split())
        stop = "" if text[-1:] in _STOPS or said[:1].islower() else "."
        text += f"{stop} {said}" if text else said
    return text


def _part(walk: Walk, element: _Element) -> Leave:
    """Open a body or a section under its title."""
    walk.flush()
    if element in walk.done:
        return SKIP
    if short_name(element) == "body" and _is_notes(element):
        return _notes(walk, element)
    level = walk.level
    found = child(element, "title")
    title = "" if found is None else _title_of(walk, found)
    walk.line = walk.place(element if found is None else found)
    if title:
        walk.enter(title, walk.line)
    return Leave(undo=lambda: walk.leave(level))


def _is_notes(body: _Element) -> bool:
    return bool(_NOTES.match(attribute(body, "name")))


def _notes(walk: Walk, body: _Element) -> Leave:
    """Put the notes that nothing in the text refers to."""
    walk.leave(0)
    for section in list(body.iter("{*}section")):
        if section in walk.done or child(section, "section") is not None:
            continue
        blocks = _note_blocks(walk, section, "")
        if blocks:
            walk.note(blocks, "footnote", walk.place(section))
    loose = [one for one in body if short_name(one) not in ("section", "title") and one not in walk.done]
    blocks = [text for one in loose for text in walk.collect(one)]
    if blocks:
        walk.aside("\n\n".join(blocks), "footnote", "notes", walk.place(body))
    walk.settle()
    return SKIP


def _note_blocks(walk: Walk, section: _Element, mark: str) -> list[str]:
    """Return the text of a note; its title only if it is more than its number."""
    found = child(section, "title")
    title = "" if found is None else _title_of(walk, found)
    blocks = walk.collect(section)
    bare = title.strip("[]{}(). ")
    keep = title and not _LABEL.fullmatch(title) and bare != mark.strip("[]{}(). ")
    return [title, *blocks] if keep else blocks


def _link(walk: Walk, element: _Element) -> Leave:
    """Read a link; one to a note brings the note with it."""
    target = attribute(element, "href")
    if not target.startswith("#"):
        return common.linked(walk, element, target)
    ident = target[1:]
    label = walk.labels.get(ident)
    if label is None:
        section = walk.target(ident)
        if section is None or not (attribute(element, "type") == "note" or _in_notes(section)):
            return STAY
        mark = " ".join("".join(map(str, element.itertext())).split())
        walk.note_count += 1
        label = walk.labels[ident] = str(walk.note_count)
        at = len(walk.asides)
        blocks = _note_blocks(walk, section, mark)
        later, walk.asides[at:] = walk.asides[at:], []
        walk.note(blocks, "footnote", walk.place(section), label)
        walk.asides += later
    walk.say("" if walk.bare else f"[^{label}]")
    return SKIP


def _in_notes(section: _Element) -> bool:
    body = next(section.iterancestors("{*}body"), None)
    return body is not None and _is_notes(body)


def _title(walk: Walk, element: _Element) -> Leave:
    """Say the title of a poem or a stanza."""
    if element in walk.done:
        return SKIP
    walk.flush()
    walk.line = walk.place(element)
    text = _title_of(walk, element)
    if text:
        walk.put(text)
    return SKIP


def _subtitle(walk: Walk, element: _Element) -> Leave:
    """Open a heading inside a section; a row of stars is none."""
    parent = element.getparent()
    if parent is None or short_name(parent) not in ("section", "body"):
        return common.block(walk, element)
    walk.flush()
    walk.line = walk.place(element)
    text = walk.title(element)
    if walk.frame.blocks is not None or not any(map(str.isalnum, text)):
        if text:
            walk.put(text)
        return SKIP
    level = walk.level
    walk.enter(text, walk.line)
    walk.level = level
    return SKIP


def _verse(walk: Walk, element: _Element) -> Leave:
    walk.say(BREAK)
    return STAY


def _picture(walk: Walk, element: _Element) -> Leave:
    common.say_alt(walk, attribute(element, "alt", "title"))
    return SKIP


def _signed(walk: Walk, element: _Element) -> Leave:
    """Read who is quoted."""
    walk.flush()
    walk.line = walk.place(element)
    walk.say("— ")
    return Leave(undo=walk.flush)


RULES: Final[dict[str, Rule]] = {
    **every(_part, "body section"),
    **every(common.block, "p poem stanza annotation date empty-line history custom-info"),
    **every(common.quote, "cite epigraph"),
    **every(common.around(" ", " "), "first-name middle-name last-name nickname email home-page"),
    **every(common.inline, "strong emphasis style strikethrough sub"),
    **every(rows.cell, "td th"),
    **every(common.skip, "binary stylesheet coverpage"),
    "a": _link,
    "code": common.code_inline,
    "description": description,
    "image": _picture,
    "subtitle": _subtitle,
    "sup": common.raised,
    "table": rows.table,
    "text-author": _signed,
    "title": _title,
    "tr": rows.row,
    "v": _verse,
}
