"""What is drawn in OpenDocument files: boxes, shapes, pictures, formulas, charts, embedded documents, form fields."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gatherum_formats.opendocument.flow import Block, demoted, formula, picture
from gatherum_formats.opendocument.forms import form_fields
from gatherum_formats.opendocument.names import attribute, clark, inner_text
from gatherum_formats.opendocument.styles import Styles
from gatherum_formats.shared.mathml import mathml_to_tex

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum.document import Kind
    from gatherum_formats.opendocument.inline import Inline
    from gatherum_formats.opendocument.package import OpenDocument
    from gatherum_formats.opendocument.walk import Walker

_SHAPES = (
    *("draw:custom-shape", "draw:rect", "draw:ellipse", "draw:circle", "draw:line", "draw:polyline", "draw:polygon"),
    *("draw:regular-polygon", "draw:path", "draw:connector", "draw:caption", "draw:measure"),
)
_DEEPEST = 3


@dataclass(slots=True)
class _Drawing:
    title: str = ""
    description: str = ""

    @property
    def alternative(self) -> str:
        if self.title and self.description and self.title not in self.description:
            return f"{self.title}: {self.description}"
        return self.description or self.title


class Drawings:
    """Teach a walker what is drawn.

    Args:
        walker: Who learns.
        inline: Knows links.
        package: Holds embedded objects.
    """

    def __init__(self, walker: Walker, inline: Inline, package: OpenDocument) -> None:
        self._walker = walker
        self._inline = inline
        self._package = package
        self._open: list[_Drawing] = []
        self._objects = 0
        self._fields: dict[str, str] = {}
        walker.teach(
            {
                **dict.fromkeys(_SHAPES, self._shape),
                **dict.fromkeys(("draw:frame", "draw:g"), self._frame),
                **dict.fromkeys(("svg:title", "svg:desc"), self._describe),
                **dict.fromkeys(("draw:text-box", "draw:image"), self._box),
                "draw:a": self._link,
                "draw:object": self._object,
                "draw:object-ole": lambda _: True,
                "math:math": self._formula,
                "office:forms": self._forms,
                "draw:control": self._control,
            }
        )

    def _frame(self, element: _Element) -> bool:
        self._open.append(_Drawing())
        self._walker.at_end(element, self._end_frame)
        return False

    def _end_frame(self, _: _Element) -> None:
        if not (text := self._open.pop().alternative):
            return
        if self._walker.flow.buffer is not None:
            self._walker.piece(picture(text))
        else:
            self._say(text, "alt")

    def _describe(self, element: _Element) -> bool:
        text, parent = inner_text(element), element.getparent()
        alone = element.getnext() is None and element.getprevious() is None
        if alone and parent is not None and parent.tag == clark("draw:g"):
            return True  # a group of nothing is how charts name their ranges
        if not self._open:
            self._say(text, "alt")
        elif element.tag == clark("svg:title"):
            self._open[-1].title = text
        else:
            self._open[-1].description = text
        return True

    def _shape(self, element: _Element) -> bool:
        self._frame(element)
        return self._box(element)

    def _box(self, element: _Element) -> bool:
        self._walker.push()
        self._walker.at_end(element, self._end_box)
        return False

    def _end_box(self, _: _Element) -> None:
        titled = self._walker.flow.titled
        blocks = self._walker.pop()
        if titled:
            blocks = [replace(block, boxed=True) for block in blocks]
        self._walker.emit(*blocks)

    def _link(self, element: _Element) -> bool:
        if self._walker.flow.buffer is not None:
            return self._inline.link(element)
        if target := attribute(element, "xlink:href").lstrip("#"):
            self._walker.at_end(element, lambda _: self._say(f"<{target}>"))
        return False

    def _say(self, text: str, kind: Kind = "prose") -> None:
        self._walker.emit(Block(text=text, kind=kind, place=self._walker.place))

    # Objects

    def _object(self, element: _Element) -> bool:
        root = element.find(clark("office:document"))
        if root is None:
            if len(element):
                return False
            root = self._package.embedded(attribute(element, "xlink:href"))
        if root is None:
            return True
        if root.tag == clark("math:math"):
            return self._formula(root)
        if self._objects >= _DEEPEST:
            self._walker.report.problem("too_deep", f"embedded documents are more than {_DEEPEST} deep")
            return True
        body = root.find(clark("office:body"))
        around = self._walker.styles
        self._objects += 1
        self._walker.styles = Styles(root.find(clark("office:styles")), root.find(clark("office:automatic-styles")))
        self._walker.push()
        self._walker.enter(root if body is None else body, lambda: self._end_object(around))
        return True

    def _end_object(self, around: Styles) -> None:
        self._objects -= 1
        self._walker.styles = around
        blocks = self._walker.pop()
        self._walker.emit(*map(demoted, blocks))

    def _formula(self, element: _Element) -> bool:
        """Write a formula as TeX where it stands, and keep the words that it was typed in as metadata."""
        tex, typed = mathml_to_tex(element).strip(), inner_text(next(element.iter(clark("math:annotation")), None))
        if tex or typed:
            self._walker.piece(formula(tex or typed))
        if tex and typed:
            source = Block(text=typed, kind="math", layer="metadata", place=self._walker.place)
            self._walker.emit(source)
        return True

    # Forms

    def _forms(self, element: _Element) -> bool:
        self._fields |= form_fields(element)
        return True

    def _control(self, element: _Element) -> bool:
        if text := self._fields.get(attribute(element, "draw:control")):
            self._say(text, "form")
        return True
