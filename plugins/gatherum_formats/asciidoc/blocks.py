"""The lines of AsciiDoc: header, sections, delimited blocks, lists and paragraphs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum.tables import pipe_table
from gatherum_formats.asciidoc.inline import AsciidocInline, alternative
from gatherum_formats.asciidoc.lines import (
    CONDITION,
    ITEM,
    LABEL,
    MACRO,
    SECTION,
    Attributes,
    Open,
    breaks,
    delimiter,
    underlined,
)
from gatherum_formats.asciidoc.settings import Settings
from gatherum_formats.asciidoc.tables import cells, columns, placed
from gatherum_formats.shared.lines import Block, dedent, fenced, indent, item, separated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum.document import Kind, Layer

NESTED: Final = 3
"""How deep cells are followed into each other."""
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION): +")
_ADMONITIONS = frozenset({"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"})


class AsciidocParser(Settings):
    """Read AsciiDoc line by line.

    Args:
        lines: The lines of the file, or of a cell of a table in it.
        outer: The parser of the file, for a cell.

    Attributes:
        attributes: What attribute entries set.
        title: The title of the document.
        authors: Those whom its header names.
    """

    def __init__(self, lines: list[str], outer: AsciidocParser | None = None) -> None:
        self._lines = [line.expandtabs(4).rstrip() if "\t" in line else line.rstrip() for line in lines]
        self._depth: int = outer._depth + 1 if outer else 0
        self.attributes: dict[str, str] = outer.attributes if outer else {}
        self._inline = AsciidocInline(self.attributes, 100_000 + 2 * sum(map(len, lines)))
        if outer:
            self._inline = outer._inline
        self._at = 0
        self._open: list[Open] = []
        self._items: list[tuple[str, int]] = []
        self._attached = False
        self._pending = Attributes()
        self._started = bool(outer)
        self.title = ""
        self.authors: list[str] = []

    def blocks(self) -> Iterator[Block]:
        """Yield what the lines say, in order."""
        lines = self._lines
        while self._at < len(lines):
            line = lines[self._at]
            if not line:
                self._at += 1
                continue
            if (
                (line.startswith("//") and not line.startswith("///") and len(line) > 2)
                or line == "//"
                or self._setting(line)
            ):
                self._at += 1
            elif line == "+" and self._items:
                self._attached = True
                self._at += 1
            elif (match := delimiter(line)) and (done := self._delimited(line, match)) is not None:
                yield from done
            elif (section := SECTION.match(line)) and not self._open:
                yield from self._section(len(section[1]), section[2])
            elif not self._open and (
                level := underlined(line, lines[self._at + 1] if self._at + 1 < len(lines) else "")
            ):
                yield from self._section(level, line)
            elif line in ("'''", "<<<", "---", "***", "- - -", "* * *"):
                self._at += 1
            elif line[0] != " " and "::" in line[:40] and (macro := MACRO.match(line)):
                yield from self._macro(macro)
            elif (found := ITEM.match(line)) or (found := LABEL.match(line)):
                yield from self._item(found)
            elif line[0] == " " and not self._pending.style:
                yield from self._literal()
            else:
                yield from self._paragraph()

    def _block(self, text: str, first: int, *, kind: Kind = "prose", layer: Layer = "body", level: int = 0) -> Block:
        self._started = True
        return Block(text=text, first=first, last=max(first, self._at - 1), kind=kind, layer=layer, level=level)

    def _caption(self, at: int, kind: Kind = "caption") -> Iterator[Block]:
        title, self._pending.title = self._pending.title, ""
        if title:
            yield from self._words(title, at, kind)

    def _words(self, text: str, at: int, kind: Kind = "prose") -> Iterator[Block]:
        said, notes = self._inline.render(text)
        yield self._block(said, at, kind=kind)
        for note in notes:
            yield self._block(note, at, kind="footnote", layer="notes")

    def _section(self, level: int, text: str) -> Iterator[Block]:
        at = self._at
        self._at += 1 if SECTION.match(self._lines[at]) else 2
        said, notes = self._inline.render(text)
        self._items.clear()
        self._pending = Attributes()
        header = level == 1 and not self._started and not self.title
        said = re.sub(r"\[\^[^\]\s]*\]", "", re.sub(r"\[([^\[\]]*)\]\([^()\s]*\)", r"\1", said)).replace("`", "")
        said = re.sub(r"(\*\*?|__?)(?=\S)([^*_]+)(?<=\S)\1", r"\2", said)
        yield self._block(said, at, level=level)
        for note in notes:
            yield self._block(note, at, kind="footnote", layer="notes")
        if header:
            self.title = said
            self._header()

    def _delimited(self, line: str, kind: str) -> list[Block] | Iterator[Block] | None:
        """Open or close a block, or read it if its text is none of AsciiDoc's."""
        at = self._at
        if kind in ("example", "sidebar", "quote", "open"):
            return self._container(line, kind)
        end = at + 1
        closing = "```" if kind == "fence" else line
        while end < len(self._lines) and self._lines[end] != closing:
            end += 1
        inner = self._lines[at + 1 : end]
        self._at = min(end + 1, len(self._lines))
        attributes, self._pending = self._pending, Attributes(title=self._pending.title)
        if not self._attached:
            self._items.clear()
        self._attached = False
        if kind == "comment" or attributes.style == "comment":
            self._pending = Attributes()
            return []
        caption = list(self._caption(at))
        if kind == "table":
            return [*caption, *self._table(inner, line, attributes, at)]
        style = attributes.style
        if style in ("stem", "latexmath", "asciimath"):
            return [*caption, self._block(f"$${dedent(inner)}$$", at, kind="math")]
        if style == "verse":
            return [*caption, *self._words("\n".join(inner), at, "quote")]
        language = line[3:].strip() if kind == "fence" else attributes.language
        return [*caption, self._block(fenced([_included(text) for text in inner], language), at, kind="code")]

    def _container(self, line: str, kind: str) -> Iterator[Block]:
        at = self._at
        for depth in range(len(self._open) - 1, max(-1, len(self._open) - 30), -1):
            if self._open[depth].line == line:
                self._items = self._open[depth].items
                del self._open[depth:]
                self._at += 1
                return
        attributes, self._pending = self._pending, Attributes()
        style = attributes.style
        if style == "comment" or (kind == "quote" and style == "verse") or style in ("source", "listing", "literal"):
            end = at + 1
            while end < len(self._lines) and self._lines[end] != line:
                end += 1
            inner = self._lines[at + 1 : end]
            self._at = min(end + 1, len(self._lines))
            if style == "verse":
                yield from self._words("\n".join([*inner, *attributes.cited]), at, "quote")
            elif style != "comment":
                yield self._block(fenced(inner, attributes.language), at, kind="code")
            return
        if not self._attached:
            self._items.clear()
        self._attached = False
        self._at += 1
        outer = self._open[-1].kind if self._open else "prose"
        inside: Kind = "quote" if kind == "quote" or style == "quote" else "note" if kind == "sidebar" else outer
        if style in _ADMONITIONS:
            inside = "note"
            yield self._block(f"**{style.capitalize()}**", at, kind="note")
        if attributes.title:
            yield from self._words(f"**{attributes.title}**", at, inside)
        if inside == "quote" and attributes.cited:
            yield from self._words("— " + ", ".join(attributes.cited), at, "quote")
        self._open.append(Open(line=line, kind=inside, items=self._items))
        self._items = []

    def _table(self, inner: list[str], line: str, attributes: Attributes, at: int) -> list[Block]:
        form = attributes.named.get("format", {",": "csv", ":": "dsv"}.get(line[0], "psv"))
        inner = [_included(text) for text in inner if not (text.startswith("//") and not text.startswith("///"))]
        inner = [text for text in inner if not CONDITION.match(text)]
        separator = attributes.named.get("separator", "!" if line[0] == "!" else "|") or "|"
        if form in ("csv", "dsv", "tsv"):
            mark = attributes.named.get("separator") or {"csv": ",", "dsv": ":", "tsv": "\t"}[form]
            rows = separated("\n".join(inner), mark[:1])
            text = pipe_table([[self._cell(cell or "", "") for cell in row] for row in rows])
            return [self._block(text, at, kind="table")]
        found, first = cells(inner, separator)
        width, styles = columns(attributes.named["cols"]) if attributes.named.get("cols") else (first, [])
        said = [
            (cell, self._cell(cell.text, cell.style or (styles[number % width] if styles and width else "")))
            for number, cell in enumerate(found)
        ]
        return [self._block(pipe_table(placed(said, width)), at, kind="table")]

    def _cell(self, text: str, style: str) -> str:
        """Return the text of a cell as Markdown."""
        if style in ("a", "l") and self._depth < NESTED:
            inner = AsciidocParser(text.split("\n"), self).blocks() if style == "a" else ()
            return (
                "\n\n".join(block.text for block in inner if block.text) if style == "a" else f"`{text}`" * bool(text)
            )
        said, notes = self._inline.render(text)
        return "\n\n".join([said, *notes])

    def _macro(self, match: re.Match[str]) -> Iterator[Block]:
        at = self._at
        name, target, inner = match[1], self._inline.substitute(match[2]), match[3]
        self._at += 1
        if name == "toc":
            return
        if not self._attached:
            self._items.clear()
        self._attached = False
        if name == "image":
            self._pending = Attributes(title=self._pending.title)
            yield self._block(alternative(target, self._inline.substitute(inner)), at, kind="alt")
            yield from self._caption(at)
        elif name in ("include", "video", "audio"):
            yield from self._caption(at)
            yield self._block(f"[{target}]({target})", at)
        else:
            yield from self._words(inner or target, at)
        self._pending = Attributes()

    def _item(self, match: re.Match[str]) -> Iterator[Block]:
        at = self._at
        groups = match.groupdict()
        raw = groups.get("mark") or groups["label"]
        mark = "1." if raw[0].isdigit() else "a." if raw[0].isalpha() and not groups.get("term") else raw
        mark = "<>" if mark[0] == "<" else mark
        caption = list(self._caption(at))
        if caption:
            self._items.clear()
        known = [known for known, _ in self._items]
        depth = known.index(mark) if mark in known else len(known)
        count = self._items[depth][1] + 1 if depth < len(known) else 1
        del self._items[depth:]
        if len(self._items) < 50:
            self._items.append((mark, count))
        self._attached = False
        self._pending = Attributes()
        parts = [groups["text"] or ""]
        self._at += 1
        self._gather(parts, listed=True)
        text = "\n".join(part for part in parts if part)
        shown = "-" if mark[0] in "*-•" else raw if raw[0].isalnum() else f"{count}."
        if groups.get("term"):
            shown, text = "-", f"**{groups['term'].strip()}**: {text}".strip()
        said, notes = self._inline.render(text)
        yield from caption
        yield self._block(item(said, len(self._items), shown), at, kind="list" if not self._noted() else "note")
        for note in notes:
            yield self._block(note, at, kind="footnote", layer="notes")

    def _noted(self) -> bool:
        return bool(self._open) and self._open[-1].kind == "note"

    def _gather(self, parts: list[str], *, listed: bool) -> None:
        """Add the lines to *parts* that go on with a paragraph."""
        lines = self._lines
        while self._at < len(lines) and (line := lines[self._at]):
            if breaks(line, listed=listed):
                break
            if not line.startswith("//") and not CONDITION.match(line):
                parts.append(line.strip() if listed or line[0] != " " else line)
            self._at += 1

    def _literal(self) -> Iterator[Block]:
        at = self._at
        while self._at < len(self._lines) and (line := self._lines[self._at]) and line != "+":
            self._at += 1
            if delimiter(line):
                self._at -= 1
                break
        self._at = max(self._at, at + 1)
        yield from self._caption(at)
        yield self._block(fenced(self._lines[at : self._at]), at, kind="code")

    def _paragraph(self) -> Iterator[Block]:
        at = self._at
        attributes, self._pending = self._pending, Attributes()
        parts = [self._lines[at].strip() if indent(self._lines[at]) else self._lines[at]]
        self._at += 1
        self._gather(parts, listed=bool(self._items) and self._attached)
        if attributes.style in ("source", "listing", "literal"):
            self._pending.title = attributes.title
            yield from self._caption(at)
            yield self._block(fenced(self._lines[at : self._at], attributes.language), at, kind="code")
            return
        if attributes.style in ("stem", "latexmath", "asciimath"):
            yield self._block(f"$${chr(10).join(parts)}$$", at, kind="math")
            return
        if attributes.style == "comment":
            return
        if self._attached and self._items:
            depth = len(self._items)
        else:
            self._items.clear()
            depth = 0
        self._attached = False
        kind: Kind = self._open[-1].kind if self._open else "prose"
        text = "\n".join(parts)
        if match := _ADMONITION.match(text):
            text, kind = f"**{match[1].capitalize()}:** {text[match.end() :]}", "note"
        elif attributes.style in _ADMONITIONS:
            text, kind = f"**{attributes.style.capitalize()}:** {text}", "note"
        elif attributes.style in ("quote", "verse"):
            text, kind = "\n".join([text, *(f"— {name}" for name in attributes.cited)]), "quote"
        if attributes.title:
            text = f"**{attributes.title}**\n\n{text}"
        said, notes = self._inline.render(text)
        yield self._block(item(said, depth) if depth else said, at, kind="list" if depth and kind == "prose" else kind)
        for note in notes:
            yield self._block(note, at, kind="footnote", layer="notes")


def _included(line: str) -> str:
    """Return a line of verbatim text; what it would include is named."""
    if line.startswith("include::") and line.endswith("]"):
        return line[9:].partition("[")[0]
    return line[1:] if line.startswith("\\include::") else line
