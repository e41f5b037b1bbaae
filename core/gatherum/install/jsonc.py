"""Read JSON (RFC 8259), with comments and trailing commas where a client allows them, and keep where each value is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from gatherum.install.text import broken_at

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_COMMENT: Final = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)", re.ASCII)
_DEEPEST: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A member of an object or an element of a list; `start` is where its key, or else its value, begins."""

    key: str | int
    start: int
    value: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value, the stretch of text it takes, and what it holds if it is an object or a list."""

    start: int
    end: int
    kind: str
    plain: Any
    items: tuple[Item, ...] = ()

    def find(self, *path: str | int) -> Node | None:
        """Return the value under keys and positions; of keys given twice the last holds."""
        node = self
        for key in path:
            held = [item.value for item in node.items if item.key == key]
            if not held:
                return None
            node = held[-1]
        return node


def parse(text: str, *, comments: bool) -> Node | None:
    """Read a text; None stands for one that is empty but for space and comments.

    Raises:
        BrokenError: The text is not JSON.
    """
    reader = _Reader(text, comments=comments)
    start = reader.skip(0)
    if start == len(text):
        return None
    node = reader.value(start, 0)
    end = reader.skip(node.end)
    if end != len(text):
        raise broken_at(text, end, "there is something after the end")
    return node


class _Reader:
    def __init__(self, text: str, *, comments: bool) -> None:
        self.text = text
        self.comments = comments

    def skip(self, at: int) -> int:
        """Return where the next thing begins that is neither space nor a comment."""
        while True:
            at = _SPACE.match(self.text, at).end()  # type: ignore[union-attr] # it matches nothing at the least
            comment = _COMMENT.match(self.text, at) if self.text.startswith("/", at) else None
            if comment is None:
                return at
            if not self.comments:
                raise broken_at(self.text, at, "comments are not allowed in this file")
            at = comment.end()

    def value(self, at: int, depth: int) -> Node:
        opening = self.text[at : at + 1]
        if opening and opening in "{[":
            return self.holder(at, depth)
        found = (_STRING if opening == '"' else _SCALAR).match(self.text, at)
        if found is None:
            what = f"{opening!r} is no JSON value" if opening else "the file ends too early"
            raise broken_at(self.text, at, what)
        return Node(start=at, end=found.end(), kind="scalar", plain=self.plain(found[0], at))

    def plain(self, source: str, at: int) -> Any:
        try:
            return json.loads(source)
        except ValueError:
            raise broken_at(self.text, at, "this string or number is not valid") from None

    def holder(self, start: int, depth: int) -> Node:
        if depth == _DEEPEST:
            raise broken_at(self.text, start, "nested too deep")
        is_object = self.text[start] == "{"
        closing = "}" if is_object else "]"
        items: list[Item] = []
        at = self.skip(start + 1)
        while not self.text.startswith(closing, at):
            item = self.item(at, depth, len(items), is_object=is_object)
            items.append(item)
            at = self.skip(item.value.end)
            if self.text.startswith(",", at):
                comma, at = at, self.skip(at + 1)
                if self.text.startswith(closing, at) and not self.comments:
                    raise broken_at(self.text, comma, f"a comma before {closing!r} is not allowed in this file")
            elif not self.text.startswith(closing, at):
                raise broken_at(self.text, at, f"a comma or {closing!r} was expected")
        values = {item.key: item.value.plain for item in items}
        plain = values if is_object else list(values.values())
        return Node(start=start, end=at + 1, kind="object" if is_object else "list", plain=plain, items=tuple(items))

    def item(self, at: int, depth: int, position: int, *, is_object: bool) -> Item:
        if not is_object:
            return Item(key=position, start=at, value=self.value(at, depth + 1))
        found = _STRING.match(self.text, at)
        if found is None:
            raise broken_at(self.text, at, "a name in double quotes was expected")
        colon = self.skip(found.end())
        if not self.text.startswith(":", colon):
            raise broken_at(self.text, colon, "a colon was expected")
        return Item(key=self.plain(found[0], at), start=at, value=self.value(self.skip(colon + 1), depth + 1))
