"""The lines of Org: headings, drawers, blocks, lists, tables and notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum.tables import pipe_table
from gatherum_formats.org.inline import OrgInline
from gatherum_formats.shared.lines import Block, dedent, fenced, indent, item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum.document import Kind, Layer

_HEADING = re.compile(r"(\*+)[ \t]+(?=\S)")
_TAGS = re.compile(r"[ \t]:([\w@#%:]+):$")
_PRIORITY = re.compile(r"\[#\w+\][ \t]*")
_KEYWORD = re.compile(r"[ \t]*#\+([\w-]+)(?:\[[^\]\n]*\])?:[ \t]*(.*)")
_BEGIN = re.compile(r"[ \t]*#\+begin_(\S+)[ \t]*(.*)", re.IGNORECASE)
_END = re.compile(r"[ \t]*#\+end(?:_\S+|:)", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*$")
_ITEM = re.compile(r"([ \t]*)([-+]|(?<=[ \t])\*|(?:\d{1,9}|[A-Za-z])[.)])(?:[ \t]+(?:\[@\w+\][ \t]*)?|$)")
_PLANNING = re.compile(r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[]")
_CLOCK = re.compile(r"[ \t]*CLOCK:[ \t]*\[")
_NOTE = re.compile(r"\[fn:([\w-]+)\][ \t]*")
_LATEX = re.compile(r"[ \t]*\\begin\{([A-Za-z*]+)\}")
_SPECIAL = re.compile(r"[ \t]*(?:[|#]|:(?:[ \t]|$)|\[fn:[\w-]+\]|-{5,}[ \t]*$)|\*+[ \t]|[ \t]*:[\w-]+:[ \t]*$")
_WITHHELD = frozenset({"ARCHIVE", "noexport"})
_LITERAL = frozenset({"src", "example", "export", "comment", "verse"})
_SHOWN = frozenset(
    ("title", "subtitle", "author", "date", "language", "description", "filetags", "keywords", "email", "category")
)
_UNSHOWN_WORDS = frozenset({"todo", "seq_todo", "typ_todo", "macro", "caption", "include", "results", "tblfm"})


class OrgParser:
    """Read an Org file line by line.

    Args:
        text: The file.

    Attributes:
        fields: What its keywords say about it; complete once the blocks are read.
        tags: The tags of its headings.
    """

    def __init__(self, text: str) -> None:
        self._lines = [line.expandtabs(8) if "\t" in line[:40] else line for line in text.split("\n")]
        self.fields: dict[str, list[str]] = {}
        self.tags: dict[str, None] = {}
        self._words = {"TODO", "DONE"}
        macros: dict[str, str] = {}
        for line in self._lines:
            if not line.lstrip().startswith("#+"):
                continue
            match = _KEYWORD.match(line)
            name = match[1].casefold() if match else ""
            if match and name in ("todo", "seq_todo", "typ_todo"):
                self._words.update(word.partition("(")[0] for word in match[2].split() if word != "|")
            elif match and name == "macro":
                key, _, meaning = match[2].partition(" ")
                macros.setdefault(key.casefold(), meaning)
        self._inline = OrgInline(macros)
        self._at = 0
        self._items: list[int] = []
        self._kinds: list[Kind] = []
        self._hidden = 0
        self._output = False
        self._unclosed: set[str] = set()
        self._undrawn = 0

    def blocks(self) -> Iterator[Block]:
        """Yield what the file says, in order."""
        lines = self._lines
        while self._at < len(lines):
            line = lines[self._at]
            if not line.strip():
                self._at += 1
                if self._at < len(lines) and not lines[self._at].strip():
                    self._items.clear()
                continue
            first = line.lstrip()[0]
            if line[0] == "*" and (match := _HEADING.match(line)):
                yield from self._heading(line, match)
            elif first in "#:" and (done := self._hash(line) if first == "#" else self._colon(line)) is not None:
                yield from done
            elif first == "|":
                yield self._table()
            elif first == "\\" and (match := _LATEX.match(line)):
                yield self._latex(match[1])
            elif _PLANNING.match(line) or _CLOCK.match(line):
                yield self._block(line.strip(), self._at, kind="metadata", layer="metadata")
                self._at += 1
            elif not line.strip("- ") and len(line.strip()) >= 5:
                self._at += 1
            else:
                yield from self._paragraph(line)

    def _block(self, text: str, first: int, *, kind: Kind = "prose", layer: Layer = "body", level: int = 0) -> Block:
        if self._hidden and not level:
            layer = "hidden"
        last = max(first, min(self._at, len(self._lines)) - 1)
        return Block(text=text, first=first, last=last, kind=kind, layer=layer, level=level)

    def _heading(self, line: str, match: re.Match[str]) -> Iterator[Block]:
        level, title = len(match[1]), line[match.end() :].strip()
        self._items.clear()
        self._kinds.clear()
        self._output = False
        if self._hidden and level <= self._hidden:
            self._hidden = 0
        tags = _TAGS.search(" " + title[-1000:])
        names = [name for name in tags[1].split(":") if name] if tags else []
        if tags:
            title = title[: len(title) - len(tags[0]) + (len(tags[0]) > len(title))].rstrip()
        word, _, rest = title.partition(" ")
        if word in self._words:
            title = rest.lstrip()
        else:
            word = ""
        title = _PRIORITY.sub("", title, count=1) if title.startswith("[#") else title
        commented = title == "COMMENT" or title.startswith("COMMENT ")
        if not self._hidden and (commented or _WITHHELD.intersection(names)):
            self._hidden = level
        if commented:
            title = title[7:].strip()
        if not self._hidden:
            self.tags.update(dict.fromkeys(names))
        said, notes = self._inline.render(title)
        at = self._at
        self._at += 1
        if self._hidden:
            yield self._block(f"**{said}**", at)
            return
        plain = re.sub(r"\[\^[\w-]*\]|\[\d*/\d*\]|\[\d*%\]", "", said)
        yield self._block(re.sub(r"\[([^\]]*)\]\([^()\s]*\)", r"\1", plain).replace("`", ""), at, level=min(level, 9))
        state = " ".join([word, *(f":{name}:" for name in names)]).strip()
        if state:
            yield self._block(state, at, kind="metadata", layer="metadata")
        yield from self._notes(notes, at)

    def _notes(self, notes: list[str], first: int) -> Iterator[Block]:
        for note in notes:
            head, _, text = note.partition(": ")
            yield self._block(f"{head}: {self._inline.render(text)[0]}", first, kind="footnote", layer="notes")

    def _hash(self, line: str) -> list[Block] | None:
        """Read a keyword, a block's begin or end, or a comment; None for a paragraph that begins with a hash."""
        at = self._at
        if match := _BEGIN.match(line):
            return self._begin(match[1].casefold(), match[2])
        if _END.match(line):
            self._at += 1
            if self._kinds:
                self._kinds.pop()
            self._output = False
            return []
        match = _KEYWORD.match(line)
        if match is None:
            if line.lstrip()[1:2] in ("", " "):
                self._at += 1
                return []
            return None
        self._at += 1
        name, value = match[1].casefold(), match[2].strip()
        if name == "caption":
            said, notes = self._inline.render(value)
            return [self._block(said, at, kind="caption"), *self._notes(notes, at)]
        if name == "include":
            target = value.split('"')[1] if value.count('"') > 1 else value.partition(" ")[0]
            return [self._block(f"[{target}]({target})", at)]
        if name == "results":
            self._output = True
        elif name == "begin":
            self._kinds.append("prose")
        elif name in _SHOWN or name.startswith("export_") or (not name.startswith("attr") and self._first(name)):
            self.fields.setdefault(name, []).append(self._inline.render(value)[0])
        return []

    def _first(self, name: str) -> bool:
        """Whether a keyword describes the file rather than what follows it."""
        return name not in _UNSHOWN_WORDS and not self._kinds and len(self.fields) < 100

    def _begin(self, name: str, rest: str) -> list[Block]:
        at = self._at
        self._at += 1
        if name not in _LITERAL:
            self._kinds.append("quote" if name == "quote" else "note" if name in _ADMONITIONS else "prose")
            return []
        end, closing = self._at, f"#+end_{name}"
        while name not in self._unclosed and end < len(self._lines):
            if self._lines[end].lstrip()[: len(closing)].casefold() == closing:
                break
            end += 1
        else:
            self._unclosed.add(name)
            end = len(self._lines)
        if end == len(self._lines):
            # never closed: Org then takes the line for words, and what follows for itself
            return [self._block(f"{name} {rest}".strip(), at)]
        inner = [re.sub(r"^(\s*),(,*(?:\*|#\+))", r"\1\2", line) for line in self._lines[self._at : end]]
        self._at = end + 1
        output, self._output = self._output, False
        if name == "comment":
            return []
        if name == "verse":
            return [self._block(self._inline.render(dedent(inner))[0], at, kind="quote")]
        language = rest.partition(" ")[0] if name in ("src", "export") else ""
        return [self._block(fenced(inner, language), at, kind="output" if output else "code")]

    def _colon(self, line: str) -> list[Block] | None:
        at, lines = self._at, self._lines
        text = line.lstrip()
        if text == ":" or text.startswith(": "):
            while self._at < len(lines) and ((text := lines[self._at].lstrip()) == ":" or text.startswith(": ")):
                self._at += 1
            inner = [line.lstrip()[2:] for line in lines[at : self._at]]
            output, self._output = self._output, False
            return [self._block(fenced(inner), at, kind="output" if output else "code")]
        match = _DRAWER.match(line)
        if match is None:
            return None
        name = match[1].upper()
        if name == "END":
            self._at += 1
            return []
        end = max(at + 1, self._undrawn)
        while end < len(lines) and lines[end].strip().upper() != ":END:" and not _HEADING.match(lines[end]):
            end += 1
        if end == len(lines) or lines[end].strip().upper() != ":END:":
            self._undrawn = end
            return None
        self._at = end + 1
        if name == "LOGBOOK":
            return []
        if name == "RESULTS":
            return [self._block(fenced(lines[at + 1 : end]), at, kind="output")]
        if name != "PROPERTIES":
            return [self._block(dedent(lines[at + 1 : end]), at, kind="metadata", layer="metadata")]
        pairs = [line.strip()[1:].partition(":") for line in lines[at + 1 : end]]
        said = "\n".join(f"{key}: {value.strip()}" for key, _, value in pairs if value.strip())
        return [self._block(said, at, kind="metadata", layer="metadata")]

    def _table(self) -> Block:
        at, rows = self._at, []
        while self._at < len(self._lines) and (line := self._lines[self._at].strip()).startswith("|"):
            self._at += 1
            if line.startswith("|-"):
                continue
            cells = line.strip("|").split("|")
            rows.append([self._inline.render(cell)[0].replace("\\vert", "|") for cell in cells])
        output, self._output = self._output, False
        return self._block(pipe_table([list(row) for row in rows]), at, kind="output" if output else "table")

    def _latex(self, name: str) -> Block:
        at, closing = self._at, f"\\end{{{name}}}"
        end = at
        while end < len(self._lines) and closing not in self._lines[end] and self._lines[end].strip():
            end += 1
        self._at = min(end + 1, len(self._lines))
        return self._block(f"$${dedent(self._lines[at : self._at])}$$", at, kind="math")

    def _paragraph(self, line: str) -> Iterator[Block]:
        """Read a paragraph, or a list's item with the paragraph that it begins with."""
        at, lines, margin = self._at, self._lines, indent(line)
        mark, text, name = "", line.strip(), ""
        if match := _ITEM.match(line):
            while self._items and self._items[-1] > margin:
                self._items.pop()
            if not self._items or self._items[-1] < margin:
                self._items.append(margin)
            mark, text = match[2], line[match.end() :].strip()
            mark = "-" if mark in "-+*" else mark
            term, parted, rest = text.partition(" ::")
            text = f"**{term}**: {rest.strip()}" if parted and (not rest or rest[0] == " ") else text
        elif match := _NOTE.match(line):
            name, text = match[1], line[match.end() :].strip()
            self._items.clear()
        else:
            while self._items and self._items[-1] >= margin:
                self._items.pop()
        parts = [text]
        self._at += 1
        while self._at < len(lines) and (following := lines[self._at]).strip():
            if _SPECIAL.match(following) or _ITEM.match(following) or _LATEX.match(following):
                break
            if mark and indent(following) <= margin:
                break
            parts.append(following.strip())
            self._at += 1
        said, notes = self._inline.render("\n".join(parts))
        said = re.sub(r"\\\\$", "", said, flags=re.MULTILINE)
        output, self._output = self._output, False
        if name:
            yield self._block(f"[^{name}]: {said}", at, kind="footnote", layer="notes")
        elif output:
            yield self._block(said, at, kind="output")
        elif self._items:
            yield self._block(item(said, len(self._items), mark), at, kind="list")
        else:
            yield self._block(said, at, kind=self._kinds[-1] if self._kinds else "prose")
        yield from self._notes(notes, at)


_ADMONITIONS = frozenset({"note", "tip", "warning", "important", "caution", "info"})
