"""What every format handler must do, as inheritable tests."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

from gatherum.document import KINDS, LAYERS, Section
from gatherum.errors import UnreadableError
from gatherum.handler import Handler, Report, Source
from gatherum.locator import Locator
from gatherum.testing.damage import FOREIGN, damaged
from gatherum.testing.enlarge import enlarged
from gatherum.testing.growth import TIMES, memory_growth, time_growth
from gatherum.testing.imports import ImportFailed, brought_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence


class HandlerSuite:
    """Subclass as ``TestX``; set ``handler`` and ``samples``.

    Attributes:
        handler: The handler under test.
        samples: Good documents of its format.
        shows: Sample (by file name) to words that its sections must show.
        imports: Packages of others that may come along when the handler's module is imported, because they are light.
        growth: How many times more than in proportion to its size a document may cost, in time and in memory;
            `math.inf` leaves both unchecked.
        growth_bytes: The size of the smaller of the two documents by which this is measured.
    """

    handler: ClassVar[Handler]
    samples: ClassVar[Sequence[str | Path]]
    shows: ClassVar[dict[str, Sequence[str]]] = {}
    imports: ClassVar[Collection[str]] = ()
    growth: ClassVar[float] = 4.0
    growth_bytes: ClassVar[int] = 32 << 10

    def enlarged(self, name: str, data: bytes, size: int) -> bytes | None:
        """Return a document like a sample, of at least *size* bytes, with as much more text; None if there is no way.

        Text is repeated, and so is what is in XML, in JSON, and in zip archives of XML; what gives most text is taken.
        Override this for binary formats, and for text that says no more when it is repeated.

        Args:
            name: The sample's file name.
            data: Its content.
            size: How large the document must be, in bytes, whatever the size of the sample.
        """
        return max(enlarged(data, size), key=lambda document: self._shown(name, document), default=None)

    def _shown(self, name: str, data: bytes) -> int:
        """Return how many letters are read of a document."""
        return sum(len(section.text) + sum(map(len, section.heading)) for section in self.read(name, data)[0])

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
        module = type(self.handler).__module__
        try:
            brought = brought_in(module) - set(self.imports)
        except ImportFailed as error:
            pytest.fail(str(error), pytrace=False)
        assert not brought, (
            f"importing {module} imports {', '.join(sorted(brought))}: import it in the method that needs it, "
            "or name it in the suite's `imports` if it is light"
        )

    def test_time_grows_no_faster_than_documents(self) -> None:
        """Eight times the document takes about eight times the processor time, not sixty-four times."""
        self._check_growth("processor time", time_growth)

    def test_memory_grows_no_faster_than_documents(self) -> None:
        """Eight times the document takes about eight times the memory."""
        self._check_growth("memory", memory_growth)

    def _check_growth(self, what: str, measure: Callable[[Callable[[bytes], object], bytes, bytes], float]) -> None:
        if self.growth == math.inf:
            pytest.skip("the suite leaves growth unchecked")
        checked = 0
        for sample in map(Path, self.samples):
            data = sample.read_bytes()
            small = self.enlarged(sample.name, data, self.growth_bytes)
            large = self.enlarged(sample.name, data, self.growth_bytes * TIMES)
            if small is None or large is None or self._shown(sample.name, large) < 2 * self._shown(sample.name, small):
                continue
            checked += 1
            times = measure(partial(self.read, sample.name), small, large)
            size = len(large) / len(small)
            assert times <= size * self.growth, (
                f"{sample}: {size:.0f} times the size takes {times:.0f} times the {what}"
            )
        if not checked:
            pytest.skip("no sample gives more text when it is repeated: override `enlarged`")


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
