"""The tools as plain functions of a shelf; they know nothing of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from gatherum.collection import qualified
from gatherum.errors import QueryError
from gatherum.journal import note
from gatherum.jsonable import jsonable
from gatherum.server.answers import Passage, Passages, ShelfStatus
from gatherum.server.visible import one_line, visible

if TYPE_CHECKING:
    from gatherum.server.arguments import FetchArguments, SearchArguments, StatusArguments
    from gatherum.shelf import Shelf

SEARCH_TOKENS: Final = 1100
"""Passages of this length together are given whole; those after them as snippets."""

FETCH_TOKENS: Final = 2200
"""The longest window of a document."""

_UNSEEN: Final = "Invisible characters were taken out of the text."


def search(shelf: Shelf, arguments: SearchArguments) -> Passages:
    """Search the user's own documents by keyword and meaning.

    Call this first for any question that they may answer. Returns the best passages with their source, whole or as
    snippets; `fetch` with an id reads on. A strength of "none" means that the documents do not answer the question.
    """
    result = shelf.search(
        arguments.query,
        mode=arguments.mode,
        limit=arguments.limit,
        path=arguments.path,
        formats=arguments.formats,
        collection=_collection(shelf, arguments.collection),
    )
    note(
        shelf,
        *("mcp", "search"),
        query=arguments.query,
        documents=[qualified(hit.collection, hit.path) for hit in result],
        strength=result.strength,
    )
    left, unseen = SEARCH_TOKENS, False
    passages: list[Passage] = []
    for hit in result:
        left -= hit.tokens
        whole = not passages or left >= 0
        text, stripped = visible(hit.text if whole else hit.snippet)
        unseen = unseen or stripped
        passages.append(
            Passage(
                id=hit.id,
                title=one_line(hit.title),
                url=url_of(hit.path, hit.collection),
                path=one_line(qualified(hit.collection, hit.path)),
                heading=[visible(title)[0] for title in hit.heading],
                locator=str(hit.locator),
                text=text,
                score=round(hit.score, 4),
            )
        )
    warnings = [*result.warnings, *([_UNSEEN] if unseen else [])]
    if not passages:
        warnings.append("Nothing matches. Try fewer or other words, or drop path, formats and collection.")
    return Passages(results=passages, strength=result.strength, more=result.more, warnings=warnings)


def fetch(shelf: Shelf, arguments: FetchArguments) -> str:
    """Read a document, or the part of it around a search hit.

    Returns readable text under one line that says which lines of which document it is, and how to read on.
    """
    reading = shelf.read(arguments.id, lines=arguments.max_lines, max_tokens=FETCH_TOKENS)
    if arguments.context and reading.start > 1:
        first = max(1, reading.start - arguments.context)
        lines = arguments.max_lines + reading.start - first
        reading = shelf.read(reading.id, line=first, lines=lines, max_tokens=FETCH_TOKENS)
    place = qualified(reading.collection, reading.path)
    note(shelf, "mcp", "fetch", documents=[place])
    text, stripped = visible(reading.text)
    notes = [_UNSEEN] if stripped else []
    if reading.stale:
        notes.append("The file has changed since it was gathered.")
    if reading.end < reading.lines:
        notes.append(f"{reading.lines - reading.end} more lines: fetch {place}#{reading.end + 1}")
    foot = "".join(f"\n[{note}]" for note in notes)
    span = f"lines {reading.start}–{reading.end} of {reading.lines}"
    return f"{one_line(place)} · {span} · {one_line(reading.title)}\n\n{text}{foot}"


def status(shelf: Shelf, arguments: StatusArguments) -> ShelfStatus:
    """Say what the user's shelf holds: how many documents of which formats, how fresh, and what could not be read."""
    return ShelfStatus(**jsonable(shelf.status(problems=arguments.problems)))


def _collection(shelf: Shelf, name: str) -> str:
    """Return the name if there is such a collection, or none was named."""
    names = shelf.collections
    if name and name.casefold() not in {each.casefold() for each in names}:
        raise QueryError(f"there is no collection {name!r}", hint=f"There are: {', '.join(names) or 'none yet'}.")
    return name


def url_of(path: str, collection: str = "") -> str:
    """Return the URI of a document; the protocol's resources have the same."""
    return f"doc:///{quote(qualified(collection, path))}"
