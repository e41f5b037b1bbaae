"""The sources in fixtures/FORMAT/sources, what is read of them, and two ways of writing that down."""

from __future__ import annotations

import difflib
import json
import re
import sys
import zipfile
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gatherum import Registry
from gatherum.chunking import chunk_document
from gatherum.config import ChunkingSettings
from gatherum.embedding import TokenCounter
from gatherum.jsonable import jsonable
from gatherum.ledger import ledger_of
from gatherum.plugins import load_plugins
from gatherum.rendering import render

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from gatherum import Document, Locator

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SOURCES = sorted(path for path in FIXTURES.glob("*/sources/*") if path.is_file())
_ITSELF = re.compile(r"\[([^\[\]]+)\]\(\1\)")
"""A link whose words are its target."""
TOKEN = re.compile(r"tok[a-z]+\d\d")


@cache
def registry() -> Registry:
    """Return the built-in formats; what else is installed here is no part of a golden file."""
    return Registry(load_plugins(blocked={"gatherum-example"}))


def maker(name: str) -> ModuleType:
    """Return a module of fixtures/makers; the folder does not stay on the path: others in it have names of packages."""
    sys.path.append(str(FIXTURES))
    try:
        return import_module(f"makers.{name}")
    finally:
        sys.path.remove(str(FIXTURES))


@cache
def read(source: Path) -> Document:
    """Read a source as it is read when it is gathered; what needs a library that is not installed, skips the test."""
    if source.parents[1].name == "legacy":
        pytest.importorskip("office_oxide")
    return registry().read(source)


def golden_of(source: Path) -> Path:
    """Return the file that holds what must be read of *source*."""
    return source.parents[1] / "golden" / f"{source.name}.json"


def golden_text(document: Document) -> str:
    """Return all that was read of a document, as JSON that shows differences line by line."""
    passages = chunk_document(
        document, render(document), TokenCounter(None), ChunkingSettings(), title=document.metadata.title
    )
    ledger = ledger_of(document.sections, (passage.text for passage in passages))
    metadata = {name: value for name, value in asdict(document.metadata).items() if value}
    value = {
        "state": document.state,
        "format": document.format,
        "handler": document.handler,
        "metadata": metadata,
        "problems": [
            {"code": problem.code, "message": problem.message, "where": _place(problem.locator)}
            for problem in document.problems
        ],
        "ledger": {"words": dict(ledger.words), "reached": ledger.reached},
        "sections": [
            {
                "heading": list(section.heading),
                "level": section.level,
                "is": f"{section.layer} {section.kind}" + (f" in {section.language}" if section.language else ""),
                "where": _place(section.locator),
                "text": section.text.split("\n"),
            }
            for section in document.sections
        ],
    }
    return json.dumps(jsonable(value), ensure_ascii=False, indent=1) + "\n"


def _place(locator: Locator | None) -> str:
    if locator is None:
        return ""
    named = [f"{what} {value}" for what, value in (("name", locator.name), ("anchor", locator.anchor)) if value]
    return ", ".join([f"{locator.unit} {locator.start}-{locator.end}", *named, locator.label])


def difference(expected: str, found: str, name: str) -> str:
    """Return a unified diff, for people."""
    lines = difflib.unified_diff(
        expected.splitlines(), found.splitlines(), f"{name} as it must be", f"{name} as it was read", lineterm="", n=2
    )
    return "\n".join(lines)


def outline(document: Document) -> str:
    """Return the tokens of a document in reading order: headings by depth, below them layer, kind and tokens."""
    lines = []
    metadata = document.metadata
    if found := TOKEN.findall(metadata.title):
        lines.append(f"title: {' '.join(found)}")
    rest = {name: value for name, value in asdict(metadata).items() if name != "title"}
    titled = set(found)
    if found := sorted(set(TOKEN.findall(json.dumps(jsonable(rest)))) - titled):
        lines.append(f"metadata: {' '.join(found)}")
    before: tuple[str, ...] = ()
    for section in document.sections:
        path = section.heading
        shared = 0
        while shared < min(len(path), len(before)) and path[shared] == before[shared]:
            shared += 1
        lines += [f"{'#' * (depth + 1)} {path[depth]}" for depth in range(shared, len(path))]
        before = path
        if found := TOKEN.findall(_ITSELF.sub(r"\1", section.text)):
            lines.append(f"{section.layer} {section.kind}: {' '.join(found)}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A block of a table.

    Attributes:
        outline: What `outline` must return.
        absent: The tokens of the source that must be nowhere.
        again: The tokens that the source itself says more than once.
    """

    outline: str
    absent: frozenset[str]
    again: frozenset[str]


def expected_outlines(fmt: str) -> dict[str, Expected]:
    """Return by source name what must be extracted."""
    path = FIXTURES / fmt / "must_extract.txt"
    return dict(_blocks(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _blocks(text: str) -> Iterator[tuple[str, Expected]]:
    for block in re.split(r"(?m)^== ", text)[1:]:
        name, *lines = block.rstrip().split("\n")
        absent, again = (
            frozenset(token for line in lines if line.startswith(mark) for token in TOKEN.findall(line))
            for mark in ("absent:", "again:")
        )
        kept = [line for line in lines if line and not line.startswith(("absent:", "again:", "//"))]
        yield name, Expected(outline="\n".join(kept), absent=absent, again=again)


def tokens_in(source: Path) -> set[str]:
    """Return the tokens that stand anywhere in a file, whoever sees them; in zips, in any member."""
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as archive:
            contents = [archive.read(name) for name in archive.namelist()]
    else:
        contents = [source.read_bytes()]
    return {
        token
        for content in contents
        for encoding in ("latin-1", "utf-16-le", "utf-16-be")
        for token in TOKEN.findall(content.decode(encoding, errors="ignore"))
    }
