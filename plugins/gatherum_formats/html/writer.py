"""How text met on the way through a page becomes blocks: paragraphs, runs of them, headings, code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum_formats.html.blocks import BREAK, Block
from gatherum_formats.shared.fence import fenced

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum.document import Kind, Layer
    from gatherum_formats.html.lists import OpenList
    from gatherum_formats.html.table import Table

    Undo = Callable[[], None]

_DEEPEST_LIST: Final = 8
_DEEPEST_QUOTE: Final = 3
_LONGEST_HEADING: Final = 1000
_PERMALINKS: Final = "¶§#🔗 \u200b"


@dataclass(slots=True, kw_only=True)
class Flow:
    """What belongs to one stream of text; a table cell or a note has its own.

    Attributes:
        sink: Where finished blocks go.
        inline: The pieces of the paragraph at hand.
        turn: Counts paragraphs, so that a mark in ``inline`` can be told to be stale.
        alts: The alternative texts among the pieces.
        controls: Whether form controls are among them.
        after: Blocks that follow the paragraph: notes referred to, text hidden inside it.
        solid: ``pre`` or ``heading`` while text is held together across blocks.
        lists: The lists that are open.
        mark: The mark of the list item at hand, until its first text is said.
        joined: Whether the next item continues a list that has begun.
        quotes: Depth of quotations.
        tables: The tables that are open.
    """

    sink: list[Block]
    inline: list[str] = field(default_factory=list)
    turn: int = 0
    alts: list[str] = field(default_factory=list)
    controls: bool = False
    after: list[Block] = field(default_factory=list)
    solid: str = ""
    lists: list[OpenList] = field(default_factory=list)
    mark: str | None = None
    joined: bool = False
    quotes: int = 0
    tables: list[Table] = field(default_factory=list)


class Writer:
    """Gather the text of a page into blocks; what it belongs to is set by those who read the page.

    Attributes:
        blocks: What has been finished of the page's main stream.
        line: The line that is being read.
        flow: The stream of text at hand.
        inline: The pieces of its paragraph, as in ``flow``.
        layer: Who the text is for.
        kind: What it is, unless something more special.
        lang: Its language, where that is not the page's.
        ident: The identifier of the part that begins here, for the next heading.
        code: The language of the code at hand.
        level: The rank of the heading at hand.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.line = 1
        self.flow = Flow(sink=self.blocks)
        self.inline = self.flow.inline
        self.layer: Layer = "body"
        self.kind: Kind = "prose"
        self.lang: str | None = None
        self.ident = self.code = ""
        self.level = 0
        self._first = 1
        self._run: list[str] = []
        self._run_of: tuple[Kind, Layer, str | None] = ("prose", "body", None)
        self._run_first = self._run_last = 1

    def divert(self, sink: list[Block], tables: list[Table] | None = None) -> Undo:
        """Gather what follows in *sink*, inside *tables*; return what ends that."""
        self.flush()
        outer = self.flow
        self.flow = Flow(sink=sink, tables=[] if tables is None else tables)
        self.inline = self.flow.inline

        def undo() -> None:
            self.end_block()
            self.flush()
            self.flow = outer
            self.inline = outer.inline

        return undo

    def say(self, text: str) -> None:
        """Say a paragraph."""
        flow, kind, separator = self.flow, self.kind, "\n\n"
        if flow.alts:
            if text == " ".join(" ".join(flow.alts).split()):
                kind = "alt"
            flow.alts.clear()
        elif text[0] == "$" == text[-1] and text.count("$") == 2 and len(text) > 2:
            kind = "math"
        if flow.controls:
            kind, flow.controls = "form", False
        if BREAK in text:
            text = "\n".join(line for part in text.split(BREAK) if (line := part.strip()))
            if not text:
                return
        if flow.lists or flow.mark is not None:
            indent = "  " * min(len(flow.lists) - 1, _DEEPEST_LIST)
            mark = flow.mark
            lead = "  " if mark is None else mark
            hang = "  " if len(lead) > 1 else ""
            text = f"{indent}{lead}{text}".replace("\n", f"\n{indent}{hang}")
            if mark is not None and flow.joined and mark:
                separator = "\n"
            kind, flow.mark, flow.joined = "list", None, True
        if flow.quotes:
            lead = "> " * min(flow.quotes, _DEEPEST_QUOTE)
            text = lead + text.replace("\n", f"\n{lead}")
            kind = "quote" if kind == "prose" else kind
        self.put(text, kind, separator)

    def put(self, text: str, kind: Kind, separator: str = "\n\n") -> None:
        """Join a paragraph to those before it, if they are of one kind."""
        of = (kind, self.layer, self.lang)
        if self._run and of == self._run_of:
            self._run.append(separator)
        else:
            self.flush()
            self._run_of, self._run_first = of, self._first
        self._run.append(text)
        self._run_last = self.line
        self.ident = ""

    def place(self, kind: Kind, text: str, flat: str = "", *, first: int = 0) -> None:
        """Put a block of its own: code, a table."""
        self.flush()
        block = Block(
            kind=kind,
            text=text,
            flat=flat,
            layer=self.layer,
            language=self.lang,
            first=first or self._first,
            last=self.line,
        )
        self.flow.sink.append(block)
        self.ident, self.flow.mark = "", None

    def post(self, block: Block) -> None:
        """Put a heading, an anchor or a reference."""
        self.flush()
        self.flow.sink.append(block)

    def flush(self) -> None:
        """Finish the block at hand."""
        if self._run:
            kind, layer, language = self._run_of
            text = "".join(self._run)
            self._run = []
            self.flow.sink.append(
                Block(
                    kind=kind,
                    text=text,
                    layer=layer,
                    language=language,
                    first=self._run_first,
                    last=self._run_last,
                )
            )

    def end_block(self) -> None:
        """End the paragraph at hand, unless it is held together."""
        flow, parts = self.flow, self.inline
        if flow.solid:
            if flow.solid == "heading":
                parts.append(" ")
            elif parts and not parts[-1].endswith(("\n", BREAK)):
                parts.append("\n")
            return
        if parts:
            text = " ".join("".join(parts).split())
            parts.clear()
            flow.turn += 1
            if "\xad" in text:
                text = text.replace("\xad", "")
            if text:
                self.say(text)
        if flow.after:
            self.flush()
            flow.sink += flow.after
            flow.after.clear()
        self._first = self.line

    def end_heading(self) -> None:
        """End the heading that is open, if one is."""
        flow = self.flow
        if flow.solid != "heading":
            return
        text = " ".join("".join(self.inline).replace(BREAK, " ").replace("\xad", "").split()).rstrip(_PERMALINKS)
        self.inline.clear()
        flow.alts.clear()
        flow.turn += 1
        flow.solid, flow.controls = "", False
        if len(text) > _LONGEST_HEADING:
            self.say(text)
        elif text:
            self.post(
                Block(
                    kind="heading",
                    text=text,
                    level=self.level,
                    layer=self.layer,
                    anchor=self.ident,
                    first=self._first,
                    last=self.line,
                )
            )
        self.ident = ""
        self.end_block()

    def end_pre(self) -> None:
        """End the block of code that is open, if one is."""
        flow = self.flow
        if flow.solid != "pre":
            return
        text = "".join(self.inline).replace(BREAK, "\n").strip("\n").rstrip()
        self.inline.clear()
        flow.alts.clear()
        flow.turn += 1
        flow.solid, flow.controls = "", False
        if text:
            self.place("code", fenced(text, self.code), text)
        self.code = ""
        self.end_block()
