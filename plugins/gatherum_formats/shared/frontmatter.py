"""Front matter: the YAML, TOML or JSON block that stands before a text and describes it.

Jekyll and Pandoc write YAML between ``---`` lines, Hugo also TOML between ``+++`` lines or a bare JSON object,
Pandoc a title block of ``%`` lines, MultiMarkdown plain ``Key: value`` lines.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gatherum import Report

_CHARS = 65_536
_DEPTH = 50
_ITEMS = 2_000
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "title": ("title",),
    "authors": ("authors", "author", "creator", "by"),
    "created": ("date", "created", "published", "publishdate", "pubdate", "date_created", "datepublished"),
    "modified": ("modified", "updated", "lastmod", "last_modified", "date_modified", "last_updated", "datemodified"),
    "language": ("lang", "language", "locale"),
    "tags": ("tags", "tag", "keywords", "categories", "category", "topics"),
    "description": ("description", "summary", "abstract", "excerpt"),
}
_LISTS = ("authors", "tags")
_YAMLISH = re.compile(r"\s|-\s|#|$|[\w.\"'-][^:]{0,80}:(?:\s|$)")
_KEY = re.compile(r"[\w.\"'-][^:]{0,80}:(?:\s|$)")
_STAIRS = re.compile(r"^(?:[ \t]*[-?:](?=[ \t])){50}", re.MULTILINE)
_MMD = re.compile(r"([A-Za-z0-9][\w -]{0,60}):[ \t]+(\S.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What was found before the text.

    Attributes:
        lines: How many lines it takes, marks included; 0 if there is none.
        unread: The block as it stands, when it cannot be understood; else "".
    """

    lines: int = 0
    unread: str = ""


def read_front_matter(text: str, report: Report, *, plain_keys: bool = False) -> FrontMatter:
    """Report what the front matter of *text* says as metadata.

    A block that is clearly meant as front matter but is not valid gives a problem "partial", and its text back.

    Args:
        text: The whole text, line ends made single.
        report: Takes the metadata.
        plain_keys: Whether ``Key: value`` lines without marks are front matter too (MultiMarkdown).
    """
    if text.startswith(("---", "+++", ";;;")):
        return _fenced(text, report)
    if text.startswith("{"):
        return _bare_json(text, report)
    if text.startswith("% "):
        return _title_block(text, report)
    if plain_keys:
        return _plain_keys(text, report)
    return FrontMatter()


def report_metadata(values: Mapping[str, object], report: Report) -> None:
    """Report named values as metadata: well-known names fill its fields, the others go to ``extra``.

    Args:
        values: Names as the file spells them; any values.
        report: Takes the metadata.
    """
    rest = {_name(key): value for key, value in values.items()}
    for field, names in _FIELDS.items():
        found = [rest.pop(name) for name in names if name in rest]
        if field in _LISTS:
            report.metadata(**{field: list(dict.fromkeys(text for value in found for text in _strings(value, field)))})
        else:
            report.metadata(**{field: next((text for value in found if (text := _string(value))), "")})
    left = [_ITEMS]
    for key, value in rest.items():
        if key not in ("", "self"):
            report.metadata(**{key: _plain(value, left, 0)})


def _fenced(text: str, report: Report) -> FrontMatter:
    lines = text[: _CHARS + 4096].split("\n")
    mark = lines[0].rstrip()
    closing = ("---", "...") if mark == "---" else (mark,)
    if mark not in ("---", "+++", ";;;"):
        return FrontMatter()
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() in closing), 0)
    body = "\n".join(lines[1:end])
    if not end or len(body) > _CHARS:
        return FrontMatter()
    try:
        if mark == "+++":
            values: object = tomllib.loads(body)
        elif mark == ";;;":
            values = json.loads(body)
        else:
            values = _yaml(body)
    except (ValueError, RecursionError, OverflowError) as error:
        meant = mark != "---" or _looks_meant(lines[1:end])
        if not meant:
            return FrontMatter()
        reason = " ".join(str(error).split())[:200]
        report.problem("partial", f"the front matter is not valid and was kept as text: {reason}")
        return FrontMatter(lines=end + 1, unread=body)
    if isinstance(values, dict):
        report_metadata({_text(key): value for key, value in values.items()}, report)
    elif values is not None:
        return FrontMatter()
    return FrontMatter(lines=end + 1)


