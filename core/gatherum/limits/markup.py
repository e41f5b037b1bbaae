"""Parsers for XML and HTML that fetch nothing, expand nothing from outside, and bear damage."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import HTMLParser, XMLParser, _Element

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
    so callers with HTML names in their vocabulary replace those first.

    Args:
        data: The document, in any encoding that it declares.
        complain: Told in a few words when the text is damaged or cut short.
    """
    from lxml import etree

    data = data.lstrip()
    if not data:
        return None
    parser = xml_parser()
    root: _Element | None
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        root = _retry(data)
        if root is None and complain:
            complain(f"not well-formed XML ({error})")
    if root is None:
        return None
    serious = [entry for entry in parser.error_log if entry.level_name == "FATAL"]
    if complain and serious:
        deep = any("depth" in entry.message for entry in serious)
        complain("nested too deeply, the inner text is left out" if deep else f"damaged XML ({serious[0].message})")
    return root


def _retry(data: bytes) -> _Element | None:
    """Parse once more as UTF-8 with every undecodable byte replaced: wrong declarations are common."""
    from lxml import etree

    match = _DECLARED.match(data[:200])
    body = data[match.end() :] if match else data
    text = re.sub(r"^[^<]*", "", body.decode("utf-8", errors="replace"), count=1)
    try:
        return etree.fromstring(text.encode(), xml_parser())
    except (etree.XMLSyntaxError, ValueError):
        return None


def local_name(element: _Element) -> str:
    """Return an element's tag without its namespace, "" for comments and instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
