import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType, SimpleNamespace

import pytest

from gatherum import EmbeddingModel, Handler, Registry, Report, Section, Source, hookimpl
from gatherum.plugins import Plugins, collect, load_plugins

GOOD = """
from gatherum import Handler, Section, hookimpl
class H(Handler):
    name, title, extensions = "good", "Good files", (".good",)
    def read(self, source, report):
        yield Section(text="good")
@hookimpl
def gatherum_handlers():
    return [H()]
"""


@dataclass(frozen=True)
class Package:
    """Stands for an installed distribution."""

    name: str
    version: str = "1.0"


@pytest.fixture
def plugins(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Load plugins out of their source code, by entry point name."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def load(sources: dict[str, str], *, distribution: str = "third-party", blocked: tuple[str, ...] = ()) -> Plugins:
        entries = []
        for name, source in sources.items():
            module = f"plugin_under_test_{name}"
            (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
            monkeypatch.delitem(sys.modules, module, raising=False)
            entries.append(entry(name, module, distribution))
        return collect(entries, blocked=blocked)

    return load


def entry(name: str, module: str, distribution: str) -> EntryPoint:
    made = EntryPoint(name, module, "gatherum")
    vars(made).update(dist=Package(distribution))
    return made


def states(loaded: Plugins) -> dict[str, str]:
    return {info.name: info.state for info in loaded.infos}


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("raise RuntimeError('broken on purpose')", "RuntimeError: broken on purpose"),
        ("import no_such_module_anywhere", "ModuleNotFoundError"),
        ("this is no python", "SyntaxError"),
        ("import sys; sys.exit(3)", "SystemExit"),
        ("class Odd(BaseException): pass\nraise Odd('x')", "Odd: x"),
        ("from gatherum import hookimpl\n@hookimpl\ndef gatherum_handlers(): return [1]", "not a Handler"),
        ("from gatherum import hookimpl\n@hookimpl\ndef gatherum_handlers(): return 7", "TypeError"),
        ("from gatherum import hookimpl\n@hookimpl\ndef gatherum_handlers(): 1 / 0", "ZeroDivisionError"),
        ("from gatherum import hookimpl\n@hookimpl\ndef gatherum_handlers(config): return []", "PluginValidationError"),
        ("from gatherum import hookimpl\n@hookimpl\ndef gatherum_handler(): return []", "gatherum_handler"),
        ("from gatherum import hookimpl\n@hookimpl\ndef gatherum_models(): return ['x']", "not an EmbeddingModel"),
        (GOOD.replace('(".good",)', "()"), "no extensions"),
        (GOOD.replace('"Good files"', '""'), "no title"),
        (GOOD.replace(".good", "good"), "leading dot"),
        (GOOD.replace(".good", ".Good"), "lower case"),
        (GOOD.replace('(".good",)', '".good"'), "leading dot"),
        (GOOD.replace("def read", "def reads"), "abstract"),
    ],
)
def test_a_broken_plugin_is_named_and_the_others_go_on(plugins, source: str, error: str) -> None:
    loaded = plugins({"broken": source, "good": GOOD})
    assert states(loaded) == {"broken": "failed", "good": "active"}
    assert error in loaded.infos[0].error
    assert [handler.name for _, handler in loaded.handlers] == ["good"]
    assert Registry(loaded).read(Source("x.good", b"x")).state == "read"


def test_a_plugin_without_hooks_is_active_and_brings_nothing(plugins) -> None:
    (info,) = plugins({"idle": "x = 1"}).infos
    assert (info.state, info.hooks, info.handlers) == ("active", (), ())


def test_what_a_plugin_brings_is_told(plugins) -> None:
    (info,) = plugins({"good": GOOD}).infos
    assert (info.name, info.distribution, info.version) == ("good", "third-party", "1.0")
    assert (info.hooks, info.handlers, info.models, info.error) == (("gatherum_handlers",), ("good",), (), "")
    assert not info.built_in


@pytest.mark.parametrize("blocked", ["good", "third-party", "Third_Party"])
def test_a_plugin_is_blocked_by_its_name_or_its_distribution(plugins, blocked: str) -> None:
    loaded = plugins({"good": GOOD, "other": GOOD.replace("good", "other")}, blocked=(blocked,))
    assert states(loaded)["good"] == "blocked"
    assert "good" not in [handler.name for _, handler in loaded.handlers]


def test_a_blocked_plugin_is_not_imported(plugins) -> None:
    plugins({"bad": "raise SystemExit"}, blocked=("bad",))
    assert "plugin_under_test_bad" not in sys.modules


def test_ctrl_c_while_plugins_load_is_not_swallowed(plugins) -> None:
    with pytest.raises(KeyboardInterrupt):
        plugins({"slow": "raise KeyboardInterrupt"})


def test_built_in_plugins_come_first_then_names_decide(plugins) -> None:
    names = [info.name for info in load_plugins().infos if info.built_in]
    assert names == sorted(names)
    first = [info.built_in for info in load_plugins().infos]
    assert first == sorted(first, reverse=True)


def test_models_come_with_their_plugin() -> None:
    @hookimpl
    def gatherum_models() -> list[EmbeddingModel]:
        return [EmbeddingModel(name="tiny", dimensions=4)]

    module = ModuleType("plugin_with_model")
    module.gatherum_models = gatherum_models  # type: ignore[attr-defined]
    point = SimpleNamespace(name="tiny", dist=Package("tiny-model"), load=lambda: module)
    loaded = collect([point])  # type: ignore[list-item]
    assert [(info.name, model.id) for info, model in loaded.models] == [("tiny", "tiny@1")]


def test_every_built_in_plugin_loads() -> None:
    assert [info.error for info in load_plugins().infos if info.state == "failed"] == []


def test_an_object_with_hooks_may_be_a_plugin() -> None:
    class Reader(Handler):
        name, title, extensions = "obj", "Objects", (".obj",)

        def read(self, source: Source, report: Report) -> Iterator[Section]:
            yield Section(text="x")

    class Bringer:
        @hookimpl
        def gatherum_handlers(self) -> list[Handler]:
            return [Reader()]

    loaded = collect([SimpleNamespace(name="obj", dist=None, load=Bringer)])  # type: ignore[list-item]
    assert states(loaded) == {"obj": "active"}


def test_a_plugin_that_is_slow_to_load_is_used_and_told(plugins) -> None:
    loaded = plugins({"good": GOOD, "slow": "import time\ntime.sleep(0.4)\n"})
    assert {info.name: info.state for info in loaded.infos} == {"good": "active", "slow": "active"}
    slow = next(info for info in loaded.infos if info.name == "slow")
    assert slow.seconds >= 0.4


def test_what_a_plugin_prints_at_import_is_no_result(plugins, capsys: pytest.CaptureFixture[str]) -> None:
    plugins({"loud": "print('HELLO')\n"})
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "HELLO\n")
