"""The pieces that Word documents are read into, and how a paragraph becomes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum_formats.word.parts import W
from gatherum_formats.word.styles import numbering_of, outline

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum.document import Kind, Layer
    from gatherum_formats.word.styles import Style, Styles

_LONGEST: Final = 400
"""A longer paragraph is no heading, whatever its style says."""
_PPR: Final = f"{W}pPr"
_STYLE, _NUMBER, _OUTLINE = f"{W}pStyle", f"{W}numPr", f"{W}outlineLvl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading or a stretch of text.

    Attributes:
        text: Its text; the name of the part when there is a child.
        kind: What it is.
        layer: Who it is for.
        level: The outline level of a heading; 0 for everything else.
        number: The number of a heading that is not part of its text.
        child: A document inside the document, instead of text.
    """

    text: str
    kind: Kind = "prose"
    layer: Layer = "body"
    level: int = 0
    number: str = ""
    child: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a paragraph is, before its text is read.

    Attributes:
        style: Its style.
        level: Its outline level; 0 for body text.
        number: The list that it belongs to; "" or "0" for none.
        depth: Its level in that list.
    """

    style: Style
    level: int
    number: str
    depth: int


def traits_of(paragraph: _Element, styles: Styles) -> Traits:
    """Return what a paragraph's own properties say, and its style where they are silent."""
    properties = paragraph[0] if len(paragraph) and paragraph[0].tag == _PPR else paragraph.find(_PPR)
    name, level, number, depth = styles.usual, None, None, None
    for trait in properties.iterchildren(_STYLE, _NUMBER, _OUTLINE) if properties is not None else ():
        if trait.tag == _STYLE:
            name = trait.get(f"{W}val") or name
        elif trait.tag == _NUMBER:
            number, depth = numbering_of(trait)
        else:
            level = outline(trait.get(f"{W}val"))
    style = styles[name]
    if depth is None:
        depth = style.depth if number is None or style.number else 0
    return Traits(
        style=style,
        level=style.level if level is None else level,
        number=style.number if number is None else number,
        depth=depth,
    )


def shaped(text: str, traits: Traits, *, label: str, named: bool, contents: bool, alone: str) -> Block:
    """Return a paragraph as a block.

    Args:
        text: What it says.
        traits: What it is.
        label: Its number or bullet.
        named: Whether the label belongs in a heading.
        contents: Whether it stands in a table of contents.
        alone: "alt" or "math" when it is made of nothing else.
    """
    role, level = traits.style.role, traits.level
    if contents or role == "toc":
        return Block(text=" ".join(text.split()), kind="toc", layer="furniture")
    if level and len(text) <= _LONGEST:
        number = "" if label.startswith("-") else label
        if named and number:
            text, number = f"{number} {text}", ""
        return Block(text=text, level=level, number=number)
    if alone:
        return Block(text=text, kind="alt" if alone == "alt" else "math")
    if label:
        indent = "  " * traits.depth
        below = f"\n{indent}  "
        return Block(text=f"{indent}{label} {text.replace(chr(10), below)}", kind="list")
    if role == "quote":
        return Block(text="\n".join([f"> {line}".rstrip() for line in text.split("\n")]), kind="quote")
    return Block(text=text, kind="caption" if role == "caption" else "prose")
