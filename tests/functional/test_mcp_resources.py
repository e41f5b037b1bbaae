"""Documents as resources, what completes their paths, and prompts: in both eras of the protocol."""

import json
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import anyio
import pytest
from hostile import INJECTIONS, TRAVERSALS
from mcp import Client, MCPError
from mcp.types import PromptReference, ResourceTemplateReference

from gatherum import Shelf
from gatherum.server.mcp import ShelfServer

both = pytest.mark.parametrize("mode", ["auto", "legacy"])
NEWEST = 1_700_000_000


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.mktemp("resources")
    (base / "secret.md").write_text("the treasure", "utf-8")
    root = base / "project"
    (root / "many").mkdir(parents=True)
    (root / "a guide.md").write_text("# Guide\n\nFirst.\n\n## Set up\n\nA\u200b spade.\n\n## Use\n\nDig.\n", "utf-8")
    for number in range(104):
        (root / "many" / f"n{number:03}.md").write_text(f"# N {number}\n\nText {number}.\n", "utf-8")
    for number, file in enumerate(sorted(root.rglob("*.md"))):
        os.utime(file, (NEWEST - number * 100,) * 2)
    patch = pytest.MonkeyPatch()
    patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    Shelf.open(root / ".gatherum").add(root)
    yield root
    patch.undo()


def talk(project: Path, mode: str, act: Callable[[Client], Awaitable[object]]) -> object:
    async def main() -> object:
        async with Client(ShelfServer(Shelf.open(project / ".gatherum")).server, mode=mode) as client:
            return await act(client)

    return anyio.run(main)


def refusal(project: Path, mode: str, act: Callable[[Client], Awaitable[object]]) -> object:
    async def tried(client: Client) -> object:
        with pytest.raises(MCPError) as caught:
            await act(client)
        return caught.value.error

    return talk(project, mode, tried)


@both
def test_documents_are_listed_newest_first_in_pages(project: Path, mode: str) -> None:
    async def pages(client: Client) -> list[object]:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        return [first, second]

    first, second = talk(project, mode, pages)
    assert [len(first.resources), len(second.resources)] == [101, 5]
    assert second.next_cursor is None
    assert first.resources[0].uri == "index://status"
    assert first.resources[1].uri == "doc:///a%20guide.md"
    assert first.resources[1].title == "Guide"
    assert first.resources[1].mime_type == "text/markdown"
    assert first.resources[1].annotations.last_modified == "2023-11-14T22:13:20+00:00"
    uris = [each.uri for page in (first, second) for each in page.resources]
    assert len(set(uris)) == 106
    assert uris[-1] == "doc:///many/n103.md"


@both
def test_a_document_is_read_whole_and_in_sections(project: Path, mode: str) -> None:
    async def read(client: Client) -> list[str]:
        uris = ["doc:///a%20guide.md", "doc:///a%20guide.md?section=set%20up"]
        return [(await client.read_resource(uri)).contents[0].text for uri in uris]

    whole, part = talk(project, mode, read)
    assert whole.startswith("# Guide")
    assert "Dig." in whole
    assert "\u200b" not in whole
    assert part.strip() == "## Set up\n\nA spade."


@both
def test_the_state_of_the_shelf_is_a_resource(project: Path, mode: str) -> None:
    answer = talk(project, mode, lambda client: client.read_resource("index://status"))
    assert json.loads(answer.contents[0].text)["documents"] == 105


@both
def test_the_templates_tell_how_documents_are_addressed(project: Path, mode: str) -> None:
    answer = talk(project, mode, lambda client: client.list_resource_templates())
    assert [each.uri_template for each in answer.resource_templates] == ["doc:///{+path}", "doc:///{+path}{?section}"]


@both
@pytest.mark.parametrize(
    "uri",
    ["doc:///nothing.md", "index://other", "https://example.org/", "doc:///a%20guide.md?section=None", "doc:///"],
)
def test_a_missing_resource_is_a_wrong_parameter(project: Path, mode: str, uri: str) -> None:
    error = refusal(project, mode, lambda client: client.read_resource(uri))
    assert error.code == -32602
    assert error.data == {"uri": uri}


