"""The tools that show what there is, what narrows a search, and what hostile arguments do: nothing."""

import base64
import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from hostile import INJECTIONS, TRAVERSALS
from mcp import Client

from gatherum import Shelf
from gatherum.server.mcp import ShelfServer

MODES = ["auto", "legacy"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.mktemp("tools")
    (base / "secret.md").write_text("the treasure", "utf-8")
    root = base / "project"
    (root / "notes").mkdir(parents=True)
    (root / "guide.md").write_text(
        "# Guide\n\nBefore all else.\n\n## Setup\n\nQuince one.\n\n### Tools\n\nA spade.\n\n## Use\n\nDig.\n", "utf-8"
    )
    (root / "plain.txt").write_text("Quince two, with no heading.\n", "utf-8")
    (root / "table.csv").write_text("fruit,count\nquince,3\n", "utf-8")
    for number in range(7):
        (root / "notes" / f"note{number}.md").write_text(f"# Note {number}\n\nQuince jelly {number}.\n", "utf-8")
    for number, file in enumerate(sorted(root.rglob("*.*"))):
        os.utime(file, (1_700_000_000 + number * 1000,) * 2)
    patch = pytest.MonkeyPatch()
    patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    Shelf.open(root / ".gatherum").add(root)
    yield root
    patch.undo()


def ask(project: Path, name: str, mode: str = "auto", **arguments: object) -> object:
    async def talk() -> object:
        async with Client(ShelfServer(Shelf.open(project / ".gatherum")).server, mode=mode) as client:
            return await client.call_tool(name, arguments)

    return anyio.run(talk)


def many(project: Path, name: str, calls: list[dict[str, object]]) -> list[object]:
    async def talk() -> list[object]:
        async with Client(ShelfServer(Shelf.open(project / ".gatherum")).server) as client:
            return [await client.call_tool(name, arguments) for arguments in calls]

    return anyio.run(talk)


def text_of(answer: object) -> str:
    return answer.content[0].text


@pytest.mark.parametrize("mode", MODES)
def test_an_outline_shows_the_tree_with_the_lines_of_each_part(project: Path, mode: str) -> None:
    answer = ask(project, "outline", mode, path="guide.md")
    assert answer.structured_content is None
    assert text_of(answer).splitlines() == [
        "guide.md · 15 lines · Guide",
        "",
        "1–15 Guide",
        "  5–12 Setup",
        "    9–12 Tools",
        "  13–15 Use",
    ]


def test_the_lines_of_an_outline_can_be_fetched(project: Path) -> None:
    answer = ask(project, "fetch", id="guide.md#9", max_lines=4)
    assert "A spade." in text_of(answer)
    assert "Setup" not in text_of(answer)


def test_a_document_without_headings_says_so(project: Path) -> None:
    assert "no headings" in text_of(ask(project, "outline", path="plain.txt"))


def test_a_very_long_outline_leaves_the_deepest_headings_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    text = "".join(f"# Part {n}\n\n" + "".join(f"## Step {n}.{m}\n\nDo.\n\n" for m in range(40)) for n in range(10))
    (tmp_path / "long.md").write_text(text, "utf-8")
    Shelf.open(tmp_path / ".gatherum").add(tmp_path)
    shown = text_of(ask(tmp_path, "outline", path="long.md"))
    assert "Part 9" in shown
    assert "Step" not in shown
    assert "400 more headings" in shown


@pytest.mark.parametrize("name", ["outline", "fetch"])
def test_an_unknown_document_gets_a_suggestion(project: Path, name: str) -> None:
    answer = ask(project, name, path="giude.md")
    assert answer.is_error
    assert "Did you mean guide.md?" in text_of(answer)


@pytest.mark.parametrize("mode", MODES)
def test_documents_are_listed_by_path(project: Path, mode: str) -> None:
    answer = ask(project, "list_documents", mode)
    data = answer.structured_content
    assert data == json.loads(text_of(answer))
    paths = [each["path"] for each in data["documents"]]
    assert paths == ["guide.md", *(f"notes/note{n}.md" for n in range(7)), "plain.txt", "table.csv"]
    assert data["total"] == 10
    assert data["next_cursor"] == ""
    assert data["documents"][0] | {"bytes": 0} == {
        "path": "guide.md",
        "title": "Guide",
        "format": "md",
        "modified": "2023-11-14T22:13:20+00:00",
        "bytes": 0,
        "state": "read",
    }


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        ({"formats": ["csv"]}, ["table.csv"]),
        ({"formats": ["csv", ".TXT"]}, ["plain.txt", "table.csv"]),
        ({"formats": "csv, txt"}, ["plain.txt", "table.csv"]),
        ({"path": "notes/note[12].md"}, ["notes/note1.md", "notes/note2.md"]),
        ({"sort": "modified", "limit": 2}, ["table.csv", "plain.txt"]),
        ({"formats": ["docx"]}, []),
    ],
)
def test_a_list_can_be_narrowed(project: Path, arguments: dict[str, object], paths: list[str]) -> None:
    data = ask(project, "list_documents", **arguments).structured_content
    assert [each["path"] for each in data["documents"]] == paths
    assert bool(data["warnings"]) == (not paths)


@pytest.mark.parametrize("sort", ["path", "modified"])
def test_the_pages_of_a_list_join(project: Path, sort: str) -> None:
    whole = ask(project, "list_documents", sort=sort).structured_content["documents"]
    pages, cursor = [], ""
    for _ in range(10):
        data = ask(project, "list_documents", sort=sort, limit=3, cursor=cursor).structured_content
        pages.append(data["documents"])
        if not (cursor := data["next_cursor"]):
            break
    assert [len(page) for page in pages] == [3, 3, 3, 1]
    assert [each for page in pages for each in page] == whole


