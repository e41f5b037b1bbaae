"""Make damaged XML well-formed, so that the parser loses nothing of what follows the damage."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN: Final = re.compile(
    rb"<!\[CDATA\[|<!--|<\?|<(/?)([A-Za-z_\x80-\xff][\w:.\x80-\xff-]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>|<"
    rb"|&(?!(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z_][\w.:-]{0,80});)"
)
_ATTRIBUTE: Final = re.compile(rb"""([A-Za-z_][\w:.-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'/>]+)""")
_STRAY: Final = re.compile(rb"&(?!(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z_][\w.:-]{0,80});)")
_CLOSERS: Final = {b"<![CDATA[": b"]]>", b"<!--": b"-->", b"<?": b"?>"}
_NEAR: Final = 100
"""An end tag ends an element that many levels up at most; one that fits none is left out."""


def repaired(data: bytes) -> bytes:
    """Return elements without a prologue, each closed where its parent ends at the latest."""
    return b"".join(_pieces(data))


def _pieces(data: bytes) -> Iterator[bytes]:
    open_names: list[bytes] = []
    endless: set[bytes] = set()
    last = data.rfind(b"</")
    at = 0
    while match := _TOKEN.search(data, at):
        yield data[at : match.start()]
        token, at = match[0], match.end()
        if token in _CLOSERS:
            end = -1 if token in endless else data.find(_CLOSERS[token], at)
            if end < 0:
                endless.add(token)
            else:
                if token == b"<![CDATA[":
                    yield data[match.start() : end + 3]
                at = end + len(_CLOSERS[token])
        elif token == b"<":
            yield b"&#60;"
        elif token == b"&":
            yield b"&#38;"
        elif match[1]:
            if match[2] in open_names[-_NEAR:] and (match[2] != open_names[0] or match.start() >= last):
                while (name := open_names.pop()) != match[2]:
                    yield b"</" + name + b">"
                yield b"</" + match[2] + b">"
        else:
            empty = match[3].endswith(b"/")
            yield b"<" + match[2] + _attributes(match[3]) + (b"/>" if empty else b">")
            if not empty:
                open_names.append(match[2])
    yield data[at:] if open_names else b""
    yield from (b"</" + name + b">" for name in reversed(open_names))


def _attributes(text: bytes) -> bytes:
    """Write attributes, each once, with quotation marks."""
    found: dict[bytes, bytes] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = match[2] if match[2][:1] in (b'"', b"'") else b'"' + match[2] + b'"'
        found.setdefault(match[1], _STRAY.sub(b"&#38;", value.replace(b"<", b"&#60;")))
    return b"".join(b" " + name + b"=" + value for name, value in found.items())
