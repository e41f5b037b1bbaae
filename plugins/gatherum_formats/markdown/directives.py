"""The openings of directives and admonitions, in the spellings of MyST, Pandoc, Quarto, Docusaurus and MkDocs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NAMES = re.compile(r"[\w-]+")
ADMONITIONS: Final = frozenset(
    _NAMES.findall(
        "note tip hint important warning caution danger attention error info seealso see-also success question help "
        "faq "
        "failure fail missing bug example quote cite abstract summary tldr todo check done details admonition callout "
        "aside sidebar topic versionadded versionchanged versionremoved deprecated dropdown card margin exercise "
        "solution theorem proof lemma corollary definition proposition remark conjecture assumption axiom algorithm "
        "epigraph highlights pull-quote compound container rubric centered spoiler expand secondary"
    )
)
_PROSE: Final = ADMONITIONS | frozenset(
    _NAMES.findall(
        "figure image table grid grid-item grid-item-card card-carousel tab-set tab-item tab tabs div glossary include "
        "field-list only index list-table contents only tableofcontents button-link button-ref myst-example "
        "myst-to-html"
    )
)
_CODE: Final = frozenset(_NAMES.findall("code code-block sourcecode code-cell highlight parsed-literal prompt"))
_SILENT: Final = frozenset(
    _NAMES.findall("admonition callout details container compound div rubric topic dropdown card")
)
_PATHS: Final = frozenset(("figure", "image"))

_BRACED = re.compile(r"\{(?P<name>[\w:+-]+)\}[ \t]*(?P<title>.*)$")
_CLASSES = re.compile(r"\{(?P<classes>[^{}]*)\}$")
_WORD = re.compile(r"(?P<name>[\w-]+)[ \t]*(?:\[(?P<label>[^\[\]]*)\])?[ \t]*(?P<rest>.*)$")
_NAMED = re.compile(
    r"""\b(?:title|label|name|header|heading|caption|alt|fig-cap|fig-alt)=(?:"([^"]*)"|'([^']*)'|(\S+))"""
)
_SPOKEN = re.compile(
    r":(?:alt|caption|title|header|heading|label|subtitle|attribution|legend|description):[ \t]*(\S.*)$"
)
OPTION: Final = re.compile(r"[ \t]*:[\w-]+:(?:[ \t]|$)")
_INDENTED = re.compile(
    r"(?P<mark>!!!|\?\?\?\+?|===[+!]?)[ \t]+"
    r"""(?:(?P<names>[\w-]+(?:[ \t]+[\w-]+)*)(?:[ \t]+"(?P<title>.*)")?|"(?P<alone>.*)")[ \t]*$"""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The opening of a directive.

    Attributes:
        title: The line that stands for it, as Markdown; "" if it says nothing.
        code: The language, when its content is code; else None.
        math: Whether its content is TeX.
        aside: Whether headings inside are parts of a box rather than of the document.
    """

    title: str = ""
    code: str | None = None
    math: bool = False
    aside: bool = False


def colon_opening(rest: str) -> Opening:
    """Read what follows ``:::``."""
    rest = rest.rstrip(": \t") if rest.endswith(":") else rest.rstrip()
    match = _BRACED.match(rest)
    if match:
        return _named(match["name"], match["title"])
    match = _CLASSES.match(rest)
    if match:
        return _by_classes(match["classes"])
    match = _WORD.match(rest)
    if not match:
        return Opening(title=rest)
    title = match["label"] or match["rest"]
    classes = _CLASSES.search(title)
    if classes:
        said = " ".join("".join(found) for found in _NAMED.findall(classes["classes"]))
        title = f"{title[: classes.start()].strip()} {said}".strip()
    return _named(match["name"], title.strip("\"' "))


def fence_opening(info: str) -> Opening | None:
    """Read the info string of a fence; None if it is a fence like any other."""
    match = _BRACED.match(info)
    if not match or (match["name"] not in _PROSE and match["name"] not in _CODE and match["name"] != "math"):
        return None
    return _named(match["name"], match["title"])


def indented_opening(line: str) -> Opening | None:
    """Read ``!!! note "Title"``, ``??? tip`` and ``=== "Tab"``; None if it is none of these."""
    match = _INDENTED.match(line)
    if not match or (match["mark"].startswith("=") and match["alone"] is None):
        return None
    name = (match["names"] or "").split(" ")[0]
    title = match["title"] if match["title"] is not None else match["alone"] or ""
    return Opening(title=_titled(name, title), aside=not match["mark"].startswith("="))


def spoken_option(line: str) -> str:
    """Return what an option line of a directive says to a reader: captions, titles, alternative text."""
    match = _SPOKEN.match(line.strip())
    return match[1] if match else ""


def _named(name: str, title: str) -> Opening:
    lower = name.casefold()
    if lower in _CODE:
        return Opening(code=title.split(" ")[0] if title else "")
    if lower == "math":
        return Opening(math=True)
    if lower in _PATHS:
        return Opening()
    return Opening(title=_titled(name, title), aside=lower in ADMONITIONS)


def _by_classes(text: str) -> Opening:
    classes = [word.removeprefix("callout-") for word in re.findall(r"(?<=\.)[\w-]+", re.sub(r"\"[^\"]*\"", "", text))]
    name = next((word for word in classes if word in ADMONITIONS), "")
    return Opening(title=_titled(name, " ".join("".join(found) for found in _NAMED.findall(text))), aside=bool(name))


def _titled(name: str, title: str) -> str:
    known = name.casefold() in ADMONITIONS and name.casefold() not in _SILENT
    label, title = name[:1].upper() + name[1:] if known else "", title.strip()
    both = f"{label}: {title}" if label and title else label or title
    return f"**{both}**" if both else ""
