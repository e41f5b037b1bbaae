"""What each element of HTML means for the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.html import head, inline, structure
from gatherum_formats.html.common import content
from gatherum_formats.html.links import link
from gatherum_formats.html.lists import open_item, open_list

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum_formats.html.walk import Walk

    Rule = Callable[[Walk, str, Mapping[str, str]], Callable[[], None] | None]

_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_LISTS: Final = ("ul", "ol", "dl", "menu", "dir")
_ITEMS: Final = ("li", "dt", "dd")
_CODE: Final = ("pre", "listing", "xmp", "plaintext")

CLOSING: Final = frozenset(
    (*_HEADINGS, *_LISTS, *_CODE, "table", "blockquote", "hr", "article", "section", "main", "nav", "footer", "form")
)
"""Blocks that cannot stand inside a heading or code."""

BLOCKS: Final = CLOSING | frozenset(
    (
        *_ITEMS,
        *("html", "head", "body", "frameset", "noframes", "noscript", "center", "div", "p", "address", "hgroup"),
        *("header", "aside", "details", "summary", "dialog", "fieldset", "legend", "figure", "figcaption", "search"),
        *("caption", "thead", "tbody", "tfoot", "colgroup", "tr", "td", "th", "optgroup", "iframe", "marquee"),
    )
)
"""Elements that begin and end paragraphs."""

RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(_HEADINGS, structure.heading),
    **dict.fromkeys(_LISTS, open_list),
    **dict.fromkeys(_ITEMS, open_item),
    **dict.fromkeys(_CODE, structure.preformatted),
    **dict.fromkeys(("template", "rp"), head.unread),
    **dict.fromkeys(("caption", "figcaption"), structure.caption),
    **dict.fromkeys(("header", "footer", "aside"), structure.boilerplate),
    **dict.fromkeys(("main", "article", "section"), content),
    **dict.fromkeys(("noscript", "noframes"), structure.fallback),
    **dict.fromkeys(("td", "th"), structure.cell),
    **dict.fromkeys(("img", "area", "image"), inline.picture),
    **dict.fromkeys(("option", "optgroup"), inline.option),
    **dict.fromkeys(("select", "datalist"), inline.choice),
    **dict.fromkeys(("textarea", "output"), inline.written),
    **dict.fromkeys(("text", "tspan"), inline.drawn_text),
    "a": link,
    "base": head.base,
    "blockquote": structure.quotation,
    "case": inline.alternative,
    "default": inline.alternative,
    "br": inline.line_break,
    "button": inline.apart,
    "code": inline.spoken,
    "desc": inline.description,
    "div": structure.division,
    "iframe": structure.frame,
    "input": inline.control,
    "math": inline.formula,
    "meta": head.meta,
    "metadata": inline.drawn_metadata,
    "nav": structure.navigation,
    "q": inline.quoted,
    "rt": inline.reading,
    "script": head.script,
    "style": head.style,
    "sup": inline.raised,
    "svg": inline.drawing,
    "table": structure.table,
    "title": head.title,
    "tr": structure.row,
}
