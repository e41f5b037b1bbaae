"""Typst markup from its text to its sections."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum.tables import pipe_table
from gatherum_formats.typst.calls import NAME, Call, arguments, parse_call, split, string
from gatherum_formats.typst.inline import Inline
from gatherum_formats.typst.scan import Groups, comment_end, is_comment, math_end, raw_end, statement_end, string_end

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind, Layer

_HEADING: Final = re.compile(r"[ \t]*(={1,9})[ \t]+(?=\S)")
_ITEM: Final = re.compile(r"([ \t]*)([-+]|\d{1,9}\.)[ \t]+(?=\S)")
_TERM: Final = re.compile(r"[ \t]*/[ \t]+([^\n:]{1,300}):[ \t]*")
_INDENT = re.compile(r"[ \t]+")
_BLANKS: Final = re.compile(r"[ \t]*")
_BLANK: Final = re.compile(r"[ \t]*(?:\n|\Z)")
_STATEMENT: Final = re.compile(r"#(let|set|show|import|include)\b")
_BRANCH: Final = re.compile(r"#(if|for|while|context|return)\b")
_LABEL: Final = re.compile(r"[ \t]*<[\w:.-]+>[ \t]*$", re.MULTILINE)
_RAW: Final = re.compile(r"(`{3,})([\w+#.-]*)[ \t]*\n?")
_LET: Final = re.compile(r'#let\s+([^\W\d][\w-]*)\s*=\s*(?="|\d)')
_TABLES: Final = frozenset(("table", "grid"))
_WRAPPERS: Final = frozenset(
    ("align", "block", "box", "pad", "place", "columns", "rect", "page", "center", "stack", "rotate", "scale", "figure")
)
_SILENT: Final = frozenset(
    (
        "bibliography",
        "counter",
        "lorem",
        "outline",
        "pagebreak",
        "colbreak",
        "v",
        "h",
        "line",
        "state",
        "metadata",
        "cite",
    )
)
_DEEPEST: Final = 24
_DESCRIBED: Final = {"title": "title", "author": "authors", "authors": "authors", "keywords": "tags"}


def read_blocks(text: str, report: Report) -> Iterator[Section]:
    """Yield the sections of a source."""
    reader = _Reader(text, report)
    yield from reader.markup(0, len(text), 0)
    yield from reader.builder.close()


class _Reader:
    def __init__(self, text: str, report: Report) -> None:
        self.text = text
        self.report = report
        self.groups = Groups(text)
        self.builder = SectionBuilder()
        self.values: dict[str, str] = {}
        self._next_note = 1
        self._told = False
        self._lines = [match.start() for match in re.finditer("\n", text)]

    def place(self, start: int, end: int) -> Locator:
        first = bisect_right(self._lines, start - 1) + 1
        return Locator.lines(first, max(first, bisect_right(self._lines, max(start, end - 1) - 1) + 1))

    def add(
        self, text: str, start: int, end: int, *, kind: Kind = "prose", layer: Layer = "body", language: str = ""
    ) -> Iterator[Section]:
        separator = "\n" if kind == "list" else "\n\n"
        yield from self.builder.add(
            text, kind=kind, layer=layer, locator=self.place(start, end), language=language or None, separator=separator
        )

    # -- markup --------------------------------------------------------------------------------------------------------

    def markup(self, at: int, stop: int, depth: int) -> Iterator[Section]:
        """Yield what stands between two places: at the beginning of each line a block may begin."""
        while at < stop:
            if blank := _BLANK.match(self.text, at, stop):
                at = max(blank.end(), at + 1)
                continue
            if match := _HEADING.match(self.text, at, stop):
                end = self._line_end(match.end(), stop)
                title = self.inline(match.end(), end)
                yield from self.builder.enter(len(match[1]), title.text, locator=self.place(at, end))
                yield from self._notes(title, at, end)
                at = end
                continue
            indent = _INDENT.match(self.text, at, stop)
            start = indent.end() if indent else at
            if is_comment(self.text, start):
                end = min(comment_end(self.text, start), stop)
                yield from self._unseen(self.text[start:end].strip("/* \n"), start, end, kind="comment")
                at = end
            elif (match := _RAW.match(self.text, start)) and match.end() <= stop:
                end = min(raw_end(self.text, start), stop)
                code = self.text[match.end() : end - len(match[1])].rstrip()
                yield from self.add(f"```{match[2]}\n{code}\n```", start, end, kind="code", language=match[2])
                at = end
            elif self.text[start] == "$" and self._displayed(start, stop):
                end = min(math_end(self.text, start), stop)
                yield from self.add(self.text[start:end], start, end, kind="math")
                at = label.end() if (label := _LABEL.match(self.text, end)) else end
            elif match := _ITEM.match(self.text, at, stop):
                end = self._paragraph_end(match.end(), stop, len(match[1].expandtabs()))
                item = self.inline(match.end(), end)
                mark = "-" if match[2] == "-" else "1." if match[2] == "+" else match[2]
                pad = " " * len(match[1].expandtabs(2))
                yield from self.add(f"{pad}{mark} {item.text}", at, end, kind="list")
                yield from self._notes(item, at, end)
                at = end
            elif match := _TERM.match(self.text, at, stop):
                end = self._paragraph_end(match.end(), stop, 0)
                item = self.inline(match.end(), end)
                term = self.inline(match.start(1), match.end(1))
                yield from self.add(f"- {term.text}: {item.text}", at, end, kind="list")
                yield from self._notes(item, at, end)
                at = end
            elif self.text[start] == "#" and (end := (yield from self._code(start, stop, depth))) > start:
                at = end
            else:
                end = self._paragraph_end(start, stop, -1)
                paragraph = self.inline(start, end)
                yield from self.add(paragraph.text, start, end)
                yield from self._notes(paragraph, start, end)
                at = max(end, at + 1)

    def _after_blanks(self, at: int) -> int:
        match = _BLANKS.match(self.text, at)
        return match.end() if match else at

    def _displayed(self, at: int, stop: int) -> bool:
        """Whether a formula stands on its own: space within its marks, and nothing but a label after it."""
        end = min(math_end(self.text, at), stop)
        rest = self.text[end : self._line_end(end, stop)]
        return self.text[at + 1 : at + 2].isspace() and not _LABEL.sub("", rest).strip()

    def inline(self, start: int, end: int) -> Inline:
        inline = Inline(self.text, start, end, self.groups, self.values, first=self._next_note)
        self._next_note += len(inline.notes)
        return inline

    def _notes(self, inline: Inline, start: int, end: int) -> Iterator[Section]:
        for note in inline.notes:
            yield from self.add(note, start, end, kind="footnote", layer="notes")
        for hidden in inline.hidden:
            yield from self._unseen(hidden, start, end)

    def _line_end(self, at: int, stop: int) -> int:
        """Return where a line ends; brackets, raw text and formulas may lead over the end of one."""
        return self._end(at, stop, None)

    def _paragraph_end(self, at: int, stop: int, indent: int) -> int:
        """Return where a paragraph ends: before a blank line, a heading, an item, or code that is a block."""
        return self._end(at, stop, indent)

    def _end(self, at: int, stop: int, indent: int | None) -> int:
        text = self.text
        while at < stop:
            mark = text[at]
            if mark == "\n":
                if indent is None or self._breaks(at + 1, stop, indent):
                    return at
                at += 1
            elif mark == "\\":
                at += 2
            elif mark == "`":
                at = raw_end(text, at)
            elif mark == "$":
                at = math_end(text, at)
            elif mark == "#" and (match := NAME.match(text, at + 1, stop)):
                at = max(match.end(), parse_call(text, at + 1, self.groups, stop).end)
            elif mark == "#" and text[at + 1 : at + 2] in ("[", "{", "("):
                at = self.groups.end(at + 1) + 1
            elif mark == "[":
                at = self.groups.end(at) + 1
            elif mark == "/" and is_comment(text, at):
                at = comment_end(text, at)
            else:
                at += 1
        return min(at, stop)

    def _breaks(self, at: int, stop: int, indent: int) -> bool:
        text = self.text
        if at >= stop or _BLANK.match(text, at, stop) or _HEADING.match(text, at, stop):
            return True
        if _ITEM.match(text, at, stop) or _TERM.match(text, at, stop) or _RAW.match(text, at, stop):
            return True
        if text.startswith(("$ ", "$\n"), at):
            return True
        if indent >= 0 and not text[at].isspace():
            return True  # what goes on an item is indented
        return bool(_STATEMENT.match(text, at)) or (
            text[at] == "#" and (match := NAME.match(text, at + 1)) is not None and match[0] in _TABLES | {"figure"}
        )

    # -- code ----------------------------------------------------------------------------------------------------------

    def _code(self, at: int, stop: int, depth: int) -> Generator[Section, None, int]:
        """Read code that is a block; return where the text goes on, or *at* if it belongs to a paragraph."""
        text = self.text
        if depth >= _DEEPEST:
            self.report.problem("too_deep", "content is nested too deeply; the innermost was left out")
            return self._line_end(at, stop) + 1
        if match := _STATEMENT.match(text, at, stop):
            end = statement_end(text, at, self.groups, stop)
            yield from self._statement(match[1], at, end, depth)
            return end
        if _BRANCH.match(text, at, stop) or text.startswith("#{", at):
            end = statement_end(text, at, self.groups, stop)
            yield from self._contents(at + 1, end, depth)
            return end
        if text.startswith("#[", at):
            close = min(self.groups.end(at + 1), stop)
            yield from self.markup(at + 2, close, depth + 1)
            return close + 1
        match = NAME.match(text, at + 1, stop)
        if match is None or text[match.end() : match.end() + 1] not in ("(", "["):
            return at
        call = parse_call(text, at + 1, self.groups, stop)
        rest = text[call.end : self._line_end(call.end, stop)]
        if _LABEL.sub("", rest).strip() and call.name not in (*_TABLES, "figure", "heading"):
            return at
        end = call.end + len(rest) if not _LABEL.sub("", rest).strip() else call.end
        if not (yield from self._call(call, at, depth)):
            return at
        return end

    def _call(self, call: Call, at: int, depth: int) -> Generator[Section, None, bool]:
        """Read a call that is a block; return whether it was one."""
        name = call.name
        if name == "figure":
            yield from self._figure(call, at, depth)
        elif name in _TABLES:
            yield from self._table(call, at)
        elif name == "heading":
            level = self._number(call, "level") or self._number(call, "depth") or 1
            title = " ".join(self._content(start, end) for start, end in call.given)
            yield from self.builder.enter(min(level, 9), title, locator=self.place(at, call.end))
        elif name == "title":
            title = " ".join(self._content(start, end) for start, end in call.given)
            self.report.metadata(title=title)
            yield from self.add(title, at, call.end)
        elif name == "raw" and call.given:
            code = string(self.text, *call.given[0]) or ""
            language = string(self.text, *call.named["lang"]) if "lang" in call.named else ""
            yield from self.add(f"```{language or ''}\n{code}\n```", at, call.end, kind="code", language=language or "")
        elif name == "quote":
            said = " ".join(self._content(start, end) for start, end in call.given)
            if "attribution" in call.named:
                said += f" — {self._content(*call.named['attribution'])}"
            yield from self.add(said, at, call.end, kind="quote")
        elif name in ("list", "enum", "terms") or name.startswith(("list.", "enum.", "terms.")):
            mark = "1." if name.startswith("enum") else "-"
            for start, end in call.given:
                yield from self.add(f"{mark} {self._content(start, end)}", start, end, kind="list")
        elif name == "image":
            yield from self.add(self._described(call), at, call.end, kind="alt")
        elif name == "hide":
            yield from self._hidden(call, at)
        elif name in _SILENT:
            pass
        elif name in _WRAPPERS or any(self._is_long(start, end) for start, end in call.given):
            yield from self._contents(at + 1 + len(name), call.end, depth)
        else:
            return False
        return True

    def _hidden(self, call: Call, at: int) -> Iterator[Section]:
        """Read what is laid out but not shown."""
        yield from self._unseen(" ".join(self._content(start, end) for start, end in call.given), at, call.end)

    def _unseen(self, text: str, start: int, end: int, *, kind: Kind = "prose") -> Iterator[Section]:
        if text and not self._told:
            self._told = True
            self.report.problem("hidden_text", "the document has text or comments that its readers do not see")
        yield from self.add(text, start, end, kind=kind, layer="hidden")

    def _is_long(self, start: int, end: int) -> bool:
        """Whether content holds more than a paragraph."""
        piece = self.text[start:end]
        return piece.startswith("[") and bool(re.search(r"\n[ \t]*\n|\n[ \t]*(?:=+|[-+]|#\w+[(\[])", piece))

    def _statement(self, word: str, at: int, end: int, depth: int) -> Iterator[Section]:
        text = self.text
        if word in ("import", "include"):
            path = string(text, at + 1 + len(word), end) if word == "include" else None
            if path:  # what is included is a document of its own
                yield from self.add(f"[{path}]({path})", at, end)
            return
        if (match := _LET.match(text, at, end)) and (
            value := string(text, match.end(), end) or text[match.end() : end]
        ):
            self.values[match[1]] = value.strip()
            return
        start = at + 1 + len(word)
        if word == "set":
            while start < end and text[start] == " ":
                start += 1
            call = parse_call(text, start, self.groups, end)
            if call.name == "document":
                self._tell(call)
                return
            if call.name == "page":
                for first, last in call.named.values():
                    if text[first] == "[":
                        yield from self.add(self._content(first, last), first, last, layer="furniture")
                return
        elif word == "show" and (found := re.compile(r"[^\W\d][\w.-]*\.with\(").search(text, start, end)):
            self._tell(parse_call(text, found.start(), self.groups, end))
        yield from self._contents(start, end, depth)

    def _contents(self, at: int, end: int, depth: int) -> Iterator[Section]:
        """Yield the markup within code; of its strings nothing is known."""
        while (start := self._next_content(at, end)) >= 0:
            close = min(self.groups.end(start), end)
            match = re.compile(r"([\w.-]+)(?:\([^()\[\]]*\))?\Z").search(self.text, max(at, start - 100), start)
            call = parse_call(self.text, match.start(), self.groups, end) if match else None
            if call is not None and call.name in (*_TABLES, "figure", "heading", "quote"):
                yield from self._call(call, match.start() if match else start, depth + 1)
                at = max(call.end, close + 1)
                continue
            if depth < _DEEPEST:
                yield from self.markup(start + 1, close, depth + 1)
            at = close + 1

    def _next_content(self, at: int, end: int) -> int:
        while at < end:
            mark = self.text[at]
            if mark == "[":
                return at
            if mark == '"':
                at = string_end(self.text, at)
            elif mark == "`":
                at = raw_end(self.text, at)
            elif mark == "/" and is_comment(self.text, at):
                at = comment_end(self.text, at)
            elif match := NAME.match(self.text, at, end):
                at = match.end()
                if match[0] in (*_TABLES, "figure") and self.text[at : at + 1] == "(":
                    return (
                        self.groups.end(at)
                        if "[" not in self.text[at : self.groups.end(at)]
                        else self.text.index("[", at)
                    )
            else:
                at += 1
        return -1

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _content(self, start: int, end: int) -> str:
        """Return an argument as text on one line: content, a string, or what is in an expression."""
        text = self.text
        value = string(text, start, end)
        if value is not None:
            return value
        if text[start] == "[" and self.groups.end(start) >= end - 1:
            return " ".join(self.inline(start + 1, end - 1).text.split())
        if text[start] in "$`":
            return text[start:end].strip()
        call = parse_call(text, start, self.groups, end)
        if call.name == "image":
            return self._described(call)
        if call.given and call.name not in _SILENT:
            return " ".join(filter(None, (self._content(first, last) for first, last in call.given)))
        piece = text[start:end].strip()
        return self.values.get(piece, piece if piece.replace(".", "", 1).isdigit() else "")

    def _described(self, call: Call) -> str:
        return self._content(*call.named["alt"]) if "alt" in call.named else ""

    def _number(self, call: Call, name: str) -> int:
        start, end = call.named.get(name, (0, 0))
        piece = self.text[start:end].strip()
        return int(piece) if piece.isdigit() and len(piece) < 3 else 0

    def _figure(self, call: Call, at: int, depth: int) -> Iterator[Section]:
        for start, end in call.given:
            inner = parse_call(self.text, start, self.groups, end)
            if self.text[start] == "[":
                yield from self.markup(start + 1, end - 1, depth + 1)
            elif self.text[start] == "`" and (match := _RAW.match(self.text, start)):
                code = self.text[match.end() : end].strip().removesuffix(match[1]).rstrip()
                yield from self.add(f"```{match[2]}\n{code}\n```", start, end, kind="code", language=match[2])
            elif inner.name:
                block = yield from self._call(inner, start, depth + 1)
                if not block:
                    yield from self.add(self._content(start, end), start, end)
        if "caption" in call.named:
            yield from self.add(self._content(*call.named["caption"]), *call.named["caption"], kind="caption")

    def _table(self, call: Call, at: int) -> Iterator[Section]:
        start, end = call.named.get("columns", (0, 0))
        width = self._number(call, "columns")
        if not width and self.text[start : start + 1] == "(":
            width = len(split(self.text, start + 1, min(self.groups.end(start), end), self.groups))
        cells: list[str] = []
        for first, last in call.given:
            inner = parse_call(self.text, first, self.groups, last)
            if inner.name.endswith((".header", ".footer")):
                cells += [self._content(*cell) for cell in inner.given]
            elif inner.name.endswith(".cell"):
                span = max(1, self._number(inner, "colspan"))
                cells += [self._content(first, last), *[""] * min(span - 1, 100)]
            elif not inner.name.endswith((".hline", ".vline")):
                cells.append(self._content(first, last))
        width = max(1, width)
        rows: list[list[str | None]] = [list(cells[row : row + width]) for row in range(0, len(cells), width)]
        table = pipe_table(rows) if width > 1 else "\n\n".join(filter(None, cells))
        yield from self.add(table, at, call.end, kind="table" if width > 1 else "prose")

    def _tell(self, call: Call) -> None:
        """Record what a document, or its template, is told about itself."""
        for name, key in _DESCRIBED.items():
            if name not in call.named:
                continue
            start, end = call.named[name]
            if self.text[start] == "(":
                items = split(self.text, start + 1, min(self.groups.end(start), end), self.groups)
                value: object = [text for item in items if (text := self._person(*item))]
            else:
                value = self._content(start, end)
            self.report.metadata(**{key: value if key != "title" or isinstance(value, str) else ""})
        if "date" in call.named and (
            match := re.search(
                r"year:\s*(\d{4}).*?month:\s*(\d{1,2}).*?day:\s*(\d{1,2})",
                self.text[slice(*call.named["date"])],
                re.DOTALL,
            )
        ):
            self.report.metadata(created=f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}")

    def _person(self, start: int, end: int) -> str:
        """Return an author's name, given as such or as a record."""
        if self.text[start] != "(":
            return self._content(start, end)
        record = Call(name="", end=end)
        arguments(self.text, start + 1, min(self.groups.end(start), end), self.groups, record)
        return self._content(*record.named["name"]) if "name" in record.named else ""
