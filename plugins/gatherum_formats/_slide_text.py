"""Paragraphs of slides (DrawingML text bodies) as Markdown: runs, links, breaks, math, bullets and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum_formats._omml import omml_to_tex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from gatherum.document import Kind
    from gatherum_formats._opc import Relationship

A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATH: Final = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_LEVELS: Final = 9

NO_BULLETS: Final[tuple[str | None, ...]] = (None,) * _LEVELS
"""Level styles that say nothing: a paragraph has a bullet only if it says so itself."""

_ROMAN: Final = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


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
        if child.tag != f"{_MC}AlternateContent":
            yield child
            continue
        chosen: _Element | None = child
        while chosen is not None and chosen.tag == f"{_MC}AlternateContent":
            choice = chosen.find(f"{_MC}Choice")
            if choice is None:
                choice = chosen.find(f"{_MC}Fallback")
            if choice is not None and len(choice) == 1 and choice[0].tag == f"{_MC}AlternateContent":
                chosen = choice[0]
                continue
            if choice is not None:
                yield from choice
            chosen = None


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
    numbers = [0] * _LEVELS
    schemes = [""] * _LEVELS
    found: list[Paragraph] = []
    for element in body.iterchildren(f"{A}p"):
        text, math = inline(element, edges)
        text = text.strip()
        if not text:
            continue
        properties = element.find(f"{A}pPr")
        depth, bullet = 0, None
        if properties is not None:
            level = properties.get("lvl", "0")
            depth = min(int(level), _LEVELS - 1) if level.isdecimal() and len(level) < 3 else 0
            bullet = bullet_of(properties)
        if bullet is None:
            bullet = bullets[depth] or ""
        for deeper in range(depth + 1, _LEVELS):
            numbers[deeper] = 0
        if bullet in ("", "-"):
            numbers[depth] = 0
            mark = bullet
        else:
            scheme, _, start = bullet.partition(":")
            fresh = not numbers[depth] or schemes[depth] != bullet
            numbers[depth] = int(start) if fresh else numbers[depth] + 1
            schemes[depth] = bullet
            mark = _numbered(numbers[depth], scheme)
        found.append(Paragraph(text=text, mark=mark, depth=depth if mark else 0, math=math))
    return found


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
        if tag in (f"{A}buChar", f"{A}buBlip"):
            return "-"
        if tag == f"{A}buNone":
            return ""
        if tag == f"{A}buAutoNum":
            start = child.get("startAt", "1")
            return f"{child.get('type', 'arabicPeriod')}:{start if start.isdecimal() and len(start) < 6 else 1}"
    return None


def _numbered(number: int, scheme: str) -> str:
    if scheme.startswith("alpha"):
        text = ""
        left = number
        while left > 0:
            left, letter = divmod(left - 1, 26)
            text = chr(ord("a") + letter) + text
    elif scheme.startswith("roman"):
        text = _roman(number)
    else:
        text = str(number)
    if "Uc" in scheme:
        text = text.upper()
    if scheme.endswith("ParenBoth"):
        return f"({text})"
    return f"{text})" if scheme.endswith("ParenR") else f"{text}."


def _roman(number: int) -> str:
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def inline(paragraph: _Element, edges: Mapping[str, Relationship]) -> tuple[str, bool]:
    """Return a paragraph's text, and whether it is a formula and nothing else."""
    parts: list[str] = []
    linked: list[str] = []
    target, formulas, words = "", 0, False
    for child in alternatives(paragraph):
        tag = child.tag
        if tag == f"{A}r" or tag == f"{A}fld":
            text, url = _run(child, edges)
            if url != target:
                _close(parts, linked, target)
                target = url
            (linked if target else parts).append(text)
            words = words or bool(text.strip())
        elif tag == f"{A}br":
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
        if child.tag == f"{A}t":
            text = child.text or ""
        elif child.tag == f"{A}rPr" and len(child) and edges:
            for link in child.iterchildren(f"{A}hlinkClick", f"{A}hlinkMouseOver"):
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
