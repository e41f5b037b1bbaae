"""Walk a document's tree once, without recursion, and let the rules of its vocabulary say what its elements mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.xmldoc.frame import SKIP, Frame, Leave
from gatherum_formats.xmldoc.source import short_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element

    from gatherum import Section
    from gatherum.document import Kind, Layer

BREAK: Final = "\ufdd0"
"""Stands for a line break that is to be kept; Unicode reserves it for such uses."""
_DEEPEST_LIST: Final = 8
_DEEPEST_QUOTE: Final = 3
_DEEPEST_HEADING: Final = 9
_NESTED: Final = 12
_SPACES: Final = re.compile(rf"\s*{BREAK}\s*")
_LONGEST_TITLE: Final = 2000
_XML_ID: Final = "{http://www.w3.org/XML/1998/namespace}id"


Rule = Callable[["Walk", "_Element"], Leave]


class Walk:
    """A walk through one document.

    Args:
        rules: What the elements mean, by their names.
        default: What all others mean.
        before: The number of lines in front of what was parsed.
    """

    def __init__(self, rules: Mapping[str, Rule], default: Rule, *, before: int = 0) -> None:
        self._rules = rules
        self._default = default
        self._known: dict[str, Rule] = {}
        self._before = before
        self._nested = 0
        self.builder = SectionBuilder()
        self.ready: list[Section] = []
        self.frame = Frame()
        self.kind: Kind = "prose"
        self.layer: Layer = "body"
        self.language: str | None = None
        self.level = 0
        self.line = 1
        self.asides: list[tuple[str, Kind, Layer, int]] = []
        self.later: list[tuple[str, Kind, Layer, int]] = []
        self.note_count = 0
        self.hidden = False
        self.bare = 0
        self.labels: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.done: set[_Element] = set()
        self.facts: dict[str, list[str]] = {}
        self.root: _Element | None = None
        self._targets: dict[str, _Element] | None = None

    def read(self, root: _Element) -> Iterator[Section]:
        """Yield the sections of the document."""
        self.root = root
        for _ in self._events(root):
            if self.ready:
                yield from self.ready
                self.ready.clear()
        self.flush()
        self.asides += self.later
        self.settle()
        yield from self.ready
        yield from self.builder.close()

    def _events(self, root: _Element) -> Iterator[None]:
        """Enter and leave every element in document order."""
        stack: list[_Element | tuple[_Element, Callable[[], None] | None]] = [root]
        known = self._known
        while stack:
            item = stack.pop()
            if isinstance(item, tuple):
                element, undo = item
                if undo is not None:
                    undo()
                    yield
            else:
                element = item
                tag = element.tag
                rule = known.get(tag) if isinstance(tag, str) else None
                if rule is None:
                    rule = self._rule(element)
                leave = rule(self, element)
                if not leave.skip:
                    if element.text:
                        self.frame.inline.append(element.text)
                    if leave.undo is not None or len(element):
                        stack.append((element, leave.undo))
                        stack.extend(element[::-1])
                        continue
            if element.tail and element is not root:
                self.frame.inline.append(element.tail)

    def _rule(self, element: _Element) -> Rule:
        tag = element.tag
        if not isinstance(tag, str):
            return _skipped
        rules = (self._rules.get(name) for name in (short_name(element), *_ancestry(element)))
        rule = self._known[tag] = next(filter(None, rules), self._default)
        return rule

    def place(self, element: _Element) -> int:
        """Return the line in which an element begins."""
        return (element.sourceline or 1) + self._before

    def target(self, ident: str) -> _Element | None:
        """Return the element that has an identifier."""
        if self._targets is None:
            self._targets = {}
            for element in () if self.root is None else self.root.iter():
                found = element.get(_XML_ID) or element.get("id")
                if found:
                    self._targets.setdefault(found, element)
        return self._targets.get(ident)

    def render(self, element: _Element) -> str:
        """Return the content of an element in one line; notes in it are kept for later."""
        if self._nested >= _NESTED:
            return " ".join("".join(map(str, element.itertext())).split())
        blocks = self.collect(element)
        return " ".join(" ".join(blocks).split())

    def title(self, element: _Element) -> str:
        """Return a title in plain words: no links, no marks of code or notes; its notes come after the heading."""
        self.bare += 1
        count = len(self.asides)
        text = self.render(element)
        self.bare -= 1
        self.later += self.asides[count:]
        del self.asides[count:]
        return text

    def collect(self, element: _Element) -> list[str]:
        """Return the blocks in an element, which itself is left out of account."""
        outer, level, line = self.frame, self.level, self.line
        self.frame = Frame(blocks=[])
        self._nested += 1
        self.done.add(element)
        if self._nested < _NESTED:
            if element.text:
                self.frame.inline.append(element.text)
            for child in element:
                for _ in self._events(child):
                    pass
                if child.tail:
                    self.frame.inline.append(child.tail)
        else:
            self.frame.inline.append("".join(map(str, element.itertext())))
        self.flush()
        blocks = self.frame.blocks or []
        self._nested -= 1
        self.frame, self.level, self.line = outer, level, line
        return blocks

    def collect_lines(self, element: _Element) -> str:
        """Return the content of an element with its line breaks and the blanks that indent it."""
        for part in element.iter():
            if part.text:
                part.text = part.text.replace("\n", BREAK)
            if part.tail and part is not element:
                part.tail = part.tail.replace("\n", BREAK)
        return "\n".join(self.collect(element)).replace("\n", BREAK)

    def aside(self, text: str, kind: Kind, layer: Layer, line: int) -> None:
        """Put text of another layer beside the paragraph at hand, after which it comes."""
        self.asides.append((text, kind, layer, line))
        self.hidden = self.hidden or layer == "hidden"
        if self.frame.blocks is None and not self.frame.inline:
            self.settle()

    def open_frame(self) -> Callable[[], list[str]]:
        """Gather what follows apart; return what ends that and gives the blocks."""
        outer, line = self.frame, self.line
        frame = self.frame = Frame(blocks=[])

        def end() -> list[str]:
            self.flush()
            self.frame, self.line = outer, line
            return frame.blocks or []

        return end

    def enter(self, title: str, line: int) -> None:
        """Open a heading one level below the one that is open."""
        self.flush()
        self.level += 1
        if self.frame.blocks is not None:
            self.put(f"**{title}**", flat=title)
            return
        self.settle()
        if len(title) > _LONGEST_TITLE:
            title = title[:_LONGEST_TITLE]
        level = min(self.level, _DEEPEST_HEADING)
        self.ready += self.builder.enter(level, title, locator=Locator.lines(line))
        self.asides, self.later = self.later, []
        self.settle()

    def leave(self, level: int) -> None:
        """Close the headings below *level*."""
        self.flush()
        self.level = level
        if self.frame.blocks is None:
            self.settle()
            self.ready += self.builder.leave(min(level + 1, _DEEPEST_HEADING + 1))

    def say(self, text: str) -> None:
        """Add to the paragraph at hand."""
        self.frame.inline.append(text)

    def flush(self) -> None:
        """End the paragraph at hand."""
        frame = self.frame
        if not frame.inline:
            return
        raw = "".join(frame.inline)
        frame.inline.clear()
        text = " ".join(raw.split())
        alts, frame.alts = frame.alts, []
        if not text.replace(BREAK, "").strip():
            return
        if BREAK in text:
            text = _SPACES.sub("\n", text).strip("\n")
        kind = self.kind
        if alts and text == " ".join(" ".join(alts).split()):
            kind = "alt"
        elif text[0] == "$" == text[-1] and text.count("$") == 2 and len(text) > 2:
            kind = "math"
        self.put(text, kind=kind, end=self.line + raw.strip().count("\n"))

    def put(self, text: str, *, kind: Kind | None = None, flat: str | None = None, end: int = 0) -> None:
        """Put a block: a paragraph, or with *flat* what it is called in a cell, one of another kind."""
        frame, special, separator = self.frame, flat is not None, "\n\n"
        kind = kind or self.kind
        if frame.lead:
            lead, frame.lead = frame.lead, ""
            if special:
                self.put(lead.strip())
            else:
                text = lead + text
        if frame.lists and special and frame.mark:
            self.put("", kind="list", end=end)
        elif frame.lists and not special:
            text, separator = self._item(frame, text)
            kind = "list" if kind in ("prose", "alt", "math") else kind
        if frame.quotes and not special:
            lead = "> " * min(frame.quotes, _DEEPEST_QUOTE)
            text = lead + text.replace("\n", f"\n{lead}")
            kind = "quote" if kind == "prose" else kind
        if frame.blocks is not None:
            frame.blocks.append(flat if flat is not None else text)
            return
        self.ready += self.builder.add(
            text,
            kind=kind,
            layer=self.layer,
            language=self.language,
            locator=Locator.lines(self.line, max(end, self.line)),
            separator=separator,
        )
        self.settle()

    def _item(self, frame: Frame, text: str) -> tuple[str, str]:
        """Mark the first paragraph of an item, and indent the others."""
        indent = "  " * min(len(frame.lists) - 1, _DEEPEST_LIST)
        mark, frame.mark = frame.mark, None
        lead = "  " if mark is None else mark
        hang = "  " if len(lead) > 1 else ""
        first, frame.lists[-1].begun = not frame.lists[-1].begun, True
        separator = "\n" if mark and not (first and len(frame.lists) == 1) else "\n\n"
        return f"{indent}{lead}{text}".replace("\n", f"\n{indent}{hang}"), separator

    def note(self, blocks: list[str], kind: Kind, line: int, label: str = "") -> str:
        """Keep a note until the paragraph at hand has ended; return its mark."""
        if not label:
            self.note_count += 1
            label = str(self.note_count)
        text = "\n\n".join(blocks).replace("\n", "\n  ").replace("\n  \n", "\n\n")
        self.asides.append((f"[^{label}]: {text}", kind, "notes", line))
        return "" if self.bare else f"[^{label}]"

    def settle(self) -> None:
        """Put what stands beside the paragraph that has ended: notes, remarks."""
        if self.asides and self.frame.blocks is None:
            for text, kind, layer, line in self.asides:
                self.ready += self.builder.add(text, kind=kind, layer=layer, locator=Locator.lines(line))
            self.asides.clear()

    def fact(self, name: str, text: str) -> None:
        """Remember what the document says about itself."""
        text = " ".join(text.split())
        if text:
            self.facts.setdefault(name, []).append(text)


def _ancestry(element: _Element) -> list[str]:
    """Return what an element specialises, nearest first, where its class says so as DITA's do."""
    given = element.get("class") or ""
    return [part.rpartition("/")[2] for part in reversed(given.split()[1:20])] if given[:1] in ("-", "+") else []


def _skipped(walk: Walk, element: _Element) -> Leave:
    return SKIP
