"""How documents travel from a worker: in a third of the time that frozen dataclasses take by themselves."""

from __future__ import annotations

from dataclasses import fields
from multiprocessing.reduction import ForkingPickler
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from gatherum.document import Document, Metadata, Section
from gatherum.locator import Locator
from gatherum.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

_VALUES = (Document, Metadata, Section, Locator, Problem)


def _setters(kind: type) -> tuple[Callable[[object, object], None], ...]:
    """Return what fills the slots of a frozen value, in the order of its fields."""
    return tuple(getattr(kind, field.name).__set__ for field in fields(kind))


def _reducer(number: int, kind: type) -> Callable[[Any], tuple[Callable[..., Any], tuple[Any, ...]]]:
    values = attrgetter(*(field.name for field in fields(kind)))
    return lambda value: (_made, (number, *values(value)))


def _made(number: int, *values: object) -> object:
    made = object.__new__(_VALUES[number])
    for fill, value in zip(_SETTERS[number], values, strict=True):
        fill(made, value)
    return made


_SETTERS = tuple(map(_setters, _VALUES))


def teach() -> None:
    """Let the pipes of `multiprocessing` know the values of which documents consist."""
    for number, kind in enumerate(_VALUES):
        ForkingPickler.register(kind, _reducer(number, kind))
