"""What is installed: plugins by their entry points, public names, versions, the files of the model."""

import ast
import tomllib
from collections import defaultdict
from importlib import resources
from importlib.metadata import EntryPoint, version
from pathlib import Path

import pytest

import gatherum
import gatherum_formats
import gatherum_models
from gatherum import Registry
from gatherum.hookspecs import NAME
from gatherum.plugins import collect

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ENTRIES: dict[str, str] = PROJECT["project"]["entry-points"][NAME]
COMMON = {"gatherum_formats.shared", "gatherum_formats.xmldoc"}
"""What several formats read with."""


def modules(package: object) -> set[str]:
    """Return the public modules and packages in a package."""
    (folder,) = package.__path__
    found = [*Path(folder).glob("*.py"), *(path.parent for path in Path(folder).glob("*/__init__.py"))]
    return {f"{package.__name__}.{path.stem}" for path in found if not path.stem.startswith("_")}


@pytest.mark.parametrize("package", [gatherum_formats, gatherum_models], ids=lambda package: package.__name__)
def test_every_package_of_a_format_is_a_plugin_and_every_entry_point_has_its_module(package: object) -> None:
    named = [target for target in ENTRIES.values() if target.startswith(f"{package.__name__}.")]
    assert sorted(named) == sorted(modules(package) - COMMON)


def test_entry_points_name_nothing_else() -> None:
    assert all(target.startswith(("gatherum_formats.", "gatherum_models.")) for target in ENTRIES.values())


@pytest.fixture(scope="module")
def built_in() -> Registry:
    return Registry(collect(EntryPoint(name, target, NAME) for name, target in ENTRIES.items()))


def test_every_built_in_plugin_loads_and_brings_something(built_in: Registry) -> None:
    assert {info.name for info in built_in.plugins.infos} == set(ENTRIES)
    for info in built_in.plugins.infos:
        assert (info.state, info.error) == ("active", ""), info.name
        assert info.handlers or info.models, info.name


def test_no_two_built_in_handlers_claim_an_extension_or_share_a_name(built_in: Registry) -> None:
    claims = defaultdict(list)
    for _, handler in built_in.plugins.handlers:
        for extension in handler.extensions:
            claims[extension].append(handler.name)
    assert {extension: names for extension, names in claims.items() if len(names) > 1} == {}
    names = [handler.name for _, handler in built_in.plugins.handlers]
    assert len(names) == len(set(names))
    assert not any(each.shadowed for each in built_in.formats)


def test_a_whole_name_belongs_to_one_built_in_handler(built_in: Registry) -> None:
    names = [name for _, handler in built_in.plugins.handlers for name in handler.names]
    assert sorted(names) == sorted(set(names))


def test_public_names_are_sorted_complete_and_there() -> None:
    assert gatherum.__all__ == sorted(gatherum.__all__)
    assert all(hasattr(gatherum, name) for name in gatherum.__all__)
    tree = ast.parse(Path(gatherum.__file__).read_text(encoding="utf-8"))
    own = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and str(node.module)[:8] == "gatherum"]
    assert set(gatherum.__all__) == {alias.name for node in own for alias in node.names} | {"__version__"}


def test_the_version_is_the_distributions() -> None:
    assert gatherum.__version__ == version(NAME)
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "core/gatherum/__init__.py"


def test_the_packages_of_the_wheel_are_the_packages_there_are() -> None:
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    found = [path for folder in ("core", "plugins") for path in (ROOT / folder).glob("*/__init__.py")]
    there = {path.parent.relative_to(ROOT).as_posix() for path in found}
    assert set(packages) == there
    assert all((ROOT / package / "py.typed").is_file() for package in packages)


def test_the_model_comes_with_the_package() -> None:
    folder = resources.files("gatherum_models.multilingual_e5_small")
    for name in ("model.onnx", "tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"):
        assert folder.joinpath(name).is_file(), name
    assert folder.joinpath("LICENSE").is_file()
    licences = PROJECT["project"]["license-files"]
    assert "plugins/gatherum_models/multilingual_e5_small/LICENSE" in licences
