"""No document, however spoilt, makes a handler fail, hang, crash or give text that cannot be stored.

GATHERUM_FUZZ sets how many mutants of each format are read. A mutant is made by its format and number alone, so that
a failure comes again with the same number, and more mutants include the fewer.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest
from format_samples import samples
from mutants import mutate

from gatherum import load_registry
from gatherum.limits import Limits
from gatherum.reader import Reader, Recipe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gatherum import Document, Handler

COUNT = int(os.environ.get("GATHERUM_FUZZ", "100"))
FAULTS = frozenset(("handler_failed", "timeout", "crashed", "memory"))
STATES = frozenset(("read", "partial", "unreadable", "unsupported"))
REGISTRY = load_registry()
HANDLERS = [handler for info, handler in REGISTRY.plugins.handlers if info.built_in]


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader(Recipe(limits=Limits()), workers=1, seconds=60) as reader:
        yield reader


def spoilt(handler: Handler, folder: Path) -> Iterator[str]:
    """Write mutants of a handler's samples, each just before it is read."""
    good = samples(REGISTRY, handler)
    assert good, f"{handler.name} has no sample"
    for number in range(COUNT):
        chance = random.Random(f"{handler.name}/{number}")
        extension, data = good[number % len(good)]
        path = folder / f"{number}{extension}"
        path.write_bytes(mutate(data, chance, [other for _, other in good]))
        yield str(path)


def fault(document: Document) -> str:
    """Return what is wrong with the document that came of a mutant; "" for nothing."""
    found = [problem.message for problem in document.problems if problem.code in FAULTS]
    if found:
        return found[0]
    if document.state not in STATES:
        return f"state {document.state}"
    if document.state != "read" and not document.problems:
        return f"{document.state} for no reason"
    told = [problem.message for problem in document.problems]
    shown = [part for section in document.sections for part in (*section.heading, section.text)]
    try:
        "".join(shown + told).encode()
    except UnicodeEncodeError as error:
        return str(error)
    if any(not 0 <= section.level <= 9 for section in document.sections):
        return "a level outside 0 to 9"
    return ""


@pytest.mark.parametrize("handler", HANDLERS, ids=lambda handler: handler.name)
def test_mutants_are_read_or_refused(reader: Reader, handler: Handler, tmp_path: Path) -> None:
    found = []
    for document in reader.read(spoilt(handler, tmp_path)):
        if what := fault(document):
            found.append(f"{document.path}: {what}")
        else:
            os.unlink(document.path)  # noqa: PTH108 - what fails is left to look at
    assert not found, "\n".join(found[:20])
