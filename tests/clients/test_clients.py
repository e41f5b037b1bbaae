"""One table of what clients do, done by the SDKs that editors are built with, over stdio and HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from foreign import FOREIGN, Foreign, fixture_command, serve_command
from http_server import serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from http_server import Served

CALL = {"op": "call"}
NEW = 60
"""Files that an index run finds: so many that it is still under way when it is given up."""

Row = tuple[str, dict[str, Any], "Callable[[Any], Any]"]


def error_code(result: Any) -> Any:
    return result["error"]["code"]


def text_of(result: Any) -> str:
    return "".join(part.get("text", "") for part in result["content"])


def complaint(result: Any, part: str) -> bool:
    return bool(result["isError"]) and part in text_of(result)


def rises(result: Any) -> bool:
    """Whether progress was told and rose; TypeScript clients may drop the last of a burst."""
    told = [each["progress"] for each in result["progress"]]
    return len(told) >= 1 and told == sorted(set(told))


STATUS = "index://status"
WHEELS = "doc:///R%C3%A4der%20%26%20%C3%96l.md"
PATHS = {"type": "ref/resource", "uri": "doc:///{+path}"}

DOCUMENTS: list[Row] = [
    (
        "lists the tools",
        {"op": "tools"},
        lambda names: {"search", "fetch", "outline", "list_documents", "status", "index"} <= set(names),
    ),
    (
        "finds a passage",
        {**CALL, "name": "search", "arguments": {"query": "brake pads"}},
        lambda got: got["structuredContent"]["results"][0]["path"] == "manual.md",
    ),
    (
        "is given the same as text and as data",
        {**CALL, "name": "search", "arguments": {"query": "Öl"}},
        lambda got: json.loads(text_of(got)) == got["structuredContent"],
    ),
    (
        "reads a document by its path",
        {**CALL, "name": "fetch", "arguments": {"id": "manual.md"}},
        lambda got: "The brake pads wear out." in text_of(got) and "structuredContent" not in got,
    ),
    (
        "reads a document by a URL with signs in it",
        {**CALL, "name": "fetch", "arguments": {"id": WHEELS}},
        lambda got: "Quietschende Räder" in text_of(got),
    ),
    (
        "is shown the headings of a document",
        {**CALL, "name": "outline", "arguments": {"path": "manual.md"}},
        lambda got: "Brakes" in text_of(got) and "structuredContent" not in got,
    ),
    (
        "lists the documents",
        {**CALL, "name": "list_documents", "arguments": {"formats": ["md"]}},
        lambda got: {each["path"] for each in got["structuredContent"]["documents"]} == {"manual.md", "Räder & Öl.md"},
    ),
    (
        "is told what the shelf holds",
        {**CALL, "name": "status"},
        lambda got: got["structuredContent"]["documents"] == 2,
    ),
    (
        "is told which document was meant",
        {**CALL, "name": "fetch", "arguments": {"id": "manaul.md"}},
        lambda got: complaint(got, "manual.md"),
    ),
    (
        "is told which argument is unknown",
        {**CALL, "name": "search", "arguments": {"query": "x", "bogus": 1}},
        lambda got: complaint(got, "bogus"),
    ),
    ("is refused an unknown tool", {**CALL, "name": "nope"}, lambda got: error_code(got) == -32602),
    ("lists resources", {"op": "resources"}, lambda uris: set(uris) == {STATUS, "doc:///manual.md", WHEELS}),
    ("lists templates", {"op": "templates"}, lambda found: found == ["doc:///{+path}", "doc:///{+path}{?section}"]),
    (
        "reads a resource with signs in its URL",
        {"op": "read", "uri": WHEELS},
        lambda parts: "Quietschende Räder" in parts[0]["text"] and parts[0]["mimeType"] == "text/markdown",
    ),
    (
        "reads a section",
        {"op": "read", "uri": "doc:///manual.md?section=Brakes"},
        lambda parts: "brake pads" in parts[0]["text"] and "# Manual" not in parts[0]["text"],
    ),
    ("reads the state", {"op": "read", "uri": STATUS}, lambda parts: json.loads(parts[0]["text"])["documents"] == 2),
    (
        "is refused an unknown resource",
        {"op": "read", "uri": "doc:///none.md"},
        lambda got: error_code(got) == -32602,
    ),
    ("lists prompts", {"op": "prompts"}, lambda names: names == ["answer", "summarize", "whats_new"]),
    (
        "is given a prompt",
        {"op": "prompt", "name": "answer", "arguments": {"question": "Why do brakes squeak?"}},
        lambda messages: "Why do brakes squeak?" in messages[0]["content"]["text"],
    ),
    ("is refused half a prompt", {"op": "prompt", "name": "answer"}, lambda got: error_code(got) == -32602),
    (
        "is helped to complete a path",
        {"op": "complete", "ref": PATHS, "argument": {"name": "path", "value": "man"}},
        lambda values: values == ["manual.md"],
    ),
]

WATCHED = "test://watched-resource"
PROMPT = "test_prompt_with_arguments"
FEATURES: list[Row] = [
    ("sees own tools beside fixtures", {"op": "tools"}, lambda names: {"search", "test_waiting"} <= set(names)),
    ("is told of progress", {**CALL, "name": "test_tool_with_progress"}, rises),
    (
        "is told of an error",
        {**CALL, "name": "test_error_handling"},
        lambda got: complaint(got, "intentionally"),
    ),
    (
        "is given pictures and resources",
        {**CALL, "name": "test_multiple_content_types"},
        lambda got: [part["type"] for part in got["content"]] == ["text", "image", "resource"],
    ),
    ("lists resources", {"op": "resources"}, lambda uris: WATCHED in uris),
    ("lists templates", {"op": "templates"}, lambda templates: "test://template/{id}/data" in templates),
    (
        "reads text",
        {"op": "read", "uri": "test://static-text"},
        lambda parts: parts[0]["text"].startswith("This is the content"),
    ),
    ("reads bytes", {"op": "read", "uri": "test://static-binary"}, lambda parts: len(parts[0]["blob"]) > 50),
    (
        "reads what a template makes",
        {"op": "read", "uri": "test://template/7/data"},
        lambda parts: json.loads(parts[0]["text"])["id"] == "7",
    ),
    ("is refused an unknown resource", {"op": "read", "uri": "test://none"}, lambda got: error_code(got) == -32602),
    ("lists prompts", {"op": "prompts"}, lambda names: PROMPT in names),
    (
        "is given a prompt",
        {"op": "prompt", "name": PROMPT, "arguments": {"arg1": "a", "arg2": "b"}},
        lambda messages: "arg1='a', arg2='b'" in messages[0]["content"]["text"],
    ),
    ("is refused half a prompt", {"op": "prompt", "name": PROMPT}, lambda got: error_code(got) == -32602),
    (
        "is helped to complete",
        {
            "op": "complete",
            "ref": {"type": "ref/prompt", "name": PROMPT},
            "argument": {"name": "arg1", "value": "par"},
        },
        lambda values: values == ["paris", "park", "party"],
    ),
]

clients = pytest.mark.parametrize("client", [pytest.param(each, id=each.name) for each in FOREIGN])


lines = pytest.mark.parametrize("options", [pytest.param((), id="daemon"), pytest.param(("--no-daemon",), id="alone")])


def failures(client: Foreign, where: dict[str, Any], rows: list[Row]) -> dict[str, Any]:
    """Return what went wrong: what was tried, and what came of it."""
    facts = client.take(where, [step for _, step, _ in rows])
    assert facts.get("connection") is None, facts["connection"]
    assert facts["protocol"] == client.protocol
    assert facts["server"] == "gatherum"
    wrong = {}
    for (title, _, holds), result in zip(rows, facts["results"], strict=True):
        try:
            if holds(result):
                continue
        except (KeyError, TypeError, IndexError, ValueError):
            pass
        wrong[title] = result
    return wrong


@clients
@lines
def test_documents_over_stdio(client: Foreign, options: tuple[str, ...], gathered: Path) -> None:
    where = {"transport": "stdio", "command": serve_command(gathered, *options)}
    assert failures(client, where, DOCUMENTS) == {}


@clients
def test_documents_over_http_with_the_token(client: Foreign, locked: Served) -> None:
    where = {"transport": "http", "url": locked.url, "token": locked.token}
    assert failures(client, where, DOCUMENTS) == {}


@clients
@pytest.mark.parametrize("token", ["", "wrong"])
def test_nobody_gets_in_without_the_token(client: Foreign, locked: Served, token: str) -> None:
    facts = client.take({"transport": "http", "url": locked.url, "token": token}, [{"op": "tools"}])
    assert facts["results"] == []
    assert facts["connection"]["message"]


@clients
def test_features_over_stdio(client: Foreign, gathered: Path) -> None:
    where = {"transport": "stdio", "command": fixture_command(gathered, "stdio")}
    assert failures(client, where, FEATURES) == {}


@clients
def test_features_over_http(client: Foreign, fixtures_url: str) -> None:
    assert failures(client, {"transport": "http", "url": fixtures_url}, FEATURES) == {}


def following(folder: Path, client: Foreign) -> list[Row]:
    """Steps around an index run: it is given up, done, and what it changed is heard of.

    Who gives it up does so when told of progress; what is left for the next run may then be too little to be told of.
    """
    (folder / "new").mkdir()
    for number in range(NEW):
        (folder / "new" / f"{number}.md").write_text(f"# Note {number}\n\nText of it.\n", encoding="utf-8")
    index = {**CALL, "name": "index"}
    page = {"uri": "doc:///manual.md", "path": str(folder / "manual.md"), "text": "# Manual\n\nOil the hinges.\n"}
    rows: list[Row] = [
        (
            "has a run done",
            index,
            lambda got: got["structuredContent"]["state"] == "done" and (client.aborts or rises(got)),
        ),
        ("sees all of it", {**CALL, "name": "status"}, lambda got: got["structuredContent"]["documents"] == NEW + 2),
        ("hears that a document changed", {"op": "watch", **page, "touch": "index"}, lambda uri: uri == page["uri"]),
        (
            "finds the new words",
            {**CALL, "name": "search", "arguments": {"query": "hinges"}},
            lambda got: got["structuredContent"]["results"][0]["path"] == "manual.md",
        ),
    ]
    given_up: Row = ("gives up a run", {"op": "abort", "name": "index"}, lambda outcome: outcome == "aborted")
    return [given_up, *rows] if client.aborts else rows


@clients
def test_an_index_run_is_followed_over_stdio(client: Foreign, changing: Path) -> None:
    where = {"transport": "stdio", "command": serve_command(changing, "--no-daemon")}
    assert failures(client, where, following(changing, client)) == {}


@clients
def test_an_index_run_is_followed_over_http(client: Foreign, changing: Path) -> None:
    with serving(changing) as served:
        where = {"transport": "http", "url": served.url, "token": served.token}
        assert failures(client, where, following(changing, client)) == {}


@clients
def test_the_daemon_tells_what_changed(client: Foreign, changing: Path) -> None:
    """It follows the files by itself, so that only what is heard and found in the end is certain."""
    rows = [row for row in following(changing, client) if row[1]["op"] == "watch" or row[0] == "finds the new words"]
    assert failures(client, {"transport": "stdio", "command": serve_command(changing)}, rows) == {}


@pytest.mark.parametrize("client", [pytest.param(each, id=each.name) for each in FOREIGN if each.aborts])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_call_that_is_given_up_is_cancelled(
    client: Foreign, transport: str, gathered: Path, fixtures_url: str
) -> None:
    count = {**CALL, "name": "test_cancelled"}
    steps = [count, {"op": "abort", "name": "test_waiting"}, count, {"op": "tools"}]
    where = {"transport": transport, "url": fixtures_url, "command": fixture_command(gathered, "stdio")}
    before, outcome, after, tools = client.take(where, steps)["results"]
    assert outcome == "aborted"
    assert int(text_of(after)) == int(text_of(before)) + 1
    assert "search" in tools
