"""An example plugin for gatherum: reads ``.shout`` files, where every line in capitals is a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Locator, SectionBuilder, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


class ShoutHandler(Handler):
    """Reads ``.shout`` files."""

    name = "shout"
    title = "Shouted notes"
    extensions = (".shout",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield a section for each line in capitals, with the lines below it."""
        builder = SectionBuilder()
        for number, line in enumerate(source.text(report).split("\n"), 1):
            if line.isupper():
                yield from builder.enter(1, line, locator=Locator.lines(number))
            else:
                yield from builder.add(line, locator=Locator.lines(number), separator="\n")
        yield from builder.close()


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Return the handler of this plugin."""
    return [ShoutHandler()]
