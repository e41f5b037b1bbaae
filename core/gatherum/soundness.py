"""What plugins bring is checked before others rely on it: plugins need not be type-checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from gatherum.document import KINDS, LAYERS, Metadata, Section
from gatherum.handler import LONGEST_TITLE, Report
from gatherum.jsonable import jsonable
from gatherum.locator import Locator
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatherum.limits.budget import Limits


def bounded(sections: Iterable[Section], limits: Limits, report: Report) -> Iterator[Section]:
    """Pass sections on, cleaned, until the document has had its share.

    Raises:
        TypeError: Something is no section, or has values of wrong types.
        ValueError: A kind or a layer is unknown.
    """
    left = limits.text_chars
    for count, section in enumerate(sections):
        if not isinstance(section, Section):
            raise TypeError(f"yielded {type(section).__name__} instead of Section")
        if section.kind not in KINDS or section.layer not in LAYERS:
            raise ValueError(f"yielded a section of unknown kind {section.kind!r} or layer {section.layer!r}")
        if not _sound(section):
            raise TypeError("yielded a section whose heading is no tuple or whose locator is no Locator")
        left -= len(section.text)
        if left < 0 or count >= limits.sections:
            report.problem("too_large", "the document's text is longer than allowed; the rest was left out")
            return
        heading = tuple(" ".join(clean(title).split()) for title in section.heading)
        if any(len(title) > LONGEST_TITLE for title in heading):
            report.problem("too_large", "a heading is longer than any title; its end was left out")
            heading = tuple(title[:LONGEST_TITLE] for title in heading)
        yield replace(section, text=clean(section.text), heading=heading)


def _sound(section: Any) -> bool:
    return isinstance(section.heading, tuple) and isinstance(section.locator, Locator)


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
