"""References in DocBook: to parts of the document, to others, to notes and to literature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.docbook.lists import find_title
from gatherum_formats.xmldoc import lists
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import child
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Rule, Walk


_NAMED_BY: Final = ("title", "refentrytitle", "refname", "glossterm", "term", "primary")


def gloss_see(label: str) -> Rule:
    """Return a rule for entries that refer to others."""

    def rule(walk: Walk, element: _Element) -> Leave:
        leave = lists.marked(walk, element, f": {label} ")
        if not element.text:
            walk.say(_name_of(walk, attribute(element, "otherterm")))
        return leave

    return rule


def reference_entry(walk: Walk, element: _Element) -> Leave:
    """Read an entry of a bibliography that is given as facts."""
    walk.flush()
    walk.line = walk.place(element)
    label = attribute(element, "xreflabel")
    parts = [f"[{label}]" if label else "", *map(walk.render, element)]
    text = ", ".join(filter(None, parts))
    if text:
        walk.put(text)
    return SKIP


def _name_of(walk: Walk, ident: str) -> str:
    """Return what a part is called that is referred to."""
    name = walk.names.get(ident)
    if name is None:
        name = walk.names[ident] = _find_name(walk, ident)
    return name


def _find_name(walk: Walk, ident: str) -> str:
    target = walk.target(ident)
    if target is None:
        return ident
    label = attribute(target, "xreflabel")
    if label:
        return label
    if short_name(target) in (
        "title",
        "glossterm",
        "term",
        "phrase",
        "para",
        "anchor",
        "subtitle",
        "refname",
        "titleabbrev",
    ):
        found: _Element | None = target
    else:
        found = find_title(target)
        found = child(target, *_NAMED_BY) if found is None else found
    text = "" if found is None else " ".join("".join(map(str, found.itertext())).split())
    return text[:200] or ident


def cross_reference(walk: Walk, element: _Element) -> Leave:
    """Name what is referred to."""
    walk.say(_name_of(walk, attribute(element, "endterm", "linkend", "href").removeprefix("#")))
    return STAY


def link(walk: Walk, element: _Element) -> Leave:
    """Read a link, within the document or out of it."""
    target = attribute(element, "url", "href")
    if target and not target.startswith("#"):
        return common.linked(walk, element, target)
    if not len(element) and not (element.text or "").strip():
        walk.say(_name_of(walk, attribute(element, "endterm", "linkend", "href").removeprefix("#")))
    return STAY


def other_link(walk: Walk, element: _Element) -> Leave:
    """Read a link into another document."""
    target = "#".join(filter(None, (attribute(element, "targetdoc"), attribute(element, "targetptr"))))
    if not len(element) and not (element.text or "").strip():
        walk.say(target or attribute(element, "localinfo"))
    return STAY


def footnote(walk: Walk, element: _Element) -> Leave:
    """Read a note, which others may refer to again."""
    leave = common.note("footnote")(walk, element)
    ident = attribute(element, "id")

    def undo() -> None:
        if leave.undo:
            leave.undo()
        walk.labels[ident] = str(walk.note_count)

    return Leave(undo=undo)


def footnote_again(walk: Walk, element: _Element) -> Leave:
    """Refer to a note once more."""
    ident = attribute(element, "linkend")
    walk.say(f"[^{walk.labels.get(ident, ident)}]")
    return SKIP


def include(walk: Walk, element: _Element) -> Leave:
    """Name a part that is in another file."""
    target = attribute(element, "href", "fileref")
    walk.flush()
    walk.line = walk.place(element)
    if target:
        walk.put(f"[{target}]({target})")
    return Leave(undo=walk.flush)
