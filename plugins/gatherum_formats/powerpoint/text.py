"""Paragraphs of slides (DrawingML text bodies) as Markdown: runs, links, breaks, math, bullets and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.numerals import roman, spelled
from gatherum_formats.shared.omml import omml_to_tex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from gatherum.document import Kind
    from gatherum_formats.shared.opc import Relationship

A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_ALTERNATE: Final = f"{_MC}AlternateContent"
_MATH: Final = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_PARAGRAPH: Final = f"{A}p"
_PROPERTIES: Final = f"{A}pPr"
_RUNS: Final = (f"{A}r", f"{A}fld")
_BREAK: Final = f"{A}br"
_TEXT: Final = f"{A}t"
_RUN_PROPERTIES: Final = f"{A}rPr"
_LINKS: Final = (f"{A}hlinkClick", f"{A}hlinkMouseOver")
_SIGNS: Final = frozenset((f"{A}buChar", f"{A}buBlip"))
_NONE: Final = f"{A}buNone"
_NUMBER: Final = f"{A}buAutoNum"
_LEVELS: Final = 9

NO_BULLETS: Final[tuple[str | None, ...]] = (None,) * _LEVELS
"""Level styles that say nothing: a paragraph has a bullet only if it says so itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One paragraph.

    Attributes:
        text: Its text with links, without the mark.
        mark: "-" or the number before it; "" where it is no list item.
        depth: Its level, 0 to 8.
        math: Whether it is a formula and nothing else.
    """

    text: str
    mark: str = ""
    depth: int = 0
    math: bool = False

    @property
    def kind(self) -> Kind:
        """What the paragraph is."""
        return "math" if self.math else "list" if self.mark else "prose"

    def render(self) -> str:
        """Return it as a list item or as it is."""
        if not self.mark:
            return self.text
        indent = "  " * self.depth
        text = self.text.replace("\n", f"\n{indent}  ")
        return f"{indent}{self.mark} {text}"


def alternatives(parent: _Element) -> Iterator[_Element]:
    """Yield an element's children, with the first choice in the place of alternate content."""
    for child in parent:
        if child.tag != _ALTERNATE:
            yield child
            continue
        stack = [child]
        while stack:
            inner = stack.pop()
            if inner.tag != _ALTERNATE:
                yield inner
                continue
            choice = inner.find(f"{_MC}Choice")
            if choice is None:
                choice = inner.find(f"{_MC}Fallback")
            if choice is not None:
                stack += reversed(choice)


def read_paragraphs(
    body: _Element, edges: Mapping[str, Relationship], bullets: Sequence[str | None] = NO_BULLETS
) -> list[Paragraph]:
    """Return the paragraphs of a text body that have text.

    Args:
        body: A ``txBody`` of any vocabulary.
        edges: The part's relationships, for links.
        bullets: What the placeholder gives each level, see `level_bullets`.
    """
    own = body.find(f"{A}lstStyle")
    if own is not None and len(own):
        bullets = [mine if mine is not None else given for mine, given in zip(level_bullets(own), bullets, strict=True)]
    counts: dict[int, tuple[str, int]] = {}
    outer: list[int] = []
    found: list[Paragraph] = []
    for element in body.iterchildren(_PARAGRAPH):
        text, math = inline(element, edges)
        text = text.strip()
        if not text:
            continue
        level, bullet = 0, None
        properties = element.find(_PROPERTIES)
        if properties is not None:
            stated = properties.get("lvl", "0")
            level = min(int(stated), _LEVELS - 1) if stated.isdecimal() and len(stated) < 3 else 0
            bullet = bullet_of(properties)
        if bullet is None:
            bullet = bullets[level] or ""
        mark = bullet
        if counts or bullet not in ("", "-"):
            counts = {depth: count for depth, count in counts.items() if depth <= level}
            mark = _mark(bullet, counts, level)
        while outer and (outer[-1] >= level or not mark):
            outer.pop()
        found.append(Paragraph(text=text, mark=mark, depth=len(outer), math=math))
        if mark:
            outer.append(level)
    return found


