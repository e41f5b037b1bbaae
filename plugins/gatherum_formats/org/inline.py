"""The markup inside a line of Org: links, notes, targets, code, entities, mathematics and macros."""

from __future__ import annotations

import re
from html.entities import name2codepoint
from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.lines import Ahead

if TYPE_CHECKING:
    from collections.abc import Mapping

_MACROS: Final = 100_000
"""What macros may add to a document, in characters."""
_NOTE_LENGTH: Final = 20_000
_MARK = re.compile(r"\[\[|\[fn:|<<|\\\(|\\\[|\{\{\{|@@|[=~]|\\[A-Za-z]+(?:\{\})?|\[\d[\d/]*%?\]$")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?)$", re.IGNORECASE)
_NOTE = re.compile(r"\[fn:([\w-]*)(\]|:)")
_BEFORE = frozenset("-({'\"\t\n ")
_AFTER = frozenset("-.,;:!?'\")}[\\\t\n ")


class OrgInline:
    """Turn the markup of Org into Markdown.

    Args:
        macros: What ``#+macro`` lines define.
    """

    def __init__(self, macros: Mapping[str, str]) -> None:
        self._macros = macros
        self._budget = _MACROS
        self._unnamed = 0

    def render(self, text: str) -> tuple[str, list[str]]:
        """Return *text* as Markdown, and the notes that it carries."""
        ahead, at = Ahead(text), 0
        out: list[str] = []
        notes: list[str] = []
        while match := _MARK.search(text, at):
            out.append(text[at : match.start()])
            start, mark = match.start(), match[0]
            said, at = self._mark(text, start, mark, ahead, notes)
            out.append(said)
        out.append(text[at:])
        return "".join(out).strip(), notes

    def _mark(self, text: str, start: int, mark: str, ahead: Ahead, notes: list[str]) -> tuple[str, int]:
        """Return what stands for the mark at *start*, and where the text goes on."""
        inside = start + len(mark)
        if mark == "[[":
            end = ahead.find("]]", inside)
            if end >= 0:
                return self._link(text[inside:end]), end + 2
        elif mark == "[fn:":
            return self._note(text, start, ahead, notes)
        elif mark == "<<":
            end = ahead.find(">>", inside)
            if end >= 0 and "\n" not in text[inside : min(end, inside + 200)] and end - inside < 200:
                return text[inside:end].strip("<>"), end + (3 if text.startswith(">>>", end) else 2)
        elif mark in ("\\(", "\\["):
            end = ahead.find("\\)" if mark == "\\(" else "\\]", inside)
            if end >= 0:
                dollars = "$" if mark == "\\(" else "$$"
                return f"{dollars}{text[inside:end].strip()}{dollars}", end + 2
        elif mark == "{{{":
            end = ahead.find("}}}", inside)
            if end >= 0:
                return self._macro(text[inside:end]), end + 3
        elif mark == "@@":
            return "", inside
        elif mark in "=~":
            end = self._closing(text, start, mark, ahead)
            if end > 0:
                return f"`{text[inside:end]}`", end + 1
        elif mark[0] == "\\":
            code = name2codepoint.get(mark[1:].removesuffix("{}"))
            return (mark if code is None else chr(code)), inside
        elif mark[0] == "[":
            return mark, inside
        return mark, inside

    def _closing(self, text: str, start: int, mark: str, ahead: Ahead) -> int:
        """Return where verbatim text ends that begins at *start*; -1 if none does."""
        if (start and text[start - 1] not in _BEFORE) or text[start + 1 : start + 2].isspace():
            return -1
        end = start + 1
        for _ in range(8):
            end = ahead.find(mark, end + 1)
            if end < 0:
                return -1
            if not text[end - 1].isspace() and (end + 1 == len(text) or text[end + 1] in _AFTER):
                return end
        return -1

    def _link(self, inner: str) -> str:
        target, parted, words = inner.partition("][")
        target = target.strip()
        if parted:
            said = self.render(words)[0] if "[[" not in words else words
            if _PICTURE.search(words) and "/" in words:
                return said
            plain = re.sub(r"^(?:file|id|doom-[\w-]+|#|\*)", "", target) == target
            return f"[{said}]({target})" if plain or target.startswith("file:") else said
        if _PICTURE.search(target):
            return ""
        return target.lstrip("*#") if target[:1] in "*#" else target

    def _note(self, text: str, start: int, ahead: Ahead, notes: list[str]) -> tuple[str, int]:
        match = _NOTE.match(text, start)
        if not match:
            return "[fn:", start + 4
        name = match[1]
        if match[2] == "]":
            return f"[^{name}]", match.end()
        end = ahead.closing(start)
        if not match.end() <= end < start + _NOTE_LENGTH:
            return match[0], match.end()
        if not name:
            self._unnamed += 1
            name = f"note-{self._unnamed}"
        notes.append(f"[^{name}]: {text[match.end() : end].strip()}")
        return f"[^{name}]", end + 1

    def _macro(self, call: str) -> str:
        name, _, rest = call.partition("(")
        meaning = self._macros.get(name.strip().casefold())
        arguments = rest.removesuffix(")").split(",") if rest else []
        if meaning is None:
            return rest.removesuffix(")")
        if len(meaning) > 2_000 or self._budget < 0:
            return name
        said = re.sub(r"\$(\d)", lambda m: "".join(arguments[int(m[1]) - 1 : int(m[1])])[:2_000], meaning)
        self._budget -= len(said)
        return said
