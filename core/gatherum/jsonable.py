"""Turn values into JSON: the same names in the command line, the Python API and MCP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from typing import Any


def jsonable(value: object) -> Any:
    """Return *value* as dicts, lists, strings, numbers and booleans.

    Dataclasses become objects of their fields; fields that are None are left out. Metadata may hold anything that
    a file's front matter can hold, so unknown values become strings and cycles end at depth 32.
    """
    return _plain(value, 32)


def _plain(value: object, depth: int) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if depth == 0:
        return "…"
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: _plain(item, depth - 1) for name, item in pairs if item is not None}
    if isinstance(value, Mapping):
        return {str(key): _plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [_plain(item, depth - 1) for item in items]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value)


def dumps(value: object, *, indent: int | None = None) -> str:
    """Return *value* as one JSON text, non-ASCII letters as they are."""
    separators = None if indent else (",", ":")
    return json.dumps(jsonable(value), ensure_ascii=False, indent=indent, separators=separators)