def _mark(bullet: str, counts: dict[int, tuple[str, int]], level: int) -> str:
    """Return the sign or the next number of a level."""
    scheme, numbered, start = bullet.partition(":")
    if not numbered:
        counts.pop(level, None)
        return bullet
    before, number = counts.get(level, ("", 0))
    number = number + 1 if before == bullet else int(start)
    counts[level] = (bullet, number)
    return _numbered(number, scheme)


def level_bullets(style: _Element) -> list[str | None]:
    """Return the bullet of each level of a list style; None where the style leaves it open."""
    found: list[str | None] = [None] * _LEVELS
    for at in range(_LEVELS):
        level = style.find(f"{A}lvl{at + 1}pPr")
        if level is not None:
            found[at] = bullet_of(level)
    return found


def bullet_of(properties: _Element) -> str | None:
    """Return "" for no bullet, "-" for any sign, "scheme:start" for numbers; None where nothing is said."""
    for child in properties:
        tag = child.tag
        if tag in _SIGNS:
            return "-"
        if tag == _NONE:
            return ""
        if tag == _NUMBER:
            start = child.get("startAt", "1")
            return f"{child.get('type', 'arabicPeriod')}:{start if start.isdecimal() and len(start) < 6 else 1}"
    return None


def _numbered(number: int, scheme: str) -> str:
    if scheme.startswith("alpha"):
        text = spelled(number)
    elif scheme.startswith("roman"):
        text = roman(number)
    else:
        text = str(number)
    if "Uc" in scheme:
        text = text.upper()
    if scheme.endswith("ParenBoth"):
        return f"({text})"
    return f"{text})" if scheme.endswith("ParenR") else f"{text}."


def inline(paragraph: _Element, edges: Mapping[str, Relationship]) -> tuple[str, bool]:
    """Return a paragraph's text, and whether it is a formula and nothing else."""
    parts: list[str] = []
    linked: list[str] = []
    target, formulas, words = "", 0, False
    for child in alternatives(paragraph):
        tag = child.tag
        if tag in _RUNS:
            text, url = _run(child, edges)
            if url != target:
                _close(parts, linked, target)
                target = url
            (linked if target else parts).append(text)
            words = words or bool(text.strip())
        elif tag == _BREAK:
            (linked if target else parts).append("\n")
        elif tag == _MATH:
            for formula in child:
                tex = omml_to_tex(formula)
                if tex:
                    _close(parts, linked, target)
                    target = ""
                    parts.append(f"${tex}$")
                    formulas += 1
    _close(parts, linked, target)
    return "".join(parts), bool(formulas) and not words


def _run(run: _Element, edges: Mapping[str, Relationship]) -> tuple[str, str]:
    text, url = "", ""
    for child in run:
        if child.tag == _TEXT:
            text = child.text or ""
        elif child.tag == _RUN_PROPERTIES and len(child) and edges:
            for link in child.iterchildren(*_LINKS):
                url = url or link_target(link, edges)
    return text, url


def link_target(link: _Element, edges: Mapping[str, Relationship]) -> str:
    """Return the address that a hyperlink leads to; "" for jumps inside the deck."""
    edge = edges.get(link.get(f"{R}id", ""))
    return edge.target if edge and edge.external else link.get("invalidUrl", "")


def _close(parts: list[str], linked: list[str], target: str) -> None:
    if linked:
        parts.append(markdown_link("".join(linked), target))
        linked.clear()


def markdown_link(text: str, target: str) -> str:
    """Return a Markdown link; *text* alone where it shows the address itself or shows nothing."""
    shown = text.strip()
    if not shown or not target or shown in (target, target.removeprefix("mailto:"), target.rstrip("/")):
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    target = f"<{target}>" if any(sign in target for sign in " ()") else target
    return f"{before}[{' '.join(shown.split())}]({target}){after}"
