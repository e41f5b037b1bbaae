"""What stands inside OpenDocument paragraphs: spaces, links, ruby, notes, comments, fields and hidden text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum_formats.opendocument.flow import BREAK, SPACE, TAB, Block, Flow, as_text, link, mark
from gatherum_formats.opendocument.names import attribute, clark, inner_text, number

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.opendocument.walk import Walker

_MOST_SPACES = 64


class Inline:
    """Teach a walker the parts of paragraphs.

    Args:
        walker: Who learns.
    """

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._links: list[tuple[Flow, int]] = []
        self._labels: set[str] = set()
        self._style_name = clark("text:style-name")
        walker.teach(
            {
                "text:s": self._space,
                "text:tab": lambda _: self._piece(TAB),
                "text:line-break": lambda _: self._piece(BREAK),
                "text:span": self._span,
                "text:a": self.link,
                "text:ruby-text": self._ruby,
                "text:note": self._note,
                "text:note-citation": lambda _: True,
                "office:annotation": self._annotation,
                "text:hidden-text": self._hidden_text,
                "text:hidden-paragraph": self._hidden_paragraph,
                "text:variable-set": self._variable,
                "text:user-field-get": self._variable,
            }
        )

    def _piece(self, text: str) -> bool:
        self._walker.piece(text)
        return False

    def _space(self, element: _Element) -> bool:
        return self._piece(SPACE * number(element, "text:c", 1, least=1, most=_MOST_SPACES))

    def _span(self, element: _Element) -> bool:
        if self._walker.styles.hides(element.get(self._style_name)):
            self._conceal(element)
        return False

    def _conceal(self, element: _Element) -> None:
        """Keep what is inside the element that starts now out of its paragraph."""
        self._walker.push(inline=True)
        self._walker.at_end(element, lambda _: self._walker.hide(self._walker.pop()))

    def link(self, element: _Element) -> bool:
        """Write a link with its target behind its text."""
        buffer = self._walker.flow.buffer
        if buffer is None:
            self._walker.piece("")
            buffer = self._walker.flow.buffer or []
        self._links.append((self._walker.flow, len(buffer)))
        self._walker.at_end(element, self._end_link)
        return False

    def _end_link(self, element: _Element) -> None:
        flow, start = self._links.pop()
        target = attribute(element, "xlink:href").strip()
        if flow.buffer is None or flow is not self._walker.flow or not target or target.startswith("#"):
            return
        text = "".join(flow.buffer[start:])
        shown = text.strip(f" \t\r\n{SPACE}{TAB}{BREAK}")
        if not shown:
            if element.tag == clark("draw:a"):
                flow.buffer.append(f"<{target}>")
        elif shown != target.removeprefix("mailto:"):
            before, _, behind = text.partition(shown)
            flow.buffer[start:] = [f"{before}{link(shown, target)}{behind}"]

    def _ruby(self, element: _Element) -> bool:
        self._walker.piece("(")
        self._walker.at_end(element, lambda _: self._walker.piece(")"))
        return False

    def _note(self, element: _Element) -> bool:
        label = self._free_label(inner_text(element.find(clark("text:note-citation"))))
        self._walker.piece(mark(label))
        self._walker.push()
        self._walker.at_end(element, lambda ended: self._end_note(ended, label))
        return False

    def _free_label(self, wanted: str) -> str:
        """Return a note's mark, with a number behind it if another note has it already."""
        wanted = wanted.replace("]", "").replace(" ", "") or str(len(self._labels) + 1)
        label = wanted if wanted not in self._labels else f"{wanted}-{len(self._labels) + 1}"
        self._labels.add(label)
        return label

    def _end_note(self, element: _Element, label: str) -> None:
        text, rest = as_text(self._walker.pop())
        kind = attribute(element, "text:note-class", "footnote")
        note = Block(
            text=f"[^{label}]: {text}",
            kind="endnote" if kind == "endnote" else "footnote",
            layer="notes",
            place=self._walker.place,
        )
        self._walker.emit(note, *rest)

    def _annotation(self, element: _Element) -> bool:
        self._walker.push()
        self._walker.at_end(element, self._end_annotation)
        return False

    def _end_annotation(self, element: _Element) -> None:
        text, rest = as_text(self._walker.pop())
        author = inner_text(element.find(clark("dc:creator")))
        date = inner_text(element.find(clark("dc:date")))[:10]
        by = ", ".join(part for part in (author, date) if part)
        if text:
            text = f"{by}: {text}" if by else text
            self._walker.emit(Block(text=text, kind="comment", layer="annotation", place=self._walker.place))
        self._walker.emit(*rest)

    def _hidden_text(self, element: _Element) -> bool:
        text = inner_text(element) or attribute(element, "text:string-value")
        if attribute(element, "text:is-hidden") == "false":
            self._walker.piece(text)
        elif text:
            self._walker.hide([Block(text=text, place=self._walker.place)])
        return True

    def _hidden_paragraph(self, element: _Element) -> bool:
        if attribute(element, "text:is-hidden") == "true":
            self._walker.flow.veiled = True
        return False

    def _variable(self, element: _Element) -> bool:
        if attribute(element, "text:display") == "none":
            self._conceal(element)
        return False
