"""What a DocBook document says about itself, and about its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc.frame import SKIP, Leave
from gatherum_formats.xmldoc.rules import child
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Walk

_GROUPS: Final = frozenset(("authorgroup", "keywordset", "subjectset", "subject", "info"))
_PEOPLE: Final = frozenset(("author", "corpauthor", "editor"))
_NAME: Final = ("honorific", "firstname", "givenname", "othername", "surname", "lineage")
_FIELDS: Final = {
    "title": "title",
    "abstract": "description",
    "keyword": "tags",
    "subjectterm": "tags",
    "date": "modified",
    "pubdate": "created",
}
INFO: Final = (
    "info setinfo bookinfo partinfo referenceinfo chapterinfo appendixinfo prefaceinfo articleinfo sectioninfo "
    "sect1info sect2info sect3info sect4info sect5info refentryinfo refsectioninfo refsect1info refsect2info "
    "refsect3info refsynopsisdivinfo glossaryinfo bibliographyinfo indexinfo setindexinfo blockinfo objectinfo "
    "docinfo screeninfo sidebarinfo"
)


def info(walk: Walk, element: _Element) -> Leave:
    """Read what is said about the document, or about a part of it."""
    walk.flush()
    whole = element.getparent() is walk.root or element is walk.root
    said: list[str] = []
    pending = list(element)[::-1]
    while pending:
        one = pending.pop()
        name = short_name(one)
        if one in walk.done:
            continue
        if name in _GROUPS:
            pending += list(one)[::-1]
            continue
        text = walk.title(one)
        if not text:
            continue
        if not whole:
            said.append(f"{name}: {text}")
            continue
        person = _person(one) if name in _PEOPLE else ""
        if person:
            walk.fact("authors", person)
        if name in _FIELDS:
            walk.fact(_FIELDS[name], text)
        elif text != person:
            walk.fact(f"+{name}", text)
    if said:
        walk.aside("\n".join(said), "metadata", "metadata", walk.place(element))
    return SKIP


def _person(element: _Element) -> str:
    """Return the name of a person or a body."""
    held = child(element, "personname")
    held = element if held is None else held
    names = [" ".join("".join(map(str, one.itertext())).split()) for one in held if short_name(one) in _NAME]
    if names:
        return " ".join(filter(None, names))
    for name in ("personname", "orgname", "corpauthor", "collab"):
        one = element if short_name(element) == name else child(element, name)
        if one is not None:
            return " ".join("".join(map(str, one.itertext())).split())
    return "" if len(element) else " ".join((element.text or "").split())


def index_term(walk: Walk, element: _Element) -> Leave:
    """Remember an entry of the index; it is no part of the text."""
    parts = [" ".join("".join(map(str, one.itertext())).split()) for one in element if short_name(one) != "indexterm"]
    if not parts and (element.text or "").strip():
        parts = [" ".join((element.text or "").split())]
    if parts and attribute(element, "class") != "endofrange":
        walk.fact("+index", ", ".join(filter(None, parts)))
    return SKIP
