"""The texts of a new plugin; `string.Template` fills in its names."""

from __future__ import annotations

from typing import Final

PYPROJECT: Final = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "$distribution"
version = "0.1.0"
description = "A plugin for gatherum: reads $extension files."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["gatherum$versions"]

[project.optional-dependencies]
test = ["gatherum[testing]"]

[project.entry-points.gatherum]
$name = "$module"

[tool.hatch.build.targets.wheel]
include = ["$module.py"]

[tool.pytest.ini_options]
pythonpath = ["."]
"""

MODULE: Final = '''\
"""A plugin for gatherum: reads ``$extension`` files, where a line that begins with ``= `` is a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Locator, SectionBuilder, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


class ${class_name}(Handler):
    """Reads ``$extension`` files."""

    name = "$name"
    title = "$title files"
    extensions = ("$extension",)
    version = 1  # raise it whenever sections come out differently: files are then read again

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield a section for each heading, with the lines below it.

        Import slow libraries here, not at the top. Where something is missing or damaged, tell
        ``report.problem(...)`` and go on; where nothing can be read, raise ``gatherum.UnreadableError``.
        """
        builder = SectionBuilder()
        for number, line in enumerate(source.text(report).split("\\n"), 1):
            if line.startswith("= ") and line[2:].strip():
                yield from builder.enter(1, line[2:], locator=Locator.lines(number))
            else:
                yield from builder.add(line, locator=Locator.lines(number), separator="\\n")
        yield from builder.close()


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Return the handlers of this plugin."""
    return [${class_name}()]
'''

SAMPLE: Final = """\
= First heading
The text of the first section,
on two lines.

= Second heading
The text of the second section.
"""

TESTS: Final = '''\
from pathlib import Path

from $module import ${class_name}

from gatherum import Report, Source
from gatherum.testing import HandlerSuite

SAMPLE = Path(__file__).parent / "sample$extension"


class Test${class_name}(HandlerSuite):
    """What every handler must do."""

    handler = ${class_name}()
    samples = (SAMPLE,)
    shows = {SAMPLE.name: ("First heading", "on two lines", "Second heading")}


def test_headings_part_a_file_into_sections():
    source = Source("test$extension", b"before\\n= Title\\nafter\\n")
    before, after = ${class_name}().read(source, Report())
    assert (before.heading, before.text) == ((), "before")
    assert (after.heading, after.text, str(after.locator)) == (("Title",), "after", "line 3")
'''

README: Final = """\
# $distribution

A plugin for gatherum that reads `$extension` files.

    pip install --editable ".[test]"
    pytest
    gatherum plugins
    gatherum extract sample$extension

`$module.py` has the handler: change its `read` until `gatherum extract` shows what should be found, and say in
`test_$module.py` what that is.
"""
