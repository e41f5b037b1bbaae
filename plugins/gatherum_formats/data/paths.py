"""Plain data as lines of key path and value: ``server.ports[0]: 8080``."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = re.compile(r"[^\W\d][\w-]*$")
_LONG_KEY: Final = 200
_LONG_VALUE: Final = 100_000
_PAYLOAD: Final = re.compile(r"[A-Za-z0-9+/_-]{1024,}={0,2}$")
_DEEPEST: Final = 200
_REPEATED: Final = 5_000


def leaves(value: object) -> Iterator[tuple[str, str]]:
    """Yield path and value of everything in *value* that is no container, in order.

    Lists of short plain values are one line; what is nested deeper than any honest data is left out.
    """
    stack: list[tuple[str, object, int]] = [("", value, 0)]
    seen: set[int] = set()
    repeated = 0
    while stack:
        path, item, depth = stack.pop()
        if isinstance(item, dict | list):  # aliases can make a few lines of YAML endless
            repeated += id(item) in seen
            seen.add(id(item))
            if repeated > _REPEATED:
                yield "", "[… the same parts over and over are left out …]"
                return
        if isinstance(item, dict):
            if item and depth < _DEEPEST:
                stack.extend((join(path, key), inner, depth + 1) for key, inner in reversed(item.items()))
        elif isinstance(item, list | tuple | set | frozenset):
            items = list(item)
            if all(isinstance(inner, str | int | float | None) for inner in items):
                words = [word(inner) for inner in items]
                if sum(map(len, words)) <= 400 and not any("\n" in text for text in words):
                    yield path, ", ".join(text for text in words if text)
                    continue
            if depth < _DEEPEST:
                indexed = [(f"{path}[{index}]", inner, depth + 1) for index, inner in enumerate(items)]
                stack.extend(reversed(indexed))
        else:
            yield path, word(item)


def join(path: str, key: object) -> str:
    """Return the path of *key* below *path*."""
    name = str(key)[:_LONG_KEY]
    name = name if _WORD.match(name) else f'"{name}"' if "." in name or " " in name or not name else name
    return f"{path}.{name}" if path else name


def word(value: object) -> str:
    """Return a plain value as people write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return "[data]"
    if isinstance(value, datetime):
        return value.isoformat()
    try:
        text = str(value)
    except ValueError:  # an integer of more digits than Python writes
        return "[number]"
    if len(text) >= 1024 and _PAYLOAD.match(text):
        return "[data]"
    return text[:_LONG_VALUE]


def line(path: str, text: str) -> str:
    """Return one leaf as a line, or as a paragraph below its path where the value has lines itself."""
    if not text:
        return f"{path}:" if path else ""
    if "\n" in text:
        return f"{path}:\n{text.strip()}" if path else text.strip()
    return f"{path}: {text}" if path else text
