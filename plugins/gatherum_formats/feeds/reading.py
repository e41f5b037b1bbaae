"""Feeds and outlines from their XML to sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder, UnreadableError
from gatherum.limits import local_name, parse_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum import Report, Section, Source

_BODIES: Final = ("encoded", "content", "description", "summary")
_ENTRIES: Final = ("item", "entry")
_DEEPEST: Final = 9
_ATOM: Final = "{http://www.w3.org/2005/Atom}"


def read_feed(source: Source, report: Report) -> Iterator[Section]:
    """Yield the entries or the outline.

    Args:
        source: The file.
        report: Told of metadata and problems.

    Raises:
        UnreadableError: It is no XML.
    """
    root = parse_xml(source.data, lambda message: report.problem("partial", f"{source.name}: {message}"))
    if root is None:
        raise UnreadableError("corrupt", f"{source.name} is not XML")
    yield from _outline(root, report) if local_name(root) == "opml" else _feed(root, report)


def _outline(root: _Element, report: Report) -> Iterator[Section]:
    """Yield an outline: lines with lines below them, or after such lines, are headings; the others list items."""
    head = _child(root, "head")
    if head is not None:
        report.metadata(
            title=_text(head, "title"),
            authors=_text(head, "ownerName"),
            created=_text(head, "dateCreated"),
            modified=_text(head, "dateModified"),
        )
    body = _child(root, "body")
    builder = SectionBuilder()
    stack = [(line, 1) for line in reversed(_lines(body))] if body is not None else []
    while stack:
        line, level = stack.pop()
        place = Locator.lines(line.sourceline or 1)
        title = " ".join((line.get("text") or line.get("title") or "").split())
        target = line.get("xmlUrl") or line.get("url") or line.get("htmlUrl") or ""
        note = (line.get("_note") or "").strip()
        inner = _lines(line)
        if level <= _DEEPEST and (inner or builder.level >= level):
            yield from builder.enter(level, title or target or "(untitled)", locator=place)
            yield from builder.add("\n\n".join(filter(None, (target, note))), locator=place)
        elif title or target:
            mark = "  " * max(0, level - _DEEPEST - 1) + "- "
            shown = f"[{title or target}]({target})" if target else title
            yield from builder.add(mark + shown, kind="list", locator=place, separator="\n")
            yield from builder.add(note, locator=place)
        stack.extend((one, level + 1) for one in reversed(inner))
    yield from builder.close()


def _lines(element: _Element) -> list[_Element]:
    return [child for child in element if local_name(child) == "outline"]


def _feed(root: _Element, report: Report) -> Iterator[Section]:
    """Yield what a feed says about itself, then its entries, each under its title."""
    channel = _child(root, "channel")
    channel = root if channel is None else channel
    title = " ".join(_said(channel, "title").split())
    description = _said(channel, "description", "subtitle", "tagline")
    report.metadata(
        title=title,
        authors=_author(channel),
        modified=_text(channel, "updated", "lastBuildDate", "pubDate"),
        language=_text(channel, "language") or root.get("{http://www.w3.org/XML/1998/namespace}lang", ""),
        description=description,
    )
    builder = SectionBuilder()
    level = 1
    if title:
        yield from builder.enter(1, title)
        level = 2
        yield from builder.add(description)
    entries = [child for parent in dict.fromkeys((channel, root)) for child in parent if local_name(child) in _ENTRIES]
    for number, entry in enumerate(entries, 1):
        yield from _entry(entry, number, level, builder)
    yield from builder.close()


def _entry(entry: _Element, number: int, level: int, builder: SectionBuilder) -> Iterator[Section]:
    place = Locator.lines(entry.sourceline or 1)
    title = " ".join(_said(entry, "title").split())
    yield from builder.enter(level, title or f"Entry {number}", locator=place)
    facts = (
        ("By", _author(entry)),
        ("Date", _text(entry, "published", "pubDate", "date", "updated")),
        ("Link", _link(entry)),
        ("Tags", ", ".join(_tags(entry))),
    )
    lines = "\n".join(f"{name}: {value}" for name, value in facts if value)
    yield from builder.add(lines, kind="metadata", layer="metadata", locator=place)
    said: list[str] = []
    for name in _BODIES:
        text = _said(entry, name)
        if text and not any(text in other for other in said):
            said.append(text)
    for text in reversed(said):
        yield from builder.add(text, locator=place)


def _child(element: _Element, name: str) -> _Element | None:
    return next((child for child in element if local_name(child) == name), None)


def _text(element: _Element, *names: str) -> str:
    """Return the text of the first child that has one of the names; markup inside it as it is written."""
    for name in names:
        child = _child(element, name)
        if child is not None:
            if len(child) and child.get("type") == "xhtml":
                from lxml import etree

                return str(etree.tostring(child[0], encoding="unicode", with_tail=False))
            text = "".join(str(part) for part in child.itertext()).strip()
            if text:
                return text
    return ""


def _said(element: _Element, *names: str) -> str:
    """Return what the first child that has one of the names says to readers (RFC 4287, section 3.1, for Atom)."""
    from gatherum_formats.html.sections import html_text

    text = _text(element, *names)
    child = next((found for name in names if (found := _child(element, name)) is not None), None)
    kind = "html" if child is None or not str(child.tag).startswith(_ATOM) else child.get("type", "text")
    return text if kind in ("text", "text/plain") else html_text(text)


def _author(element: _Element) -> str:
    author = _child(element, "author")
    if author is not None and (name := _text(author, "name")):
        return name
    return _text(element, "creator", "author", "managingEditor")


def _link(element: _Element) -> str:
    links = [child for child in element if local_name(child) == "link"]
    chosen = next((link for link in links if link.get("rel", "alternate") == "alternate"), None)
    return "" if chosen is None else (chosen.get("href") or "".join(str(part) for part in chosen.itertext())).strip()


def _tags(element: _Element) -> list[str]:
    found = (child.get("term") or child.text or "" for child in element if local_name(child) in ("category", "subject"))
    return [tag.strip() for tag in found if tag.strip()]
