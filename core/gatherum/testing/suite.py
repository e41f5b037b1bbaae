"""What every format handler must do, as inheritable tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

from gatherum.document import KINDS, LAYERS, Section
from gatherum.errors import UnreadableError
from gatherum.handler import Handler, Report, Source
from gatherum.locator import Locator
from gatherum.testing.damage import FOREIGN, damaged

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAVY = frozenset(
    {
        *("bs4", "docx", "ebooklib", "fastembed", "lancedb", "lxml", "markdown_it", "mcp", "nbformat", "numpy"),
        *("odf", "onnxruntime", "pandas", "pptx", "pyarrow", "pydantic", "tokenizers", "torch", "yaml"),
    }
)
"""Modules that a plugin may import only when it reads its first document."""


class HandlerSuite:
    """Subclass as ``TestX``; set ``handler`` and ``samples``.

    Attributes:
        handler: The handler under test.
        samples: Good documents of its format.
        shows: Sample (by file name) to words that its sections must show.
    """

    handler: ClassVar[Handler]
    samples: ClassVar[Sequence[str | Path]]
    shows: ClassVar[dict[str, Sequence[str]]] = {}

    def read(self, name: str, data: bytes) -> tuple[list[Section], Report]:
        """Read *data* with the handler itself; a refusal by `UnreadableError` gives no sections."""
        report, sections = Report(), list[Section]()
        try:
            sections.extend(self.handler.read(Source(name, data), report))
        except UnreadableError as error:
            report.problem(error.code, error.message)
        return sections, report

    def test_it_can_be_registered(self) -> None:
        """A handler has a name, a title, and extensions like ``.md``."""
        assert self.handler.name
        assert self.handler.title
        assert self.handler.extensions
        assert all(ext.startswith(".") and ext == ext.lower() for ext in self.handler.extensions)
        assert self.handler.version >= 1

    def test_each_sample_is_read_into_sections(self) -> None:
        """Each sample gives text, the same twice, and the words that it shows."""
        for sample in map(Path, self.samples):
            data = sample.read_bytes()
            sections, report = self.read(sample.name, data)
            assert any(section.text.strip() for section in sections), sample
            again, second = self.read(sample.name, data)
            assert again == sections, f"{sample} reads differently the second time"
            assert second.problems == report.problems
            text = "\n".join(part for section in sections for part in (*section.heading, section.text))
            for word in self.shows.get(sample.name, ()):
                assert word in text, f"{word!r} of {sample} is lost"

    def test_sections_are_well_formed(self) -> None:
        """Headings, levels, kinds, layers and locators of each sample make sense."""
        for sample in map(Path, self.samples):
            for section in self.read(sample.name, sample.read_bytes())[0]:
                assert isinstance(section, Section)
                check_section(section)

    def test_it_refuses_or_reads_whatever_it_is_given(self) -> None:
        """Damaged and foreign input gives what can be read or a problem, never an exception."""
        suffix = self.handler.extensions[0]
        inputs = [(what, f"foreign{suffix}", data) for what, data in FOREIGN.items()]
        for sample in map(Path, self.samples):
            inputs += [(f"{sample.name} {what}", sample.name, data) for what, data in damaged(sample.read_bytes())]
        for what, name, data in inputs:
            try:
                sections, _ = self.read(name, data)
            except Exception as error:  # noqa: BLE001 - any exception at all is the failure looked for
                pytest.fail(f"{type(error).__name__} on {what}: {error}")
            for section in sections:
                check_section(section)

    def test_it_prints_nothing(self, capfd: pytest.CaptureFixture[str]) -> None:
        """Output belongs to results and protocols."""
        for sample in map(Path, self.samples):
            data = sample.read_bytes()
            self.read(sample.name, data)
            self.read(sample.name, data[: len(data) // 2])
        assert capfd.readouterr().out == ""

    def test_its_module_imports_nothing_heavy(self) -> None:
        """Plugins are imported whenever gatherum starts: parsers are imported by the method that needs them."""
        code = f"import sys, {type(self.handler).__module__}; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
        assert not HEAVY & {name.partition(".")[0] for name in done.stdout.split()}


def check_section(section: Section) -> None:
    """Assert that a section is one that gatherum can store and show."""
    assert section.kind in KINDS
    assert section.layer in LAYERS
    assert isinstance(section.locator, Locator)
    assert 0 <= section.level <= 9
    assert bool(section.heading) or section.level == 0
    for title in section.heading:
        assert title == " ".join(title.split()), f"a heading has loose white space: {title!r}"
    (section.text + "".join(section.heading)).encode("utf-8", errors="surrogatepass")
