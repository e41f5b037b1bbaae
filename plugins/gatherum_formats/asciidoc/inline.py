"""The markup inside a line of AsciiDoc: attributes, links, macros, notes, index terms."""

from __future__ import annotations

import html
import re
from pathlib import PurePosixPath
from typing import Final

from gatherum_formats.shared.lines import Ahead

_CHARACTERS: Final = {
    "nbsp": "\xa0",
    "zwsp": "\u200b",
    "wj": "",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "plus": "+",
    "pp": "++",
    "cpp": "C++",
    "cxx": "C++",
    "apos": "'",
    "quot": '"',
    "sp": " ",
    "empty": "",
    "blank": "",
    "asterisk": "*",
    "tilde": "~",
    "backtick": "`",
    "startsb": "[",
    "endsb": "]",
    "vbar": "|",
    "caret": "^",
    "deg": "°",
    "two-colons": "::",
    "two-semicolons": ";;",
    "backslash": "\\",
    "ldquo": "“",
    "rdquo": "”",
    "lsquo": "‘",
    "rsquo": "’",
    "brvbar": "¦",
}
_ATTRIBUTE = re.compile(r"(\\?)\{(?:(set|counter2?):)?([\w-]{1,100})(?::[^{}\n]{0,200})?\}")
_MACRO = (
    r"(?:link|xref|image|icon|kbd|btn|menu|footnote|footnoteref|stem|latexmath|asciimath|pass|mailto|anchor|indexterm2?"
    r"|video|audio|fn):[^\s\[\]]{0,500}\["
)
_MARK = re.compile(
    rf"\\(?=[\w*_`#+<\[({{:])|(?<![\w]){_MACRO}|(?:https?|ftp|irc)://[^\s\[\]<>]{{1,2000}}\[?|<<(?=\S)|\(\(|\[\[\[?"
    r"|`\+|\+\+\+?|`|\[[.#][\w .#-]{1,100}\](?=[#*_`])|##?(?=\S)|(?<!\w)\+(?=[^\s+])| \+$",
    re.MULTILINE,
)
_EXPANSION: Final = 4_000
"""The longest value of an attribute that is followed."""


