"""The server, asked by the SDK's own client: in memory and as a real process, in both eras of the protocol."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters

from gatherum import Shelf
from gatherum.server.mcp import ShelfServer

MODES = ["auto", "legacy"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("project")
    lines = "\n\n".join(f"Step {number}: turn the handle {number} times and wait." for number in range(1, 400))
    (root / "manual.md").write_text(
        f"# Manual\n\n## Brakes\n\nThe brake pads wear out.\n\n## Steps\n\n{lines}\n", "utf-8"
    )
    (root / "sly.md").write_text("# Sly\n\nBenign\u200b quinces\u202e here.\n", encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    Shelf.open(root / ".gatherum").add(root)
    yield root
    patch.undo()


def ask(target: object, mode: str, *calls: tuple[str, dict[str, object]]) -> list[object]:
    async def talk() -> list[object]:
        async with Client(target, mode=mode) as client:
            answers: list[object] = []
            for name, arguments in calls:
                try:
                    answers.append(await client.call_tool(name, arguments))
                except MCPError as error:
                    answers.append(error)
            return answers

    return anyio.run(talk)


def in_memory(project: Path) -> object:
    return ShelfServer(Shelf.open(project / ".gatherum")).server


def process(project: Path) -> StdioServerParameters:
    environment = {**os.environ, "GATHERUM_EMBEDDING_MODEL": "none"}
    arguments = ["-m", "gatherum", "serve", "--project", str(project)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment)


TARGETS = [pytest.param(in_memory, id="memory"), pytest.param(process, id="stdio")]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("target", TARGETS)
def test_an_editor_searches_and_reads_on(project: Path, target, mode: str) -> None:
    (found,) = ask(target(project), mode, ("search", {"query": "brake pads"}))
    assert not found.is_error
    assert found.structured_content == json.loads(found.content[0].text)
    hit = found.structured_content["results"][0]
    assert hit["path"] == "manual.md"
    assert hit["heading"] == ["Manual", "Brakes"]
    assert hit["url"] == "doc:///manual.md"
    assert "wear out" in hit["text"]
    for key in ("id", "url", "path"):
        (read,) = ask(target(project), mode, ("fetch", {"id": hit[key]}))
        assert "wear out" in read.content[0].text
        assert read.structured_content is None


def test_the_tools_say_what_they_take_and_are_read_only(project: Path) -> None:
    async def tools() -> list[object]:
        async with Client(in_memory(project)) as client:
            return (await client.list_tools()).tools

    offered = {tool.name: tool for tool in anyio.run(tools)}
    assert list(offered)[:5] == ["search", "fetch", "outline", "list_documents", "status"]
    for tool in offered.values():
        assert tool.annotations.read_only_hint
        assert tool.input_schema["additionalProperties"] is False
        assert len(tool.description) < 2000
        assert '"title"' not in json.dumps([value for key, value in tool.input_schema.items() if key != "properties"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "query: Field required"),
        ({"query": ""}, "at least 1 character"),
        ({"query": "x" * 2001}, "at most 2000 characters"),
        ({"query": "x", "limit": 99}, "less than or equal to 50"),
        ({"query": "x", "bogus": 1}, "bogus: Extra inputs are not permitted"),
        ({"query": "x", "mode": "psychic"}, "mode"),
        ({"query": "modified:yesterday"}, "is not a date"),
    ],
)
def test_wrong_arguments_are_explained(project: Path, arguments: dict[str, object], complaint: str) -> None:
    (answer,) = ask(in_memory(project), "auto", ("search", arguments))
    assert answer.is_error
    assert complaint in answer.content[0].text


@pytest.mark.parametrize("name", ["q", "question"])
def test_names_that_models_invent_are_understood(project: Path, name: str) -> None:
    (answer,) = ask(in_memory(project), "auto", ("search", {name: "brake", "top_k": 1}))
    assert len(answer.structured_content["results"]) == 1


def test_an_unknown_tool_is_a_protocol_error(project: Path) -> None:
    (answer,) = ask(in_memory(project), "auto", ("searhc", {"query": "x"}))
    assert isinstance(answer, MCPError)
    assert answer.error.code == -32602


def test_nothing_found_is_no_error(project: Path) -> None:
    (answer,) = ask(in_memory(project), "auto", ("search", {"query": "zyzzyva"}))
    assert not answer.is_error
    assert answer.structured_content["results"] == []
    assert answer.structured_content["strength"] == "none"
    assert answer.structured_content["warnings"]


@pytest.mark.parametrize(
    "name",
    ["../secret.md", "/etc/passwd", "doc:///../../etc/passwd", "doc:///%2e%2e/x", "..\\x", "a\0b", "x" * 4000],
)
def test_nothing_outside_the_shelf_can_be_read(project: Path, name: str) -> None:
    (project.parent / "secret.md").write_text("the secret", encoding="utf-8")
    (answer,) = ask(in_memory(project), "auto", ("fetch", {"id": name}))
    assert answer.is_error
    assert "secret" not in answer.content[0].text.replace(name, "")


def test_a_misspelt_document_gets_a_suggestion(project: Path) -> None:
    (answer,) = ask(in_memory(project), "auto", ("fetch", {"id": "manaul.md"}))
    assert answer.is_error
    assert "manual.md" in answer.content[0].text


def test_a_long_document_comes_in_windows_that_join(project: Path) -> None:
    server, seen, name = in_memory(project), [], "manual.md"
    for _ in range(20):
        (answer,) = ask(server, "auto", ("fetch", {"id": name}))
        body = answer.content[0].text.partition("\n\n")[2]
        body, _, note = body.partition("\n[")
        seen.append(body)
        if "more lines" not in note:
            break
        name = note.partition("fetch ")[2].rstrip("]")
    text = "\n".join(seen)
    assert len(seen) > 2
    assert all(text.count(f"Step {number}:") == 1 for number in range(1, 400))


def test_context_shows_the_lines_before(project: Path) -> None:
    server = in_memory(project)
    (found,) = ask(server, "auto", ("search", {"query": "brake pads"}))
    identity = found.structured_content["results"][0]["id"]
    bare, wide = ask(server, "auto", ("fetch", {"id": identity}), ("fetch", {"id": identity, "context": 4}))
    assert "# Manual" not in bare.content[0].text
    assert "# Manual" in wide.content[0].text


def test_invisible_characters_are_taken_out_and_told(project: Path) -> None:
    server = in_memory(project)
    found, read = ask(server, "auto", ("search", {"query": "quinces"}), ("fetch", {"id": "sly.md"}))
    text = found.structured_content["results"][0]["text"] + read.content[0].text
    assert "\u200b" not in text
    assert "\u202e" not in text
    assert any("nvisible" in warning for warning in found.structured_content["warnings"])
    assert "nvisible" in read.content[0].text


def test_status_tells_what_there_is(project: Path) -> None:
    (answer,) = ask(in_memory(project), "auto", ("status", {"problems": True}))
    assert answer.structured_content["documents"] == 2
    assert answer.structured_content["formats"] == {"md": 2}


def test_without_a_shelf_the_tools_say_what_to_do(tmp_path: Path) -> None:
    (answer,) = ask(in_memory(tmp_path), "auto", ("search", {"query": "x"}))
    assert answer.is_error
    assert "gatherum index" in answer.content[0].text


def test_a_search_answer_stays_within_its_budget(project: Path) -> None:
    (answer,) = ask(in_memory(project), "auto", ("search", {"query": "turn the handle", "limit": 50}))
    whole = [hit for hit in answer.structured_content["results"] if len(hit["text"]) > 300]
    assert len(whole) < 15


def test_the_handshake_loads_neither_index_nor_model(project: Path) -> None:
    code = (
        "import sys, anyio; from mcp import Client; from gatherum import Shelf\n"
        "from gatherum.server.mcp import ShelfServer\n"
        f"async def main():\n async with Client(ShelfServer(Shelf.open({str(project / '.gatherum')!r})).server): pass\n"
        "anyio.run(main); print('lancedb' in sys.modules, 'fastembed' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_nothing_but_the_protocol_is_on_stdout(project: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "x"}},
    }
    lines = "".join(json.dumps(message) + "\n" for message in (hello, ready, call))
    parameters = process(project)
    server = subprocess.Popen(
        [parameters.command, *parameters.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=parameters.env,
    )
    server.stdin.write(lines)
    server.stdin.flush()
    answers = [json.loads(server.stdout.readline()) for _ in range(2)]
    rest, errors = server.communicate()
    assert {answer["id"] for answer in answers} == {1, 2}
    assert answers[0]["result"]["protocolVersion"] == "2025-06-18"
    assert rest == ""
    assert "Traceback" not in errors
    assert server.returncode == 0


@pytest.mark.parametrize("client", ["openai-mcp"])
def test_openai_connectors_get_a_document_as_they_ask(project: Path, client: str) -> None:
    from mcp.types import Implementation

    async def talk() -> object:
        info = Implementation(name=client, version="1")
        async with Client(in_memory(project), mode="legacy", client_info=info) as session:
            return await session.call_tool("fetch", {"id": "manual.md"})

    answer = anyio.run(talk)
    data = json.loads(answer.content[0].text)
    assert set(data) == {"id", "title", "text", "url"}
    assert data["url"] == "doc:///manual.md"
    assert answer.structured_content == data
