"""Turn values into JSON: the same names in the command line, the Python API and MCP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from typing import Any, Final

from gatherum.text.cleaning import clean

_DEEPEST: Final = 32
_SHARED: Final = 100_000
_LONG: Final = 4096
"""Bits of a number beyond which Python would refuse to write it in decimal digits."""


def jsonable(value: object) -> Any:
    """Return *value* as dicts, lists, strings, numbers and booleans.

    Dataclasses become objects of their fields; fields that are None are left out. Metadata may hold anything that
    a file's front matter can hold: unknown values become strings, and what contains itself, or one thing a hundred
    thousand times, ends in "…".
    """
    return _Plain().of(value, _DEEPEST)


class _Plain:
    """One conversion; it remembers what it has met, for few bytes of YAML can stand for billions of items."""

    def __init__(self) -> None:
        self._met: set[int] = set()
        self._left = _SHARED

    def of(self, value: object, depth: int) -> Any:
        if isinstance(value, str):
            return clean(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            number = int.__index__(value)
            return number if number.bit_length() <= _LONG else hex(number)
        if isinstance(value, float):
            real = float.__float__(value)
            return real if real == real and abs(real) != float("inf") else str(real)
        if isinstance(value, datetime | date | time):
            return value.isoformat()
        if depth == 0 or not self._afford(value):
            return "…"
        if is_dataclass(value) and not isinstance(value, type):
            pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
            return {name: self.of(item, depth - 1) for name, item in pairs if item is not None}
        if isinstance(value, Mapping):
            return {_text(key): self.of(item, depth - 1) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            items = sorted(value, key=_text) if isinstance(value, set | frozenset) else value
            return [self.of(item, depth - 1) for item in items]
        return _text(value)

    def _afford(self, value: object) -> bool:
        """Whether there is room for *value*; only what parsers make, and is met again, uses any up."""
        if isinstance(value, Mapping | list | set):
            if id(value) in self._met:
                self._left -= 1 + len(value)
            self._met.add(id(value))
        return self._left > 0


def _text(value: object) -> str:
    try:
        return clean(str(value))
    except Exception:  # noqa: BLE001 - numbers of very many digits, and whatever plugins put in
        return f"<{type(value).__name__}>"


def dumps(value: object, *, indent: int | None = None) -> str:
    """Return *value* as one JSON text, non-ASCII letters as they are."""
    separators = None if indent else (",", ":")
    return json.dumps(jsonable(value), ensure_ascii=False, indent=indent, separators=separators)
