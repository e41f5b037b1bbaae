"""From the bytes of an XML document to its tree: names, stray characters and pictures are seen to before parsing."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from html.entities import html5
from typing import TYPE_CHECKING, Final

from gatherum import UnreadableError
from gatherum.limits import parse_xml
from gatherum.text import decode
from gatherum_formats.xmldoc.repair import repaired

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum import Report

_TOKEN: Final = re.compile(rb"<!\[CDATA\[|<!--|<\?|&(?:#[xX]?[0-9A-Fa-f]{1,10}|[A-Za-z_][\w.:-]{0,80});")
_CLOSERS: Final = {b"<![CDATA[": b"]]>", b"<!--": b"-->", b"<?": b"?>"}
_OWN: Final = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
_DEFINED: Final = re.compile(rb"""<!ENTITY\s+([\w.:-]+)\s+(?:"([^"&<%']{0,200})"|'([^'&<%"]{0,200})'|["'])""")
_SUBSET_END: Final = re.compile(rb"\]\s*>")
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BLANKS: Final = bytes(32 if n < 32 and n not in (9, 10, 13) else n for n in range(256))
_DECLARED: Final = re.compile(rb"\s*<\?xml\b[^>]*\?>")
_DECLARATION: Final = re.compile(r"\s*<\?xml\b[^>]*\?>")
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<", b"\0\0\0<")
_PROLOGUE: Final = re.compile(rb"(?:\s+|<\?[^>]*\?>|<!--(?:(?!-->).){0,20000}-->)*", re.DOTALL)
_ROOT: Final = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)([^>]*)")
_HEAD: Final = re.compile(rb"<!DOCTYPE\s+(?:[\w.-]+:)?([\w.-]+)([^>\[]*)")
_FIRST: Final = 100_000
_NAMED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A parsed document.

    Attributes:
        root: Its root; an element called ``fragment`` when the file holds several.
        before: The lines that were taken away before the root was parsed.
    """

    root: _Element
    before: int


def glimpse_root(head: bytes) -> tuple[str, str]:
    """Return the name of the root and what stands beside it (attributes, public identifier) in the first bytes."""
    if head.startswith(_WIDE):
        head = decode(head).text.encode()
    head = head.removeprefix(codecs.BOM_UTF8)
    match = _PROLOGUE.match(head)
    at = match.end() if match else 0
    doctype = _HEAD.match(head, at)
    found = doctype or _ROOT.match(head, at)
    if found is None:
        return "", ""
    return found[1].decode("ascii", "replace"), found[2].decode("ascii", "replace")


def load_tree(data: bytes, name: str, report: Report) -> Tree:
    """Parse a document.

    Names that HTML and ISO know become characters, names that nobody defines stay as they are written, control
    characters are dropped.

    Raises:
        UnreadableError: It is empty, or no XML.
    """
    if not data.strip():
        raise UnreadableError("empty", f"{name} is empty")
    if data.startswith(_WIDE):
        data = _DECLARATION.sub("", decode(data).text, count=1).encode(errors="replace")
    data = _as_declared(data.removeprefix(codecs.BOM_UTF8))
    if _CONTROLS.search(data) and b"2022" not in data[:200]:
        data = data.translate(_BLANKS)
    data, missing = _mended(data)
    if missing:
        names = ", ".join(sorted(missing)[:_NAMED]) + (" …" if len(missing) > _NAMED else "")
        report.problem("missing_part", f"entities that are defined elsewhere: {names}")
    before = data[: len(data) - len(data.lstrip())].count(b"\n")
    complaints: list[str] = []
    root = parse_xml(data, complaints.append)
    if complaints and "deeply" not in complaints[0] and "amplification" not in complaints[0]:
        root = _best(root, data, complaints)
    if root is None:
        raise UnreadableError("corrupt", f"{name} is {complaints[0] if complaints else 'not XML'}")
    for message in complaints:
        report.problem("too_deep" if "deeply" in message else "partial", f"{name}: {message}")
    return Tree(root=root, before=before)


def _as_declared(data: bytes) -> bytes:
    """Take away a declaration of another encoding where the text is UTF-8: converters forget to change it."""
    declared = _DECLARED.match(data)
    if declared is None or data.isascii() or b"encoding" not in declared[0].lower() or b"utf-8" in declared[0].lower():
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        return data
    return data[declared.end() :].lstrip(b" ")


def _best(root: _Element | None, data: bytes, complaints: list[str]) -> _Element | None:
    """Try to have more of a damaged document: all of its roots, or all that follows the damage."""
    at = _body(data)
    if "Extra content" in complaints[0]:
        again: list[str] = []
        whole = parse_xml(data[:at] + b"<fragment>" + data[at:] + b"</fragment>", again.append)
        if whole is not None and len(whole) > 1:
            complaints[:] = again
            return whole
    declared = _DECLARED.match(data)
    mended = parse_xml((declared[0] if declared else b"") + repaired(data[at:]))
    if mended is not None and (root is None or _size(mended) > 0.95 * _size(root)):
        return mended
    return root


def _size(root: _Element) -> int:
    return sum(len(text) for text in map(str, root.itertext()) if not text.isspace())


def _body(data: bytes) -> int:
    """Return where the first element begins."""
    match = _PROLOGUE.match(data)
    at = match.end() if match else 0
    if data.startswith(b"<!DOCTYPE", at):
        bracket, end = data.find(b"[", at), data.find(b">", at)
        if 0 <= bracket < end:
            subset = _SUBSET_END.search(data, bracket)
            end = subset.end() - 1 if subset else end
        match = _PROLOGUE.match(data, end + 1)
        at = match.end() if match else end + 1
    return at


def _mended(data: bytes) -> tuple[bytes, set[str]]:
    """Replace references that the parser would drop, and those to plain words; return the names that nobody defines."""
    defined: dict[bytes, bytes | None] = dict.fromkeys(_OWN)
    doctype, head = data.find(b"<!DOCTYPE", 0, _FIRST), 0
    if doctype >= 0:
        subset = _SUBSET_END.search(data, doctype)
        head = subset.end() if subset else len(data)
        for found in _DEFINED.finditer(data, doctype, head):
            defined.setdefault(found[1], found[2] or found[3])
    missing: set[str] = set()
    pieces: list[bytes] = []
    copied = at = 0
    while match := _TOKEN.search(data, at):
        token, at = match[0], match.end()
        if token in _CLOSERS:
            end = data.find(_CLOSERS[token], at)
            if end < 0:
                break
            at = end
            continue
        if token.startswith(b"&#"):
            given = _numbered(token[2:-1])
        elif token[1:-1] in defined:
            given = defined[token[1:-1]] if at > head else None
        else:
            given = _named(token[1:-1].decode("ascii", "replace"), missing if at > head else None)
        if given is not None:
            pieces += (data[copied : match.start()], given)
            copied = at
    return (b"".join((*pieces, data[copied:])) if pieces else data), missing


def _numbered(digits: bytes) -> bytes | None:
    """Return what stands for a reference by number that XML does not allow; None if it is allowed."""
    try:
        number = int(digits[1:], 16) if digits[:1] in b"xX" else int(digits)
    except ValueError:
        return b""
    if 0x80 <= number < 0xA0:
        return f"&#{ord(bytes((number,)).decode('cp1252', 'replace'))};".encode()
    allowed = number in (9, 10, 13) or 32 <= number < 0xFFFE or 0x10000 <= number <= 0x10FFFF
    return None if allowed else b""


def _named(name: str, missing: set[str] | None) -> bytes | None:
    """Return the character that HTML or ISO calls by a name; else the reference as text, or None where none can be."""
    known = html5.get(f"{name};")
    if known is not None:
        return "".join(f"&#{ord(letter)};" for letter in known).encode()
    if missing is None:
        return None
    missing.add(name)
    return f"&#38;{name};".encode()


def short_name(element: _Element) -> str:
    """Return an element's name without namespace or prefix; "" for what is no element."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2]


def attribute(element: _Element, *names: str) -> str:
    """Return the first of these attributes that says something, whatever its namespace or prefix."""
    if not element.attrib:
        return ""
    found = {str(key).rpartition("}")[2].rpartition(":")[2]: str(value) for key, value in element.attrib.items()}
    return next((value for name in names if (value := found.get(name, "").strip())), "")
