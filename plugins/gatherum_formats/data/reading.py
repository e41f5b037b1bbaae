"""Data from its text to lines of key path and value."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, ClassVar, Final

from gatherum import Locator, SectionBuilder
from gatherum_formats.data.paths import leaves, line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section

_MOST: Final = 2 << 20
_VALUES: Final = 300_000
_TITLES: Final = ("title", "name", "label", "id")
_NUMBERED: Final = 200
_STAIRS: Final = re.compile(r"^(?:[ \t]*[-?:](?=[ \t])){50}", re.MULTILINE)
_DOTTED: Final = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){60}""")
_TAGGED: Final = re.compile(r"(?<=[\s:\[,-])!!?[\w:/.-]*(?=\s)")
_FLOW: Final = re.compile(r"[\[{]\s*(?:[\[{]\s*){60}")


class _YamlError(Exception):
    """YAML that cannot be parsed, or that costs too much to parse."""


def read_data(text: str, name: str, extension: str, report: Report) -> Iterator[Section]:
    """Yield the values under their keys; what cannot be parsed is kept as it is written.

    Args:
        text: The data.
        name: What it is called in problems.
        extension: What it is written in.
        report: Told of metadata and problems.
    """
    lines = text.count("\n") + 1
    place = Locator.lines(1, lines)
    builder = SectionBuilder()
    if extension in (".jsonl", ".ndjson"):
        yield from _records(text, builder, report)
    else:
        try:
            value = _parse(text, extension)
        except (ValueError, RecursionError, configparser.Error, _YamlError) as error:
            message = " ".join(str(error).split())[:200]
            report.problem("partial", f"{name} cannot be parsed ({message}); it is kept as it is written")
            yield from builder.add(text, kind="code", locator=place)
        else:
            yield from _values(value, builder, report, place)
    yield from builder.close()


def _parse(text: str, extension: str) -> object:
    if extension in (".json", ".geojson"):
        return json.loads(text, strict=False, parse_int=str, parse_float=str)
    if extension == ".toml":
        if len(text) > _MOST or _DOTTED.search(text):
            raise ValueError("larger or deeper than is parsed")
        return tomllib.loads(text, parse_float=str)
    if extension in (".ini", ".cfg"):
        return _ini(text)
    return _yaml(text)


def _ini(text: str) -> dict[str, Any]:
    parser = configparser.RawConfigParser(
        strict=False, allow_no_value=True, delimiters=("=", ":"), default_section="\0"
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        try:
            parser.read_string(text)
        except configparser.MissingSectionHeaderError:
            parser.read_string(f"[\1]\n{text}")
    except AttributeError:  # how some versions of Python take it
        raise ValueError("a line goes on with the value of a key that has none") from None
    found = {name: dict(parser.items(name)) for name in parser.sections()}
    return {**found.pop("\1", {}), **found}


def _yaml(text: str) -> object:
    if len(text) > _MOST:
        raise _YamlError("larger than is parsed")
    if _STAIRS.search(text) or _FLOW.search(text):
        raise _YamlError("nested too deeply")
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Keeps plain values as they are written: 1.10, yes, 0755."""

        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {
            first: [(tag, form) for tag, form in pairs if tag.endswith((":merge", ":null"))]
            for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    try:
        documents = list(yaml.load_all(_TAGGED.sub(" ", text), Loader=Loader))
    except (yaml.YAMLError, TypeError, AttributeError, OverflowError) as error:
        raise _YamlError(str(error)) from None
    return documents[0] if len(documents) == 1 else documents


def _values(value: object, builder: SectionBuilder, report: Report, place: Locator) -> Iterator[Section]:
    """Yield a section for each key at the top that has keys below it; the plain values come first."""
    if isinstance(value, dict):
        _describe(value, report)
        groups = {key: inner for key, inner in value.items() if isinstance(inner, dict | list) and inner}
        yield from _lines({key: inner for key, inner in value.items() if key not in groups}, builder, report, place)
        for key, inner in groups.items():
            yield from builder.enter(1, str(key)[:_NUMBERED] or '""', locator=place)
            yield from _lines(inner, builder, report, place)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, item in enumerate(value, 1):
            if number <= _NUMBERED:
                yield from builder.enter(1, _title(item) or f"Item {number}", locator=place)
            yield from _lines(item, builder, report, place)
    else:
        yield from _lines(value, builder, report, place)


def _records(text: str, builder: SectionBuilder, report: Report) -> Iterator[Section]:
    """Yield the records of JSON lines, each with its line."""
    spoilt = 0
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip():
            continue
        place = Locator.lines(number)
        try:
            value = json.loads(raw, strict=False, parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            spoilt += 1
            yield from builder.add(raw, locator=place)
            continue
        yield from _lines(value, builder, report, place)
    if spoilt:
        report.problem("partial", f"{spoilt} lines are not valid JSON; they are kept as they are written")


def _lines(value: object, builder: SectionBuilder, report: Report, place: Locator) -> Iterator[Section]:
    written: list[str] = []
    for count, (path, text) in enumerate(leaves(value)):
        if count >= _VALUES:
            report.problem("too_large", f"there are more than {_VALUES} values; the rest was left out")
            break
        written.append(line(path, text))
    yield from builder.add("\n".join(filter(None, written)), locator=place)


def _title(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    return next((str(value[key])[:_NUMBERED] for key in _TITLES if isinstance(value.get(key), str | int)), "")


def _describe(value: dict[Any, Any], report: Report) -> None:
    for field, names in (("title", ("title", "name")), ("description", ("description", "summary"))):
        found = next((value[name] for name in names if isinstance(value.get(name), str)), "")
        report.metadata(**{field: found[:1000]})