def test_a_cursor_that_is_none_of_ours_is_refused(project: Path) -> None:
    good = ask(project, "list_documents", limit=3).structured_content["next_cursor"]
    forged = base64.urlsafe_b64encode(json.dumps(["' OR 1", 1, None]).encode()).decode()
    bad = ["x", "!!!", good[:-4], good + "AAAA", forged, base64.b64encode(b"[" * 3000).decode(), "é", *INJECTIONS]
    answers = many(project, "list_documents", [{"cursor": cursor, "limit": 3} for cursor in bad])
    assert {text_of(answer) for answer in answers} == {"Invalid cursor; start again without it."}
    (other,) = many(project, "list_documents", [{"cursor": good, "sort": "modified"}])
    assert text_of(other) == "Invalid cursor; start again without it."


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        ({"formats": ["txt", "csv"]}, {"plain.txt", "table.csv"}),
        ({"formats": ["txt"], "path": "*.md"}, set()),
        ({"path": "guide.md"}, {"guide.md"}),
        ({"collection": "project", "formats": ["csv"]}, {"table.csv"}),
    ],
)
def test_a_search_can_be_narrowed(project: Path, mode: str, arguments: dict[str, object], paths: set[str]) -> None:
    answer = ask(project, "search", mode, query="quince", **arguments)
    assert {hit["path"] for hit in answer.structured_content["results"]} == paths


def test_an_open_quote_in_the_query_does_not_swallow_the_path(project: Path) -> None:
    answer = ask(project, "search", query='quince "two', path="plain.txt")
    assert {hit["path"] for hit in answer.structured_content["results"]} == {"plain.txt"}


def test_an_unknown_collection_is_named_with_those_there_are(project: Path) -> None:
    answer = ask(project, "search", query="quince", collection="work")
    assert answer.is_error
    assert "project" in text_of(answer)


@pytest.mark.parametrize("field", ["path", "formats", "collection", "query"])
def test_no_argument_is_taken_for_sql(project: Path, field: str) -> None:
    narrowed = {
        "path": lambda text: {"query": "quince", "path": text},
        "formats": lambda text: {"query": "quince", "formats": [text]},
        "collection": lambda text: {"query": "quince", "collection": text},
        "query": lambda text: {"query": text, "path": "plain.txt"},
    }[field]
    answers = many(project, "search", [narrowed(text) for text in INJECTIONS])
    for text, answer in zip(INJECTIONS, answers, strict=True):
        said = text_of(answer)
        assert "unexpectedly" not in said, text
        if field == "collection":
            assert answer.is_error, text
        else:
            assert not answer.is_error, (text, said)
        if field == "formats":
            assert answer.structured_content["results"] == [], text
        if field == "query":
            assert {hit["path"] for hit in answer.structured_content["results"]} <= {"plain.txt"}, text
    assert Shelf.open(project / ".gatherum").status().documents == 10


@pytest.mark.parametrize("tool", ["fetch", "outline"])
def test_no_name_reaches_outside_the_shelf(project: Path, tool: str) -> None:
    for text, answer in zip(
        names := [*TRAVERSALS, *INJECTIONS], many(project, tool, [{"path": name} for name in names]), strict=True
    ):
        assert answer.is_error, text
        assert "unexpectedly" not in text_of(answer), text
        assert "treasure" not in text_of(answer)


@pytest.mark.parametrize("field", ["path", "formats"])
def test_a_list_takes_no_argument_for_sql(project: Path, field: str) -> None:
    calls = [{field: [text] if field == "formats" else text} for text in INJECTIONS]
    for text, answer in zip(INJECTIONS, many(project, "list_documents", calls), strict=True):
        assert not answer.is_error, text
        if "*" not in text and text != "?":
            assert answer.structured_content["documents"] == [], text


def test_a_query_of_many_words_and_phrases_is_answered(project: Path) -> None:
    words = " ".join(f"w{number}" for number in range(400))[:1999]
    phrases = '"a" ' * 400
    for answer in many(project, "search", [{"query": words}, {"query": phrases}]):
        assert not answer.is_error


def test_the_log_tells_of_a_failure_without_text_of_documents(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("the text of a document")

    monkeypatch.setattr(Shelf, "search", broken)
    with caplog.at_level(logging.DEBUG, "gatherum"):
        answer = ask(project, "search", query="quince")
    assert answer.is_error
    assert "unexpectedly" in text_of(answer)
    assert "ValueError at" in caplog.text
    assert "the text of a document" not in caplog.text + text_of(answer)


def test_every_client_gets_openais_shape_where_that_is_asked_for(project: Path) -> None:
    async def talk() -> object:
        async with Client(ShelfServer(Shelf.open(project / ".gatherum"), openai=True).server) as client:
            return await client.call_tool("fetch", {"id": "plain.txt"})

    assert set(anyio.run(talk).structured_content) == {"id", "title", "text", "url"}


def test_the_schema_of_each_tool_is_plain_enough_for_every_client(project: Path) -> None:
    async def offered() -> list[object]:
        async with Client(ShelfServer(Shelf.open(project / ".gatherum")).server) as client:
            return (await client.list_tools()).tools

    for tool in anyio.run(offered):
        schema = json.dumps(tool.input_schema)
        assert "anyOf" not in schema
        assert "$ref" not in schema
        assert len(tool.name) <= 30
