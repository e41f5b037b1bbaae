"""What a PDF says about itself in XML, for what its older properties leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum.limits import local_name, parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_BEGIN: Final = b"<rdf:RDF"
_END: Final = b"</rdf:RDF>"
_LARGEST: Final = 1 << 20
_FIELDS: Final = {
    "title": "title",
    "creator": "authors",
    "description": "description",
    "subject": "tags",
    "language": "language",
    "CreateDate": "created",
    "ModifyDate": "modified",
}


def read_xmp(data: bytes) -> dict[str, list[str]]:
    """Return the values of `Metadata` fields; none if there is no packet, or several, which may describe pictures."""
    start = data.find(_BEGIN)
    end = data.find(_END, start)
    if start < 0 or not 0 < end - start < _LARGEST or data.find(_BEGIN, end) >= 0:
        return {}
    root = parse_xml(data[start : end + len(_END)])
    found: dict[str, list[str]] = {}
    for element in root.iter() if root is not None else ():
        for name, value in [(local_name(element), None), *element.attrib.items()]:
            field = _FIELDS.get(str(name).rpartition("}")[2])
            if field and field not in found:
                values = _texts(element) if value is None else [str(value).strip()]
                if any(values):
                    found[field] = [text for text in values if text]
    return found


def _texts(element: _Element) -> list[str]:
    items = [item for item in element.iter() if local_name(item) == "li"] or [element]
    return ["".join(str(text) for text in item.itertext()).strip() for item in items]
