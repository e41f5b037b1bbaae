"""What a FictionBook says about itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc.frame import SKIP, Leave
from gatherum_formats.xmldoc.rules import child
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Walk

_NAME: Final = ("first-name", "middle-name", "last-name")
_PARTS: Final = {"title-info": "", "src-title-info": "source ", "document-info": "document ", "publish-info": ""}
_FIELDS: Final = {
    "book-title": "title",
    "author": "authors",
    "annotation": "description",
    "keywords": "tags",
    "date": "created",
    "lang": "language",
}
_NAMES: Final = {"sequence": "series"}
_SPLIT: Final = re.compile(r"[,;]")


def description(walk: Walk, element: _Element) -> Leave:
    """Read the description that comes before the text."""
    for part in element:
        name = short_name(part)
        if name not in _PARTS:
            walk.fact(f"+{attribute(part, 'info-type') or name}", walk.render(part))
            continue
        for one in part:
            field = short_name(one)
            text = _said(walk, one, field)
            known = _FIELDS.get(field) if name == "title-info" else None
            for said in _SPLIT.split(text) if known == "tags" else [text]:
                walk.fact(known or f"+{_PARTS[name]}{_NAMES.get(field, field)}", said)
    return SKIP


def _said(walk: Walk, element: _Element, field: str) -> str:
    if field in ("author", "translator"):
        return _person(element) or walk.render(element)
    if field == "sequence":
        return " ".join(filter(None, (attribute(element, "name"), attribute(element, "number"))))
    if field == "date":
        return attribute(element, "value") or walk.render(element)
    return "" if field == "coverpage" else walk.render(element)


def _person(element: _Element) -> str:
    """Return a person's name in the order in which it is spoken; else the name that they go by."""
    parts = [child(element, name) for name in _NAME]
    said = [" ".join("".join(map(str, one.itertext())).split()) for one in parts if one is not None]
    nick = child(element, "nickname")
    return " ".join(filter(None, said)) or ("" if nick is None else " ".join((nick.text or "").split()))
