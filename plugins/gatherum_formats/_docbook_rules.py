"""What the elements of DocBook mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats import _xmldoc_rules as common
from gatherum_formats._docbook_info import INFO, index_term, info
from gatherum_formats._docbook_synopsis import SYNOPSES
from gatherum_formats._xmldoc_rules import child, every
from gatherum_formats._xmldoc_source import attribute, short_name
from gatherum_formats._xmldoc_tables import number
from gatherum_formats._xmldoc_walk import SKIP, STAY, Leave

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats._xmldoc_walk import Rule, Walk

_WHOLE: Final = frozenset(("set", "book", "article", "refentry", "topic"))
_PARTS: Final = (
    "set book part partintro chapter appendix preface article section sect1 sect2 sect3 sect4 sect5 simplesect topic "
    "reference refentry refsect1 refsect2 refsect3 refsection refsynopsisdiv refnamediv glossary glossdiv bibliography "
    "bibliodiv qandaset qandadiv dedication colophon acknowledgements"
)
_ADMONITIONS: Final = {name: name.capitalize() for name in ("note", "tip", "warning", "caution", "important", "danger")}
_NUMERATION: Final = {
    "loweralpha": "lowerLetter",
    "upperalpha": "upperLetter",
    "lowerroman": "lowerRoman",
    "upperroman": "upperRoman",
}
_FORMAL: Final = frozenset(("figure", "informalfigure", "table", "example", "equation", "screenshot", "mediaobject"))
_REFERENCES: Final = frozenset(("bibliomixed", "bibliomset", "biblioset", "biblioentry", "citation", "para", "phrase"))
_LANGUAGES: Final = frozenset(
    ("bash", "c", "css", "html", "java", "javascript", "json", "perl", "php", "python", "ruby", "shell", "sql", "xml")
)
_NAMED_BY: Final = ("title", "refentrytitle", "refname", "glossterm", "term", "primary")


def find_title(element: _Element) -> _Element | None:
    """Return the title of a part, which may stand in its information."""
    found = child(element, "title")
    if found is not None:
        return found
    for one in element:
        name = short_name(one)
        if name.endswith("info"):
            found = child(one, "title")
        elif name == "refmeta":
            found = child(one, "refentrytitle")
        if found is not None:
            return found
    return None


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
    opened = common.open_list(walk, element, None).undo if short_name(element) in ("glossary", "glossdiv") else None

    def undo() -> None:
        if opened:
            opened()
        walk.leave(level)

    return Leave(undo=undo)


def _title(walk: Walk, element: _Element) -> Leave:
    """Say a title that is no heading: of a figure, a list, a note, a paragraph."""
    if element in walk.done:
        return SKIP
    parent = element.getparent()
    name = "" if parent is None else short_name(parent)
    if name in _REFERENCES:
        return STAY
    if name in _FORMAL or name.startswith("informal"):
        return common.captioned(walk, element)
    walk.flush()
    walk.line = walk.place(element)
    text = walk.render(element)
    if name in _ADMONITIONS and text:
        label = _ADMONITIONS[name]
        walk.frame.lead = f"{label}: " if text == label else f"{label}: {text}{'' if text[-1:] in '.:!?' else '.'} "
    elif name == "formalpara" and text:
        walk.frame.lead = f"{text}{'' if text[-1:] in '.:!?' else '.'} "
    elif text:
        walk.put(text)
    return SKIP


def _title_first(walk: Walk, element: _Element) -> None:
    found = find_title(element)
    if found is not None:
        walk.flush()
        walk.line = walk.place(found)
        text = walk.render(found)
        if text:
            walk.put(text)


def _bullets(walk: Walk, element: _Element) -> Leave:
    _title_first(walk, element)
    return common.bullets(walk, element)


def _definitions(walk: Walk, element: _Element) -> Leave:
    _title_first(walk, element)
    return common.open_list(walk, element, None)


def _ordered(walk: Walk, element: _Element) -> Leave:
    """Begin a numbered list; one that continues goes on from where the last one ended."""
    _title_first(walk, element)
    form = _NUMERATION.get(attribute(element, "numeration"), "decimal")
    start = number(attribute(element, "startingnumber"), 1)
    if attribute(element, "continuation") == "continues":
        start = walk.counts.get("items", 0) + 1
    leave = common.open_list(walk, element, common.numbers(form, start))
    opened = walk.frame.lists[-1]

    def undo() -> None:
        if leave.undo:
            leave.undo()
        walk.counts["items"] = start - 1 + opened.count

    return Leave(undo=undo)


def _steps(walk: Walk, element: _Element) -> Leave:
    """Begin the steps of a procedure, or those below one."""
    _title_first(walk, element)
    return common.open_list(walk, element, common.numbers("lowerLetter" if walk.frame.lists else "decimal"))


def _callouts(walk: Walk, element: _Element) -> Leave:
    _title_first(walk, element)
    return common.open_list(walk, element, lambda count: f"({count + 1}) ")


def _list_item(walk: Walk, element: _Element) -> Leave:
    parent = element.getparent()
    if parent is not None and short_name(parent) == "varlistentry":
        return common.definition(walk, element)
    return common.item(walk, element)


def _simple_list(walk: Walk, element: _Element) -> Leave:
    """Begin a list of words, in the line or below each other."""
    if attribute(element, "type") == "inline":
        walk.say(", ".join(filter(None, map(walk.render, element))))
        return SKIP
    return common.bullets(walk, element)


def _gloss_term(walk: Walk, element: _Element) -> Leave:
    """Begin an entry of a glossary; acronyms follow in its line."""
    parent = element.getparent()
    if parent is None or short_name(parent) != "glossentry" or not walk.frame.lists:
        return STAY
    walk.flush()
    walk.line = walk.place(element)
    walk.frame.mark = ""
    return STAY


def _gloss_see(label: str) -> Rule:
    def rule(walk: Walk, element: _Element) -> Leave:
        leave = common.marked(walk, element, f": {label} ")
        if not element.text:
            walk.say(_name_of(walk, attribute(element, "otherterm")))
        return leave

    return rule


def _reference_entry(walk: Walk, element: _Element) -> Leave:
    """Read an entry of a bibliography that is given as facts."""
    walk.flush()
    walk.line = walk.place(element)
    label = attribute(element, "xreflabel")
    parts = [f"[{label}]" if label else "", *map(walk.render, element)]
    text = ", ".join(filter(None, parts))
    if text:
        walk.put(text)
    return SKIP


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


def _name_of(walk: Walk, ident: str) -> str:
    """Return what a part is called that is referred to."""
    name = walk.names.get(ident)
    if name is None:
        name = walk.names[ident] = _find_name(walk, ident)
    return name


def _find_name(walk: Walk, ident: str) -> str:
    target = walk.target(ident)
    if target is None:
        return ident
    label = attribute(target, "xreflabel")
    if label:
        return label
    if short_name(target) in (
        "title",
        "glossterm",
        "term",
        "phrase",
        "para",
        "anchor",
        "subtitle",
        "refname",
        "titleabbrev",
    ):
        found: _Element | None = target
    else:
        found = find_title(target)
        found = child(target, *_NAMED_BY) if found is None else found
    text = "" if found is None else " ".join("".join(map(str, found.itertext())).split())
    return text[:200] or ident


def _cross_reference(walk: Walk, element: _Element) -> Leave:
    """Name what is referred to."""
    walk.say(_name_of(walk, attribute(element, "endterm", "linkend", "href").removeprefix("#")))
    return STAY


def _link(walk: Walk, element: _Element) -> Leave:
    """Read a link, within the document or out of it."""
    target = attribute(element, "url", "href")
    if target and not target.startswith("#"):
        return common.linked(walk, element, target)
    if not len(element) and not (element.text or "").strip():
        walk.say(_name_of(walk, attribute(element, "endterm", "linkend", "href").removeprefix("#")))
    return STAY


def _other_link(walk: Walk, element: _Element) -> Leave:
    """Read a link into another document."""
    target = "#".join(filter(None, (attribute(element, "targetdoc"), attribute(element, "targetptr"))))
    if not len(element) and not (element.text or "").strip():
        walk.say(target or attribute(element, "localinfo"))
    return STAY


def _footnote(walk: Walk, element: _Element) -> Leave:
    leave = common.note("footnote")(walk, element)
    ident = attribute(element, "id")

    def undo() -> None:
        if leave.undo:
            leave.undo()
        walk.labels[ident] = str(walk.note_count)

    return Leave(undo=undo)


def _footnote_again(walk: Walk, element: _Element) -> Leave:
    ident = attribute(element, "linkend")
    walk.say(f"[^{walk.labels.get(ident, ident)}]")
    return SKIP


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


def _include(walk: Walk, element: _Element) -> Leave:
    """Name a part that is in another file."""
    target = attribute(element, "href", "fileref")
    walk.flush()
    walk.line = walk.place(element)
    if target:
        walk.put(f"[{target}]({target})")
    return Leave(undo=walk.flush)


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
    **every(_bullets, "itemizedlist stepalternatives"),
    **every(_definitions, "variablelist glosslist"),
    **every(_steps, "procedure substeps"),
    **every(common.item, "member callout step"),
    **every(_code, "programlisting screen synopsis funcsynopsisinfo classsynopsisinfo"),
    **every(common.lines, "address"),
    **every(common.table, "table informaltable segmentedlist entrytbl"),
    **every(common.row, "row tr seglistitem"),
    **every(common.cell, "entry td th segtitle seg"),
    **every(common.column, "colspec spanspec"),
    **every(common.inline, "fragment inlineequation inlinemediaobject"),
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
    **every(
        common.skip, "imageobject videoobject audioobject areaspec titleabbrev xreflabel textdata imagedata beginpage"
    ),
    **{name: common.named(label) for name, label in _ADMONITIONS.items()},
    **SYNOPSES,
    "answer": common.named("A"),
    "alt": _alternative,
    "attribution": common.around("— ", ""),
    "calloutlist": _callouts,
    "caption": common.of_kind("caption"),
    "footnote": _footnote,
    "footnoteref": _footnote_again,
    "glossdef": common.definition,
    "glosssee": _gloss_see("see"),
    "glossseealso": _gloss_see("see also"),
    "glossterm": _gloss_term,
    "include": _include,
    "indexterm": index_term,
    "link": _link,
    "listitem": _list_item,
    "literallayout": _literal_layout,
    "math": common.formula,
    "olink": _other_link,
    "orderedlist": _ordered,
    "question": common.named("Q"),
    "quote": common.around("“", "”"),
    "refname": common.around("", " "),
    "refpurpose": common.around("— ", ""),
    "remark": _remark,
    "comment": _remark,
    "biblioentry": _reference_entry,
    "simplelist": _simple_list,
    "superscript": common.raised,
    "term": common.term,
    "textobject": _text_object,
    "tfoot": common.foot,
    "tgroup": common.table_group,
    "title": _title,
    "ulink": _link,
    "xref": _cross_reference,
}
