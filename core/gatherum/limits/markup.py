"""Parsers for XML and HTML that fetch nothing, expand nothing from outside, and bear damage."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import HTMLParser, XMLParser, _Element

# References to what may be the halves of UTF-16 pairs; _whole looks at them more closely.
_HALVES = re.compile(rb"(?:&#(?:[xX]0{0,8}[dD][89a-fA-F][0-9a-fA-F]{2}|0{0,8}5[567][0-9]{3});)+")
# After the first error libxml2 drops references by name, even these; those by number it keeps.
_PREDEFINED = {b"&amp;": b"&#38;", b"&lt;": b"&#60;", b"&gt;": b"&#62;", b"&quot;": b"&#34;", b"&apos;": b"&#39;"}
_BY_NAME = re.compile(rb"&(?:amp|lt|gt|quot|apos);")
# The declarations of a document, and among them those of entities that lie outside of it.
_SUBSET = re.compile(rb"<!DOCTYPE[^\[>]*\[.*?\]\s*>", re.DOTALL)
_OUTSIDE = re.compile(
    rb"""<!ENTITY\s+([^\s%"'>]+)\s+(?:SYSTEM|PUBLIC\s+(?:"[^"]*"|'[^']*'))\s+(?:"[^"]*"|'[^']*')\s*>"""
)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


def xml_parser() -> XMLParser[_Element]:
    """Return a parser that expands internal entities only, never touches disk or network, and recovers."""
    from lxml import etree

    return etree.XMLParser(
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        recover=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
    )


def html_parser(encoding: str | None = "utf-8") -> HTMLParser[_Element]:
    """Return an HTML parser that never touches the network."""
    from lxml import etree

    return etree.HTMLParser(encoding=encoding, no_network=True, recover=True, huge_tree=True, remove_comments=True)


def parse_xml(data: bytes, complain: Callable[[str], None] | None = None) -> _Element | None:
    """Return the root of an XML document, or None if there is none.

    Entities defined in the document are expanded within libxml2's amplification limit; undefined ones are dropped,
    so callers with HTML names in their vocabulary replace those first. Entities that lie outside are dropped too.

    Args:
        data: The document, in any encoding that it declares.
        complain: Told in a few words when the text is damaged or cut short.
    """
    data = data.lstrip()
    if b"&#" in data:
        data = _HALVES.sub(_whole, data)
    if b"<!ENTITY" in data:
        data = _SUBSET.sub(_emptied, data, count=1)
    parser = xml_parser()
    root, reason = _parsed(data, parser)
    serious = [entry.message.strip() for entry in parser.error_log if entry.level_name == "FATAL"]
    if root is None or any("encoding" in message for message in serious):
        second, _ = _parsed(_as_utf8(data), xml_parser())
        root = root if second is None else second
    elif serious and b"<!ENTITY" not in data and _BY_NAME.search(data):
        second, _ = _parsed(_numbered(data), xml_parser())
        root = root if second is None else second
    if complain and root is None:
        complain(f"not well-formed XML ({reason})")
    elif complain and serious:
        deep = any("depth" in message for message in serious)
        complain("nested too deeply, the inner text is left out" if deep else f"damaged XML ({serious[0]})")
    return root


def _parsed(data: bytes, parser: XMLParser[_Element]) -> tuple[_Element | None, str]:
    from lxml import etree

    try:
        root: _Element | None = etree.fromstring(data, parser) if data else None
    except (etree.XMLSyntaxError, ValueError) as error:
        return None, str(error)
    return root, "there is no element in it" if data else "it is empty"


def _as_utf8(data: bytes) -> bytes:
    """Return the document in UTF-8 whatever it declares: wrong declarations are common, and so is text before it."""
    from gatherum.text.decoding import decode

    match = _DECLARED.match(data[:200])
    body = decode(data).text
    if match and "\0" not in body:
        body = body[body.find(match[1].decode()) + len(match[1]) + 1 :]
    return re.sub(r"^[^<]*", "", body, count=1).encode(errors="replace")


def _emptied(match: re.Match[bytes]) -> bytes:
    """Define entities that lie outside of the document as nothing: lxml 6.2 ends the text at a reference to one."""
    return _OUTSIDE.sub(rb'<!ENTITY \1 "">', match[0])


def _numbered(data: bytes) -> bytes:
    """Write the references that XML itself defines by number; in CDATA sections they are none."""
    pieces: list[bytes] = []
    at = 0
    while True:
        start = data.find(b"<![CDATA[", at)
        end = data.find(b"]]>", start) if start >= 0 else -1
        stop = start if end >= 0 else len(data)
        pieces.append(_BY_NAME.sub(lambda match: _PREDEFINED[match[0]], data[at:stop]))
        if end < 0:
            return b"".join(pieces)
        pieces.append(data[start:end])
        at = end


def _whole(match: re.Match[bytes]) -> bytes:
    """Join references to the halves of a UTF-16 pair; with half a pair in it, a text could not be had from lxml."""
    units = [int(ref[1:], 16) if ref[:1] in b"xX" else int(ref) for ref in match[0][2:-1].split(b";&#")]
    if any(unit > 0xFFFF for unit in units):
        return match[0]
    text = b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", errors="replace")
    return "".join(f"&#{ord(letter)};" for letter in text).encode()


def local_name(element: _Element) -> str:
    """Return an element's tag without its namespace, "" for comments and instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
