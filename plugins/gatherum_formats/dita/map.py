"""DITA maps: the order of topics as an outline, and the tables of relations between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc import rows
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import STAY, Leave, OpenList
from gatherum_formats.xmldoc.rules import child, every
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Rule, Walk

MAPS: Final = frozenset(("map", "bookmap", "subjectScheme", "learningBookmap"))
_ENTRIES: Final = (
    "topicref topichead keydef mapref chapter part appendix appendices preface frontmatter backmatter notices "
    "dedication colophon bookabstract booklists toc indexlist figurelist tablelist glossarylist amendments draftintro "
    "abbrevlist trademarklist bibliolist topicset topicsetref anchorref glossref navref subjectdef subjectHead "
    "elementdef attributedef enumerationdef schemeref learningObject learningGroup learningContentRef"
)


def is_map(root: _Element) -> bool:
    """Whether a document is a map."""
    return short_name(root) in MAPS or " map/map " in f" {root.get('class', '')} "


def open_map(walk: Walk, element: _Element) -> Leave:
    """Open a map under its title."""
    level = walk.level
    found = child(element, "title", "booktitle")
    if found is not None and short_name(found) == "booktitle":
        main = child(found, "mainbooktitle")
        walk.done.add(found)
        rest = [walk.render(one) for one in found if one is not main]
        found = found if main is None else main
    else:
        rest = []
    title = attribute(element, "title") if found is None else walk.title(found)
    walk.line = walk.place(element if found is None else found)
    if title:
        walk.fact("title", title)
        walk.enter(title, walk.line)
    for one in filter(None, rest):
        walk.put(one)
    outer, walk.kind = walk.kind, "toc"

    def undo() -> None:
        walk.flush()
        walk.kind = outer
        walk.leave(level)

    return Leave(undo=undo)


def _entry(walk: Walk, element: _Element) -> Leave:
    """Write an entry: its title with the file that it leads to, else its key."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    meta = child(element, "topicmeta", "subjectHeadMeta")
    named = child(meta, "navtitle", "linktext", "titlealt")
    title = walk.title(named) if named is not None else attribute(element, "navtitle")
    target, key = attribute(element, "href"), attribute(element, "keyref", "conref", "conkeyref", "name")
    keys = attribute(element, "keys")
    text = f"[{title}]({target})" if title and target else title or target
    text = ": ".join(filter(None, (keys, text or key)))
    if text and title and key:
        text = f"{text} [{key}]"
    if not text:
        return Leave(undo=walk.flush)
    frame.lists.append(OpenList(begun="entries" in walk.counts))
    walk.counts["entries"] = 1
    frame.mark = "- " if frame.blocks is None else ""
    walk.put(text)

    def undo() -> None:
        walk.flush()
        if frame.lists:
            frame.lists.pop()

    return Leave(undo=undo)


def _heading_row(walk: Walk, element: _Element) -> Leave:
    """Say what the columns of a table of relations hold, where that is given."""
    if walk.frame.table is not None:
        walk.frame.table.open_row()
    return STAY


MAP_RULES: Final[dict[str, Rule]] = {
    **every(_entry, _ENTRIES),
    **every(open_map, "map bookmap subjectScheme learningBookmap"),
    **every(common.inline, "topicgroup hasInstance hasKind hasNarrower hasPart hasRelated subjectRelTable"),
    **every(rows.row, "relrow subjectRel"),
    **every(rows.cell, "relcell relcolspec subjectRole"),
    **every(common.skip, "anchor booktitle"),
    "ditavalref": common.remember("+ditavalref"),
    "reltable": rows.table,
    "relheader": _heading_row,
}
