"""Walk OpenDocument content once, start to end, without recursion, and give its blocks in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum_formats.opendocument.flow import Block, Flow, as_layer, finished
from gatherum_formats.opendocument.lists import BULLET, Run, names_its_numbers
from gatherum_formats.opendocument.names import attribute, clark, inner_text, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lxml.etree import _Element

    from gatherum import Report
    from gatherum.document import Kind
    from gatherum_formats.opendocument.lists import ListStyle
    from gatherum_formats.opendocument.styles import ParagraphStyle, Styles

    Start = Callable[[_Element], bool]
    End = Callable[[_Element], None]

_MOST_INDENTS = 20
_LONGEST = 400  # a paragraph longer than this is no heading, whatever its style


class Walker:
    """Turn elements into blocks.

    It knows paragraphs; others `teach` it the rest. Elements that nobody knows are looked through.

    Args:
        styles: The styles in force.
        report: Told of hidden text and of parts that cannot be read.

    Attributes:
        styles: The styles in force.
        report: Told of hidden text and of parts that cannot be read.
        flow: The innermost flow.
        place: The number of the paragraph at hand.
        indexes: How many tables of contents and the like are open.
        title: The text of the first paragraph in the style Title.
    """

    def __init__(self, styles: Styles, report: Report) -> None:
        self.styles = styles
        self.report = report
        self.flow = Flow(counted=True)
        self.place = 0
        self.indexes = 0
        self.title = ""
        self._flows = [self.flow]
        self._starts: dict[str, Start] = {}
        self._ends: list[tuple[_Element, End]] = []
        self._inner: list[tuple[_Element, Callable[[], None]]] = []
        self._headings = Run()
        self._style_name = clark("text:style-name")
        self._heading_tag = clark("text:h")
        self.teach({"text:p": self._open_paragraph, "text:h": self._open_paragraph})

    def teach(self, starts: Mapping[str, Start]) -> None:
        """Learn what to do at the start of elements, by prefixed name; True leaves out what is inside."""
        self._starts.update((clark(name), start) for name, start in starts.items())

    def blocks(self, root: _Element) -> Iterator[Block]:
        """Yield the blocks of an element, each as soon as it is complete."""
        from lxml import etree

        outermost, ends, starts, inner = self.flow, self._ends, self._starts, self._inner
        walks: list[tuple[etree.iterwalk[tuple[str, _Element]], Callable[[], None] | None]] = []
        walks.append((etree.iterwalk(root, events=("start", "end")), None))
        while walks:
            walk, after = walks[-1]
            for event, element in walk:
                if event == "start":
                    start = starts.get(element.tag)  # type: ignore[arg-type]  # never anything but str here
                    if start is not None and start(element):
                        walk.skip_subtree()
                        text = None
                    else:
                        text = element.text
                else:
                    while ends and ends[-1][0] is element:
                        ends.pop()[1](element)
                    if outermost.blocks and self.flow is outermost:
                        yield from outermost.blocks
                        outermost.blocks.clear()
                    text = element.tail if element is not root else None
                if text:
                    if (buffer := self.flow.buffer) is not None:
                        buffer.append(text)
                    elif not text.isspace():
                        self.piece(text)
                if inner:
                    tree, then = inner.pop()
                    walks.append((etree.iterwalk(tree, events=("start", "end")), then))
                    break
            else:
                walks.pop()
                if after is not None:
                    after()
        self._close_paragraph()
        outermost.end_code()
        yield from outermost.blocks
        outermost.blocks.clear()

    def at_end(self, element: _Element, end: End) -> None:
        """Have *end* called at the end of the element that starts now."""
        self._ends.append((element, end))

    def enter(self, root: _Element, after: Callable[[], None]) -> None:
        """Walk another tree next, inside the element that starts now, then call *after*."""
        self._inner.append((root, after))

    def push(self, *, inline: bool = False, counted: bool = False) -> None:
        """Begin a flow inside the one at hand, *inline* for a part of a paragraph."""
        self.flow = Flow(counted=counted and self.flow.counted)
        self._flows.append(self.flow)
        if inline:
            self.flow.buffer = []

    def pop(self) -> list[Block]:
        """End the flow at hand and return its blocks."""
        self._close_paragraph()
        flow = self._flows.pop()
        flow.end_code()
        self.flow = self._flows[-1]
        return flow.blocks

    def emit(self, *blocks: Block) -> None:
        """Put blocks behind the open paragraph, or here if none is open."""
        if self.flow.buffer is not None:
            self.flow.after.extend(blocks)
        else:
            self.flow.end_code()
            self.flow.blocks.extend(blocks)

    def hide(self, blocks: Iterable[Block]) -> None:
        """Put blocks on the hidden layer, and say so."""
        hidden = as_layer(blocks, "hidden")
        if hidden:
            self.report.problem("hidden_text", "the document has text that is not shown")
            self.emit(*hidden)

    def piece(self, text: str) -> None:
        """Add text to the open paragraph; where none is open, begin one."""
        if self.flow.buffer is None:
            self.flow.buffer, self.flow.owner = [], None
        self.flow.buffer.append(text)

    def _open_paragraph(self, element: _Element) -> bool:
        flow = self.flow
        if flow.buffer is not None:
            self._close_paragraph()
        if flow.counted:
            self.place += 1
        flow.buffer, flow.owner = [], element
        self._ends.append((element, self._close_paragraph))
        return False

    def _close_paragraph(self, _: _Element | None = None) -> None:
        flow = self.flow
        pieces, owner, veiled = flow.buffer, flow.owner, flow.veiled
        if pieces is None:
            return
        flow.buffer, flow.owner, flow.veiled = None, None, False
        style = self.styles.paragraph(owner.get(self._style_name) if owner is not None else None)
        level = 0 if flow.lists or self.indexes or style.kind != "prose" else style.level
        if owner is not None and owner.tag == self._heading_tag and not self.indexes:
            level = number(owner, "text:outline-level", 1, least=1, most=9)
        text, alone = finished(pieces, title=level > 0) if pieces else ("", None)
        if style.hidden or veiled:
            self.hide([Block(text=text.strip(), place=self.place)] if text.strip() else [])
        elif owner is not None and level and not alone and len(text) <= _LONGEST:
            self._heading(owner, text.strip(), level)
        elif flow.lists and not self.indexes:
            self._item(text.strip())
        elif style.kind == "code" and not self.indexes:
            flow.add_code(text, self.place)
        elif text := text.strip():
            self._plain(text, alone, style)
        if flow.after:
            after, flow.after = flow.after, []
            self.emit(*after)

    def _plain(self, text: str, alone: Kind | None, style: ParagraphStyle) -> None:
        kind = alone or style.kind
        if self.indexes:
            block = Block(text=text, kind="toc", layer="furniture", separator="\n", place=self.place)
        else:
            if kind == "quote":
                text = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
            block = Block(text=text, kind=kind, place=self.place)
        if style.title and not self.title:
            self.title = text
        self.flow.add(block)

    def _heading(self, owner: _Element, text: str, level: int) -> None:
        flow = self.flow
        if flow.lists:
            label, style = flow.lists[-1].label() or "", flow.lists[-1].style
        else:
            label, style = self._heading_number(owner, level)
        if text:
            if label.startswith(BULLET):
                label = ""
            elif label and names_its_numbers(style):
                text, label = f"{label} {text}", ""
            flow.titled = True
            flow.add(Block(text=text, level=level, number=label, place=self.place))

    def _heading_number(self, owner: _Element, level: int) -> tuple[str, ListStyle]:
        """Return a heading's number as the numbering of the outline gives it, "" if it has none; and that numbering."""
        outline = self.styles.outline
        if owner.tag != self._heading_tag or attribute(owner, "text:is-list-header") == "true":
            return "", outline
        given = inner_text(owner.find(clark("text:number")))
        own_list = self.styles.paragraph(owner.get(self._style_name)).list_style
        if own_list is not None and own_list != self.styles.outline_name:
            return given, self.styles.list_style(own_list)
        restart = attribute(owner, "text:restart-numbering") == "true"
        start = number(owner, "text:start-value", 1, most=10**9) if restart else None
        return given or self._headings.advance(outline, level, start), outline

    def _item(self, text: str) -> None:
        """Add a paragraph of a list: its first with the label, others below it."""
        lists = self.flow.lists
        label = lists[-1].label()
        if not text:
            return
        indent = "  " * min(len(lists) - 1, _MOST_INDENTS)
        text = text.replace("\n", f"\n{indent}  ")
        text = f"{indent}  {text}" if label is None else f"{indent}{label or BULLET} {text}"
        self.flow.add(Block(text=text, kind="list", separator="\n", place=self.place))
