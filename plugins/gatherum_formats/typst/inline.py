"""Typst markup within a paragraph as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.typst.calls import NAME, parse_call, string
from gatherum_formats.typst.scan import comment_end, is_comment, math_end, raw_end

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatherum_formats.typst.calls import Call
    from gatherum_formats.typst.scan import Groups

_PLAIN: Final = re.compile(r"[^\\`$#<@*_~\[\]/\-.]+")
_LABEL: Final = re.compile(r"<[\w:.-]+>")
_REFERENCE: Final = re.compile(r"@([\w:.-]*\w)")
_UNICODE: Final = re.compile(r"\\u\{([0-9A-Fa-f]{1,6})\}")
_DASHES: Final = (("---", "—"), ("--", "–"), ("-?", "\u00ad"))
_SILENT: Final = frozenset(
    ["bibliography", "counter", "h", "label", "linebreak", "lorem", "metadata", "pagebreak", "v"]
)
_SHOWING: Final = frozenset(
    ["emph", "highlight", "lower", "quote", "smallcaps", "strong", "sub", "super", "text", "upper"]
)
_DEEPEST: Final = 24


class Inline:
    """Text of a piece of markup.

    Args:
        text: The source.
        start: Where the piece begins.
        end: Where it ends.
        groups: Where brackets are closed.
        values: Strings and numbers by the name that they were given.
        first: The number of the next footnote.
        depth: How deep in other content it lies.

    Attributes:
        text: What a reader sees, with marks of code and formulas.
        notes: The footnotes in it; each stands where it was written, after its paragraph.
        hidden: What is laid out but not shown.
    """

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        groups: Groups,
        values: Mapping[str, str],
        *,
        first: int = 1,
        depth: int = 0,
    ) -> None:
        self._source = text
        self._groups = groups
        self._values = values
        self._depth = depth
        self._first = first
        self.notes: list[str] = []
        self.hidden: list[str] = []
        self.text = self._read(start, min(end, len(text)))

    def _read(self, at: int, end: int) -> str:
        source, parts = self._source, list[str]()
        while at < end:
            if match := _PLAIN.match(source, at, end):
                parts.append(match[0])
                at = match.end()
                continue
            mark, start = source[at], at
            at += 1
            if mark == "\\":
                if (match := _UNICODE.match(source, start, end)) and int(match[1], 16) < 0xD800:
                    parts.append(chr(int(match[1], 16)))
                    at = match.end()
                elif at >= end or source[at].isspace():
                    parts.append("\n")
                else:
                    parts.append(source[at])
                    at += 1
            elif mark == "`":
                at = min(raw_end(source, start), end)
                parts.append(source[start:at])
            elif mark == "$":
                at = min(math_end(source, start), end)
                parts.append(source[start:at])
            elif mark == "/" and is_comment(source, start):
                at = min(comment_end(source, start), end)
            elif mark == "#":
                at = self._code(start, end, parts)
            elif mark == "<" and (match := _LABEL.match(source, start, end)):
                at = match.end()
            elif mark == "@" and (match := _REFERENCE.match(source, start, end)):
                parts.append(match[0])
                at = match.end()
            elif mark in "*_" and not self._within_word(start, end):
                continue
            elif mark == "~":
                parts.append(" ")
            elif mark == "-" and (dash := next((pair for pair in _DASHES if source.startswith(pair[0], start)), None)):
                parts.append(dash[1])
                at = start + len(dash[0])
            else:
                parts.append(mark)
        lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
        return "\n".join(line for line in lines if line)

    def _within_word(self, at: int, end: int) -> bool:
        before, after = self._source[at - 1 : at], self._source[at + 1 : min(at + 2, end)]
        return before.isalnum() and after.isalnum()

    def _code(self, at: int, end: int, parts: list[str]) -> int:
        """Read an expression in the text; return where the text goes on."""
        source = self._source
        mark = source[at + 1 : at + 2]
        if mark == "[":
            close = min(self._groups.end(at + 1), end)
            parts.append(self._inner(at + 2, close))
            return close + 1
        if mark and mark in "({":
            return min(self._groups.end(at + 1) + 1, end)
        if mark == '"':
            call_end = source.find('"', at + 2, end) + 1 or end
            parts.append(string(source, at + 1, call_end) or "")
            return call_end
        match = NAME.match(source, at + 1, end)
        if match is None:
            parts.append("#")
            return at + 1
        call = parse_call(source, at + 1, self._groups, end)
        if not call.given and not call.named and call.end == match.end():
            name = match[0]
            if name in self._values:
                parts.append(self._values[name])
            elif "." in name and name.partition(".")[0] in self._values:
                parts.append(self._values[name.partition(".")[0]])
        else:
            parts.append(self._call(call))
        return call.end + 1 if source[call.end : call.end + 1] == ";" else max(call.end, at + 1)

    def _call(self, call: Call) -> str:
        name = call.name
        if name in _SILENT:
            return "\n" if name == "linebreak" else " "
        if name == "footnote":
            note = self._arguments(call)
            if not note:
                return ""
            mark = f"[^{self._first + len(self.notes)}]"
            self.notes.append(f"{mark}: {note}")
            return mark
        if name == "hide":
            self.hidden += filter(None, [self._arguments(call)])
            return ""
        if name == "link" and call.given:
            address = string(self._source, *call.given[0]) or ""
            shown = " ".join(filter(None, (self._argument(*each) for each in call.given[1:])))
            return f"[{shown}]({address})" if shown and address else shown or address
        if name in ("ref", "cite"):
            return "@" + self._source[slice(*call.given[0])].strip("<>") if call.given else ""
        if name == "image":
            return string(self._source, *call.named["alt"]) or "" if "alt" in call.named else ""
        if name == "raw" and call.given:
            return f"`{string(self._source, *call.given[0]) or ''}`"
        return self._arguments(call)

    def _arguments(self, call: Call) -> str:
        """Return what a function is given to show: content; strings only of those that show them."""
        shows = call.name in (
            "text",
            "emph",
            "strong",
            "highlight",
            "smallcaps",
            "upper",
            "lower",
            "sub",
            "super",
            "quote",
        )
        pieces = [self._argument(*each) for each in call.given if shows or not self._source.startswith('"', each[0])]
        return " ".join(filter(None, pieces))

    def _argument(self, start: int, end: int) -> str:
        value = string(self._source, start, end)
        if value is not None:
            return value
        if self._source[start : start + 1] == "[":
            return self._inner(start + 1, end - 1)
        if NAME.match(self._source, start, end) and self._depth < _DEEPEST:
            call = parse_call(self._source, start, self._groups, end)
            if call.given and call.end >= end:
                self._depth += 1
                try:
                    return self._call(call)
                finally:
                    self._depth -= 1
        return self._values.get(self._source[start:end].strip(), "")

    def _inner(self, start: int, end: int) -> str:
        if self._depth >= _DEEPEST:
            return ""
        number = self._first + len(self.notes)
        inner = Inline(self._source, start, end, self._groups, self._values, first=number, depth=self._depth + 1)
        self.notes += inner.notes
        self.hidden += inner.hidden
        return inner.text
