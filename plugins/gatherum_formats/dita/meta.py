"""What a DITA topic or map says about itself, and about its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc.frame import SKIP, Leave
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Walk

_GROUPS: Final = re.compile(
    r"metadata|keywords|prolog|topicmeta|bookmeta|critdates|prodinfo|vrmlist|copyright|bookrights|copyrfirst|copyrlast|"
    r"titlealts|authorinformation|publisherinformation|bookid|subjectHeadMeta|personinfo|namedetails|organizationinfo|organizationnamedetails"
)
_FIELDS: Final = {
    "author": "authors",
    "personname": "authors",
    "keyword": "tags",
    "category": "tags",
    "shortdesc": "description",
    "searchtitle": "+searchtitle",
}
_SAYING: Final = ("content", "date", "modified", "year", "version", "value", "href", "type", "job", "experiencelevel")


def about(walk: Walk, element: _Element) -> Leave:
    """Read what is said about the document, or about a part of it."""
    walk.flush()
    parent = element.getparent()
    whole = parent is walk.root or (parent is not None and parent.getparent() is walk.root and parent.tag == "dita")
    said: list[str] = []
    for name, text in _facts(walk, element):
        if whole or name in ("keyword", "category", "indexterm"):
            walk.fact(_FIELDS.get(name, f"+{name}"), text)
        else:
            said.append(f"{name}: {text}")
    if said:
        walk.aside("\n".join(said), "metadata", "metadata", walk.place(element))
    return SKIP


def _facts(walk: Walk, element: _Element) -> list[tuple[str, str]]:
    """Return what the elements inside say, with their names."""
    found: list[tuple[str, str]] = []
    pending = list(element)[::-1]
    while pending:
        one = pending.pop()
        name = short_name(one)
        if not name or one in walk.done:
            continue
        if name == "indexterm":
            found.append((name, index_text(one)))
        elif name == "created":
            walk.fact("created", attribute(one, "date"))
        elif name == "revised":
            walk.fact("modified", attribute(one, "modified"))
        elif _GROUPS.fullmatch(name):
            pending += list(one)[::-1]
        else:
            label = attribute(one, "name") if name in ("othermeta", "data") else ""
            text = walk.render(one) or attribute(one, *_SAYING)
            found.append((label or name, text))
    return [(name, text) for name, text in found if text]


def index_text(element: _Element) -> str:
    """Return an entry of the index with the entries above it."""
    parts: list[str] = []
    for one in element.iter():
        if one.text and one.text.strip():
            parts.append(" ".join(one.text.split()))
        if one is not element and one.tail and one.tail.strip():
            parts.append(" ".join(one.tail.split()))
    return ", ".join(parts)


def index_term(walk: Walk, element: _Element) -> Leave:
    """Remember an entry of the index; it is no part of the text."""
    walk.fact("+indexterm", index_text(element))
    return SKIP
