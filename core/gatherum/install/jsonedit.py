"""Change JSON as text: only the stretch of one entry is touched."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from gatherum.install.jsonc import Node, parse
from gatherum.install.text import Edit, UneditableError, newline_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_REST_OF_LINE: Final = re.compile(r"[ \t]*(?>//[^\r\n]*|/\*[^\r\n]*?\*/)?[ \t]*(?=\r?\n)")
_COMMENTED: Final = re.compile(r"/[/*]")
_COMMA: Final = re.compile(r"(?:\s|//[^\r\n]*+|/\*.*?\*/)*+,", re.DOTALL)


def add(text: str, path: Sequence[str], value: Any, *, comments: bool, to_list: bool = False) -> Edit:
    """Put a value under a path of keys, or at the end of the list there; what is missing on the way is made.

    Raises:
        BrokenError: The text is not JSON.
        UneditableError: Something on the way is no object, or the path's end no list.
    """
    root = parse(text, comments=comments)
    keys = list(path)
    if root is None:
        nl = newline_of(text)
        body = json.dumps(_nested(keys, value, to_list=to_list), indent=2, ensure_ascii=False).replace("\n", nl)
        gap = nl if text.strip() and not text.endswith("\n") else ""
        return Edit(at=len(text), old="", new=f"{gap}{body}{nl}")
    holder, taken = root, 0
    _must_be(holder, "object", "the file")
    while taken < len(keys) - (not to_list):
        inner = holder.find(keys[taken])
        if inner is None:
            break
        is_end = to_list and taken == len(keys) - 1
        taken += 1
        _must_be(inner, "list" if is_end else "object", ".".join(keys[:taken]))
        holder = inner
    rest = keys[taken:]
    if not rest:
        return _insert(text, root, holder, "", value)
    key = json.dumps(rest[0], ensure_ascii=False) + ": "
    return _insert(text, root, holder, key, _nested(rest[1:], value, to_list=to_list))


def replace(text: str, node: Node, value: Any, *, comments: bool) -> Edit:
    """Write another value in the place of one."""
    root = parse(text, comments=comments) or node
    old = text[node.start : node.end]
    indent = _indent(text, _line_item_start(text, node.start))
    unit = _unit(text, root) if "\n" in old else None
    return Edit(at=node.start, old=old, new=_render(value, unit, indent, newline_of(text)))


def remove(text: str, path: Sequence[str | int], *, comments: bool) -> Edit:
    """Take out the item at a path, with its comma and its line."""
    root = parse(text, comments=comments)
    holder = root.find(*path[:-1]) if root else None
    if holder is None or holder.find(path[-1]) is None:
        raise UneditableError("there is no such entry")
    place = max(number for number, item in enumerate(holder.items) if item.key == path[-1])
    item = holder.items[place]
    start, end = item.start, item.value.end
    if len(holder.items) == 1 and not _COMMENTED.search(text[holder.start + 1 : start] + text[end : holder.end]):
        return Edit(at=holder.start + 1, old=text[holder.start + 1 : holder.end - 1], new="")
    if comma := _COMMA.match(text, end):
        end = comma.end()
    elif place:
        before = _COMMA.match(text, holder.items[place - 1].value.end)
        cut = before.end() - 1 if before else start
        return Edit(at=cut, old=text[cut:end], new=text[cut + 1 : start].rstrip())
    alone = _line_item_start(text, start) == start
    start = len(text[:start].rstrip(" \t").removesuffix("\n").removesuffix("\r")) if alone else start
    end += 0 if alone else len(text[end:]) - len(text[end:].lstrip(" \t"))
    return Edit(at=start, old=text[start:end], new="")


def _nested(keys: Sequence[str], value: Any, *, to_list: bool) -> Any:
    made = [value] if to_list else value
    for key in reversed(keys):
        made = {key: made}
    return made


def _must_be(node: Node, kind: str, name: str) -> None:
    if node.kind != kind:
        said = {"object": "an object", "list": "a list"}
        raise UneditableError(f"{name} holds {said.get(node.kind, json.dumps(node.plain))}, not {said[kind]}")


def _insert(text: str, root: Node, holder: Node, key: str, value: Any) -> Edit:
    nl = newline_of(text)
    if holder.items:
        first, last = holder.items[0], holder.items[-1]
        indent = _indent(text, first.start)
        spread = "\n" in text[holder.start : first.start]
        body = key + _render(value, _unit(text, root) if spread else None, indent, nl)
        end = last.value.end
        comma = _COMMA.match(text, end)
        if comma:
            end = comma.end()
        tail = _REST_OF_LINE.match(text, end)
        kept = tail[0].rstrip(" \t") if tail and spread else ""
        gap = f"{nl}{indent}" if spread else " "
        new = f"{kept}{gap}{body}," if comma else f",{kept}{gap}{body}"
        return Edit(at=end, old=kept, new=new)
    inner = text[holder.start + 1 : holder.end - 1]
    comment = inner.rstrip()
    unit = _unit(text, root)
    outer = _indent(text, _line_item_start(text, holder.start))
    indent = outer + unit
    body = key + _render(value, unit, indent, nl)
    at = holder.start + 1 + len(comment)
    return Edit(at=at, old=inner[len(comment) :], new=f"{nl}{indent}{body}{nl}{outer}")


def _render(value: Any, unit: str | None, indent: str, nl: str) -> str:
    if unit is None:
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"{nl}{indent}")


def _line_item_start(text: str, at: int) -> int:
    """Return where the first thing on the line of an offset begins."""
    start = text.rfind("\n", 0, at) + 1
    return start + len(text[start:]) - len(text[start:].lstrip(" \t"))


def _indent(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    return text[start:at] if text[start:at].strip(" \t") == "" else ""


def _unit(text: str, root: Node) -> str:
    """Return by what the file indents: as its first member is."""
    return (_indent(text, root.items[0].start) if root.items else "") or "  "