def _yaml(body: str) -> object:
    """Parse YAML that may be hostile: what would overflow the stack or the memory is refused unread."""
    import yaml

    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", body):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > _DEPTH or _STAIRS.search(body):
        raise ValueError("it is nested too deeply")
    if "<<" in body and len(re.findall(r"\*[\w-]", body)) > 30:
        raise ValueError("it merges too many aliases")
    safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    as_written = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        try:
            values: object = yaml.load(body, safe)  # noqa: S506 - a safe loader, in C where there is one
        except (ValueError, TypeError, KeyError, yaml.constructor.ConstructorError):
            # Impossible dates, unknown tags: everything is read as it is written.
            return yaml.load(body, as_written)  # noqa: S506 - makes strings only
        known = {name for names in _FIELDS.values() for name in names}
        if isinstance(values, dict) and any(
            isinstance(value, bool | int | float) for key, value in values.items() if _name(key) in known
        ):
            # "title: No" is the word, not the truth value.
            strings = yaml.load(body, as_written)  # noqa: S506 - makes strings only
            values = {
                key: strings.get(_text(key), value) if _name(key) in known else value for key, value in values.items()
            }
    except yaml.YAMLError as error:
        raise ValueError(str(getattr(error, "problem", None) or error)) from None
    return values


def _looks_meant(lines: list[str]) -> bool:
    content = [line for line in lines if line.strip()]
    if not content or not _KEY.match(content[0]):
        return False
    return sum(1 for line in content if _YAMLISH.match(line)) * 3 >= len(content) * 2


def _bare_json(text: str, report: Report) -> FrontMatter:
    head = text[:_CHARS]
    try:
        values, end = json.JSONDecoder().raw_decode(head)
    except (ValueError, RecursionError):
        return FrontMatter()
    if not isinstance(values, dict) or head[end : end + 1] != "\n" or not text[end:].strip():
        return FrontMatter()
    report_metadata({_text(key): value for key, value in values.items()}, report)
    return FrontMatter(lines=head.count("\n", 0, end) + 1)


def _title_block(text: str, report: Report) -> FrontMatter:
    """Read Pandoc's title block: up to three ``%`` lines, each continued by indented lines."""
    fields: list[str] = []
    lines = text[:_CHARS].split("\n")
    count = 0
    for line in lines:
        if line.startswith("%") and line[1:2] in ("", " ") and len(fields) < 3:
            fields.append(line[1:].strip())
        elif line.startswith((" ", "\t")) and line.strip() and fields:
            fields[-1] += f"; {line.strip()}" if len(fields) == 2 else f" {line.strip()}"
        else:
            break
        count += 1
    if count < len(lines) and lines[count].strip():
        return FrontMatter()
    title, authors, created = (*fields, "", "")[:3]
    report.metadata(title=title, authors=[name.strip() for name in authors.split(";") if name.strip()], created=created)
    return FrontMatter(lines=count)


def _plain_keys(text: str, report: Report) -> FrontMatter:
    values: dict[str, object] = {}
    key, count = "", 0
    for line in text[:_CHARS].split("\n"):
        match = _MMD.match(line)
        if match:
            key = match[1]
            values[key] = match[2].strip()
        elif key and line.startswith((" ", "\t")) and line.strip():
            values[key] = f"{values[key]} {line.strip()}"
        else:
            break
        count += 1
    if not values:
        return FrontMatter()
    report_metadata(values, report)
    return FrontMatter(lines=count)


def _name(key: object) -> str:
    return re.sub(r"[\s-]+", "_", _text(key).strip()).casefold()


def _text(key: object) -> str:
    return key[:200] if isinstance(key, str) else _string(key)[:200]


def _string(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bool | float):
        return str(value)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else ""
    if isinstance(value, list | tuple):
        return ", ".join(text for item in value[:100] if not isinstance(item, list | tuple) and (text := _string(item)))
    if isinstance(value, Mapping):
        literal = value.get("name") or value.get("literal")
        parts = [literal] if literal else [value.get("given"), value.get("family")]
        return " ".join(part.strip() for part in parts if isinstance(part, str))
    return ""


def _strings(value: object, field: str) -> list[str]:
    if isinstance(value, str):
        value = re.split(r"[,;]", value) if field == "tags" else value.split(";")
    items = value if isinstance(value, list | tuple) else [value]
    texts = (_string(item) for item in items[:500])
    return [name for text in texts if (name := text.strip().removeprefix("#" if field == "tags" else ""))]


def _plain(value: object, left: list[int], depth: int) -> object:
    """Return *value* as what JSON can hold, cut where aliases would make it endless."""
    left[0] -= 1
    if left[0] < 0 or depth > 8:
        return None
    if isinstance(value, Mapping):
        return {_text(key): _plain(item, left, depth + 1) for key, item in list(value.items())[:_ITEMS]}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, left, depth + 1) for item in list(value)[:_ITEMS]]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return value if value.bit_length() <= 63 else None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value[:10_000] if isinstance(value, str) else None
