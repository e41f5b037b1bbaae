"""OpenDocument styles, as far as they say what text is: headings, program text, quotes, captions, hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gatherum_formats.opendocument.lists import ListStyle, read_list_style
from gatherum_formats.opendocument.names import attribute, clark, number

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum.document import Kind

_ESCAPE = re.compile(r"_([0-9a-f]{2})_")
_HEADING = re.compile(r"heading ([1-9])$")
_CODE = re.compile(r"(html )?preformatted( text)?$|(source )?code( ?block)?$|source text$|.*\bcode-?block$|listing$")
_UNREADABLE = re.compile(r"(0*(\.\d+)?|0*1(\.0+)?)(pt|px)$")
_KINDS: dict[str, Kind] = {"quotations": "quote", "quote": "quote", "block quotation": "quote", "caption": "caption"}
_MOST_PARENTS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphStyle:
    """What a paragraph's style makes of it.

    Attributes:
        kind: What the paragraph is.
        level: Its outline level, when the style is that of a heading; else 0.
        hidden: Whether the paragraph is not shown.
        list_style: The list style it brings along: "" to have no number, None to say nothing.
        title: Whether the paragraph is the title of the document.
    """

    kind: Kind = "prose"
    level: int = 0
    hidden: bool = False
    list_style: str | None = None
    title: bool = False


_PLAIN = ParagraphStyle()


class Styles:
    """The styles in force for one part of a document.

    Args:
        roots: Elements that hold styles (``office:styles``, ``office:automatic-styles``); later ones win.
    """

    def __init__(self, *roots: _Element | None) -> None:
        self._styles: dict[tuple[str, str], _Element] = {}
        self._lists: dict[str, _Element] = {}
        self._outline: _Element | None = None
        self._default: _Element | None = None
        self._paragraphs: dict[str | None, ParagraphStyle] = {None: _PLAIN}
        self._hidden: dict[str | None, bool] = {None: False}
        self._read: dict[str, ListStyle] = {}
        style, list_style, outline = clark("style:style"), clark("text:list-style"), clark("text:outline-style")
        default = clark("style:default-style")
        for root in roots:
            for element in root if root is not None else ():
                name = attribute(element, "style:name")
                if element.tag == style:
                    self._styles[attribute(element, "style:family"), name] = element
                elif element.tag == list_style:
                    self._lists[name] = element
                elif element.tag == outline:
                    self._outline = element
                elif element.tag == default and attribute(element, "style:family") == "paragraph":
                    self._default = element

    def _chain(self, family: str, name: str) -> list[_Element]:
        """Return a style and its parents, the nearest first."""
        chain: list[_Element] = []
        while len(chain) < _MOST_PARENTS and (element := self._styles.get((family, name))) is not None:
            chain.append(element)
            name = attribute(element, "style:parent-style-name")
        return chain

    def paragraph(self, name: str | None) -> ParagraphStyle:
        """Return what the paragraph style of this name means; the plain one if there is none."""
        if (known := self._paragraphs.get(name)) is not None:
            return known
        chain = self._chain("paragraph", name or "")
        kind: Kind = "prose"
        level, list_style = 0, None
        for element in reversed(chain):
            if (given := element.get(clark("style:default-outline-level"))) is not None:
                level = number(element, "style:default-outline-level", 0, most=9) if given else 0
            if (given := element.get(clark("style:list-style-name"))) is not None:
                list_style = given
        names = [name or "", *(attribute(element, "style:parent-style-name") for element in chain)]
        for plain in map(_plain_name, names):
            if kind == "prose":
                kind = "code" if _CODE.match(plain) else _KINDS.get(plain, "prose")
            if not level and (match := _HEADING.match(plain)):
                level = int(match[1])
        title = "title" in map(_plain_name, names)
        found = ParagraphStyle(kind=kind, level=level, hidden=_hides(chain), list_style=list_style, title=title)
        self._paragraphs[name] = found
        return found

    def hides(self, name: str | None) -> bool:
        """Return whether the character style of this name hides its text."""
        if (known := self._hidden.get(name)) is not None:
            return known
        return self._hidden.setdefault(name, _hides(self._chain("text", name or "")))

    def hides_page(self, name: str) -> bool:
        """Return whether the slide style of this name keeps its slide out of the show."""
        for element in self._chain("drawing-page", name):
            for properties in element.iterchildren(clark("style:drawing-page-properties")):
                if visibility := attribute(properties, "presentation:visibility"):
                    return visibility == "hidden"
        return False

    @property
    def language(self) -> str:
        """The language of text that states none, as a BCP 47 tag; "" if unknown."""
        for properties in (
            self._default.iterchildren(clark("style:text-properties")) if self._default is not None else ()
        ):
            language, country = attribute(properties, "fo:language"), attribute(properties, "fo:country")
            if language not in ("", "none", "zxx"):
                return language if country in ("", "none") else f"{language}-{country}"
        return ""

    def list_style(self, name: str) -> ListStyle:
        """Return the list style of this name; an empty one, which means bullets, if there is none."""
        if (known := self._read.get(name)) is None:
            known = self._read[name] = read_list_style(self._lists.get(name))
        return known

    @cached_property
    def outline(self) -> ListStyle:
        """Return how headings are numbered."""
        return read_list_style(self._outline)

    @property
    def outline_name(self) -> str:
        """The name that paragraph styles call the numbering of headings by."""
        return "" if self._outline is None else attribute(self._outline, "style:name", "Outline")


def _hides(chain: list[_Element]) -> bool:
    """Tell whether a style hides its text, by saying so or by a size that nobody can read."""
    shown = sized = False
    for element in chain:
        for properties in element.iterchildren(clark("style:text-properties")):
            display, size = attribute(properties, "text:display"), attribute(properties, "fo:font-size")
            if (display == "none" and not shown) or (_UNREADABLE.match(size) and not sized):
                return True
            shown, sized = shown or bool(display), sized or bool(size)
    return False


def _plain_name(name: str) -> str:
    """Return a style's name without the escapes that its identifier needs: ``Heading_20_1`` is "heading 1"."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), name).lower()
