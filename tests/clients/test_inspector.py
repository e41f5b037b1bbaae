"""The Inspector's command line: it finds nothing to say about the tools, and gets its answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from foreign import CLIENTS, PREPARE, environment, run, serve_command

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from http_server import Served

LAUNCHER = CLIENTS / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
TOOL_ERROR = 5

eras = pytest.mark.parametrize("era", ["legacy", "modern"])


def inspect(home: Path, target: list[str], *options: str) -> subprocess.CompletedProcess[str]:
    """Run the Inspector; it keeps its catalogue in *home*, and passes on only those variables that it is told to."""
    given = environment()
    names = [name for name in given if name.startswith("GATHERUM_") or name == "XDG_RUNTIME_DIR"]
    passed = [part for name in names for part in ("-e", f"{name}={given[name]}")]
    program = [PREPARE.node(), LAUNCHER, "--cli", *target, *passed, "--format", "json", *options]
    return run(program, env={**given, "MCP_CATALOG_PATH": str(home / "catalog.json")})


def answer(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["result"]


@eras
@pytest.mark.parametrize("line", [(), ("--no-daemon",)], ids=["daemon", "alone"])
def test_strict_finds_nothing_over_stdio(era: str, line: tuple[str, ...], gathered: Path, tmp_path: Path) -> None:
    options = ("--method", "tools/list", "--strict", "--protocol-era", era)
    done = inspect(tmp_path, serve_command(gathered, *line), *options)
    assert {"search", "fetch", "index"} <= {tool["name"] for tool in answer(done)["tools"]}
    assert done.stderr == ""


@eras
def test_strict_finds_nothing_over_http(era: str, locked: Served, tmp_path: Path) -> None:
    target = [locked.url, "--header", f"Authorization: Bearer {locked.token}"]
    done = inspect(tmp_path, target, "--method", "tools/list", "--strict", "--protocol-era", era)
    assert {"search", "fetch", "status"} <= {tool["name"] for tool in answer(done)["tools"]}
    assert done.stderr == ""


@eras
def test_a_tool_is_called(era: str, gathered: Path, tmp_path: Path) -> None:
    options = ("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=brake", "--protocol-era", era)
    result = answer(inspect(tmp_path, serve_command(gathered), *options))
    assert result["structuredContent"]["results"][0]["path"] == "manual.md"


def test_a_tool_that_cannot_answer_is_told_apart(gathered: Path, tmp_path: Path) -> None:
    options = ("--method", "tools/call", "--tool-name", "fetch", "--tool-arg", "id=manaul.md")
    done = inspect(tmp_path, serve_command(gathered), *options)
    assert done.returncode == TOOL_ERROR, done.stderr
    assert "manual.md" in done.stdout


@eras
def test_a_resource_is_read(era: str, gathered: Path, tmp_path: Path) -> None:
    options = ("--method", "resources/read", "--uri", "doc:///manual.md", "--protocol-era", era)
    result = answer(inspect(tmp_path, serve_command(gathered), *options))
    assert "The brake pads wear out." in result["contents"][0]["text"]


@eras
def test_a_prompt_is_given(era: str, gathered: Path, tmp_path: Path) -> None:
    prompt = ("--prompt-name", "summarize", "--prompt-args", "path=manual.md")
    options = ("--method", "prompts/get", *prompt, "--protocol-era", era)
    result = answer(inspect(tmp_path, serve_command(gathered), *options))
    assert "Document: manual.md" in result["messages"][0]["content"]["text"]
