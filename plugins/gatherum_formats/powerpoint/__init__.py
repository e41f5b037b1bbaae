"""PowerPoint presentations: slides in the order in which they are shown, with their notes and comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Glimpse, Handler, Report, Section, Source, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class PowerPointHandler(Handler):
    """Read presentations, shows and templates."""

    name = "powerpoint"
    title = "PowerPoint presentations"
    extensions = (".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm")

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the slides of *source*, each under its title."""
        from gatherum_formats.powerpoint.deck import Deck
        from gatherum_formats.shared.opc import Package

        package = Package(source, report)
        package.core_properties()
        yield from Deck(package, report).read()

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a presentation by its main part."""
        return ".pptx" if {"ppt/presentation.xml", "[Content_Types].xml"} <= glimpse.members else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler of presentations."""
    return [PowerPointHandler()]
