"""Conditions of a query as a filter of the table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum.nesting import SEPARATOR, is_archive
from gatherum.store.schema import literal
from gatherum.tokens import normal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from gatherum.query import Filter, Query

_LAST = 2**63 - 1
_WIDE = re.compile("[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def where(query: Query) -> str | None:
    """Return the SQL condition for a query's phrases, exclusions and filters; None if it has none."""
    parts = [_occurs(phrase) for phrase in query.phrases]
    parts += [f"NOT {_occurs(text)}" for text in query.excluded]
    for condition in query.filters:
        sql = _condition(condition)
        parts.append(f"NOT ({sql})" if condition.negated else f"({sql})")
    return " AND ".join(parts) or None


def _occurs(text: str) -> str:
    r"""Match whole words, any white space between them, any case; ``\b`` means nothing in scripts without spaces."""
    text = normal(text).strip()
    words = r"\s+".join(re.escape(word) for word in text.split())
    left = r"\b" if re.match(r"\w", text) and not _WIDE.match(text) else ""
    right = r"\b" if re.search(r"\w$", text) and not _WIDE.search(text[-1:]) else ""
    return f"regexp_like(fts, {literal(f'(?i){left}{words}{right}')})"


def _condition(condition: Filter) -> str:
    value = condition.value
    match condition.field:
        case "path":
            return _path(value)
        case "under":
            within = f"{value}{SEPARATOR}" if is_archive(value) else f"{value}/"
            return f"path = {literal(value)} OR starts_with(path, {literal(within)})"
        case "format":
            names = ", ".join(literal(name.strip().removeprefix(".")) for name in value.lower().split(","))
            return f"format IN ({names}) OR handler IN ({names})"
        case "collection":
            return f"lower(collection) = {literal(value.lower())}"
        case "kind":
            return f"kind = {literal(value.lower())}"
        case "lang":
            tag = value.lower()
            return f"lower(language) = {literal(tag)} OR lower(language) LIKE {literal(_like(tag) + '-%')}"
        case "title":
            return f"lower(title) LIKE {literal(f'%{_like(value.lower())}%')}"
        case "tag":
            return f"array_has(string_to_array(lower(array_to_string(tags, '\x1f')), '\x1f'), {literal(value.lower())})"
        case "author":
            return f"lower(array_to_string(authors, ', ')) LIKE {literal(f'%{_like(value.lower())}%')}"
        case "heading":
            return f"lower(array_to_string(heading, ' › ')) LIKE {literal(f'%{_like(value.lower())}%')}"
        case "modified":
            return _between("mtime_ns", condition, lambda moment: literal(_nanoseconds(moment)))
        case "created":
            return f"created <> '' AND {_between('created', condition, lambda moment: literal(_shortest(moment)))}"


def _path(value: str) -> str:
    """Match a glob against the whole path, or against the file's name if it has no slash; else a part of the path."""
    if not any(mark in value for mark in "*?"):
        return f"lower(path) LIKE {literal(f'%{_like(value.lower())}%')}"
    pattern = _like(value.lower()).replace("**", "*").replace("*", "%").replace("?", "_")
    if "/" in value:
        return f"lower(path) LIKE {literal(pattern.removeprefix('/'))}"
    return f"lower(path) LIKE {literal(pattern)} OR lower(path) LIKE {literal(f'%/{pattern}')}"


def _like(value: str) -> str:
    """Take the meaning from LIKE's own wildcards."""
    return value.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")


def _nanoseconds(moment: datetime) -> int:
    """Return a moment as the table has it, or the nearest one that a column of 64 bits can hold."""
    return max(-_LAST, min(_LAST, int(moment.timestamp()) * 1_000_000_000))


def _shortest(moment: datetime) -> str:
    """Return the shortest date that begins on this day: dates of a year or a month sort as their first day."""
    return moment.isoformat()[:10].removesuffix("-01").removesuffix("-01")


def _between(column: str, condition: Filter, show: Callable[[datetime], str]) -> str:
    parts = []
    if condition.start is not None:
        parts.append(f"{column} >= {show(condition.start)}")
    if condition.end is not None:
        parts.append(f"{column} < {show(condition.end)}")
    return " AND ".join(parts) or "TRUE"
