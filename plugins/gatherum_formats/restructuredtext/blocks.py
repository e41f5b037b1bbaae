"""The lines of reStructuredText: titles, lists, literal blocks, tables; what is indented is read in place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum.tables import pipe_table
from gatherum_formats.restructuredtext.context import Context, adornment, is_title, titled
from gatherum_formats.restructuredtext.directives import Directives
from gatherum_formats.restructuredtext.inline import RstInline
from gatherum_formats.restructuredtext.names import names
from gatherum_formats.restructuredtext.tables import grid, is_grid, is_simple, simple
from gatherum_formats.shared.lines import Block, dedent, fenced, indent, item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum.document import Kind, Layer

NESTED: Final = 3
"""How deep tables are followed into each other."""
_BULLET = re.compile(r"([-*+•‣⁃])(?: +|$)")
_NUMBER = re.compile(r"(\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdm]{2,8}|[IVXLCDM]{2,8}|#)[.)])(?: +|$)")
_FIELD = re.compile(r":((?:\\.|[^\\:\n]|:(?! |$|`)){1,200}):(?: +|$)")
_FLAG = r"(?:-\w|--[\w-]{1,60}|/[A-Z])(?:[ =]?[<\[]?[A-Za-z][\w.-]{0,60}[>\]]?)?"
_OPTION = re.compile(rf"({_FLAG}(?:, {_FLAG}){{0,9}})(?:  +|$)")
_NOTE = re.compile(r"\.\. \[(\d{1,9}|#[\w.-]{0,80}|\*|[^\W\d_][\w.-]{0,80})\](?: +|$)")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class RstParser(Directives):
    """Read reStructuredText line by line.

    Args:
        lines: The lines of the file, or of a cell of a table in it.
        inline: The inline markup of the file, for a cell.
        depth: How many tables the lines stand in.

    Attributes:
        fields: What the file says about itself; complete once the blocks are read.
        title: Its title.
    """

    def __init__(self, lines: list[str], inline: RstInline | None = None, depth: int = 0) -> None:
        self._lines = [line.expandtabs(8).rstrip() if "\t" in line else line.rstrip() for line in lines]
        self._inline = inline or RstInline(names(self._lines), 20_000 + 2 * sum(map(len, lines)))
        self._depth = depth
        self._at = 0
        self._contexts: list[Context] = []
        self._mark = ""
        self._rewritten = (-1, 0)
        self._styles: dict[tuple[str, bool], int] = {}
        self._started = False
        self.fields: dict[str, list[str]] = {}
        self.title = ""

    def blocks(self) -> Iterator[Block]:
        """Yield what the lines say, in order."""
        lines = self._lines
        if not self._depth:
            yield from self._preamble()
        while self._at < len(lines):
            line = lines[self._at]
            if not line:
                self._at += 1
                continue
            column = indent(line)
            while self._contexts and self._contexts[-1].column > column:
                self._contexts.pop()
            context = self._contexts[-1] if self._contexts else _TOP
            if column > context.column:
                kind: Kind = "quote" if context.kind == "prose" else context.kind
                self._push(column, kind=kind)
            yield from self._dispatch(line[column:] if column else line, column)

    def _preamble(self) -> Iterator[Block]:
        """Read the header of a Python enhancement proposal, which stands in no markup."""
        if not (self._lines and self._lines[0].startswith("PEP: ")):
            return
        while self._at < len(self._lines) and (line := self._lines[self._at]):
            name, _, value = line.partition(":")
            if line[0] == " " and self.fields:
                self.fields[next(reversed(self.fields))][-1] += " " + line.strip()
            elif value.strip():
                self.fields.setdefault(name.strip().casefold(), []).append(value.strip())
            self._at += 1
        yield self._block("\n".join(self._lines[: self._at]), 0, kind="metadata", layer="metadata")

    def _push(self, column: int, *, kind: Kind, listed: bool = False, layer: Layer | None = None) -> None:
        outer = self._contexts[-1] if self._contexts else _TOP
        self._contexts.append(Context(column=column, kind=kind, layer=layer or outer.layer, depth=outer.depth + listed))

    def _block(
        self, text: str, first: int, *, kind: Kind = "prose", layer: Layer = "body", level: int = 0, last: int = -1
    ) -> Block:
        end = min(self._at, len(self._lines)) if last < 0 else last + 1
        while end - 1 > first and not self._lines[end - 1]:
            end -= 1
        self._started = True
        return Block(text=text, first=first, last=max(first, end - 1), kind=kind, layer=layer, level=level)

    def _rewrite(self, text: str, column: int) -> bool:
        """Let the current line go on with *text* at *column*; False if that has been done too often."""
        at, count = self._rewritten
        count = count + 1 if at == self._at else 1
        if count > 30:
            return False
        self._rewritten = (self._at, count)
        self._lines[self._at] = " " * column + text if text else ""
        return True

    def _inner(self, column: int, start: int) -> int:
        """Return where the lines from *start* on end that are indented further than *column*."""
        end = at = start
        lines = self._lines
        while at < len(lines) and (not lines[at] or indent(lines[at]) > column):
            at += 1
            if lines[at - 1]:
                end = at
        return end

    def _dispatch(self, text: str, column: int) -> Iterator[Block]:
        first = text[0]
        if first.isalpha() and not (text[1:2] in ".)" or text[1:3].isalpha()):
            yield from self._paragraph(text, column)
        elif first == "." and (text == ".." or text.startswith(".. ")):
            yield from self._explicit(text, column)
        elif first == "_" and (text == "__" or text.startswith("__ ")):
            self._at = self._inner(column, self._at + 1)
        elif ((match := _BULLET.match(text)) and self._item("-", text, match, column)) or (
            (match := _NUMBER.match(text)) and self._numbered(column) and self._item(match[1], text, match, column)
        ):
            pass
        elif first == ":" and (match := _FIELD.match(text)):
            yield from self._field(match, text, column)
        elif first in "-/" and (match := _OPTION.match(text)) and self._item(f"- `{match[1]}`:", text, match, column):
            pass
        elif text.startswith(">>> "):
            at = self._at
            while self._at < len(self._lines) and self._lines[self._at]:
                self._at += 1
            yield self._block(fenced(self._lines[at : self._at], "pycon"), at, kind="code")
        elif first == "|" and text[1:2] in ("", " "):
            yield self._line_block(column)
        elif is_grid(text) or is_simple(text):
            yield self._table(text, column)
        elif not self._contexts and len(text) > 1 and text != "::" and adornment(text):
            yield from self._overlined(text)
        else:
            yield from self._paragraph(text, column)

    def _item(self, mark: str, text: str, match: re.Match[str], column: int) -> bool:
        width, rest = match.end(), text[match.end() :]
        following = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        if (match[1][0] in "-/" and len(match[1]) > 1) or not rest:
            width = max(1, indent(following) - column) if following else width or 1
        if width < 1 or not self._rewrite(rest, column + width):
            return False
        self._push(column + width, kind=self._item_kind(), listed=True)
        self._mark = mark
        if not rest:
            self._at += 1
        return True

    def _item_kind(self) -> Kind:
        kind = self._contexts[-1].kind if self._contexts else "prose"
        return "list" if kind in ("prose", "quote") else kind

    def _numbered(self, column: int) -> bool:
        """Whether a line that begins like a numbered item is one: what follows must fit."""
        following = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        return not following or indent(following) > column or bool(_NUMBER.match(following[column:]))

    def _explicit(self, text: str, column: int) -> Iterator[Block]:
        at = self._at
        if match := _NOTE.match(text):
            rest = text[match.end() :]
            following = self._lines[at + 1] if at + 1 < len(self._lines) else ""
            inner = indent(following) if following and indent(following) > column else column + 3
            self._push(inner, kind="footnote", layer="notes")
            self._mark = f"[^{self._inline.number(match[1], 'defined')}]:"
            self._rewrite(rest, inner)
            if not rest:
                self._at += 1
        elif (done := self._directive(text, column)) is not None:
            yield from done
        elif text == ".." and at + 1 < len(self._lines) and not self._lines[at + 1]:
            self._at += 1
        else:
            self._at = self._inner(column, at + 1)

    def _field(self, match: re.Match[str], text: str, column: int) -> Iterator[Block]:
        at = self._at
        self._at = self._inner(column, at + 1)
        lines = [text[match.end() :], *self._lines[at + 1 : self._at]]
        name = match[1].replace("\\", "")
        if not self._started and not self._contexts and not self._depth:
            said = self._inline.render(dedent([lines[0].strip(), *(line.strip() for line in lines[1:])]).strip("\n"))
            self.fields.setdefault(name.casefold(), []).append(said.strip("$ "))
            yield self._block(f"{name}: {said}", at, kind="metadata", layer="metadata")
            self._started = False
            return
        self._at = at
        inner = indent(self._lines[at + 1]) if self._inner(column, at + 1) > at + 1 and self._lines[at + 1] else 0
        self._push(max(inner, column + 1), kind=self._item_kind(), listed=True)
        self._mark = f"- **{self._inline.render(name)}**:"
        self._rewrite(lines[0], max(inner, column + 1))
        if not lines[0]:
            self._at += 1
            if self._inner(column, at + 1) == at + 1:
                mark, self._mark = self._mark.removesuffix(":"), ""
                yield self._block(item(mark[2:], self._contexts[-1].depth, "-"), at, kind=self._contexts[-1].kind)

    def _line_block(self, column: int) -> Block:
        at, said = self._at, []
        while self._at < len(self._lines) and (line := self._lines[self._at]) and indent(line) >= column:
            text = line.strip()
            said.append(text[1:].strip() if text[0] == "|" else text)
            self._at += 1
        return self._block(self._inline.render("\n".join(said)), at, kind="prose", layer=self._layer())

    def _layer(self) -> Layer:
        return self._contexts[-1].layer if self._contexts else "body"

    def _table(self, text: str, column: int) -> Block:
        at, lines = self._at, self._lines
        rows: list[list[str | None]] | None
        if text[0] == "+":
            while self._at < len(lines) and lines[self._at][column : column + 1] in ("+", "|"):
                self._at += 1
            raw = [line[column:] for line in lines[at : self._at]]
            rows = grid(raw)
        else:
            borders = 1
            self._at += 1
            while self._at < len(lines) and borders < 3:
                line = lines[self._at][column:]
                if lines[self._at] and indent(lines[self._at]) < column:
                    break
                self._at += 1
                borders += line.startswith("==") and not line.strip("= ")
                if borders == 2 and line.startswith("=") and (self._at == len(lines) or not lines[self._at]):
                    break
            raw = [line[column:] for line in lines[at : self._at]]
            rows = simple(raw)
        if rows is None:
            return self._block(fenced(raw), at, kind="code", layer=self._layer())
        cells = [[self._cell(cell) if cell else cell for cell in row] for row in rows]
        return self._block(pipe_table(cells), at, kind="table", layer=self._layer())

    def _cell(self, text: str) -> str:
        """Return the text of a cell as Markdown."""
        if ("\n" not in text and not text.startswith((".. ", "- ", "* "))) or self._depth >= NESTED:
            return self._inline.render(text)
        blocks = RstParser(text.split("\n"), self._inline, self._depth + 1).blocks()
        return "\n\n".join(block.text for block in blocks if block.text)

    def _overlined(self, text: str) -> Iterator[Block]:
        at, lines = self._at, self._lines
        if at + 2 < len(lines) and lines[at + 1] and is_title(lines[at + 1].strip(), lines[at + 2], over=text):
            self._at += 3
            yield from self._title(lines[at + 1].strip(), (text[0], True), at)
        elif len(text) >= 4 or not (at + 1 < len(lines) and lines[at + 1]):
            self._at += 1
        else:
            yield from self._paragraph(text, 0)

    def _title(self, text: str, style: tuple[str, bool], at: int) -> Iterator[Block]:
        level = self._styles.setdefault(style, len(self._styles) + 1)
        said = titled(self._inline.render(text))
        if not self.title and not self._started:
            self.title = said
        started = self._started
        block = self._block(said, at, level=level)
        self._started = started
        yield block

    def _paragraph(self, text: str, column: int) -> Iterator[Block]:
        at, lines = self._at, self._lines
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if not self._contexts and following and is_title(text, following):
            self._at += 2
            yield from self._title(text, (following[0], False), at)
            return
        parts = [text]
        self._at += 1
        while self._at < len(lines) and lines[self._at] and indent(lines[self._at]) == column:
            parts.append(lines[self._at][column:])
            self._at += 1
        joined = "\n".join(parts)
        literal = joined.endswith("::")
        if literal:
            joined = joined[:-2].rstrip() if joined[:-2].endswith((" ", "\n")) or len(joined) == 2 else joined[:-1]
        term = not literal and len(parts) == 1 and following and indent(following) > column
        context = self._contexts[-1] if self._contexts else _TOP
        said = self._inline.render(joined)
        kind = context.kind
        if term:
            said = f"**{said.replace('**', '')}**"
            kind = self._item_kind()
        mark, self._mark = self._mark, ""
        if kind == "list" and context.depth:
            name, _, rest = mark.partition(" ")
            said = item(f"{rest} {said}".strip(), context.depth, name)
        elif mark:
            said = f"{mark} {said}"
        yield self._block(said, at, kind=kind, layer=context.layer)
        if kind == "caption":
            self._contexts[-1] = Context(column=context.column, kind="prose", layer="body", depth=context.depth)
        if term:
            self._push(indent(following), kind=kind)
        elif literal:
            yield from self._literal(column)

    def _literal(self, column: int) -> Iterator[Block]:
        lines = self._lines
        while self._at < len(lines) and not lines[self._at]:
            self._at += 1
        at = self._at
        end = self._inner(column, at)
        if end == at and at < len(lines) and indent(lines[at]) == column and lines[at][column] in _PUNCTUATION:
            while end < len(lines) and lines[end][column : column + 1] == lines[at][column]:
                end += 1
        if end > at:
            self._at = end
            yield self._block(fenced(lines[at:end]), at, kind="code", layer=self._layer())


_TOP = Context(column=0, kind="prose", layer="body", depth=0)
