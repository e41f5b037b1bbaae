"""The pages on editors show what the installer writes, and where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gatherum.install.clients import CLIENTS, SYSTEMS, Client, Layout, System
from gatherum.install.entries import JsonServer, TomlServer

PAGES = Path(__file__).parents[2] / "docs/how-to/editors"
COMMAND = ["/home/me/.local/bin/gatherum", "serve", "--project", "/home/me/notes"]
TITLES = {"linux": "Linux", "macos": "macOS", "windows": "Windows"}


def page(client: Client) -> str:
    return (PAGES / f"{client.name}.md").read_text(encoding="utf-8")


def test_every_client_has_a_page_that_is_linked() -> None:
    assert {file.stem for file in PAGES.glob("*.md")} == set(CLIENTS)
    overview = (PAGES.parent / "connect-an-editor.md").read_text(encoding="utf-8")
    assert not [name for name in CLIENTS if f"(editors/{name}.md)" not in overview]


@pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda client: client.name)
def test_the_page_shows_what_is_written(client: Client) -> None:
    entry = client.entry(COMMAND)
    if client.format == "toml":
        written = TomlServer(table=client.path[0], name="gatherum", entry=entry).add("").new
    else:
        written = JsonServer(path=client.path, name="gatherum", entry=entry, comments=False).add("").new
    blocks = re.findall(r"^```(?:json|toml)\n(.*?)^```$", page(client), re.MULTILINE | re.DOTALL)
    assert blocks == [written]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("client", [each for each in CLIENTS.values() if each.scopes], ids=lambda each: each.name)
def test_the_page_says_where_the_file_is(client: Client, system: System) -> None:
    layout = Layout(system=system, home=Path("~"), environ={"APPDATA": "%APPDATA%"})
    file = client.file("user", Path(), layout).as_posix()
    if system == "windows":
        file = file.replace("~/", "%USERPROFILE%/").replace("/", "\\")
    assert f"| all projects | {TITLES[system]} | `{file}` |" in page(client)
    assert (f"| the project | all | `{client.project}` in the project |" in page(client)) == bool(client.project)
