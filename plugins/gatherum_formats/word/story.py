"""Walk the story of a Word part: paragraphs, tables, content controls and what hangs on them, in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gatherum_formats.word.block import Block, shaped, traits_of
from gatherum_formats.word.graphics import Attached, alternative, plain_text
from gatherum_formats.word.inline import LineReader
from gatherum_formats.word.parts import MC, R, W
from gatherum_formats.word.tables import flat, grid, table_rows, table_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from gatherum import Report
    from gatherum.document import Kind
    from gatherum_formats.word.notes import Notes
    from gatherum_formats.word.numbering import Numbering
    from gatherum_formats.word.parts import Parts
    from gatherum_formats.word.styles import Styles

_DEEPEST: Final = 40
"""Tables and boxes inside each other beyond this depth are read as plain text."""
_MOST: Final = 200
"""Documents inside one document."""
_P, _TBL = f"{W}p", f"{W}tbl"
_BLOCKS: Final = frozenset((_P, _TBL))
_INITIAL: Final = 3
"""Letters of an initial that reaches over several lines; it stands in a paragraph of its own."""
_SKIPPED: Final = frozenset(
    W + name for name in ("del", "moveFrom", "sectPr", "sdtPr", "sdtEndPr", "tblPr", "tcPr", "customXmlPr", "pPr")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What all stories of one document share."""

    parts: Parts
    report: Report
    styles: Styles
    numbering: Numbering
    notes: Notes
    stories: dict[str, Story] = field(default_factory=dict)

    def story(self, part: str) -> Story:
        """Return the story of a part, always the same one."""
        if part not in self.stories:
            self.stories[part] = Story(self, part)
        return self.stories[part]


