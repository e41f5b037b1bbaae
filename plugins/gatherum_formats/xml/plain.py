"""XML of no vocabulary that is known: prose by the names that most vocabularies share, data by key paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.data.paths import join, line
from gatherum_formats.xmldoc import lists, rows
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import child, every
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum import Report, Section
    from gatherum_formats.xmldoc.walk import Rule, Walk

_PROSE: Final = frozenset(("p", "para", "paragraph", "simpara"))
_TITLES: Final = ("title", "head", "heading", "caption")
_LOOK: Final = 20_000
_VALUES: Final = 300_000
_HEADINGS: Final = 200
_DEEPEST: Final = 60
_LONG: Final = 200


def is_prose(root: _Element) -> bool:
    """Whether a document is written to be read: it has paragraphs, or elements in the midst of text."""
    for count, element in enumerate(root.iter()):
        if count > _LOOK:
            return False
        if short_name(element) in _PROSE or (element.tail and element.tail.strip()):
            return True
    return False


def data_sections(root: _Element, report: Report, before: int) -> Iterator[Section]:
    """Yield the values of a document by their key paths, the large parts under headings of their own."""
    builder = SectionBuilder()
    headings = values = 0
    stack: list[tuple[_Element, str, int]] = [(root, "", 0)]
    while stack:
        element, path, depth = stack.pop()
        name = short_name(element)
        if not name:
            continue
        place = Locator.lines((element.sourceline or 1) + before)
        if depth == 1 and len(element) and headings < _HEADINGS:
            headings += 1
            yield from builder.enter(1, _title(element, name), locator=place)
            path = ""
        elif depth:
            path = join(path, name) if depth < _DEEPEST else path
        values += 1 + len(element.attrib)
        if values > _VALUES:
            report.problem("too_large", f"there are more than {_VALUES} values; the rest was left out")
            break
        said = [
            (join(path, f"@{str(key).rpartition('}')[2]}"), str(value))
            for key, value in element.attrib.items()
            if str(value).strip() and not str(key).endswith("schemaLocation")
        ]
        text = " ".join((element.text or "").split())
        if text:
            said.insert(0, (path or name, text))
        written = "\n".join(filter(None, (line(key, value) for key, value in said)))
        yield from builder.add(written, locator=place, separator="\n")
        stack.extend((one, path, depth + 1) for one in element[::-1])
    yield from builder.close()


def _title(element: _Element, name: str) -> str:
    """Call a part by its name, and by what tells it from its like."""
    told = attribute(element, "name", "id", "title", "key")
    if not told:
        one = child(element, "name", "title", "id")
        told = "" if one is None else " ".join((one.text or "").split())
    return f"{name} {told}"[:_LONG].strip()


def _part(walk: Walk, element: _Element) -> Leave:
    """Read an element that is unknown: under its title if it has one."""
    found = child(element, *_TITLES[:3])
    if found is None or found.getnext() is None:
        return common.loose(walk, element)
    walk.flush()
    level = walk.level
    title = walk.title(found)
    walk.line = walk.place(found)
    if element is walk.root:
        walk.fact("title", title)
    if title:
        walk.enter(title, walk.line)
    return Leave(undo=lambda: walk.leave(level))


def _division(walk: Walk, element: _Element) -> Leave:
    """Read a division: a part if it has a title, as in TEI, else a block, as in HTML."""
    found = child(element, *_TITLES[:3])
    return common.block(walk, element) if found is None or found.getnext() is None else _part(walk, element)


def _title_alone(walk: Walk, element: _Element) -> Leave:
    return SKIP if element in walk.done else common.block(walk, element)


def _metadata(walk: Walk, element: _Element) -> Leave:
    """Read what is said about the document."""
    for one in element.iter():
        text = " ".join((one.text or "").split())
        name = short_name(one)
        if text and name:
            walk.fact({"title": "title", "author": "authors"}.get(name, f"+{name}"), text)
    return SKIP


def _list(walk: Walk, element: _Element) -> Leave:
    kind = attribute(element, "type", "rend", "list-type", "enumtype")
    numbered = kind.startswith(("order", "number", "arabic", "decimal"))
    return lists.open_list(walk, element, lists.numbers()) if numbered else lists.bullets(walk, element)


def _numbered(walk: Walk, element: _Element) -> Leave:
    return lists.open_list(walk, element, lists.numbers())


def _verse(walk: Walk, element: _Element) -> Leave:
    """Give a line of a poem a line."""
    if any(map(str.strip, walk.frame.inline)):
        common.line_break(walk, element)
    return STAY


PLAIN_DEFAULT: Final[Rule] = _part
PLAIN_RULES: Final[dict[str, Rule]] = {
    **every(_title_alone, "title head heading subtitle"),
    **every(common.block, "p para paragraph simpara text body front back figure fig description lg stanza line-group"),
    **every(lists.bullets, "ul bullet_list itemizedlist"),
    **every(_numbered, "ol enumerated_list orderedlist"),
    **every(lists.item, "li item list_item listitem list-item"),
    **every(lists.term, "dt"),
    **every(lists.definition, "dd definition"),
    **every(common.code_block, "pre literal_block doctest_block code-block programlisting codeblock"),
    **every(rows.table, "table informaltable"),
    **every(rows.row, "row tr"),
    **every(rows.cell, "cell entry td th"),
    **every(common.quote, "blockquote block_quote"),
    **every(common.line_break, "br lb"),
    **every(common.inline, "hi em strong emphasis b i span ref a literal"),
    **every(common.note("footnote"), "footnote fn"),
    **every(common.skip, "script style binary system_message comment substitution_definition"),
    **every(_metadata, "teiHeader docinfo metadata"),
    "l": _verse,
    "list": _list,
    "caption": common.of_kind("caption"),
    "colspec": rows.column,
    "div": _division,
    "math": common.formula,
    "math_block": common.block,
    "tgroup": rows.table_group,
}
