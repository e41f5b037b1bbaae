"""Checked by mypy only: what users and plugin authors write has the types that they expect."""

from collections.abc import Iterator
from typing import assert_type

from gatherum import (
    Document,
    EmbeddingModel,
    Handler,
    Locator,
    Report,
    Section,
    SectionBuilder,
    Shelf,
    Source,
    hookimpl,
    load_registry,
)
from gatherum.results import Explanation, Hit, IndexReport, Outline, Reading, SearchResult, Status

assert_type(load_registry().read("x.md"), Document)

shelf = Shelf.open("~/notes/.shelf")
assert_type(shelf, Shelf)
assert_type(shelf.add("~/notes"), IndexReport)
assert_type(shelf.search("retry policy", mode="keyword", limit=5), SearchResult)
assert_type(shelf.read("a.md", line=3), Reading)
assert_type(shelf.outline("a.md"), Outline)
assert_type(shelf.status(problems=True), Status)
assert_type(shelf.why("a.md", "retry policy"), Explanation)
for hit in shelf.search("retry policy"):
    assert_type(hit, Hit)
    assert_type(hit.heading, tuple[str, ...])


class Mine(Handler):
    """A handler as a plugin's author writes it."""

    name = "mine"
    title = "My notes"
    extensions = (".mine",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield one section."""
        builder = SectionBuilder()
        report.metadata(title="Mine")
        yield from builder.add(source.text(report), locator=Locator.lines(1))
        yield from builder.close()


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Return the handler."""
    return [Mine()]


@hookimpl
def gatherum_models() -> list[EmbeddingModel]:
    """Return a model."""
    return [EmbeddingModel(name="tiny", dimensions=8)]
