"""Spoil documents by chance: their bytes, their words, the parts of their archives, the structure of their XML."""

from __future__ import annotations

import io
import re
import zipfile
from copy import deepcopy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

LARGEST = 400_000
"""A mutant in bytes: chance may double what it has doubled."""

NUMBERS = (b"0", b"-1", b"1", b"255", b"65536", b"2147483648", b"99999999999999999999", b"1e999", b"nan", b"0x7f", b"")
WORDS = (
    *(
        b"\0",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\xe2\x80\xae",
        b"&#xd800;",
        b"&#0;",
        b"\\ud800",
        b"\r",
    ),
    *(b"<", b">", b"</", b"]]>", b"<!--", b"<![CDATA[", b"{", b"}", b"[", b"]", b"(", b")", b"|", b"\\", b'"', b"'"),
    *(
        b"`",
        b"```",
        b"\n\n",
        b"\t",
        b"    ",
        b"#",
        b"=",
        b"---",
        b"* ",
        b"1. ",
        b"$",
        b"$$",
        b"%",
        b"&",
        b"*",
        b"_",
        b"~",
    ),
    *(b"::", b".. ", b":", b";", b"@", b"!", b"^", b"[^1]", b"../", b"file:///", b"a" * 3000, b"[" * 300, b"<b>" * 200),
)
_NUMBER = re.compile(rb"\d{1,12}")
_WORD = re.compile(rb"[A-Za-z_][\w:.-]{0,30}")


def mutate(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """Return a copy of *data* with one to four faults.

    Args:
        data: A good document.
        chance: Decides what becomes of it.
        others: Documents to splice pieces from.
    """
    for _ in range(chance.choice((1, 1, 2, 4))):
        if data.startswith(b"PK\x03\x04") and chance.random() < 0.8:
            data = _mutate_archive(data, chance, others)
        else:
            data = _mutate_part(data, chance, others)
        data = data[:LARGEST]
    return data


def _mutate_part(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    if data.lstrip()[:1] == b"<" and chance.random() < 0.6:
        return _mutate_xml(data, chance)
    if not data:
        return chance.choice(WORDS)
    return chance.choice(_FAULTS)(data, chance, others)


def _span(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data))
    return start, start + 1 + chance.randrange(chance.choice((1, 4, 40, max(1, len(data) // 2))))


def _flip(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    spoilt = bytearray(data)
    for _ in range(chance.choice((1, 1, 8, 64))):
        spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
    return bytes(spoilt)


def _cut(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    return data[: chance.randrange(len(data))]


def _drop(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def _duplicate(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 1, 2, 50)) + data[end:]


def _splice(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    other = chance.choice(others) or b"\0"
    start, end = _span(other, chance)
    at, until = _span(data, chance)
    return data[:at] + other[start:end] + data[chance.choice((at, until)) :]


def _insert(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(WORDS) * chance.choice((1, 1, 2, 9)) + data[at:]


def _renumber(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data[:LARGEST]))
    if not found:
        return chance.choice(NUMBERS) + data
    match = chance.choice(found)
    return data[: match.start()] + chance.choice(NUMBERS) + data[match.end() :]


def _exchange(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    """Put one word of the document in the place of another."""
    found = list(_WORD.finditer(data[:LARGEST]))
    if not found:
        return data + data
    one, other = chance.choice(found), chance.choice(found)
    return data[: one.start()] + other[0] + data[one.end() :]


def _shuffle(data: bytes, chance: random.Random, _: list[bytes]) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


_FAULTS: tuple[Callable[[bytes, random.Random, list[bytes]], bytes], ...] = (
    *(_flip, _cut, _drop, _duplicate, _splice, _insert, _insert, _renumber, _renumber, _exchange, _shuffle),
)


def _mutate_xml(data: bytes, chance: random.Random) -> bytes:
    """Spoil the structure and leave the XML well formed."""
    from lxml import etree

    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError:
        return _insert(data, chance, [])
    inside = [element for element in root.iter() if isinstance(element.tag, str)]
    for _ in range(chance.choice((1, 1, 3))):
        one, other = chance.choice(inside), chance.choice(inside)
        what = chance.randrange(7)
        parent = one.getparent()
        if what == 0 and parent is not None:
            parent.remove(one)
        elif what == 1:
            one.append(deepcopy(other))
        elif what == 2 and parent is not None and other not in one.iter():
            other.append(one)
        elif what == 3:
            one.tag = other.tag
        elif what == 4:
            for name in list(one.attrib)[:3]:
                one.set(name, chance.choice(NUMBERS).decode())
        elif what == 5:
            for name, value in list(other.attrib.items())[:3]:
                one.set(name, value)
        elif chance.random() < 0.3:
            for _ in range(chance.choice((20, 300))):
                one = etree.SubElement(one, one.tag)
        else:
            one.text = chance.choice(("", " ", "\u202e", "a" * 3000, "\n", "99999999999999999999"))
    return etree.tostring(root, xml_declaration=True, encoding="utf-8")


def _mutate_archive(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """Spoil, drop, double, rename or exchange parts of a zip archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # noqa: BLE001 - an earlier fault may have spoilt the archive in any way
        return _flip(data, chance, others)
    if not parts:
        return _flip(data, chance, others)
    at, what = chance.randrange(len(parts)), chance.randrange(10)
    name, content = parts[at]
    if what == 0:
        del parts[at]
    elif what == 1:
        parts.append((name, content[: len(content) // 2]))
    elif what == 2:
        parts[at] = (name.swapcase() if chance.random() < 0.5 else f"../{name}", content)
    elif what == 3:
        parts[at] = (name, chance.choice(parts)[1])
    else:
        parts[at] = (name, _mutate_part(content, chance, [part for _, part in parts]))
    return _packed(parts)


def _packed(parts: list[tuple[str, bytes]]) -> bytes:
    import warnings

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a name may be there twice
        for name, content in parts:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, content[:LARGEST])
    return file.getvalue()
