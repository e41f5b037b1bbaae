"""Change TOML as text: a table is added at the end, and found again by its header.

Every change is read back: unless exactly the entry differs, it is refused.
"""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from gatherum.install.text import BrokenError, Edit, UneditableError, newline_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(text: str) -> dict[str, Any]:
    """Read a text.

    Raises:
        BrokenError: The text is not TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"^(.*) \(at line (\d+), column (\d+)\)$", str(error))
        if found:
            raise BrokenError(found[1], int(found[2]), int(found[3])) from None
        raise BrokenError(str(error), text.count("\n") + 1, 1) from None


def add(text: str, table: str, name: str, entry: Mapping[str, Any]) -> Edit:
    """Put an entry into a table of entries."""
    nl = newline_of(text)
    gap = "" if not text else nl if text.endswith("\n") else nl * 2
    return _checked(text, Edit(at=len(text), old="", new=gap + _render(table, name, entry, nl)), table, name, entry)


def replace(text: str, table: str, name: str, entry: Mapping[str, Any]) -> Edit:
    """Write an entry in the place of that of the same name; tables in it stay."""
    start, end = _block(text, table, name)
    old = text[start:end]
    rest = old[len(old.rstrip()) :]
    own = {key: value for key, value in entry.items() if not isinstance(value, dict)}
    new = _render(table, name, own, newline_of(text)).rstrip() + rest
    return _checked(text, Edit(at=start, old=old, new=new), table, name, entry)


def remove(text: str, table: str, name: str) -> Edit:
    """Take out an entry and the tables in it."""
    start, _ = _block(text, table, name)
    end = max(found for _, found in _blocks(text, table, name))
    before = len(text[:start].rstrip("\r\n"))
    start = before + len(newline_of(text)) if before else 0
    return _checked(text, Edit(at=start, old=text[start:end], new=""), table, name, None)


def _checked(text: str, edit: Edit, table: str, name: str, entry: Mapping[str, Any] | None) -> Edit:
    wanted = deepcopy(parse(text))
    if entry is None:
        wanted[table].pop(name)
        if not wanted[table]:
            wanted.pop(table)
    else:
        wanted.setdefault(table, {})
        if not isinstance(wanted[table], dict):
            raise UneditableError(f"{table} is no table")
        wanted[table][name] = dict(entry)
    try:
        made = parse(edit.apply(text))
    except BrokenError:
        made = {}
    if not made.get(table, True):
        made.pop(table)
    if made != wanted:
        raise UneditableError(f"{table}.{name} is written in a way that cannot be changed safely")
    return edit


def _blocks(text: str, table: str, name: str) -> list[tuple[int, int]]:
    """Return the stretches of the tables that make up an entry, its own first."""
    key = re.escape(name)
    header = rf"^[ \t]*\[\s*{table}\s*\.\s*(?:{key}|\"{key}\"|'{key}')\s*(?P<inner>\.[^\]]*)?\][^\n]*$"
    found = []
    for match in re.finditer(header, text, re.MULTILINE):
        following = re.compile(r"^[ \t]*\[", re.MULTILINE).search(text, match.end())
        found.append((bool(match["inner"]), match.start(), following.start() if following else len(text)))
    return [(start, end) for _, start, end in sorted(found)]


def _block(text: str, table: str, name: str) -> tuple[int, int]:
    blocks = _blocks(text, table, name)
    if not blocks:
        raise UneditableError(f"{table}.{name} is not written as a table of its own")
    return blocks[0]


def _render(table: str, name: str, entry: Mapping[str, Any], nl: str) -> str:
    key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)
    try:
        lines = [f"{field} = {json.dumps(value, ensure_ascii=False)}" for field, value in entry.items()]
    except TypeError:
        raise UneditableError(f"{table}.{name} holds a date, which cannot be written back") from None
    return nl.join([f"[{table}.{key}]", *lines, ""])
