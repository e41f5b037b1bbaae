"""The markup inside a paragraph of reStructuredText: roles, references, substitutions, literals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from gatherum_formats.shared.lines import Ahead

_MARK = re.compile(
    r"``|:[A-Za-z][\w.+:-]{0,80}:`|_?`|\|(?=[^\s|])|\[(?=[#*\w])|\\(?:.|\n|$)|(?<=[\w)])__?(?!\w)", re.DOTALL
)
_REFERENCE = re.compile(r"\[(\d{1,9}|#[\w.-]{0,80}|\*|[^\W\d_][\w.-]{0,80})\]_(?!\w)")
_WORD = re.compile(r"[^\W_]+(?:[-._+:][^\W_]+)*$")
_ROLE_AFTER = re.compile(r":([A-Za-z][\w.+:-]{0,80}):")
_CODE: Final = frozenset(
    [
        "attr",
        "class",
        "code",
        "command",
        "const",
        "data",
        "envvar",
        "exc",
        "file",
        "func",
        "keyword",
        "kbd",
        "literal",
        "meth",
        "mod",
        "obj",
        "option",
        "program",
        "samp",
        "function",
        "method",
        "module",
        "attribute",
    ]
)
_EXPANSION: Final = 2_000
"""The longest text that a substitution may stand for."""


@dataclass(slots=True, kw_only=True)
class Names:
    """What the names in a document stand for.

    Attributes:
        targets: The addresses that references lead to.
        substitutions: The markup that substitutions stand for.
        numbers: The numbers of notes that are in use.
        anonymous: The addresses that references without names lead to, in order.
        anonymous: The addresses that references without names lead to, in order.
    """

    targets: dict[str, str] = field(default_factory=dict)
    substitutions: dict[str, str] = field(default_factory=dict)
    numbers: set[int] = field(default_factory=set)
    anonymous: list[str] = field(default_factory=list)


class RstInline:
    """Turn inline markup into Markdown.

    Args:
        names: What names stand for.
        budget: What substitutions may add to the document, in characters.
    """

    def __init__(self, names: Names, budget: int) -> None:
        self._names = names
        self._budget = budget
        self._rendered: dict[str, str] = {}
        self._followed = 0
        self._counts = {"referred": 0, "defined": 0}

    def number(self, name: str, use: str) -> str:
        """Return the name of a note whose label is *name*, for one that is "referred" to or "defined"."""
        if name != "#":
            return name.lstrip("#")
        count = self._counts[use] + 1
        while count in self._names.numbers:
            count += 1
        self._counts[use] = count
        return str(count)

    def render(self, text: str, depth: int = 0) -> str:
        """Return *text* as Markdown."""
        ahead, out, at = Ahead(text), [], 0
        while match := _MARK.search(text, at):
            start, mark = match.start(), match[0]
            out.append(text[at:start])
            at = match.end()
            if mark == "``":
                end = ahead.find("``", at + 1)
                if end < 0 or text[at : at + 1].isspace():
                    out.append(mark)
                    continue
                out.append(f"``{text[at:end]}``" if "`" in text[at:end] else f"`{text[at:end]}`")
                at = end + 2
            elif mark[-1] == "`":
                end = ahead.find("`", at)
                if end <= at or text[at : at + 1].isspace():
                    out.append(mark)
                    continue
                said, at = self._interpreted(text, mark[1:-2], at, end)
                out.append(said)
            elif mark == "|":
                end = ahead.find("|", at)
                if 0 < end - at < 300 and not text[end - 1].isspace():
                    out.append(self._substitution(text[at:end], depth))
                    at = end + 1
                    while text.startswith("_", at):
                        at += 1
                else:
                    out.append(mark)
            elif mark == "[":
                reference = _REFERENCE.match(text, start)
                if reference:
                    out.append(f"[^{self.number(reference[1], 'referred')}]")
                    at = reference.end()
                else:
                    out.append(mark)
            elif mark[0] == "\\":
                out.append("" if mark[1:].isspace() else mark[1:])
            else:
                self._reference(out, anonymous=mark == "__")
        out.append(text[at:])
        return "".join(out)

    def _interpreted(self, text: str, role: str, start: int, end: int) -> tuple[str, int]:
        inner, at = text[start:end], end + 1
        if not role and text.startswith("_", at):
            anonymous = text.startswith("__", at)
            return self._link(inner, anonymous=anonymous), at + 1 + anonymous
        if not role and (after := _ROLE_AFTER.match(text, at)):
            role, at = after[1], after.end()
        name = role.rpartition(":")[2]
        if name == "math":
            return f"${inner}$", at
        if name in ("pep", "rfc"):
            inner = f"{name.upper()} {inner}"
        elif role and inner.endswith(">"):
            said, address = _parted(inner)
            inner = said or address
        inner = inner.replace("\\", "") if name not in ("code", "literal", "samp", "file") else inner
        if role:
            inner = inner.lstrip("~!")
        return (f"`{inner}`" if name in _CODE else inner), at

    def _link(self, inner: str, *, anonymous: bool) -> str:
        if inner.endswith(">"):
            said, address = _parted(inner)
        elif anonymous:
            said, address = inner, self._unnamed()
        else:
            said, address = inner, self._names.targets.get(key(inner), "")
        said, address = said.replace("\\", ""), "".join(address.split())
        if address.endswith("_"):
            address = self._names.targets.get(key(address[:-1].strip("`")), "")
        if not address or address == said:
            return said or address
        return f"[{said}]({address})" if said else address

    def _unnamed(self) -> str:
        """Return the address of the next reference without a name."""
        self._followed += 1
        known = self._names.anonymous
        return known[self._followed - 1] if self._followed <= len(known) else ""

    def _reference(self, out: list[str], *, anonymous: bool) -> None:
        """Turn the word that has just been read into a link, if its target is known."""
        if out and (word := _WORD.search(out[-1][-100:])):
            address = self._unnamed() if anonymous else self._names.targets.get(key(word[0]), "")
            if address:
                out[-1] = f"{out[-1][: len(out[-1]) - len(word[0])]}[{word[0]}]({address})"

    def _substitution(self, name: str, depth: int) -> str:
        known = " ".join(name.split())
        said = self._rendered.get(known)
        if said is None:
            meaning = self._names.substitutions.get(known)
            if meaning is None:
                return f"|{name}|"
            self._rendered[known] = known
            said = self.render(meaning, depth + 1) if depth < 10 else known
            self._rendered[known] = said = said if len(said) <= _EXPANSION else known
        self._budget -= len(said)
        return said if self._budget > 0 else known


def _parted(text: str) -> tuple[str, str]:
    """Split "words <address>" in two."""
    at = text.rfind("<")
    return (text[:at].strip(), text[at + 1 : -1].strip()) if at >= 0 else (text, "")


def key(name: str) -> str:
    """Return a name as references compare it."""
    return " ".join(name.casefold().split())
