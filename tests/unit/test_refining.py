"""Plugins may change what was read, each within its bounds."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from gatherum import Document, Handler, Metadata, Registry, Section, Source, hookimpl
from gatherum.config import Settings
from gatherum.indexer.recipe import Recipes
from gatherum.limits import Limits
from gatherum.plugins import collect


class NoteHandler(Handler):
    name, title, extensions = "note", "Notes", (".note",)

    def read(self, source: Source, report):
        report.metadata(title="Note")
        if source.data:
            yield Section(text=source.text())


def plugin(name: str, refine: Callable[[Document], object] | None = None, version: str = "1", *handlers: Handler):
    module = SimpleNamespace()
    if handlers:
        module.gatherum_handlers = hookimpl(specname="gatherum_handlers")(lambda: list(handlers))
    if refine is not None:

        def call(document: Document) -> object:
            return refine(document)

        module.gatherum_refine = hookimpl(specname="gatherum_refine")(call)
    return SimpleNamespace(
        name=name, dist=SimpleNamespace(name=f"{name}-package", version=version), load=lambda: module
    )


def registry(*plugins: object, limits: Limits | None = None) -> Registry:
    return Registry(collect([plugin("note", None, "1", NoteHandler()), *plugins]), limits=limits)  # type: ignore[list-item]


def titled(title: str) -> Callable[[Document], Document]:
    return lambda document: replace(
        document, metadata=replace(document.metadata, title=document.metadata.title + title)
    )


def read(*plugins: object, data: bytes = b"text", limits: Limits | None = None) -> Document:
    found = registry(*plugins, limits=limits)
    return found.read(Source("a.note", data, limits=found.limits))


def test_metadata_and_sections_may_be_changed() -> None:
    document = read(
        plugin("shouts", lambda d: replace(d, sections=tuple(replace(s, text=s.text.upper()) for s in d.sections))),
        plugin("titles", titled(" refined")),
    )
    assert [section.text for section in document.sections] == ["TEXT"]
    assert document.metadata.title == "Note refined"
    assert (document.state, document.problems) == ("read", ())


def test_each_plugin_gets_what_the_one_before_has_made() -> None:
    assert read(plugin("b", titled("B")), plugin("a", titled("A"))).metadata.title == "NoteAB"


def test_none_leaves_a_document_as_it_is() -> None:
    assert read(plugin("idle", lambda document: None)) == read()


def test_nothing_else_can_be_changed() -> None:
    document = read(plugin("forger", lambda d: replace(d, path="b", state="skipped", format="x", handler="y")))
    assert (document.path, document.state, document.format, document.handler) == ("a.note", "read", "note", "note")


def leave(document: Document) -> Document:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("refine", "message"),
    [
        (lambda document: 1 / 0, "ZeroDivisionError"),
        (lambda document: "text", "returned str"),
        (lambda document: replace(document, sections=None), "TypeError"),
        (lambda document: replace(document, sections=("text",)), "str instead of Section"),
        (lambda document: replace(document, sections=(Section(text="x", layer="odd"),)), "unknown kind"),
        (lambda document: replace(document, sections=(Section(text="x", heading=["h"]),)), "heading is no tuple"),
        (lambda document: replace(document, metadata={}), "no Metadata"),
        (lambda document: replace(document, metadata=Metadata(title=3)), "title is 3"),
        (lambda document: replace(document, metadata=Metadata(tags=["x"])), "tags is"),
        (lambda document: replace(document, metadata=Metadata(authors=(1,))), "authors is"),
        (lambda document: replace(document, metadata=Metadata(extra=[])), "no Metadata"),
        (leave, "SystemExit"),
    ],
)
def test_one_that_fails_is_named_and_changes_nothing(refine: Callable[[Document], object], message: str) -> None:
    document = read(plugin("bad", refine), plugin("good", titled(" refined")))
    (problem,) = document.problems
    assert problem.code == "handler_failed"
    assert "the plugin bad failed to refine" in problem.message
    assert message in problem.message
    assert document.state == "read"
    assert [section.text for section in document.sections] == ["text"]
    assert document.metadata.title == "Note refined"


def test_ctrl_c_is_not_swallowed() -> None:
    def interrupt(document: Document) -> Document:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(plugin("slow", interrupt))


def test_lack_of_memory_is_told_as_such() -> None:
    def eat(document: Document) -> Document:
        raise MemoryError

    assert [problem.code for problem in read(plugin("big", eat)).problems] == ["memory"]


def test_what_it_brings_is_cleaned_and_bounded() -> None:
    dirty = Section(text="a\x00b\ud800", heading=(" two  words ",), level=1)
    document = read(plugin("dirty", lambda d: replace(d, sections=(dirty,), metadata=Metadata(title=" a\n b "))))
    assert document.sections[0].text == "a b\ufffd"
    assert document.sections[0].heading == ("two words",)
    assert document.metadata.title == "a b"
    many = plugin("many", lambda d: replace(d, sections=(Section(text="x"),) * 9))
    document = read(many, limits=Limits(sections=3))
    assert len(document.sections) == 3
    assert document.problems[0].code == "too_large"


def test_a_document_of_which_nothing_was_read_is_not_shown_to_plugins() -> None:
    seen: list[str] = []
    found = registry(plugin("curious", lambda document: seen.append(document.path)))
    found.read(Source("a.odd", b"x"))
    found.read(Source("gone.note"))
    assert seen == []


def test_the_hook_is_told_with_the_plugin() -> None:
    infos = {info.name: info for info in registry(plugin("titles", titled("!"))).infos}
    assert infos["titles"].hooks == ("gatherum_refine",)
    assert infos["note"].hooks == ("gatherum_handlers",)


def test_its_version_decides_how_files_read() -> None:
    def recipes(*plugins: object) -> Recipes:
        return Recipes(registry(*plugins), Settings())

    plain, first = recipes(), recipes(plugin("titles", titled("!"), "1"))
    assert first.holds("a.note", first.of("a.note", "note"))
    for other in (plain, recipes(plugin("titles", titled("!"), "2")), recipes(plugin("others", titled("!"), "1"))):
        assert not other.holds("a.note", first.of("a.note", "note"))
        assert not first.holds("a.note", other.of("a.note", "note"))


def test_plugins_know_what_others_read_in_their_place() -> None:
    class Other(NoteHandler):
        name, extensions = "other", (".note", ".other")

    infos = {info.name: info for info in registry(plugin("another", None, "1", Other())).infos}
    assert infos["note"].shadowed == (".note",)
    assert infos["another"].shadowed == ()
