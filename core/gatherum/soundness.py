"""What plugins bring is checked before others rely on it: plugins need not be type-checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, get_args

from gatherum.document import Kind, Layer, Metadata, Section
from gatherum.handler import LONGEST_TITLE, Report
from gatherum.jsonable import jsonable
from gatherum.locator import WHOLE, Locator
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatherum.limits.budget import Limits

_DEEPEST: Final = 64
"""Titles above one section: JSON may be nested deeper than any book."""
_LAST: Final = 9
_LANGUAGE: Final = 100
_KINDS: Final = {kind: kind for kind in get_args(Kind)}
_LAYERS: Final = {layer: layer for layer in get_args(Layer)}


def bounded(sections: Iterable[Section], limits: Limits, report: Report) -> Iterator[Section]:
    """Pass sections on, of exactly the types that they should have, cleaned, until the document has had its share.

    Raises:
        TypeError: Something is no section, or has values of wrong types.
        ValueError: A kind or a layer is unknown.
    """
    left = limits.text_chars
    above: object = None
    heading: tuple[str, ...] = ()
    for count, section in enumerate(sections):
        if not isinstance(section, Section):
            raise TypeError(f"yielded {type(section).__name__} instead of Section")
        if section.kind not in _KINDS or section.layer not in _LAYERS:
            raise ValueError(f"yielded a section of unknown kind {section.kind!r} or layer {section.layer!r}")
        if section.heading != above or above is None:
            above, heading = section.heading, _titles(section.heading, report)
            left -= sum(map(len, heading))
        text = clean(section.text)
        left -= len(text)
        if left < 0 or count >= limits.sections:
            report.problem("too_large", "the document's text is longer than allowed; the rest was left out")
            return
        yield Section(
            text=text,
            heading=heading,
            level=_level(section.level),
            kind=_KINDS[section.kind],
            layer=_LAYERS[section.layer],
            locator=section.locator if section.locator is WHOLE else _place(section.locator),
            language=_language(section.language),
        )


def _titles(heading: Any, report: Report) -> tuple[str, ...]:
    if not isinstance(heading, tuple):
        raise TypeError("yielded a section whose heading is no tuple")
    titles = tuple(" ".join(clean(title).split()) for title in heading)
    if len(titles) > _DEEPEST:
        report.problem("too_deep", f"a section stands under {len(titles)} titles; the first {_DEEPEST} were kept")
        titles = titles[:_DEEPEST]
    if any(len(title) > LONGEST_TITLE for title in titles):
        report.problem("too_large", "a heading is longer than any title; its end was left out")
        titles = tuple(title[:LONGEST_TITLE] for title in titles)
    return titles


def _level(level: Any) -> int:
    return max(0, min(int.__index__(level), _LAST)) if isinstance(level, int) else 0


def _language(language: Any) -> str | None:
    return clean(language)[:_LANGUAGE] if isinstance(language, str) else None


def _place(locator: Any) -> Locator:
    if not isinstance(locator, Locator):
        raise TypeError("yielded a section whose locator is no Locator")
    return Locator.sound(locator)


def sound_metadata(metadata: Any) -> Metadata:
    """Return metadata, cleaned.

    Raises:
        TypeError: It is none, or has values of wrong types.
    """
    if not isinstance(metadata, Metadata) or not isinstance(metadata.extra, Mapping):
        raise TypeError("the metadata is no Metadata")
    values = {field.name: getattr(metadata, field.name) for field in fields(metadata) if field.name != "extra"}
    for name, value in values.items():
        many = name in ("authors", "tags")
        if not isinstance(value, tuple if many else str) or (many and not all(isinstance(each, str) for each in value)):
            raise TypeError(f"{name} is {value!r}")
    report = Report()
    report.metadata(**values)
    return replace(report.build(), extra=jsonable(metadata.extra))