def test_a_misspelt_resource_gets_a_suggestion(project: Path) -> None:
    error = refusal(project, "auto", lambda client: client.read_resource("doc:///a%20giude.md"))
    assert "Did you mean a guide.md?" in error.message


def test_no_address_reaches_outside_the_shelf(project: Path) -> None:
    async def all_of_them(client: Client) -> list[tuple[str, object]]:
        said = []
        for name in [*TRAVERSALS, *INJECTIONS]:
            for uri in (name, f"doc:///{name}"):
                try:
                    said.append((uri, await client.read_resource(uri)))
                except MCPError as error:
                    said.append((uri, error.error))
        return said

    for uri, answer in talk(project, "auto", all_of_them):
        assert getattr(answer, "code", None) == -32602, uri


@both
def test_a_cursor_that_is_none_of_ours_is_a_wrong_parameter(project: Path, mode: str) -> None:
    for cursor in ("x", "' OR 1=1", "x" * 9000):
        error = refusal(project, mode, lambda client, cursor=cursor: client.list_resources(cursor=cursor))
        assert error.code == -32602
        assert error.message == "Invalid cursor; start again without it."


@both
def test_paths_are_completed(project: Path, mode: str) -> None:
    async def completed(client: Client) -> list[object]:
        template = ResourceTemplateReference(uri="doc:///{+path}")
        prompt = PromptReference(name="summarize")
        return [
            (await client.complete(template, {"name": "path", "value": "a g"})).completion,
            (await client.complete(prompt, {"name": "path", "value": "MANY/"})).completion,
            (await client.complete(prompt, {"name": "path", "value": "guide"})).completion,
            (await client.complete(template, {"name": "section", "value": ""})).completion,
        ]

    begun, many, inside, other = talk(project, mode, completed)
    assert begun.values == ["a guide.md"]
    assert (len(many.values), many.total, many.has_more) == (100, 104, True)
    assert inside.values == ["a guide.md"]
    assert other.values == []


@both
def test_without_a_shelf_there_is_nothing_to_list_or_complete(tmp_path: Path, mode: str) -> None:
    async def both_of_them(client: Client) -> tuple[object, object]:
        template = ResourceTemplateReference(uri="doc:///{+path}")
        return await client.list_resources(), await client.complete(template, {"name": "path", "value": ""})

    listed, completed = talk(tmp_path, mode, both_of_them)
    assert [each.uri for each in listed.resources] == ["index://status"]
    assert completed.completion.values == []


@both
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("answer", {"question": "Where is {0} the spade?"}, "Question: Where is {0} the spade?"),
        ("summarize", {"path": "a guide.md"}, "Document: a guide.md"),
        ("whats_new", {"since": "2026-05-17"}, "Since: 2026-05-17"),
        ("whats_new", {}, "Since: 7d"),
    ],
)
def test_a_prompt_holds_its_argument(project: Path, mode: str, name: str, arguments: dict[str, str], said: str) -> None:
    answer = talk(project, mode, lambda client: client.get_prompt(name, arguments))
    assert answer.messages[0].role == "user"
    assert answer.messages[0].content.text.endswith(said)


@both
@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("anwser", {"question": "x"}, "There is no prompt 'anwser'"),
        ("answer", {}, "needs the argument question"),
        ("answer", {"question": "  "}, "needs the argument question"),
        ("answer", {"question": "x", "bogus": "y"}, "not 'bogus'"),
        ("summarize", {"path": "x" * 5000}, "longer than 4000"),
    ],
)
def test_a_wrong_prompt_is_a_wrong_parameter(
    project: Path, mode: str, name: str, arguments: dict[str, str], complaint: str
) -> None:
    error = refusal(project, mode, lambda client: client.get_prompt(name, arguments))
    assert error.code == -32602
    assert complaint in error.message


@both
def test_prompts_say_what_they_take(project: Path, mode: str) -> None:
    answer = talk(project, mode, lambda client: client.list_prompts())
    assert {prompt.name: [(each.name, each.required) for each in prompt.arguments] for prompt in answer.prompts} == {
        "answer": [("question", True)],
        "summarize": [("path", True)],
        "whats_new": [("since", False)],
    }
