"""What files and plugins may put into a document never ends a run over a folder."""

from collections.abc import Callable, Iterator

import pytest

from gatherum import Handler, Locator, Report, Section, Shelf, Source, hookimpl
from gatherum.plugins import Plugins, collect


class Odd(Handler):
    """Yields what a careless plugin may yield."""

    name, title, extensions = "odd", "Odd files", (".odd",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        order = source.text().strip()
        if order == "metadata":
            cycle: dict[str, object] = {}
            cycle["self"] = cycle
            report.metadata(title="a\ud800b", authors=["\udfff", 7], tags=("x\x00",), language=5, created=object())
            report.metadata(cycle=cycle, number=1 << 100_000, thing=object(), call=lambda: None, raw=b"\xff")
        elif order == "problems":
            report.problem("partial", "\ud800", Locator.sheet("\ud800", anchor="\udfff"))
        elif order == "locator":
            yield Section(text="x", locator=Locator.cell(1, name="\ud800"))
        elif order == "section":
            yield Section(text="x", heading=("A",), level="one", language=7)
        elif order == "many":
            yield from (Section(text=f"text {n}", heading=(f"H{n % 7}",), level=1) for n in range(3000))
        elif order == "long":
            yield Section(text="x" * 200_000, heading=("h" * 100_000,), level=1)
        elif order == "rubbish":
            yield 7
        yield Section(text=f"readable {order}")


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Return the odd handler."""
    return [Odd()]


class Entry:
    """Stands for an entry point."""

    name, dist = "odd", None

    def load(self) -> object:
        import types

        module = types.ModuleType("odd")
        module.gatherum_handlers = gatherum_handlers
        return module


@pytest.fixture
def shelf(make_shelf: Callable[..., Shelf], monkeypatch: pytest.MonkeyPatch) -> Shelf:
    from gatherum import registry

    original = registry.load_plugins

    def both(**options: object) -> Plugins:
        one, other = original(**options), collect([Entry()])  # type: ignore[arg-type, list-item]
        return Plugins(infos=one.infos + other.infos, handlers=one.handlers + other.handlers, models=one.models)

    monkeypatch.setattr(registry, "load_plugins", both)
    return make_shelf()


ORDERS = ("metadata", "problems", "locator", "section", "many", "long", "rubbish")


@pytest.mark.parametrize("order", ORDERS)
def test_what_a_plugin_yields_is_stored_or_told(shelf: Shelf, corpus, order: str) -> None:
    report = shelf.add(corpus({"a.odd": order, "b.md": "# Good\n\nAs ever.\n"}))
    assert report.added + report.failed == 2
    assert [hit.path for hit in shelf.search('"as ever"')] == ["b.md"]
    if order != "rubbish":
        assert [hit.path for hit in shelf.search(f'"readable {order}"')] == ["a.odd"]
    shelf.read("b.md")
    shelf.status(problems=True)
    for document in shelf.list_documents():
        shelf.read(document.id)
        shelf.outline(document.id)


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "front",
    [LAUGHS, "n: 0x" + "f" * 50_000, "d: 9999-99-99", "self: &x [*x]", "? [a, b]\n: c", 't: "\\uD800"', ".nan: .inf"],
    ids=["laughs", "number", "date", "cycle", "key", "half", "nan"],
)
def test_front_matter_never_ends_a_run(shelf: Shelf, corpus, front: str) -> None:
    report = shelf.add(corpus({"a.md": f"---\n{front}\n---\n\n# Title\n\nThe text.\n", "b.md": "# Good\n\nAs ever.\n"}))
    assert report.added == 2
    assert [hit.path for hit in shelf.search('"the text"')] == ["a.md"]
    assert len(str(shelf.read("a.md").metadata)) < 5_000_000