class Story:
    """The text of one part: the body, a header, the footnotes.

    Args:
        context: What it shares with the other stories.
        part: The part's name.
    """

    def __init__(self, context: Context, part: str) -> None:
        self._context = context
        self._part = part
        self._edges = context.parts.relationships(part)
        self._reader = LineReader(context.styles, self._edges, context.notes.refer)
        self.position = 0
        """The paragraph or table that is being read, counted from 1."""
        self._cells = self._children = 0
        self._initial = ""
        self.title = ""
        """The text of the first paragraph in the style Title."""

    def blocks(self, container: Iterable[_Element], depth: int = 0) -> Iterator[Block]:
        """Yield what stands in a container of paragraphs and tables."""
        stack: list[tuple[Iterator[_Element], bool]] = [(iter(container), False)]
        while stack:
            children, contents = stack[-1]
            for child in children:
                tag = child.tag
                if tag in _BLOCKS:
                    self.position += not depth
                    if not len(child):
                        continue
                    yield from self._paragraph(child, depth, contents) if tag == _P else self._table(child, depth)
                elif tag in _SKIPPED:
                    continue
                elif tag == f"{W}altChunk":
                    self.position += not depth
                    yield from self._chunk(child)
                elif tag == f"{MC}AlternateContent":
                    chosen = alternative(child)
                    if chosen is not None:
                        stack.append((iter(chosen), contents))
                        break
                elif tag == f"{W}subDoc":
                    self._context.report.problem("missing_part", f"{self._part} includes a document outside the file")
                elif len(child):
                    stack.append((iter(child), contents or _is_contents(child)))
                    break
            else:
                stack.pop()
        if self._initial:
            text, self._initial = self._initial, ""
            yield Block(text=text)

    def _paragraph(self, paragraph: _Element, depth: int, contents: bool) -> Iterator[Block]:
        context = self._context
        traits = traits_of(paragraph, context.styles)
        role, number = traits.style.role, traits.number
        plain = bool(traits.level) or role in ("code", "toc", "title") or contents or self._reader.in_contents
        line = self._reader.read(paragraph, plain=plain, hidden=traits.style.hidden)
        text = line.text.rstrip() if role == "code" else line.text.strip()
        counted = number not in ("", "0") and (text or not (line.hidden or _is_deleted(paragraph)))
        label = context.numbering.label(number, traits.depth) if counted else ""
        if 0 < len(text) <= _INITIAL and _is_initial(paragraph):
            self._initial += text
        elif role == "code" and not traits.level:
            yield Block(text=text, kind="code")
        elif text:
            text, self._initial = self._initial + text, ""
            if role == "title" and not traits.level:
                self.title = self.title or text
            named = bool(traits.level and label) and context.numbering.is_named(number)
            contents = contents or line.contents
            yield shaped(text, traits, label=label, named=named, contents=contents, alone=line.alone)
        if hidden := line.hidden.strip():
            yield self._hidden(hidden)
        for item in line.attached:
            yield from self._attached(item, depth)

    def _hidden(self, text: str) -> Block:
        self._context.report.problem("hidden_text", "some of the text is formatted so that nobody sees it")
        return Block(text=text, layer="hidden")

    def _attached(self, item: Attached, depth: int) -> Iterator[Block]:
        if item.what in ("footnote", "endnote", "comment"):
            yield from self.note(item, depth)
        elif item.what == "box":
            yield from self._inner(item.element, depth)
        elif item.what == "object":
            yield from self._object(item.element)
        else:
            yield from self._picture(item)

    def note(self, item: Attached, depth: int = 0) -> Iterator[Block]:
        """Yield a footnote, an endnote or a comment, read from its own part, and the hidden text in it."""
        story = self._context.story(self._context.notes.part[item.what])
        pieces: list[str] = []
        before = ""
        for block in story._inner(item.element, depth):
            if block.layer == "hidden" or block.child is not None:
                yield block
            elif block.text.strip():
                pieces += ["\n" if block.kind == before == "list" else "\n\n", block.text]
                before = block.kind
        text = "".join(pieces).strip()
        if item.what == "comment":
            who = ", ".join(filter(None, (item.element.get(f"{W}author"), (item.element.get(f"{W}date") or "")[:10])))
            yield Block(text=f"{who}: {text}" if who and text else text, kind="comment", layer="annotation")
        elif text:
            kind: Kind = "footnote" if item.what == "footnote" else "endnote"
            yield Block(text=f"[^{item.mark}]: {text}", kind=kind, layer="notes")

    def _inner(self, element: _Element, depth: int) -> Iterator[Block]:
        if depth >= _DEEPEST:
            if text := plain_text(element):
                yield Block(text=text)
            return
        yield from self.blocks([element] if element.tag in _BLOCKS else element, depth + 1)

    def _picture(self, item: Attached) -> Iterator[Block]:
        """Read a chart or a diagram from its own part."""
        from gatherum_formats.shared.drawing import diagram_text, read_chart

        identity = item.element.get(f"{R}id") or item.element.get(f"{R}dm") or ""
        edge = self._edges.get(identity)
        root = self._context.parts.xml(edge.target) if edge is not None and not edge.external else None
        if root is None:
            self._context.report.problem("missing_part", f"a {item.what} in {self._part} is not in the file")
        elif item.what == "chart":
            chart = read_chart(root)
            yield Block(text=chart.caption, kind="caption")
            yield Block(text=chart.table, kind="table")
            yield Block(text=chart.labels)
        else:
            yield Block(text=diagram_text(root), kind="list")

    def _object(self, element: _Element) -> Iterator[Block]:
        """Read an embedded document of a format that Word itself writes."""
        edge = self._edges.get(element.get(f"{R}id") or "")
        if edge is not None and not edge.external and edge.target.lower().endswith((".docx", ".docm", ".pptx")):
            yield from self._document(edge.target)

    def _chunk(self, element: _Element) -> Iterator[Block]:
        edge = self._edges.get(element.get(f"{R}id") or "")
        if edge is None or edge.external:
            self._context.report.problem("missing_part", f"an included document in {self._part} is not in the file")
        else:
            yield from self._document(edge.target)

    def _document(self, part: str) -> Iterator[Block]:
        if part not in self._context.parts:
            self._context.report.problem("missing_part", f"an included document in {self._part} is not in the file")
            return
        self._children += 1
        if self._children > _MOST:
            self._context.report.problem(
                "too_large", f"more than {_MOST} documents are included; the rest was left out"
            )
            return
        data, name = self._context.parts.read(part), part.rpartition("/")[2]
        if data:
            yield Block(text=name, child=data)

    def _table(self, table: _Element, depth: int) -> Iterator[Block]:
        every = table_rows(table)
        rows = [row for row in every if not row.hidden]
        if (len(rows) == 1 and len(rows[0].cells) == 1) or self._is_layout(table):
            for row in rows:
                for cell in row.cells:
                    yield from self._inner(cell.element, depth)
            return
        after: list[Block] = []
        yield from _table_description(table)
        self._cells += 1
        lines = grid(rows, lambda cell: self._cell(cell, depth, after))
        self._cells -= 1
        yield Block(text=flat(lines) if self._cells else table_text(lines), kind="table")
        yield from after
        if hidden := "\n\n".join([plain_text(cell.element) for row in every if row.hidden for cell in row.cells]):
            yield self._hidden(hidden)

    def _is_layout(self, table: _Element) -> bool:
        """Return whether a table only places text on the page: some cell has a heading with text below it."""
        styles = self._context.styles
        for trait in table.iter(f"{W}pStyle", f"{W}outlineLvl"):
            properties = trait.getparent()
            paragraph = properties.getparent() if properties is not None else None
            if paragraph is None or paragraph.tag != _P or not traits_of(paragraph, styles).level:
                continue
            if next(paragraph.iter(f"{W}t"), None) is None:
                continue
            for below in paragraph.itersiblings(_P, _TBL):
                if next(below.iter(f"{W}t"), None) is not None:
                    if below.tag == _TBL or not traits_of(below, styles).level:
                        return True
                    break
        return False

    def _cell(self, cell: _Element, depth: int, after: list[Block]) -> str:
        """Return the text of a cell; what does not belong in it, such as notes, joins *after*."""
        texts = []
        for block in self._inner(cell, depth):
            if block.layer == "body" and block.child is None:
                texts.append(block.text.strip())
            else:
                after.append(block)
        return "\n\n".join([text for text in texts if text])


def _table_description(table: _Element) -> Iterator[Block]:
    for found in table.iterfind(f"{W}tblPr/*"):
        if found.tag in (f"{W}tblCaption", f"{W}tblDescription") and (text := (found.get(f"{W}val") or "").strip()):
            yield Block(text=text, kind="alt")


def _is_initial(paragraph: _Element) -> bool:
    frame = paragraph.find(f"{W}pPr/{W}framePr")
    return frame is not None and frame.get(f"{W}dropCap") in ("drop", "margin")


def _is_deleted(paragraph: _Element) -> bool:
    """Return whether the mark that ends a paragraph is deleted, and with it the paragraph."""
    marks = paragraph.find(f"{W}pPr/{W}rPr")
    return marks is not None and next(marks.iterchildren(f"{W}del", f"{W}moveFrom"), None) is not None


def _is_contents(control: _Element) -> bool:
    """Return whether a content control holds a table of contents that Word made."""
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return gallery is not None and gallery.get(f"{W}val") == "Table of Contents"
