"""What the elements of DITA topics mean; specialised ones are known by what they specialise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.dita.map import MAP_RULES
from gatherum_formats.dita.meta import about, index_term
from gatherum_formats.xmldoc import lists, rows
from gatherum_formats.xmldoc import rules as common
from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import child, every
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Rule, Walk

_TOPICS: Final = "topic concept task reference glossentry glossgroup troubleshooting"
_PARTS: Final = (
    "section example refsyn prereq context postreq result tasktroubleshooting condition cause remedy troubleSolution "
    "refbodydiv conbodydiv bodydiv sectiondiv related-links linklist"
)
_CAPTIONED: Final = frozenset(("fig", "table", "simpletable", "properties", "choicetable", "example", "reltable"))


def _topic(walk: Walk, element: _Element) -> Leave:
    """Open a topic or a part of one under its title."""
    walk.flush()
    level = walk.level
    found = child(element, "title", "glossterm", "spectitle")
    title = attribute(element, "spectitle") if found is None else walk.title(found)
    walk.line = walk.place(element if found is None else found)
    if title:
        if not level:
            walk.fact("title", title)
        walk.enter(title, walk.line)
    return Leave(undo=lambda: walk.leave(level))


def _title(walk: Walk, element: _Element) -> Leave:
    """Say a title that is no heading."""
    if element in walk.done:
        return SKIP
    parent = element.getparent()
    if parent is not None and short_name(parent) in _CAPTIONED:
        return common.captioned(walk, element)
    return common.block(walk, element)


def _short_description(walk: Walk, element: _Element) -> Leave:
    """Read the summary that begins a topic."""
    if element in walk.done:
        return SKIP
    parent = element.getparent()
    if parent is walk.root or (parent is not None and parent.getparent() is walk.root):
        walk.fact("description", " ".join("".join(map(str, element.itertext())).split()))
    return common.block(walk, element)


def _admonition(walk: Walk, element: _Element) -> Leave:
    """Read a note after its type."""
    kind = attribute(element, "type") or "note"
    kind = attribute(element, "othertype") or "note" if kind == "other" else kind
    return common.named(kind[:1].upper() + kind[1:])(walk, element)


def _steps(walk: Walk, element: _Element) -> Leave:
    return lists.open_list(walk, element, lists.numbers("lowerLetter" if walk.frame.lists else "decimal"))


def _ordered(walk: Walk, element: _Element) -> Leave:
    return lists.open_list(walk, element, lists.numbers())


def _definitions(walk: Walk, element: _Element) -> Leave:
    return lists.open_list(walk, element, None)


def _between_steps(walk: Walk, element: _Element) -> Leave:
    """Read what stands between steps, which is not counted."""
    return lists.marked(walk, element, "")


def _link(walk: Walk, element: _Element) -> Leave:
    """Read a link out of the text."""
    return common.linked(walk, element, attribute(element, "href") or _key(element))


def _related(walk: Walk, element: _Element) -> Leave:
    """Read a related link as a line of its own."""
    walk.flush()
    walk.line = walk.place(element)
    target = attribute(element, "href") or attribute(element, "keyref")
    named, told = child(element, "linktext"), child(element, "desc")
    text = "" if named is None else walk.render(named)
    shown = f"[{text}]({target})" if text and target else text or target
    more = "" if told is None else walk.render(told)
    shown = " – ".join(filter(None, (shown, more)))
    if shown:
        walk.put(f"- {shown}", kind="list")
    return SKIP


def _picture(walk: Walk, element: _Element) -> Leave:
    """Say what a picture shows."""
    told = child(element, "alt")
    common.say_alt(walk, attribute(element, "alt") if told is None else walk.render(told))
    return SKIP


def _draft(walk: Walk, element: _Element) -> Leave:
    """Keep what the authors say to each other out of the text."""
    text = walk.render(element)
    if text:
        signed = ", ".join(filter(None, (attribute(element, "author"), attribute(element, "time"))))
        walk.aside(f"{signed}: {text}" if signed else text, "comment", "hidden", walk.place(element))
    return SKIP


def _data(walk: Walk, element: _Element) -> Leave:
    """Remember a value that is not shown."""
    text = walk.render(element) or attribute(element, "value", "href")
    walk.fact(f"+{attribute(element, 'name') or 'data'}", text)
    return SKIP


def _state(walk: Walk, element: _Element) -> Leave:
    walk.say("=".join(filter(None, (attribute(element, "name"), attribute(element, "value")))))
    return STAY


def _cascade(walk: Walk, element: _Element) -> Leave:
    """Part the controls of a menu."""
    parent = element.getparent()
    if parent is not None and short_name(parent) == "menucascade" and element.getprevious() is not None:
        walk.say(" > ")
    return STAY


def _footnote(walk: Walk, element: _Element) -> Leave:
    return common.note("footnote")(walk, element)


def _fenced(walk: Walk, element: _Element) -> Leave:
    """Read code; notes to it and entries of the index are taken out."""
    for one in list(element.iter("{*}indexterm", "{*}draft-comment")):
        index_term(walk, one) if short_name(one) == "indexterm" else _draft(walk, one)
        one.clear(keep_tail=True)
    language = next((part for part in attribute(element, "outputclass").split() if part.startswith("language-")), "")
    common.put_code(walk, element, language or attribute(element, "outputclass"))
    return SKIP


def _key(element: _Element) -> str:
    key = attribute(element, "keyref")
    return f"[{key}]" if key else ""


def _referring(rule: Rule) -> Rule:
    """Let a rule name what is to be put in an element's place from elsewhere."""

    def referring(walk: Walk, element: _Element) -> Leave:
        target = element.get("conref") or element.get("conkeyref")
        key = element.get("keyref")
        empty = not len(element) and not (element.text or "").strip()
        if not target and not (key and empty):
            return rule(walk, element)
        leave = rule(walk, element)
        if leave.skip:
            return leave
        walk.say(f"[{target or key}] ")
        return leave

    return referring


