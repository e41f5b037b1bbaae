"""The suite for authors of formats finds what it is there to find."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gatherum import Handler, Report, Section, Source
from gatherum.testing import HandlerSuite


class Plain(Handler):
    name, title, extensions = "plain", "Plain", (".plain",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        yield Section(text=source.text())


class Quadratic(Plain):
    def read(self, source: Source, report: Report) -> Iterator[Section]:
        words = source.text().split()
        yield Section(text=str(sum(other is word for word in words for other in words)))


class Hoarder(Plain):
    def read(self, source: Source, report: Report) -> Iterator[Section]:
        size = len(source.text())
        kept = bytearray(size * size // 64)
        yield Section(text=f"{len(kept)}")


def suite(handler: Handler, tmp_path: Path, **attributes: object) -> HandlerSuite:
    sample = tmp_path / "sample.plain"
    sample.write_text("a few words of text\n", encoding="utf-8")
    return type("Suite", (HandlerSuite,), {"handler": handler, "samples": (sample,), **attributes})()


def test_linear_work_passes(tmp_path: Path) -> None:
    plain = suite(Plain(), tmp_path)
    plain.test_time_grows_no_faster_than_documents()
    plain.test_memory_grows_no_faster_than_documents()


def test_quadratic_time_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"8 times the size takes .* times the processor time"):
        suite(Quadratic(), tmp_path, growth_bytes=4 << 10).test_time_grows_no_faster_than_documents()


def test_quadratic_memory_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="times the memory"):
        suite(Hoarder(), tmp_path, growth_bytes=8 << 10).test_memory_grows_no_faster_than_documents()


def test_growth_may_be_left_unchecked(tmp_path: Path) -> None:
    with pytest.raises(pytest.skip.Exception, match="unchecked"):
        suite(Quadratic(), tmp_path, growth=math.inf).test_time_grows_no_faster_than_documents()


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "weighty.py").write_text("", encoding="utf-8")
    yield tmp_path / "a_plugin.py"
    sys.modules.pop("a_plugin", None)


def of_module(name: str) -> Handler:
    return type("FromModule", (Plain,), {"__module__": name})()


def test_packages_that_come_along_are_named(plugin: Path, tmp_path: Path) -> None:
    plugin.write_text("import json, weighty\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="importing a_plugin imports weighty"):
        suite(of_module("a_plugin"), tmp_path).test_its_module_imports_nothing_heavy()
    suite(of_module("a_plugin"), tmp_path, imports=("weighty",)).test_its_module_imports_nothing_heavy()


def test_a_module_that_cannot_be_imported_is_told_in_a_sentence(plugin: Path, tmp_path: Path) -> None:
    plugin.write_text("import not_there_at_all\n", encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match=r"a_plugin cannot be imported .*'not_there_at_all'"):
        suite(of_module("a_plugin"), tmp_path).test_its_module_imports_nothing_heavy()
