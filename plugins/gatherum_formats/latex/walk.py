"""The walk through LaTeX: commands and text in, blocks out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.latex.blocks import DEPTH, Argument, Block, Environment, Flow, Macro, tidy
from gatherum_formats.latex.characters import accent, dollars, emphasis, symbol
from gatherum_formats.latex.commands import RULES, footnote, heading, reference
from gatherum_formats.latex.definitions import DEFINITIONS
from gatherum_formats.latex.environments import begin_environment, end_cell, end_environment, verbatim
from gatherum_formats.latex.names import (
    ACCENTS,
    EMPHASIS,
    LETTERS,
    LEVELS,
    LISTS,
    NOTES,
    OVERLAID,
    QUOTES,
    REFERENCES,
    SILENT,
    SKIP_FIRST,
    SYMBOLS,
    THEOREMS,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum.document import Kind
    from gatherum_formats.latex.scan import Scan

_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n[ \t]*(?!\s))?)|\\(?P<word>[A-Za-z@]+)(?P<star>\*?)|\\(?P<symbol>[\s\S])"
    r"|(?P<par>\n[ \t]*\n\s*)|(?P<char>[{}$&~#])|(?P<quote>``|''|---?)|(?P<text>[^%\\{}$&~#`'\n-]+|[\s\S])"
)
_QUOTES: Final = {"``": "“", "''": "”", "--": "–", "---": "—"}
_OVERLAY: Final = re.compile(r"<[a-z0-9:,.+|@ -]{1,60}>")
"""On which slides of a frame something shows."""
_LABEL = re.compile(r"\\(?:label|tag)\{[^{}]*\}|\\(?:nonumber|notag)\b")
_PROGRAM = re.compile(r"\\(?:if|csname|expandafter|futurelet|else|fi|loop)")
_EXPANSIONS: Final = 2_000_000


class Walk:
    """Walk through one document.

    Args:
        scan: The first pass.
        report_field: Takes what the document says about itself, by name.
    """

    def __init__(self, scan: Scan, report_field: Callable[[str, str], None]) -> None:
        self.scan = scan
        self.text = scan.text
        self.say = report_field
        self.macros: dict[str, Macro] = {}
        self.theorems: dict[str, str] = dict(THEOREMS)
        self.flow = Flow()
        self.open: list[Environment] = []
        self.closers: list[tuple[int, str]] = []
        self._depth = 0
        self._left = _EXPANSIONS
        self._arguments: tuple[Argument, ...] = ()
        self.note = 0
        self.absent: set[str] = set()

    def blocks(self, start: int, end: int) -> list[Block]:
        """Return the blocks of a part of the document."""
        self.walk(start, end)
        while self.open:
            end_environment(self, self.open[-1].name, end)
        self.flush(end)
        return self.flow.blocks

    def said(self, start: int, end: int) -> str:
        """Return what a part of the document says, as one text."""
        outer, self.flow = self.flow, Flow()
        opened, self.open = self.open, []
        self.walk(start, end)
        while self.open:
            end_environment(self, self.open[-1].name, end)
        self.flush(end)
        blocks, self.flow, self.open = self.flow.blocks, outer, opened
        self.flow.notes += [block for block in blocks if block.layer == "notes"]
        return "\n\n".join(block.text for block in blocks if block.layer != "notes")

    def walk(self, start: int, end: int) -> None:
        """Take what stands between two positions."""
        if self._depth > DEPTH:
            self.put(self.text[start:end], start)
            return
        self._depth += 1
        at, text, literal = start, self.text, self.scan.verbatim
        while at < end:
            if text[at] == "\\" and at in literal:
                at = verbatim(self, literal[at], at)
                continue
            match = _TOKEN.match(text, at, end)
            if match is None:
                break
            at, kind = match.end(), match.lastgroup
            if kind == "text":
                self.put(match["text"], match.start())
            elif kind == "par":
                self.flush(match.start())
            elif kind == "quote":
                self.put(_QUOTES[match["quote"]], match.start())
            elif kind in ("word", "star"):
                at = self._command(match["word"], match.start(), at, end)
            elif kind == "symbol":
                at = symbol(self, match["symbol"], match.start(), at, end)
            elif kind == "char":
                at = self._character(match["char"], match.start(), at, end)
        self._depth -= 1

    def put(self, text: str, at: int) -> None:
        """Add words to the paragraph at hand."""
        flow = self.flow
        if flow.first < 0 and not text.isspace():
            flow.first = at
        flow.words.append(text)

    def flush(self, end: int, kind: Kind | None = None) -> None:
        """End the paragraph at hand, and let its notes follow it."""
        flow = self.flow
        text = tidy("".join(flow.words))
        flow.words.clear()
        first, flow.first = flow.first, -1
        if text:
            self.place(text, max(first, 0), end, kind)
        if flow.notes and not any(entry.rows for entry in self.open):
            flow.blocks += flow.notes
            flow.notes = []

    def place(self, text: str, start: int, end: int, kind: Kind | None = None) -> None:
        """Add a block of text, indented as the open lists ask for."""
        lists = [entry for entry in self.open if entry.name in LISTS]
        quoted = any(entry.name in QUOTES for entry in self.open)
        if lists:
            text = self._item(text, lists)
        if kind in (None, "list"):
            kind = "list" if lists else "quote" if quoted else "prose"
        if quoted and kind == "quote":
            text = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
        self.flow.blocks.append(Block(text=text, start=start, end=end, kind="list" if lists else kind))

    def _item(self, text: str, lists: list[Environment]) -> str:
        entry = lists[-1]
        indent = "  " * (len(lists) - 1)
        mark, entry.mark = entry.mark, ""
        if not mark:
            return "\n".join(f"{indent}  {line}" if line else "" for line in text.split("\n"))
        lines = text.split("\n")
        return "\n".join([f"{indent}{mark} {lines[0]}", *(f"{indent}  {line}" if line else "" for line in lines[1:])])

    def display(self, content: str, start: int, end: int) -> None:
        """Add displayed mathematics."""
        content = re.sub(r"\n[ \t]*\n+", "\n", _LABEL.sub("", re.sub(r"(?<!\\)%[^\n]*", "", content))).strip()
        self.flush(start)
        if content:
            self.place(f"$$\n{content}\n$$", start, end, "math")

    def skipped(self, at: int, end: int, count: int) -> int:
        """Return the position after options and *count* arguments."""
        for _ in range(4):
            option = self.scan.option(at, end) if self.opens_option(at, end) else None
            if option is None:
                break
            at = option[2]
        for _ in range(count):
            group = self.scan.group(at, end)
            if group is None:
                break
            at = group[2]
            if self.text[at : at + 1] == "[" and (option := self.scan.option(at, end)):
                at = option[2]
        return at

    def opens_option(self, at: int, end: int) -> bool:
        """Return whether an argument in brackets follows."""
        at = self.scan.blank(at, end)
        return at < end and self.text[at] == "["

    def unknown(self, start: int, at: int, end: int) -> int:
        """Let the arguments of a command speak, without its options."""
        while self.text[at : at + 1] == "[" and (option := self.scan.option(at, end)):
            at = option[2]
        first = True
        while self.text[at : at + 1] == "{" and (group := self.scan.group(at, end)):
            if not first:
                self.put(" ", start)
            first = False
            if self._depth >= DEPTH:
                return at + 1
            self.walk(group[0], group[1])
            at = group[2]
        return at

    def _character(self, char: str, start: int, at: int, end: int) -> int:
        if char == "$":
            return dollars(self, start, end)
        if char == "~":
            self.put(" ", start)
        elif char == "&":
            entry = self.open[-1] if self.open else None
            if entry is not None and entry.rows:
                end_cell(self, at)
            else:
                self.put(" ", start)
        elif char == "#":
            number = self.text[at : at + 1]
            if number in tuple("123456789"[: len(self._arguments)]):
                self._argument(self._arguments[int(number) - 1])
                return at + 1
            self.put("#", start)
        elif char == "}" and self.closers and self.closers[-1][0] == start:
            self.put(self.closers.pop()[1], start)
        return at

    def _command(self, name: str, start: int, at: int, end: int) -> int:
        if name in ("begin", "end"):
            group = self.scan.group(at, end)
            if group is None:
                return at
            what = self.text[group[0] : group[1]].strip()
            if name == "end":
                end_environment(self, what, start)
                return group[2]
            return begin_environment(self, what, start, group[2], end)
        macro = self.macros.get(name)
        if macro is not None and self._spend(macro.end - macro.start):
            return self._expand(macro, at, end)
        if name in SYMBOLS:
            self.put(SYMBOLS[name], start)
            return self.scan.blank(at, end) if name in LETTERS else at
        if name in ACCENTS:
            return accent(self, name, at, end)
        if name in OVERLAID and (overlay := _OVERLAY.match(self.text, at, end)):
            at = overlay.end()
        if name in LEVELS:
            return heading(self, name, start, at, end)
        if name in NOTES:
            return footnote(self, name, start, at, end)
        rule = RULES.get(name) or DEFINITIONS.get(name)
        if rule is not None:
            return rule(self, name, start, at, end)
        if name in SILENT:
            return self.skipped(at, end, SILENT[name])
        if name in EMPHASIS:
            return emphasis(self, EMPHASIS[name], start, at, end)
        if REFERENCES.fullmatch(name):
            return reference(self, start, at, end)
        if name in SKIP_FIRST:
            at = self.skipped(at, end, SKIP_FIRST[name])
        return self.unknown(start, at, end)

    def _spend(self, length: int) -> bool:
        """Return whether *length* more characters may come out of macros: they can be made to explode."""
        self._left -= length + 20
        return self._left > 0

    def _expand(self, macro: Macro, at: int, end: int) -> int:
        given: list[Argument] = []
        if macro.default and (option := self.scan.option(at, end)):
            given.append(Argument(start=option[0], end=option[1], outer=self._arguments))
            at = option[2]
        while len(given) < macro.arguments and (group := self.scan.group(at, end)):
            given.append(Argument(start=group[0], end=group[1], outer=self._arguments))
            at = group[2]
        if _PROGRAM.search(self.text, macro.start, macro.end):
            if given:
                self._argument(given[-1])
        else:
            self._replaced(macro.start, macro.end, tuple(given))
        return at

    def _argument(self, argument: Argument) -> None:
        if self._spend(argument.end - argument.start):
            self._replaced(argument.start, argument.end, argument.outer)

    def _replaced(self, start: int, end: int, arguments: tuple[Argument, ...]) -> None:
        """Walk through text from elsewhere, with what its own arguments mean."""
        closers, self.closers = self.closers, []
        outer, self._arguments = self._arguments, arguments
        self.walk(start, end)
        self.closers, self._arguments = closers, outer