_spaced = common.around(" ", " ")
_TOPIC_RULES: Final[dict[str, Rule]] = {
    **every(_topic, f"{_TOPICS} {_PARTS}"),
    **every(about, "prolog topicmeta bookmeta titlealts subjectHeadMeta"),
    **every(
        common.block,
        "p fig figgroup desc abstract body conbody taskbody refbody glossdef glossBody troublebody div cmd info "
        "stepresult stepxmp stepTroubleshooting tutorialinfo steps-informal itemgroup bodydiv linkpool linkinfo "
        "dlentry plentry object video audio imagemap area equation-block equation-figure messagepanel typeofhazard "
        "consequence howtoavoid syntaxdiagram synblk fragment glossSurfaceForm glossAlt glossUsage glossScopeNote "
        "glossAcronym glossAbbreviation glossSynonym glossShortForm glossPartOfSpeech responsibleParty titlehint",
    ),
    **every(lists.bullets, "ul sl choices steps-unordered"),
    **every(_ordered, "ol"),
    **every(_steps, "steps substeps"),
    **every(_definitions, "dl parml"),
    **every(lists.item, "li sli step substep choice"),
    **every(lists.term, "dt pt dthd"),
    **every(lists.definition, "dd pd ddhd"),
    **every(_fenced, "codeblock pre msgblock screen"),
    **every(rows.table, "table simpletable properties choicetable"),
    **every(rows.row, "row strow sthead property prophead chrow chhead"),
    **every(
        rows.cell,
        "entry stentry proptype propvalue propdesc proptypehd propvaluehd propdeschd choption chdesc choptionhd "
        "chdeschd",
    ),
    **every(
        common.code_inline,
        "codeph filepath cmdname option parmname apiname msgnum systemoutput userinput tt markupname xmlnsname "
        "synph kwd",
    ),
    **every(
        common.inline,
        "b i u ph term keyword cite sub line-through overline varname text msgph tm boolean abbreviated-form "
        "menucascade strong em",
    ),
    **every(_admonition, "note hazardstatement"),
    **every(_draft, "draft-comment required-cleanup"),
    **every(_data, "data data-about"),
    **every(_cascade, "uicontrol wintitle"),
    **every(_footnote, "fn synnote"),
    **every(
        common.skip, "longdescref sort-as param source track media-source searchtitle svg-container svg coords shape"
    ),
    **every(
        _spaced,
        "groupseq groupchoice groupcomp fragref sep delim oper repsep copyrholder personname firstname lastname "
        "middlename honorific generationidentifier otherinfo organizationname",
    ),
    "alt": common.alternative,
    "colspec": rows.column,
    "image": _picture,
    "indexterm": index_term,
    "lines": common.lines,
    "link": _related,
    "lq": common.quote,
    "math": common.formula,
    "numcharref": common.around("&#", ";"),
    "parameterentity": common.around("%", ";"),
    "q": common.around("“", "”"),
    "shortdesc": _short_description,
    "state": _state,
    "stepsection": _between_steps,
    "sup": common.raised,
    "textentity": common.around("&", ";"),
    "tgroup": rows.table_group,
    "title": _title,
    "xmlatt": common.around("`@", "`"),
    "xmlelement": common.around("`<", ">`"),
    "xmlpi": common.around("`<?", "?>`"),
    "xref": _link,
}
RULES: Final[dict[str, Rule]] = {name: _referring(rule) for name, rule in _TOPIC_RULES.items()} | MAP_RULES
TOPIC_RULES: Final[dict[str, Rule]] = {
    name: rule for name, rule in RULES.items() if name in _TOPIC_RULES or name in ("map", "bookmap")
}
DEFAULT: Final[Rule] = _referring(common.loose)
