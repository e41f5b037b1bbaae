"""The text of one Word paragraph: runs, links, fields, symbols, formulas, and what hangs on them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from gatherum.limits import local_name
from gatherum_formats.shared.omml import omml_to_tex
from gatherum_formats.word.fields import Field, equation, form_value, internal, is_contents, link_target
from gatherum_formats.word.graphics import Attached, alternative, graphic, plain_text
from gatherum_formats.word.numbering import is_on
from gatherum_formats.word.parts import MC, M, R, W
from gatherum_formats.word.symbols import symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lxml.etree import _Element

    from gatherum_formats.shared.opc import Relationship
    from gatherum_formats.word.styles import Styles

_T, _R, _RPR, _FIELD_CHAR = f"{W}t", f"{W}r", f"{W}rPr", f"{W}fldChar"
_ALTERNATIVES: Final = f"{MC}AlternateContent"
_SHOWING: Final = (f"{W}vanish", f"{W}vertAlign", f"{W}sz", f"{W}rStyle")
_SPECKS: Final = ("0", "1", "2")
"""Sizes in half points at which nobody can read."""
_SIGNS: Final = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_SILENT: Final = frozenset(
    W + name
    for name in (
        *("pPr", "rPr", "sdtPr", "sdtEndPr", "rubyPr", "fldData", "smartTagPr", "customXmlPr", "sectPr"),
        *("footnoteRef", "endnoteRef", "annotationRef", "separator", "continuationSeparator", "proofErr"),
        *("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "permStart", "permEnd"),
        *("lastRenderedPageBreak", "softHyphen", "delText", "delInstrText"),
    )
)
_RAISED: Final = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED: Final = str.maketrans("0123456789+-−=()n", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ")
_SCRIPT: Final = re.compile(r"\s*[0-9+\-−=()n]+\s*")
_PRIVATE: Final = re.compile("[\uf020-\uf0ff]")
_DEEPEST: Final = 32
"""Fields that may be open at a time; those further in are passed over."""
_SPACED_URL: Final = re.compile(r"[\s()<>]")


@dataclass(slots=True, kw_only=True)
class Line:
    """What one paragraph says.

    Attributes:
        text: What readers see, with links, formulas and note marks.
        hidden: What they do not see.
        alone: What the paragraph is made of, if of nothing else.
        contents: Whether it is part of a table of contents.
        attached: What follows it: notes, comments, text boxes, charts.
    """

    text: str
    hidden: str = ""
    alone: Literal["", "alt", "math"] = ""
    contents: bool = False
    attached: list[Attached] = field(default_factory=list)


class LineReader:
    """Reads the paragraphs of one part, in order: fields may reach over several of them.

    Args:
        styles: The styles of the document.
        edges: The relationships of the part.
        refer: Gives the mark of a footnote or endnote and, the first time, the note; for comments only that.
    """

    def __init__(
        self,
        styles: Styles,
        edges: Mapping[str, Relationship],
        refer: Callable[[str, str], tuple[str, _Element | None]],
    ) -> None:
        self._styles, self._edges, self._refer = styles, edges, refer
        self._fields: list[Field] = []
        self._deeper = 0
        self._muted = self._plain = self._contents = False
        self._out: list[str] = []
        self._hidden: list[str] = []
        self._alone: list[str] = []
        self._attached: list[Attached] = []
        self._rules: dict[str, Callable[[_Element], None]] = {
            _FIELD_CHAR: self._field_char,
            f"{W}instrText": self._instruction,
            f"{W}sym": self._symbol,
            f"{W}ruby": self._ruby,
            f"{W}footnoteReference": self._note,
            f"{W}endnoteReference": self._note,
            f"{W}commentReference": self._note,
            f"{M}oMath": self._math,
            f"{M}oMathPara": self._math,
            f"{W}drawing": self._graphic,
            f"{W}pict": self._graphic,
            f"{W}object": self._graphic,
            f"{W}del": self._deleted,
            f"{W}moveFrom": self._deleted,
            f"{W}tbl": self._blocks,
            f"{W}p": self._blocks,
            f"{W}txbxContent": self._blocks,
        }

    @property
    def in_contents(self) -> bool:
        """Whether a table of contents is open between two paragraphs."""
        return bool(self._fields) and any(is_contents(one.instruction) for one in self._fields)

    def read(self, paragraph: _Element, *, plain: bool = False, hidden: bool = False) -> Line:
        """Return what a paragraph says.

        Args:
            paragraph: A ``w:p``.
            plain: Without links and note marks, as in headings and code.
            hidden: Whether its style hides it.
        """
        self._out, self._hidden, self._alone, self._attached = [], [], [], []
        self._plain, self._contents = plain, False
        for one in self._fields:
            one.mark = 0 if one.target else -1
        self._walk(paragraph, hidden)
        if self._fields:
            self._end_paragraph()
        text = "".join(self._out)
        if _PRIVATE.search(text):
            text = _PRIVATE.sub(lambda match: symbol(ord(match[0]), "Symbol"), text)
        line = Line(text=text, hidden="".join(self._hidden), contents=self._contents, attached=self._attached)
        if self._alone and " ".join(text.split()) == " ".join("".join(self._alone).split()):
            line.alone = "math" if "$$" in text[:3] else "alt"
        return line

    def _walk(self, paragraph: _Element, hidden: bool) -> None:
        stack: list[tuple[Iterator[_Element], int, str]] = [(iter(paragraph), -1, "")]
        rules = self._rules
        while stack:
            children, mark, target = stack[-1]
            for child in children:
                tag = child.tag
                if tag == _R:
                    self._run(child, hidden)
                elif tag in _SILENT:
                    continue
                elif tag in rules:
                    rules[tag](child)
                elif tag == _T:
                    self._put(child.text or "", False)
                elif tag == _ALTERNATIVES:
                    chosen = alternative(child)
                    if chosen is not None:
                        stack.append((iter(chosen), -1, ""))
                        break
                elif len(child):
                    link = "" if self._plain else self._link(child)
                    stack.append((iter(child), len(self._out) if link else -1, link))
                    break
            else:
                stack.pop()
                if target:
                    self._close_link(mark, target)

    def _run(self, run: _Element, hidden: bool) -> None:
        script: dict[int, int] | None = None
        out = self._out
        for child in run:
            tag = child.tag
            if tag == _T:
                text = child.text
                if not text or self._muted:
                    continue
                if "\n" in text:
                    text = text.replace("\n", " ")
                if script and _SCRIPT.fullmatch(text):
                    text = text.translate(script)
                (self._hidden if hidden else out).append(text)
            elif tag == _RPR:
                for trait in child.iterchildren(*_SHOWING):
                    value = trait.get(f"{W}val")
                    if trait.tag == _SHOWING[0]:
                        hidden = is_on(trait)
                    elif trait.tag == _SHOWING[1]:
                        script = _RAISED if value == "superscript" else _LOWERED if value == "subscript" else None
                    elif trait.tag == _SHOWING[2]:
                        hidden = hidden or value in _SPECKS
                    elif self._styles[value or ""].hidden:
                        hidden = True
            elif tag in _SIGNS:
                self._put(_SIGNS[tag], hidden)
            elif tag in _SILENT:
                continue
            elif hidden and tag not in (_FIELD_CHAR, f"{W}instrText"):
                self._hidden.append(plain_text(child))
            elif tag in self._rules:
                self._rules[tag](child)
            elif tag == _ALTERNATIVES and run.tag == _R:
                chosen = alternative(child)
                if chosen is not None:
                    self._run(chosen, hidden)
            elif len(child):
                self._graphic(child)

    def _put(self, text: str, hidden: bool) -> None:
        if not self._muted:
            (self._hidden if hidden else self._out).append(text)

    def _link(self, element: _Element) -> str:
        """Return where a ``w:hyperlink`` or a simple field leads; "" if nowhere."""
        if element.tag == f"{W}fldSimple":
            return link_target(element.get(f"{W}instr") or "")
        if element.tag != f"{W}hyperlink":
            return ""
        edge = self._edges.get(element.get(f"{R}id") or "")
        anchor = element.get(f"{W}anchor") or ""
        if edge is None or not edge.external:
            return internal(anchor)
        return f"{edge.target}#{anchor}" if anchor and "#" not in edge.target else edge.target

    def _close_link(self, mark: int, target: str) -> None:
        text = "".join(self._out[mark:])
        label = " ".join(text.split())
        if not label or "](" in label or label == target or target.removeprefix("mailto:") == label:
            return
        url = f"<{target}>" if _SPACED_URL.search(target) else target
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        self._out[mark:] = [f"{before}[{label}]({url}){after}"]

    def _field_char(self, element: _Element) -> None:
        kind = element.get(f"{W}fldCharType")
        if self._deeper or (kind == "begin" and len(self._fields) >= _DEEPEST):
            self._deeper += {"begin": 1, "end": -1}.get(kind or "", 0)
        elif kind == "begin":
            data = element.find(f"{W}ffData")
            self._fields.append(Field(form=form_value(data) if data is not None else ""))
        elif self._fields and kind == "separate":
            opened = self._fields[-1]
            opened.shown = True
            opened.target = "" if self._plain else link_target(opened.instruction)
            opened.mark = len(self._out) if opened.target else -1
        elif self._fields and kind == "end":
            closed = self._fields.pop()
            self._muted = not all(one.shown for one in self._fields)
            if closed.mark >= 0:
                self._close_link(closed.mark, closed.target)
            if is_contents(closed.instruction) and any(piece.strip() for piece in self._out):
                self._contents = True
            if closed.form:
                self._put(closed.form, False)
            elif not closed.shown and (formula := equation(closed.instruction)):
                self._put(formula, False)
        self._muted = not all(one.shown for one in self._fields)

    def _instruction(self, element: _Element) -> None:
        if self._fields and not self._fields[-1].shown and not self._deeper:
            self._fields[-1].code.append(element.text or "")

    def _end_paragraph(self) -> None:
        """Close the links of this paragraph, and show what follows a field whose result never began."""
        for one in reversed(self._fields):
            if one.mark >= 0:
                self._close_link(one.mark, one.target)
            one.shown = True
        self._muted = False
        self._contents = self._contents or self.in_contents

    def _deleted(self, element: _Element) -> None:
        """Pass over deleted text, but not over the ends of fields that it holds."""
        for mark in element.iter(_FIELD_CHAR):
            self._field_char(mark)

    def _symbol(self, element: _Element) -> None:
        try:
            code = int(element.get(f"{W}char") or "", 16)
        except ValueError:
            return
        self._put(symbol(code, element.get(f"{W}font") or ""), False)

    def _ruby(self, element: _Element) -> None:
        base, reading = element.find(f"{W}rubyBase"), element.find(f"{W}rt")
        text = plain_text(base) if base is not None else ""
        above = plain_text(reading) if reading is not None else ""
        self._put(f"{text}({above})" if above else text, False)

    def _note(self, element: _Element) -> None:
        kind = local_name(element).removesuffix("Reference")
        mark, note = self._refer(kind, element.get(f"{W}id") or "")
        if mark and not self._plain:
            self._put(f"[^{mark}]", False)
        if note is not None:
            self._attached.append(Attached(what=kind, element=note, mark=mark))

    def _math(self, element: _Element) -> None:
        tex = omml_to_tex(element)
        if not tex:
            return
        text = f"$${tex}$$" if element.tag == f"{M}oMathPara" else f"${tex}$"
        self._put(text, False)
        if text.startswith("$$"):
            self._alone.append(text)

    def _graphic(self, element: _Element) -> None:
        if self._muted:
            return
        shown, attached = graphic(element, self._edges)
        self._attached += attached
        for text in shown:
            before = "" if not self._out or self._out[-1][-1:].isspace() else " "
            self._out.append(f"{before}{text} ")
            self._alone.append(f"{text} ")

    def _blocks(self, element: _Element) -> None:
        self._attached.append(Attached(what="box", element=element))
