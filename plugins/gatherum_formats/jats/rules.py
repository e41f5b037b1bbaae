"""What the elements of JATS mean, the markup of journal articles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc import lists, rows
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import child, every
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Rule, Walk

_FORMS: Final = {
    "alpha-lower": "lowerLetter",
    "alpha-upper": "upperLetter",
    "roman-lower": "lowerRoman",
    "roman-upper": "upperRoman",
}
_GROUPS: Final = re.compile(
    r"(?:article|journal|book)-meta|(?:journal-|book-)?title-group|(?:contrib|kwd|subj|funding)-group|permissions|"
    r"article-categories|history|publisher"
)
_FIELDS: Final = {"article-title": "title", "book-title": "title", "kwd": "tags", "pub-date": "created"}


def _front(walk: Walk, element: _Element) -> Leave:
    """Read what is said about the article; its abstract is text, too."""
    walk.flush()
    abstracts: list[_Element] = []
    pending = list(element)[::-1]
    while pending:
        one = pending.pop()
        name = short_name(one)
        if _GROUPS.fullmatch(name):
            pending += list(one)[::-1]
        elif name in ("abstract", "trans-abstract"):
            abstracts.append(one)
        elif name == "contrib":
            _contributor(walk, one)
        elif name == "pub-date":
            walk.fact("created", _date(one))
        elif element not in walk.done or name != "article-title":
            walk.fact(_FIELDS.get(name, f"+{name}"), walk.render(one))
    for one in abstracts:
        walk.line = walk.place(one)
        walk.fact("description", " ".join(" ".join(map(str, one.itertext())).split()))
        found = child(one, "title")
        title = "" if found is None else walk.title(found)
        level = walk.level
        if title:
            walk.enter(title, walk.line)
        for text in walk.collect(one):
            walk.put(text)
        walk.leave(level)
    return SKIP


def _contributor(walk: Walk, element: _Element) -> None:
    held = child(element, "name", "string-name", "collab")
    text = "" if held is None else walk.render(held)
    surname, given = child(held, "surname"), child(held, "given-names")
    if surname is not None:
        first = "" if given is None else walk.render(given)
        text = " ".join(filter(None, (first, walk.render(surname))))
    kind = attribute(element, "contrib-type") or "author"
    walk.fact("authors" if kind == "author" else f"+{kind}", text)
    more = [walk.render(one) for one in element if one is not held and short_name(one) != "xref"]
    walk.fact("+contributor", ", ".join(filter(None, more)))


def _date(element: _Element) -> str:
    given = attribute(element, "iso-8601-date")
    parts = [child(element, name) for name in ("year", "month", "day")]
    said = [(one.text or "").strip() for one in parts if one is not None]
    return given or "-".join(part.zfill(2) for part in said if part.isdigit())


def _part(walk: Walk, element: _Element) -> Leave:
    """Open a section under its title, after its number."""
    walk.flush()
    level = walk.level
    found = child(element, "title")
    title = "" if found is None else walk.title(found)
    label = child(element, "label")
    if label is not None:
        title = " ".join(filter(None, (walk.render(label), title)))
    walk.line = walk.place(element if found is None else found)
    if title:
        walk.enter(title, walk.line)
    return Leave(undo=lambda: walk.leave(level))


def _article_inside(walk: Walk, element: _Element) -> Leave:
    """Open a section for a response or another article inside the article."""
    walk.flush()
    level = walk.level
    front = child(element, "front-stub", "front")
    found = None if front is None else next(front.iter("{*}article-title"), None)
    if found is not None and (title := walk.title(found)):
        walk.line = walk.place(found)
        walk.enter(title, walk.line)
    return Leave(undo=lambda: walk.leave(level))


def _title(walk: Walk, element: _Element) -> Leave:
    """Say a title or a label that is no heading."""
    if element in walk.done:
        return SKIP
    return common.block(walk, element) if short_name(element) == "title" else common.around("", " ")(walk, element)


def _footnote(walk: Walk, element: _Element) -> Leave:
    """Read a note: where it is referred to, or among others in their place."""
    parent = element.getparent()
    gathered = parent is not None and short_name(parent) in ("fn-group", "table-wrap-foot", "author-notes", "back")
    return common.block(walk, element) if gathered else common.note("footnote")(walk, element)


def _list(walk: Walk, element: _Element) -> Leave:
    kind = attribute(element, "list-type")
    if kind == "order" or kind in _FORMS:
        return lists.open_list(walk, element, lists.numbers(_FORMS.get(kind, "decimal")))
    return lists.bullets(walk, element)


def _definitions(walk: Walk, element: _Element) -> Leave:
    return lists.open_list(walk, element, None)


def _term(walk: Walk, element: _Element) -> Leave:
    parent = element.getparent()
    return lists.term(walk, element) if parent is not None and short_name(parent) == "def-item" else STAY


def _link(walk: Walk, element: _Element) -> Leave:
    return common.linked(walk, element, attribute(element, "href"))


def _formulas(walk: Walk, element: _Element) -> Leave:
    """Read one of the ways in which a formula is given."""
    chosen = next((one for one in element.iter("{*}tex-math", "{*}math")), None)
    if chosen is None:
        return STAY
    return _tex(walk, chosen) if short_name(chosen) == "tex-math" else common.formula(walk, chosen)


def _tex(walk: Walk, element: _Element) -> Leave:
    """Read a formula in TeX, without the document around it."""
    text = "".join(map(str, element.itertext()))
    start, end = text.find(r"\begin{document}"), text.rfind(r"\end{document}")
    inner = text[start + 16 : end] if 0 <= start < end else text
    inner = " ".join(inner.replace("$$", "").strip().strip("$").split())
    if inner:
        walk.say(f"${inner}$")
    return SKIP


_spaced = common.around(" ", " ")
RULES: Final[dict[str, Rule]] = {
    **every(_front, "front front-stub book-meta"),
    **every(_part, "sec ack app ref-list bio glossary notes fn-group app-group boxed-text book-part"),
    **every(
        common.block,
        "p body back fig fig-group table-wrap table-wrap-foot def-item disp-formula statement supplementary-material "
        "ref verse-line attrib article media",
    ),
    **every(_article_inside, "sub-article response"),
    **every(_title, "title label subtitle"),
    **every(common.quote, "disp-quote verse-group"),
    **every(common.code_block, "code preformat"),
    **every(rows.row, "tr"),
    **every(rows.cell, "td th"),
    **every(
        _spaced,
        "name string-name surname given-names year month day volume issue fpage lpage source article-title etal "
        "person-group publisher-name publisher-loc pub-id institution country addr-line aff journal-title "
        "copyright-statement license contrib",
    ),
    **every(
        common.inline,
        "bold italic underline overline strike sc roman sans-serif sub styled-content named-content xref "
        "inline-formula abbrev",
    ),
    **every(_link, "ext-link uri self-uri"),
    **every(common.skip, "graphic inline-graphic object-id permissions journal-id"),
    **every(_formulas, "alternatives"),
    "alt-text": common.alternative,
    "break": common.line_break,
    "caption": common.of_kind("caption"),
    "def": lists.definition,
    "def-list": _definitions,
    "fn": _footnote,
    "list": _list,
    "list-item": lists.item,
    "math": common.formula,
    "monospace": common.code_inline,
    "sup": common.raised,
    "table": rows.table,
    "term": _term,
    "tex-math": _tex,
    "tfoot": rows.foot,
}
