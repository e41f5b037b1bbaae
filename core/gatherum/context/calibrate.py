"""Find the prompt hook's threshold and margin on a user's own shelf, and say how well they do on questions held out."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final

from gatherum.config import HookSettings
from gatherum.context.passages import rendered, selected
from gatherum.context.questions import Question
from gatherum.context.relevance import Probe, off_topic, probe
from gatherum.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gatherum.results import Hit
    from gatherum.shelf import Shelf

_FEWEST: Final = 4
_SPREAD: Final = 0.016
"""By how much the relevance of a question that was not asked may differ from that of one that was."""
_NEEDLESS: Final = 0.5
"""What passages that were not needed cost, where passages that are missing cost 1."""
_HALVINGS: Final = 20
_MARGINS: Final = (HookSettings().margin, 0.03, 0.05)
_GAIN: Final = 0.02
"""A wider margin must find so much more to be worth its tokens."""


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
        doubtful: Questions that look as if no document answered them: no more about these than most other prompts.
    """

    threshold: float
    margin: float
    fitted: Rates
    held_out: tuple[Rates, ...] = field(default=())
    doubtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What became of a question.

    Attributes:
        question: The question.
        probe: How it relates to the shelf; None where that cannot be told.
    """

    question: Question
    probe: Probe | None

    @property
    def relevance(self) -> float:
        """Its relevance; -1, the least, where that cannot be told."""
        return self.probe.relevance if self.probe else -1.0


def calibrate(shelf: Shelf, questions: Sequence[Question]) -> Calibration:
    """Find threshold and margin.

    Prompts that no document answers are the built-in ones, and those among the questions, which together count for as
    much. How often the hook fires off topic is said of those among the questions, if there are any.

    Raises:
        ConfigError: There are too few questions.
        GatherumError: The shelf cannot be searched.
    """
    on, off = ([each for each in questions if each.on is wanted] for wanted in (True, False))
    if len(on) < _FEWEST:
        raise ConfigError(f"{len(on)} questions on the documents are too few", hint=f"Give {_FEWEST} or more.")
    others = built_in(shelf)
    if all(each.probe is None for each in others):
        raise ConfigError(
            "relevance cannot be told here", hint="It needs a shelf with passages and an embedding model."
        )
    tried_on, tried_off = tried(shelf, on), tried(shelf, off)
    fit, judged = Fit(shelf, others), tried_off or others
    held = []
    for at in (0, 1):
        train_on, train_off = tried_on[at::2], tried_off[at::2]
        settings = fit(train_on, train_off) if tried_off else Fit(shelf, others[at::2])(train_on, ())
        held.append(fit.rates(tried_on[1 - at :: 2] + judged[1 - at :: 2], *settings))
    threshold, margin = fit(tried_on, tried_off)
    return Calibration(
        threshold=threshold,
        margin=margin,
        fitted=fit.rates(tried_on + judged, threshold, margin),
        held_out=tuple(held),
        doubtful=tuple(each.question.text for each in tried_on if each.relevance < fit.least),
    )


def tried(shelf: Shelf, questions: Iterable[Question]) -> list[Tried]:
    """Return what becomes of questions.

    Raises:
        GatherumError: The shelf cannot be searched.
    """
    return [Tried(question=each, probe=probe(shelf, each.text, unknown=True)) for each in questions]


def built_in(shelf: Shelf) -> list[Tried]:
    """Return what becomes of the built-in prompts, each as if it were not among them.

    Raises:
        GatherumError: The shelf cannot be searched.
    """
    return tried(shelf, (Question(text=text, on=False) for text in off_topic()))


class Fit:
    """Finds and judges settings.

    Args:
        shelf: The shelf.
        built_in: What became of the built-in prompts.
    """

    def __init__(self, shelf: Shelf, built_in: Sequence[Tried]) -> None:
        self._settings, self._count = shelf.settings.hook, shelf.count_tokens
        self._built_in = [each.relevance for each in built_in if each.probe]
        self.least = median(self._built_in)

    def __call__(self, on: Sequence[Tried], off: Sequence[Tried]) -> tuple[float, float]:
        """Return threshold and margin."""
        asked = [each.relevance for each in on]
        clear = [each for each in asked if each >= self.least]
        groups = [self._built_in, *([[each.relevance for each in off]] if off else [])]
        threshold = balance(clear if len(clear) * 2 > len(asked) else asked, groups)
        margin, most = _MARGINS[0], -1.0
        for each in _MARGINS:
            answered = self.rates(on, threshold, each).answered
            if most < 0 or answered >= most + _GAIN:
                margin, most = each, answered
        return threshold, margin

    def rates(self, tried: Sequence[Tried], threshold: float, margin: float) -> Rates:
        """Return how settings do."""
        number = self._settings.passages
        given = []
        for each in tried:
            if each.probe is None:
                continue
            hits = selected(each.probe, threshold=threshold, margin=margin, passages=number)
            kept, text = rendered(hits, each.question.text, self._settings.max_tokens, self._count)
            if kept:
                given.append((each.question, kept, text))
        on, fired = sum(each.question.on for each in tried), sum(question.on for question, _, _ in given)
        right = [_right(question, kept) for question, kept, _ in given if question.on and question.path]
        return Rates(
            on=on,
            off=len(tried) - on,
            fired_on=round(fired / max(1, on), 4),
            fired_off=round((len(given) - fired) / max(1, len(tried) - on), 4),
            answered=round(sum(right) / max(1, len(right)), 4),
            tokens=round(sum(self._count(text) for _, _, text in given) / max(1, len(given)), 1),
            passages=round(sum(len(kept) for _, kept, _ in given) / max(1, len(given)), 2),
        )


def balance(on: Sequence[float], groups: Sequence[Sequence[float]]) -> float:
    """Return the threshold at which passages miss as often as they are needless, the latter at half its weight.

    Each relevance stands for those of similar prompts, spread around it by `_SPREAD`, so that a few questions do not
    decide by where they happen to lie.
    """

    def excess(cut: float) -> float:
        missing = sum(_below(cut, each) for each in on) / len(on)
        needless = sum(sum(1 - _below(cut, each) for each in group) / len(group) for group in groups) / len(groups)
        return missing - _NEEDLESS * needless

    low, high = -1.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return round(low, 4)


def _below(cut: float, relevance: float) -> float:
    """Return how likely a prompt like one of this relevance has less than *cut*."""
    return 0.5 * (1 + math.erf((cut - relevance) / (_SPREAD * math.sqrt(2))))


def _right(question: Question, hits: Sequence[Hit]) -> bool:
    return any(
        any(hit.path == path or hit.path.endswith(f"/{path}") for path in question.path)
        and (not question.heading or question.heading in (*hit.heading, hit.title))
        for hit in hits
    )
