"""What the elements of DocBook mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.docbook.info import INFO, index_term, info
from gatherum_formats.docbook.links import (
    cross_reference,
    footnote,
    footnote_again,
    gloss_see,
    include,
    link,
    other_link,
    reference_entry,
)
from gatherum_formats.docbook.lists import (
    ADMONITIONS,
    bullets,
    callouts,
    definitions,
    find_title,
    gloss_term,
    list_item,
    ordered,
    simple_list,
    steps,
    title,
)
from gatherum_formats.docbook.synopsis import SYNOPSES
from gatherum_formats.xmldoc import lists, rows
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import child, every
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Rule, Walk

_WHOLE: Final = frozenset(("set", "book", "article", "refentry", "topic"))
_PARTS: Final = (
    "set book part partintro chapter appendix preface article section sect1 sect2 sect3 sect4 sect5 simplesect topic "
    "reference refentry refsect1 refsect2 refsect3 refsection refsynopsisdiv refnamediv glossary glossdiv bibliography "
    "bibliodiv qandaset qandadiv dedication colophon acknowledgements"
)
_LANGUAGES: Final = frozenset(
    ("bash", "c", "css", "html", "java", "javascript", "json", "perl", "php", "python", "ruby", "shell", "sql", "xml")
)


def _part(walk: Walk, element: _Element) -> Leave:
    """Open the heading of a part; the title of a whole book or article is its name instead."""
    walk.flush()
    level, place = walk.level, walk.place(element)
    found = find_title(element)
    title = "" if found is None else walk.title(found)
    names = child(element, "refnamediv") if found is None else None
    if names is not None:
        first = child(names, "refname")
        title = "" if first is None else walk.title(first)
    walk.line = place if found is None else walk.place(found)
    if element is walk.root:
        walk.fact("title", title)
    if title and not (element is walk.root and short_name(element) in _WHOLE):
        walk.enter(title, walk.line)
    opened = lists.open_list(walk, element, None).undo if short_name(element) in ("glossary", "glossdiv") else None

    def undo() -> None:
        if opened:
            opened()
        walk.leave(level)

    return Leave(undo=undo)


def _code(walk: Walk, element: _Element) -> Leave:
    """Read code with its callouts; entries of the index in it are remembered."""
    count = 0
    for one in list(element.iter()):
        name = short_name(one)
        if name == "co":
            count += 1
            one.text = f"({count})"
        elif name in ("indexterm", "remark"):
            index_term(walk, one) if name == "indexterm" else _hide(walk, one)
            one.clear(keep_tail=True)
    role = attribute(element, "role")
    common.put_code(walk, element, attribute(element, "language") or (role if role in _LANGUAGES else ""))
    return SKIP


def _hide(walk: Walk, element: _Element) -> None:
    text = walk.render(element)
    if text:
        walk.aside(text, "comment", "hidden", walk.place(element))


def _remark(walk: Walk, element: _Element) -> Leave:
    """Keep what the authors say to each other out of the text."""
    _hide(walk, element)
    return SKIP


def _literal_layout(walk: Walk, element: _Element) -> Leave:
    return _code(walk, element) if attribute(element, "class") == "monospaced" else common.lines(walk, element)


def _alternative(walk: Walk, element: _Element) -> Leave:
    """Read an alternative text; that of a formula is the formula, in TeX."""
    parent = element.getparent()
    if parent is not None and short_name(parent).endswith("equation"):
        return SKIP if child(parent, "math") is not None else common.tex(walk, element)
    return common.alternative(walk, element)


def _text_object(walk: Walk, element: _Element) -> Leave:
    if attribute(element, "role") in ("tex", "latexmath"):
        return common.tex(walk, element)
    return common.alternative(walk, element)


def _joined(parent: str, sign: str) -> Rule:
    """Return a rule that parts the children of an element by a sign."""

    def rule(walk: Walk, element: _Element) -> Leave:
        outer = element.getparent()
        if outer is not None and short_name(outer) == parent and element.getprevious() is not None:
            walk.say(sign)
        return STAY

    return rule


_spaced = common.around(" ", " ")
RULES: Final[dict[str, Rule]] = {
    **every(_part, _PARTS),
    **every(info, INFO),
    **every(
        common.block,
        "para simpara formalpara figure informalfigure example informalexample equation informalequation mediaobject "
        "mediaobjectco programlistingco screenco screenshot sidebar abstract varlistentry glossentry msgset "
        "msgentry simplemsgentry task tasksummary taskprerequisites taskrelated qandaentry authorblurb legalnotice "
        "bridgehead revision highlights bibliomixed refmeta subtitle result",
    ),
    **every(bullets, "itemizedlist stepalternatives"),
    **every(definitions, "variablelist glosslist"),
    **every(steps, "procedure substeps"),
    **every(lists.item, "member callout step"),
    **every(_code, "programlisting screen synopsis funcsynopsisinfo classsynopsisinfo"),
    **every(common.lines, "address"),
    **every(rows.table, "table informaltable segmentedlist entrytbl"),
    **every(rows.row, "row tr seglistitem"),
    **every(rows.cell, "entry td th segtitle seg"),
    **every(rows.column, "colspec spanspec"),
    **every(
        common.inline,
        "fragment inlineequation inlinemediaobject emphasis phrase replaceable firstterm foreignphrase wordasword "
        "application productname productnumber trademark uri database hardware abbrev citetitle citerefentry citation "
        "lineannotation optional subscript anchor accel shortcut keycode medialabel person package termdef jobtitle "
        "nonterminal mathphrase biblioref keycombo menuchoice",
    ),
    **every(common.quote, "blockquote epigraph"),
    **every(
        common.code_inline,
        "code literal command filename option function classname methodname interfacename exceptionname constant "
        "parameter property sgmltag tag envar systemitem userinput computeroutput markup package structname "
        "structfield symbol token prompt returnvalue errorname errorcode errortype",
    ),
    **every(
        _spaced,
        "firstname givenname othername surname lineage honorific personname author editor othercredit orgname orgdiv "
        "affiliation email contrib publisher publishername street pob postcode city state country phone fax year "
        "holder revnumber date authorinitials revremark revdescription volumenum issuenum pagenums edition acronym "
        "primary secondary tertiary manvolnum refmiscinfo collabname collab confdates conftitle confnum",
    ),
    **every(common.of_kind("toc"), "toc lot index setindex"),
    **every(_joined("keycombo", "+"), "keycap keysym mousebutton"),
    **every(_joined("menuchoice", " → "), "guimenu guisubmenu guimenuitem guibutton guiicon guilabel interface"),
    **every(common.skip, "imageobject videoobject audioobject areaspec xreflabel textdata imagedata beginpage"),
    **{name: common.named(label) for name, label in ADMONITIONS.items()},
    **SYNOPSES,
    "answer": common.named("A"),
    "alt": _alternative,
    "attribution": common.around("— ", ""),
    "calloutlist": callouts,
    "caption": common.of_kind("caption"),
    "footnote": footnote,
    "footnoteref": footnote_again,
    "glossdef": lists.definition,
    "glosssee": gloss_see("see"),
    "glossseealso": gloss_see("see also"),
    "glossterm": gloss_term,
    "include": include,
    "indexterm": index_term,
    "link": link,
    "listitem": list_item,
    "literallayout": _literal_layout,
    "math": common.formula,
    "olink": other_link,
    "orderedlist": ordered,
    "refentrytitle": common.unless_heading,
    "question": common.named("Q"),
    "quote": common.around("“", "”"),
    "refname": common.around("", " "),
    "refpurpose": common.around("— ", ""),
    "remark": _remark,
    "comment": _remark,
    "biblioentry": reference_entry,
    "simplelist": simple_list,
    "superscript": common.raised,
    "term": lists.term,
    "textobject": _text_object,
    "tfoot": rows.foot,
    "titleabbrev": common.remember("+titleabbrev"),
    "tgroup": rows.table_group,
    "title": title,
    "ulink": link,
    "xref": cross_reference,
}
