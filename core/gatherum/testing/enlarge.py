"""Make large documents of small ones: text is repeated, and so is what has most text in XML, JSON and archives."""

from __future__ import annotations

import io
import json
import zipfile
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

_CONTAINERS: Final = (b"PK", b"%PDF", b"\xd0\xcf\x11\xe0", b"\x1f\x8b")
_PARTS: Final = (".xml", ".xhtml", ".html", ".htm", ".fb2")
_TRIED: Final = 12
_DEEPEST: Final = 6
_ABOUT: Final = ("docProps/", "META-INF/", "[Content_Types]")


def enlarged(data: bytes, size: int) -> Iterator[bytes]:
    """Yield documents like *data*, of at least *size* bytes; which of them is one depends on the format."""
    if data.startswith(b"PK\x03\x04"):
        yield from _archives(data, size)
    elif data and not data.startswith(_CONTAINERS) and b"\0" not in data[:4096]:
        start = data.lstrip()[:1]
        yield from _xml(data, size) if start == b"<" else _json(data, size) if start in (b"{", b"[") else ()
        yield data * -(-size // len(data))


def _archives(data: bytes, size: int) -> Iterator[bytes]:
    """Enlarge one part; nothing is packed, so that the sizes of archives compare as what is in them does."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    roots = {name: root for name, content in parts.items() if _is_text(name) and (root := _root(content)) is not None}
    for chosen in sorted(roots, key=lambda name: -_text(roots[name]))[:_TRIED]:
        for longer in _xml(parts[chosen], size):
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                for name, content in parts.items():
                    archive.writestr(zipfile.ZipInfo(name), longer if name == chosen else content)
            yield file.getvalue()


def _is_text(name: str) -> bool:
    return name.endswith(_PARTS) and not name.startswith(_ABOUT)


def _root(content: bytes) -> _Element | None:
    from lxml import etree

    try:
        return etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return None


def _text(element: _Element) -> int:
    return sum(len(text.strip()) for text in map(str, element.itertext()))


def _content(element: _Element) -> int:
    """Return how many letters are in an element and in its attributes, for some formats have their text in those."""
    return _text(element) + sum(len(value) for inner in element.iter() for value in inner.attrib.values())


def _xml(data: bytes, size: int) -> Iterator[bytes]:
    """Repeat the children of an element: of the root, of its child that has most text, and so on."""
    from lxml import etree

    for depth in range(_DEEPEST):
        parent = root = _root(data)
        for _ in range(depth):
            parent = max(parent, key=_content, default=None) if parent is not None else None
        if root is None or parent is None:
            return
        children = list(parent)
        if length := sum(len(etree.tostring(child)) for child in children):
            for _ in range(size // length):
                parent.extend(deepcopy(children))
            yield etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _json(data: bytes, size: int) -> Iterator[bytes]:
    """Repeat the items of the list that is longest."""
    try:
        value = json.loads(data)
    except ValueError:
        return
    longest = max(_lists(value), key=lambda found: len(json.dumps(found)), default=[])
    if longest:
        longest *= size // len(json.dumps(longest)) + 1
        yield json.dumps(value).encode()


def _lists(value: Any) -> Iterator[list[Any]]:
    """Yield the lists in a value, the outer ones first."""
    if isinstance(value, list):
        yield value
    for inner in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from _lists(inner)
