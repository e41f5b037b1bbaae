"""Find the prompt hook's threshold and margin on a user's own shelf, and say how well they do on questions held out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gatherum.context.hook import Probe, off_topic, probe, rendered, selected
from gatherum.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gatherum.results import Hit
    from gatherum.shelf import Shelf

_MARGINS: Final = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03)
_GAIN: Final = 0.02
"""A wider margin must find so much more to be worth its tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A prompt with what is known of it.

    Attributes:
        text: The prompt.
        on: Whether the documents answer it.
        path: The document that does; "" if not known.
        heading: The section that does; "" if not known.
    """

    text: str
    on: bool = True
    path: tuple[str, ...] = ()
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How the hook did on some questions.

    Attributes:
        on: How many questions were about the documents.
        off: How many were not.
        fired_on: The share of the former that were given passages.
        fired_off: The share of the latter.
        answered: Of those that fired and whose answer is known, the share given the right section.
        tokens: The mean length of what was given.
        passages: The mean number of passages.
    """

    on: int
    off: int
    fired_on: float
    fired_off: float
    answered: float
    tokens: float
    passages: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was found.

    Attributes:
        threshold: For the setting ``hook.threshold``.
        margin: For the setting ``hook.margin``.
        fitted: How these do on the questions that they were found with.
        held_out: How those found with one half of the questions do on the other, both ways.
    """

    threshold: float
    margin: float
    fitted: Rates
    held_out: tuple[Rates, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    question: Question
    probe: Probe | None

    @property
    def relevance(self) -> float:
        return self.probe.relevance if self.probe else -1.0


def questions_in(file: Path, *, on: bool = True) -> list[Question]:
    """Read questions, one JSON object a line, or prompts, one a line.

    Raises:
        ConfigError: A line is neither.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not on and not line.lstrip().startswith("{"):
            found.append(Question(text=line.strip(), on=False))
            continue
        try:
            row = json.loads(line)
            text = row.get("query") or row.get("question") or row["prompt"]
            paths = row.get("path") or row.get("file") or row.get("relevant") or ()
            heading = row.get("heading") or ""
            if not isinstance(text, str) or not isinstance(heading, str):
                raise TypeError
            wanted = tuple(map(str, (paths,) if isinstance(paths, str) else paths))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ConfigError(
                f"{file}, line {number} is no question", hint='For example: {"question": "…", "path": "a.md"}'
            ) from None
        found.append(Question(text=text, on=on and row.get("topic") != "off", path=wanted, heading=heading))
    return found


def calibrate(shelf: Shelf, questions: Sequence[Question]) -> Calibration:
    """Find threshold and margin; where no question is off topic, the built-in ones are taken.

    Raises:
        ConfigError: There are too few questions.
    """
    every = list(questions)
    if all(question.on for question in every):
        every += [Question(text=text, on=False) for text in off_topic()]
    on, off = ([each for each in every if each.on is wanted] for wanted in (True, False))
    if len(on) < 4 or len(off) < 4:
        raise ConfigError(
            f"{len(on)} questions on the documents and {len(off)} others are too few", hint="Give 4 of each, or more."
        )
    tried_on, tried_off = (
        [_Tried(question=each, probe=probe(shelf, each.text, unknown=True)) for each in part] for part in (on, off)
    )
    halves = [tried_on[at::2] + tried_off[at::2] for at in (0, 1)]
    held = []
    for train, test in (halves, reversed(halves)):
        held.append(_rates(shelf, test, *_fit(shelf, train)))
    tried = tried_on + tried_off
    threshold, margin = _fit(shelf, tried)
    return Calibration(
        threshold=threshold, margin=margin, fitted=_rates(shelf, tried, threshold, margin), held_out=tuple(held)
    )


def _fit(shelf: Shelf, tried: Sequence[_Tried]) -> tuple[float, float]:
    """Return the threshold that does best on the worse-off side, in the middle of its gap, and the least margin."""
    on = [each.relevance for each in tried if each.question.on]
    off = [each.relevance for each in tried if not each.question.on]
    cuts = sorted({*on, *off})
    middles = [(low + high) / 2 for low, high in pairwise(cuts)] or cuts

    def worth(cut: float) -> tuple[float, float]:
        fired = sum(each >= cut for each in on) / len(on)
        silent = sum(each < cut for each in off) / len(off)
        return round(min(fired, silent), 6), fired + silent

    best = max(map(worth, middles))
    among = [cut for cut in middles if worth(cut) == best]
    threshold = round(among[len(among) // 2], 4)
    margin, most = _MARGINS[0], -1.0
    for each in _MARGINS:
        answered = _rates(shelf, tried, threshold, each).answered
        if answered >= most + _GAIN or most < 0:
            margin, most = each, answered
    return threshold, margin


def _rates(shelf: Shelf, tried: Sequence[_Tried], threshold: float, margin: float) -> Rates:
    settings = shelf.settings.hook
    on = [each for each in tried if each.question.on]
    off = [each for each in tried if not each.question.on]
    given = [
        (each, hits)
        for each in tried
        if each.probe and (hits := selected(each.probe, threshold=threshold, margin=margin, passages=settings.passages))
    ]
    right = [_right(each.question, hits) for each, hits in given if each.question.on and each.question.path]
    lengths = [shelf.count_tokens(rendered(hits, each.question.text, settings.max_tokens)) for each, hits in given]
    return Rates(
        on=len(on),
        off=len(off),
        fired_on=round(sum(each.question.on for each, _ in given) / max(1, len(on)), 4),
        fired_off=round(sum(not each.question.on for each, _ in given) / max(1, len(off)), 4),
        answered=round(sum(right) / max(1, len(right)), 4),
        tokens=round(sum(lengths) / max(1, len(lengths)), 1),
        passages=round(sum(len(hits) for _, hits in given) / max(1, len(given)), 2),
    )


def _right(question: Question, hits: Sequence[Hit]) -> bool:
    return any(
        any(hit.path == path or hit.path.endswith(f"/{path}") for path in question.path)
        and (not question.heading or question.heading in (*hit.heading, hit.title))
        for hit in hits
    )
