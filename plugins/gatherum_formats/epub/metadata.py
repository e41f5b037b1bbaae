"""What a book says about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum.limits import local_name
from gatherum_formats.html.sections import html_text

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum import Report

_OPF: Final = "{http://www.idpf.org/2007/opf}"
_AUTHORS: Final = frozenset(("", "aut", "author", "cre"))
_MOST: Final = 500


def book_metadata(root: _Element, report: Report) -> None:
    """Tell *report* title, authors, language, description, series, identifier and the rest of the package."""
    entries, refinements, named = _gather(root)

    def all_of(name: str) -> list[str]:
        return [text for kind, text, _ in entries if kind == name]

    def first(name: str) -> str:
        return next(iter(all_of(name)), "")

    authors: list[str] = []
    others: list[str] = []
    for kind, text, entry in entries:
        if kind in ("creator", "contributor"):
            role = (entry.get(f"{_OPF}role") or refinements.get((entry.get("id") or "", "role")) or "").lower()
            (authors if kind == "creator" and role in _AUTHORS else others).append(text)
    if not authors:
        authors = all_of("creator")
        others = [name for name in others if name not in authors]
    series, position = _series(named, refinements)
    report.metadata(
        title=_main_title(entries, refinements),
        authors=authors,
        created=first("date"),
        modified=named.get("dcterms:modified", ("", ""))[0],
        language=first("language"),
        tags=all_of("subject"),
        description=html_text(first("description")),
        identifier=_identifier(root, entries),
        publisher=first("publisher"),
        contributors=others,
        rights=first("rights"),
        series=series,
        series_index=position,
    )


def _gather(
    root: _Element,
) -> tuple[list[tuple[str, str, _Element]], dict[tuple[str, str], str], dict[str, tuple[str, str]]]:
    """Return Dublin Core entries, what refines them by (id, property), and other names with value and id."""
    entries: list[tuple[str, str, _Element]] = []
    refinements: dict[tuple[str, str], str] = {}
    named: dict[str, tuple[str, str]] = {}
    for part in root.iter():
        name = local_name(part)
        if name in ("manifest", "spine") or len(entries) > _MOST or len(refinements) > _MOST:
            break
        if name == "meta":
            label = part.get("property") or part.get("name") or ""
            text = _text(part) or (part.get("content") or "").strip()
            about = (part.get("refines") or "").lstrip("#")
            if about:
                refinements.setdefault((about, label), text)
            elif label:
                named.setdefault(label, (text, part.get("id") or ""))
        elif isinstance(part.tag, str) and part.tag.startswith("{http://purl.org/dc/") and (text := _text(part)):
            entries.append((name.lower(), text, part))
    return entries, refinements, named


def _text(part: _Element) -> str:
    return " ".join("".join(part.itertext()).split())


def _main_title(entries: list[tuple[str, str, _Element]], refinements: dict[tuple[str, str], str]) -> str:
    titles = [
        (text, refinements.get((entry.get("id") or "", "title-type"), ""))
        for kind, text, entry in entries
        if kind == "title"
    ]
    main = next((text for text, kind in titles if kind == "main"), titles[0][0] if titles else "")
    subtitle = next((text for text, kind in titles if kind == "subtitle"), "")
    return f"{main}: {subtitle}" if subtitle else main


def _identifier(root: _Element, entries: list[tuple[str, str, _Element]]) -> str:
    unique = root.get("unique-identifier")
    found = [(text, entry.get("id")) for kind, text, entry in entries if kind == "identifier"]
    return next((text for text, ident in found if ident == unique), found[0][0] if found else "")


def _series(named: dict[str, tuple[str, str]], refinements: dict[tuple[str, str], str]) -> tuple[str, str]:
    name, ident = named.get("belongs-to-collection", ("", ""))
    if name:
        return name, refinements.get((ident, "group-position"), "")
    return named.get("calibre:series", ("", ""))[0], named.get("calibre:series_index", ("", ""))[0]
