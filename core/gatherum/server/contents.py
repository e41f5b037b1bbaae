"""The tools that show what there is to read: the documents, and the headings of one."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum.collection import qualified
from gatherum.errors import QueryError
from gatherum.server.answers import DocumentList, Listed
from gatherum.server.visible import one_line

if TYPE_CHECKING:
    from gatherum.results import DocumentInfo, OutlineEntry
    from gatherum.server.arguments import ListArguments, OutlineArguments
    from gatherum.shelf import Shelf

_HEADINGS: Final = 300
"""How many headings an outline shows; the deepest are left out first."""

_Key = tuple[str, str]


def outline(shelf: Shelf, arguments: OutlineArguments) -> str:
    """Show the headings of a document with their lines, to read only the part that matters.

    Returns a tree as text; fetch path#line reads from a line of it.
    """
    result = shelf.outline(arguments.path)
    place = one_line(qualified(result.collection, result.path))
    every = [entry for entry in result.sections if entry.title]
    depth = max((entry.level for entry in every), default=0)
    while depth > 1 and sum(entry.level <= depth for entry in every) > _HEADINGS:
        depth -= 1
    shown = [entry for entry in every if entry.level <= depth][:_HEADINGS]
    rows = [f"{place} · {result.lines} lines · {one_line(result.title)}", ""]
    rows += [_row(entry, end) for entry, end in _ranges(shown, every, result.lines)]
    if not shown:
        rows.append("[It has no headings.]")
    if left := len(every) - len(shown):
        rows.append(f"[{left} more headings are not shown; fetch {place}#LINE reads there.]")
    return "\n".join(rows)


def list_documents(shelf: Shelf, arguments: ListArguments) -> DocumentList:
    """List the documents that were gathered, by path or newest first.

    Use it to find out what there is, or what is new; use `search` to find out what the documents say.
    """
    page = page_of(shelf, arguments)
    documents = [
        Listed(
            path=one_line(qualified(each.collection, each.path)),
            title=one_line(each.title),
            format=each.format,
            modified=each.modified,
            bytes=each.bytes,
            state=each.state,
        )
        for each in page.documents
    ]
    warnings = [] if page.total else ["Nothing matches. Drop path or formats, or see what status says."]
    return DocumentList(documents=documents, total=page.total, next_cursor=page.cursor, warnings=warnings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a list.

    Attributes:
        documents: What is on it.
        total: How many there are on all pages.
        cursor: Names the next page; "" if there is none.
    """

    documents: list[DocumentInfo]
    total: int
    cursor: str


def page_of(shelf: Shelf, arguments: ListArguments) -> Page:
    """Return the page of a list that a cursor names.

    Raises:
        QueryError: It names none.
        ShelfNotFoundError: Nothing was ever gathered here.
    """
    found = shelf.list_documents(arguments.path, format=",".join(arguments.formats))
    newest = arguments.sort == "modified"
    ordered = sorted(found, key=_key)
    if newest:
        ordered.sort(key=lambda each: each.modified, reverse=True)
    if arguments.cursor:
        after = _after(arguments)
        ordered = [each for each in ordered if _follows(each, after, newest=newest)]
    documents = ordered[: arguments.limit]
    cursor = _cursor(arguments, documents[-1]) if len(ordered) > len(documents) else ""
    return Page(documents=documents, total=len(found), cursor=cursor)


def _ranges(shown: list[OutlineEntry], every: list[OutlineEntry], lines: int) -> list[tuple[OutlineEntry, int]]:
    """Return each heading with the last line of what is under it."""
    ends: dict[int, int] = {}
    open_: list[OutlineEntry] = []
    for entry in every:
        while open_ and open_[-1].level >= entry.level:
            ends[id(open_.pop())] = max(1, entry.line - 1)
        open_.append(entry)
    return [(entry, max(entry.line, ends.get(id(entry), lines))) for entry in shown]


def _row(entry: OutlineEntry, end: int) -> str:
    return f"{'  ' * (max(1, entry.level) - 1)}{entry.line}–{end} {one_line(entry.title)}"


def _key(document: DocumentInfo) -> str:
    return qualified(document.collection, document.path)


def _follows(document: DocumentInfo, after: _Key, *, newest: bool) -> bool:
    """Whether a document comes after the last one of a page; documents that came or went meanwhile move no page."""
    modified, key = after
    if not newest or document.modified == modified:
        return _key(document) > key
    return document.modified < modified


def _question(arguments: ListArguments) -> str:
    """Return what a cursor is good for: pages of one list cannot be continued in another."""
    asked = json.dumps([arguments.sort, arguments.path, sorted(arguments.formats)])
    return hashlib.sha256(asked.encode()).hexdigest()[:8]


def _cursor(arguments: ListArguments, last: DocumentInfo) -> str:
    data = json.dumps([_question(arguments), last.modified, _key(last)])
    return base64.urlsafe_b64encode(data.encode()).decode()


def _after(arguments: ListArguments) -> _Key:
    try:
        question, modified, key = json.loads(base64.b64decode(arguments.cursor, altchars=b"-_", validate=True))
        if question == _question(arguments) and isinstance(modified, str) and isinstance(key, str):
            return modified, key
    except (ValueError, TypeError, RecursionError):
        pass
    raise QueryError("Invalid cursor; start again without it", hint="")
