"""The tool that gives an assistant its role, asked by the SDK's own client."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from gatherum import Shelf
from gatherum.server.mcp import ShelfServer

SETTINGS = """
[embedding]
model = "none"
[context]
default = "writer"
[context.roles.writer]
file = "writer.md"
[context.roles.tester]
file = "tester.md"
when_files = ["tests/**"]
when_task = ["review"]
"""


def asked(root: Path, arguments: dict[str, Any], mode: str = "auto") -> tuple[list[str], Any]:
    async def talk() -> tuple[list[str], Any]:
        async with Client(ShelfServer(Shelf.find(root)).server, mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            return names, await client.call_tool("get_context", arguments) if "get_context" in names else None

    return anyio.run(talk)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "gatherum.toml").write_text(SETTINGS)
    (tmp_path / "writer.md").write_text("Write plainly.")
    (tmp_path / "tester.md").write_text("Break\u200b it.")
    return tmp_path


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_role_that_the_files_and_the_task_call_for_is_given(project: Path, mode: str) -> None:
    _, answer = asked(project, {"files": ["tests/test_a.py"], "task": "review"}, mode)
    given = answer.structured_content
    assert (given["role"], given["reason"], given["confidence"], given["score"]) == ("tester", "rules", "high", 5)
    assert given["content"] == "Break it."
    assert given["warnings"]


def test_without_a_word_the_default_holds(project: Path) -> None:
    _, answer = asked(project, {})
    assert (answer.structured_content["role"], answer.structured_content["content"]) == ("writer", "Write plainly.")


def test_files_outside_the_project_speak_for_no_role(project: Path) -> None:
    _, answer = asked(project, {"files": ["../tests/x.py", "/etc/passwd"]})
    assert answer.structured_content["reason"] == "default"


def test_a_project_without_roles_has_no_such_tool(tmp_path: Path) -> None:
    names, _ = asked(tmp_path, {})
    assert "search" in names
    assert "get_context" not in names
