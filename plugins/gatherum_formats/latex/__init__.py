"""LaTeX: sections, lists, tables, notes and mathematics of a source that is never run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class LatexHandler(Handler):
    """Read LaTeX into sections."""

    name = "latex"
    title = "LaTeX"
    extensions = (".tex", ".latex", ".ltx")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a LaTeX document or a part of one."""
        from gatherum_formats.latex.reading import read_source

        yield from read_source(source, report)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [LatexHandler()]