class AsciidocInline:
    """Turn inline markup into Markdown.

    Args:
        attributes: What attribute entries have set so far; the parser adds to it.
        budget: What attributes may add to the document, in characters.
    """

    def __init__(self, attributes: dict[str, str], budget: int) -> None:
        self._attributes = attributes
        self._budget = budget
        self._count = 0

    def substitute(self, text: str) -> str:
        """Return *text* with the attributes that are known put in."""
        return _ATTRIBUTE.sub(self._value, text) if "{" in text else text

    def _value(self, match: re.Match[str]) -> str:
        if match[1]:
            return match[0][1:]
        if match[2]:
            return ""
        name = match[3].casefold()
        value = self._attributes.get(name)
        if value is None:
            return _CHARACTERS.get(name, match[0])
        self._budget -= len(value)
        return value if len(value) <= _EXPANSION and self._budget > 0 else match[0]

    def render(self, text: str) -> tuple[str, list[str]]:
        """Return *text* as Markdown, and the notes that it carries."""
        notes: list[str] = []
        said = self._render(self.substitute(text), notes, 0)
        return (html.unescape(said) if "&" in said else said), notes

    def _render(self, text: str, notes: list[str], depth: int) -> str:
        ahead, at = Ahead(text), 0
        out: list[str] = []
        while match := _MARK.search(text, at):
            out.append(text[at : match.start()])
            said, at = self._mark(text, match, ahead, notes, depth)
            out.append(said)
        out.append(text[at:])
        return "".join(out)

    def _mark(self, text: str, match: re.Match[str], ahead: Ahead, notes: list[str], depth: int) -> tuple[str, int]:
        mark, at = match[0], match.end()
        if mark == "\\":
            macro = _MARK.match(text, at)
            return (macro[0] if macro else text[at]), macro.end() if macro else at + 1
        if mark in ("`", "`+", "+++", "++"):
            close = {"`": "`", "`+": "+`"}.get(mark, mark)
            end = ahead.find(close, at)
            if end <= at:
                return mark, at
            inner = text[at:end]
            return (f"`{inner.strip('`')}`" if mark[0] == "`" and not inner.isspace() else inner), end + len(close)
        if mark in ("#", "##", "+"):
            return self._spanned(text, mark, at, ahead, notes, depth)
        if mark == "<<":
            end = ahead.find(">>", at)
            if end < 0 or end - at > 2_000:
                return mark, at
            target, parted, words = text[at:end].partition(",")
            return (words.strip() if parted else _place(target)), end + 2
        if mark == "((":
            end = ahead.find("))", at)
            if end < 0 or end - at > 1_000:
                return mark, at
            if text.startswith("(", at):
                return "", end + (3 if text.startswith(")))", end) else 2)
            return text[at:end], end + 2
        if mark.startswith("[["):
            end = ahead.find("]]", at)
            if end < 0 or end - at > 500:
                return mark, at
            name, _, words = text[at:end].partition(",")
            return (f"[{words or name}]" if mark == "[[[" else ""), end + len(mark)
        if mark[0] == "[" or mark == " +":
            return "", at
        return self._macro(text, mark, at, ahead, notes, depth)

    def _spanned(self, text: str, mark: str, at: int, ahead: Ahead, notes: list[str], depth: int) -> tuple[str, int]:
        """Read highlighted words, or words that are passed through; a mark that none ends is itself a word's."""
        end = ahead.find(mark, at)
        after = end + len(mark)
        if (
            end <= at
            or end - at > 2_000
            or text[end - 1].isspace()
            or (len(mark) == 1 and text[after : after + 1].isalnum())
        ):
            return mark, at
        inner = text[at:end]
        return (inner if mark == "+" or depth >= 3 else self._render(inner, notes, depth + 1)), after

    def _macro(self, text: str, mark: str, at: int, ahead: Ahead, notes: list[str], depth: int) -> tuple[str, int]:
        if not mark.endswith("["):
            return mark, at
        name, _, target = mark[:-1].partition(":")
        end = _closing(text, at) if name.startswith("footnote") else ahead.find("]", at)
        for _ in range(20):
            if end <= 0 or text[end - 1] != "\\":
                break
            end = ahead.find("]", end + 1)
        if end < 0:
            return mark, at
        inner = text[at:end].replace("\\]", "]")
        return self._said(name, target, inner, notes, depth), end + 1

    def _said(self, name: str, target: str, inner: str, notes: list[str], depth: int) -> str:
        words = inner.strip().strip('"')
        if name in ("http", "https", "ftp", "irc", "link", "mailto"):
            address = target if name in ("link",) else f"{name}:{target}"
            words = (
                re.sub(r",\s*(?:role|window|opts|title|subject)=.*$|\^$", "", words, flags=re.DOTALL)
                .strip()
                .rstrip("^")
            )
            words = self._render(words, notes, depth + 1) if depth < 3 else words
            shown = words.strip('"') or (target if name in ("link", "mailto") else "")
            return f"[{shown}]({address})" if shown and shown != address else address
        if name == "xref":
            return words or _place(target)
        if name in ("image", "icon", "video", "audio"):
            said = alternative(target, inner)
            return said if name != "icon" or inner.strip() else ""
        if name in ("stem", "latexmath", "asciimath"):
            return f"${words}$"
        if name in ("footnote", "footnoteref", "fn"):
            return self._note(name, target, inner, notes, depth)
        if name == "menu":
            return " > ".join([target, *(part.strip() for part in words.split(">"))])
        if name in ("indexterm", "anchor"):
            return ""
        return words

    def _note(self, name: str, target: str, inner: str, notes: list[str], depth: int) -> str:
        if name == "footnoteref":
            target, _, inner = inner.partition(",")
        if not inner.strip():
            return f"[^{target}]"
        self._count += 1
        label = target or str(self._count)
        notes.append(f"[^{label}]: {self._render(inner.strip(), [], depth + 1) if depth < 3 else inner.strip()}")
        return f"[^{label}]"


def alternative(target: str, inner: str) -> str:
    """Return the text that stands for an image: its own, else its name."""
    first = inner.strip()
    if first.startswith('"'):
        first = first[1:].partition('"')[0]
    else:
        first = first.partition(",")[0].strip()
        named = re.search(r"\balt=(?:\"([^\"]*)\"|([^,]*))", inner) if not first or "=" in first else None
        first = (named[1] or named[2] or "").strip() if named else "" if re.match(r"\w+=", first) else first
    return first or PurePosixPath(target[-500:]).stem.replace("-", " ").replace("_", " ")


def _place(target: str) -> str:
    """Return the words for a reference without words."""
    target = target.strip()
    return target.lstrip("#").replace("_", " ").strip() or target


def _closing(text: str, start: int) -> int:
    """Return where the bracket closes that was opened before *start*; -1 if that is far away."""
    depth = 1
    for match in re.compile(r"[\[\]]").finditer(text, start, start + 5_000):
        depth += 1 if match[0] == "[" else -1
        if not depth:
            return match.start()
    return -1
