"""Titles, lists and glossaries in DocBook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc import lists
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import child
from gatherum_formats.xmldoc.source import attribute, short_name
from gatherum_formats.xmldoc.tables import number

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Walk


ADMONITIONS: Final = {name: name.capitalize() for name in ("note", "tip", "warning", "caution", "important", "danger")}
_NUMERATION: Final = {
    "loweralpha": "lowerLetter",
    "upperalpha": "upperLetter",
    "lowerroman": "lowerRoman",
    "upperroman": "upperRoman",
}
_FORMAL: Final = frozenset(("figure", "informalfigure", "table", "example", "equation", "screenshot", "mediaobject"))
_REFERENCES: Final = frozenset(("bibliomixed", "bibliomset", "biblioset", "biblioentry", "citation", "para", "phrase"))


def find_title(element: _Element) -> _Element | None:
    """Return the title of a part, which may stand in its information."""
    found = child(element, "title")
    if found is not None:
        return found
    for one in element:
        name = short_name(one)
        if name.endswith("info"):
            found = child(one, "title")
        elif name == "refmeta":
            found = child(one, "refentrytitle")
        if found is not None:
            return found
    return None


def title(walk: Walk, element: _Element) -> Leave:
    """Say a title that is no heading: of a figure, a list, a note, a paragraph."""
    if element in walk.done:
        return SKIP
    parent = element.getparent()
    name = "" if parent is None else short_name(parent)
    if name in _REFERENCES:
        return STAY
    if name in _FORMAL or name.startswith("informal"):
        return common.captioned(walk, element)
    walk.flush()
    walk.line = walk.place(element)
    text = walk.render(element)
    if name in ADMONITIONS and text:
        label = ADMONITIONS[name]
        walk.frame.lead = f"{label}: " if text == label else f"{label}: {text}{'' if text[-1:] in '.:!?' else '.'} "
    elif name == "formalpara" and text:
        walk.frame.lead = f"{text}{'' if text[-1:] in '.:!?' else '.'} "
    elif text:
        walk.put(text)
    return SKIP


def _title_first(walk: Walk, element: _Element) -> None:
    found = find_title(element)
    if found is not None:
        walk.flush()
        walk.line = walk.place(found)
        text = walk.render(found)
        if text:
            walk.put(text)


def bullets(walk: Walk, element: _Element) -> Leave:
    """Begin a list without numbers."""
    _title_first(walk, element)
    return lists.bullets(walk, element)


def definitions(walk: Walk, element: _Element) -> Leave:
    """Begin a list of terms and what they mean."""
    _title_first(walk, element)
    return lists.open_list(walk, element, None)


def ordered(walk: Walk, element: _Element) -> Leave:
    """Begin a numbered list; one that continues goes on from where the last one ended."""
    _title_first(walk, element)
    form = _NUMERATION.get(attribute(element, "numeration"), "decimal")
    start = number(attribute(element, "startingnumber"), 1)
    if attribute(element, "continuation") == "continues":
        start = walk.counts.get("items", 0) + 1
    leave = lists.open_list(walk, element, lists.numbers(form, start))
    opened = walk.frame.lists[-1]

    def undo() -> None:
        if leave.undo:
            leave.undo()
        walk.counts["items"] = start - 1 + opened.count

    return Leave(undo=undo)


def steps(walk: Walk, element: _Element) -> Leave:
    """Begin the steps of a procedure, or those below one."""
    _title_first(walk, element)
    return lists.open_list(walk, element, lists.numbers("lowerLetter" if walk.frame.lists else "decimal"))


def callouts(walk: Walk, element: _Element) -> Leave:
    """Begin a list that explains marks in code."""
    _title_first(walk, element)
    return lists.open_list(walk, element, lambda count: f"({count + 1}) ")


def list_item(walk: Walk, element: _Element) -> Leave:
    """Read an item, or what a term means."""
    parent = element.getparent()
    if parent is not None and short_name(parent) == "varlistentry":
        return lists.definition(walk, element)
    return lists.item(walk, element)


def simple_list(walk: Walk, element: _Element) -> Leave:
    """Begin a list of words, in the line or below each other."""
    if attribute(element, "type") == "inline":
        walk.say(", ".join(filter(None, map(walk.render, element))))
        return SKIP
    return lists.bullets(walk, element)


def gloss_term(walk: Walk, element: _Element) -> Leave:
    """Begin an entry of a glossary; acronyms follow in its line."""
    parent = element.getparent()
    if parent is None or short_name(parent) != "glossentry" or not walk.frame.lists:
        return STAY
    walk.flush()
    walk.line = walk.place(element)
    walk.frame.mark = ""
    return STAY
