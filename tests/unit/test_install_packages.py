"""What is published for MCP clients beside the package names the same version, and can be built."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gatherum import __version__
from gatherum.cli import gatherum
from gatherum.cli.serve import serve_command

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "core/packaging"


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_bundle", PACKAGING / "build_bundle.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bundle(builder: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(builder.build(tmp_path_factory.mktemp("dist")))


def test_the_registry_is_told_what_it_asks_for() -> None:
    """The limits are those of the registry's schema 2025-12-11."""
    server = json.loads((PACKAGING / "server.json").read_text(encoding="utf-8"))
    assert server["$schema"].endswith("/2025-12-11/server.schema.json")
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"])
    assert 1 <= len(server["description"]) <= 100
    assert set(server) == {"$schema", "name", "title", "description", "version", "packages"}
    (package,) = server["packages"]
    assert server["version"] == package["version"] == __version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (package["registryType"], package["identifier"]) == ("pypi", project["name"])
    assert package["transport"] == {"type": "stdio"}
    serve, option = package["packageArguments"]
    assert gatherum.get_command(None, serve["value"]) is serve_command  # type: ignore[arg-type]
    assert option["name"] in {name for each in serve_command.params for name in each.opts}


def test_the_readme_claims_the_registry_name() -> None:
    name = json.loads((PACKAGING / "server.json").read_text(encoding="utf-8"))["name"]
    assert f"<!-- mcp-name: {name} -->" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_bundle_holds_what_its_manifest_names(bundle: zipfile.ZipFile) -> None:
    manifest = json.loads(bundle.read("manifest.json"))
    assert bundle.namelist() == ["manifest.json", "pyproject.toml", manifest["server"]["entry_point"]]
    assert manifest["version"] == __version__
    assert not [name for name in bundle.namelist() if b"0.0.0" in bundle.read(name)]
    assert (manifest["manifest_version"], manifest["server"]["type"]) == ("0.4", "uv")
    assert not {"author", "description", "name"} - set(manifest)


def test_the_bundle_asks_for_a_folder_and_serves_it(bundle: zipfile.ZipFile) -> None:
    manifest = json.loads(bundle.read("manifest.json"))
    assert manifest["user_config"]["folder"] | {"title": "", "description": ""} == {
        "type": "directory",
        "title": "",
        "description": "",
        "required": True,
    }
    args = manifest["server"]["mcp_config"]["args"]
    assert args[-2:] == ["--project", "${user_config.folder}"]
    assert manifest["server"]["entry_point"] in args


def test_the_bundle_installs_this_version(bundle: zipfile.ZipFile) -> None:
    project = tomllib.loads(bundle.read("pyproject.toml").decode())["project"]
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == [f"gatherum=={__version__}"]
    assert project["requires-python"] == package["requires-python"]


def test_the_bundle_is_the_same_every_time(builder: ModuleType, tmp_path: Path) -> None:
    first = builder.build(tmp_path / "a").read_bytes()
    assert builder.build(tmp_path / "b").read_bytes() == first
