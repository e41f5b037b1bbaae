"""One query language for the command line, the Python API and MCP.

    words            searched by keyword and by meaning
    "a phrase"       must occur as written
    -word  -"…"      must not occur
    field:value      path, format, collection, kind, tag, author, title, heading, lang; also -field:value
    modified:>2024   dates: 2024, 2024-05, 2024-05-17, with <, <=, >, >=, a..b, or 30d for the last 30 days; created too

Anything else, whatever its punctuation, is words: no query is an error for its form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from gatherum.errors import QueryError
from gatherum.stopwords import STOP_WORDS
from gatherum.text import clean
from gatherum.tokens import expand, normal

Field = Literal[
    "path", "format", "collection", "kind", "tag", "author", "title", "heading", "lang", "modified", "created", "under"
]

MAX_CHARS: Final = 2000
MAX_TERMS: Final = 64

_ALIASES: Final[dict[str, Field]] = {
    "path": "path",
    "file": "path",
    "format": "format",
    "type": "format",
    "collection": "collection",
    "in": "collection",
    "kind": "kind",
    "tag": "tag",
    "author": "author",
    "title": "title",
    "heading": "heading",
    "lang": "lang",
    "language": "lang",
    "modified": "modified",
    "created": "created",
}
_TOKEN: Final = re.compile(
    rf"""(?<!\S)(?P<no>-)?(?:(?P<field>{"|".join(_ALIASES)}):(?:"(?P<quoted>\s*[^"\s][^"]*)"|(?P<value>[^\s"]+))"""
    r"""|"(?P<phrase>\s*[^"\s][^"]*)"|(?P<word>(?<=-)[^\W\d_][\w-]*(?!\S)))""",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"\w+(?:[.'’+#/:-]+\w+)*[+#]*", re.UNICODE)
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$")
_DAYS: Final = re.compile(r"(\d{1,5})d$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A condition that a passage's document, or the passage, must meet.

    Attributes:
        field: What is compared.
        value: With what, for a field of text.
        start: The first moment that fits, for a date.
        end: The first moment that no longer fits, for a date.
        negated: Whether it must not be met.
    """

    field: Field
    value: str = ""
    start: datetime | None = None
    end: datetime | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query, understood.

    Attributes:
        text: As it was given.
        words: What is searched for, in the user's words, phrases included.
        phrases: What must occur as written.
        excluded: What must not occur.
        filters: Conditions on the document.
    """

    text: str
    words: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """The words that carry meaning, each once; all words if none does."""
        every = tuple(dict.fromkeys(_WORD.findall(normal(self.words))))[:MAX_TERMS]
        return tuple(word for word in every if word.casefold() not in STOP_WORDS) or every

    @property
    def keywords(self) -> str:
        """What the keyword index is asked: the terms and the tokens that the index adds to such terms."""
        text = " ".join(self.terms)
        return f"{text} {expand(text)}".strip()


def parse_query(text: str) -> Query:
    """Understand a query.

    Raises:
        QueryError: It is longer than `MAX_CHARS`, or a date in it is none.
    """
    if len(text) > MAX_CHARS:
        raise QueryError(f"the query has {len(text)} characters", hint=f"At most {MAX_CHARS} are allowed.")
    text = clean(text)
    phrases: list[str] = []
    excluded: list[str] = []
    filters: list[Filter] = []
    rest: list[str] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match["word"] is not None and not match["no"]:
            continue
        rest.append(text[at : match.start()])
        at = match.end()
        negated = match["no"] is not None
        if match["field"]:
            field = _ALIASES[match["field"].casefold()]
            filters.append(_filter(field, match["quoted"] or match["value"], negated=negated))
        elif negated:
            excluded.append(match["phrase"] or match["word"])
        else:
            phrases.append(match["phrase"])
            rest.append(f" {match['phrase']} ")
    rest.append(text[at:])
    return Query(
        text=text,
        words=" ".join("".join(rest).split()),
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        filters=tuple(filters),
    )


def _filter(field: Field, value: str, *, negated: bool) -> Filter:
    if field not in ("modified", "created"):
        return Filter(field=field, value=value, negated=negated)
    start, end = _range(value)
    return Filter(field=field, start=start, end=end, negated=negated)


def _range(value: str) -> tuple[datetime | None, datetime | None]:
    """Return the first moment that fits and the first that no longer does."""
    if match := _DAYS.match(value):
        return datetime.now(UTC) - timedelta(days=int(match[1])), None
    if ".." in value:
        left, _, right = value.partition("..")
        return (_period(left)[0] if left else None), (_period(right)[1] if right else None)
    for sign in ("<=", ">=", "<", ">"):
        if value.startswith(sign):
            first, after = _period(value[len(sign) :])
            return {"<=": (None, after), ">=": (first, None), "<": (None, first), ">": (after, None)}[sign]
    return _period(value)


def _period(value: str) -> tuple[datetime, datetime]:
    """Return the first moment of a year, month or day, and the first after it."""
    match = _DATE.match(value)
    try:
        if match is None:
            raise ValueError(value)
        year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
        first = datetime(year, month, day, tzinfo=UTC)
        if match[3]:
            return first, first + timedelta(days=1)
        if match[2]:
            return first, datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
        return first, datetime(year + 1, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        raise QueryError(f"{value!r} is not a date", hint="Write 2024, 2024-05, 2024-05-17, or 30d.") from None
