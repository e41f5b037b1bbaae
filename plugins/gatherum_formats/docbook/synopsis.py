"""Synopses of commands, functions and classes in DocBook, and its grammars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.rules import around, block, code_inline, every, inline
from gatherum_formats.xmldoc.source import attribute, short_name

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.xmldoc.walk import Rule, Walk

_PARAMETERS: Final = frozenset(("paramdef", "methodparam", "void", "varargs"))


def _prototype(walk: Walk, element: _Element) -> Leave:
    """Write a function with its parameters."""
    walk.flush()
    walk.line = walk.place(element)
    before: list[str] = [(element.text or "").strip()]
    inside: list[str] = []
    after: list[str] = []
    for part in element:
        text = walk.render(part)
        name = short_name(part)
        if name in _PARAMETERS:
            inside.append(text or ("..." if name == "varargs" else ""))
        else:
            (after if inside else before).append(text)
        (after if inside else before).append((part.tail or "").strip(" \n\t,();"))
    words = " ".join(filter(None, before)), ", ".join(filter(None, inside)), " ".join(filter(None, after))
    text = f"{words[0]}({words[1]}) {words[2]}".strip()
    if text != "()":
        walk.put(text)
    return SKIP


def _argument(walk: Walk, element: _Element) -> Leave:
    """Read an argument: square brackets if it can be left out, braces where one of several must be taken."""
    choice = attribute(element, "choice") or "opt"
    opening, closing = {"plain": ("", ""), "req": ("{", "}")}.get(choice, ("[", "]"))
    parent = element.getparent()
    if parent is not None and short_name(parent) == "group":
        opening = "" if element.getprevious() is None else "| "
        closing = ""
    if attribute(element, "rep") == "repeat":
        closing += "..."
    walk.say(f" {opening}")
    return Leave(undo=lambda: walk.say(f"{closing} "))


def _type(walk: Walk, element: _Element) -> Leave:
    """Part the types of a union."""
    previous = element.getprevious()
    if previous is not None and short_name(previous) == "type":
        walk.say("|")
    return STAY


def _parameter(walk: Walk, element: _Element) -> Leave:
    """Part a parameter from its type."""
    parent = element.getparent()
    if parent is None or short_name(parent) not in _PARAMETERS:
        return code_inline(walk, element)
    walk.say(" ")
    return STAY


SYNOPSES: Final[dict[str, Rule]] = {
    **every(_prototype, "funcprototype methodsynopsis constructorsynopsis destructorsynopsis"),
    **every(_argument, "arg group"),
    **every(
        block,
        "cmdsynopsis funcsynopsis classsynopsis enumsynopsis packagesynopsis typedefsynopsis fieldsynopsis "
        "enumitem unionsynopsis macrosynopsis production productionrecap productionset",
    ),
    **every(around(" ", " "), "ooclass oointerface ooexception modifier varname enumidentifier enumvalue"),
    **every(inline, "methodparam paramdef funcdef"),
    "parameter": _parameter,
    "type": _type,
    "initializer": around(" = ", ""),
    "sbr": around(" ", ""),
    "lhs": around("", " ::= "),
    "constraint": around(" [", "]"),
    "funcparams": around("(", ")"),
}
