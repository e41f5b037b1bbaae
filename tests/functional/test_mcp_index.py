"""The tool that indexes, and what clients are told afterwards: in both eras of the protocol."""

import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ResourceListChangedNotification, ResourceUpdatedNotification

from gatherum import Shelf
from gatherum.errors import ShelfError
from gatherum.results import IndexReport, Progress
from gatherum.server.jobs import Jobs
from gatherum.server.mcp import ShelfServer

both = pytest.mark.parametrize("mode", ["auto", "legacy"])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    (root / "old.md").write_text("# Old\n\nQuinces.\n", "utf-8")
    (tmp_path / "secret.md").write_text("the treasure", "utf-8")
    (tmp_path / "project-evil").mkdir()
    (tmp_path / "project-evil" / "x.md").write_text("the treasure", "utf-8")
    Shelf.open(root / ".gatherum").add(root)
    return root


def talk(project: Path, mode: str, act: Callable[[Client], Awaitable[object]], **options: object) -> object:
    shelf = Shelf.open(project / ".gatherum")
    jobs = Jobs(shelf)

    async def main() -> object:
        read_only = bool(options.pop("read_only", False))
        async with Client(ShelfServer(shelf, jobs=jobs, read_only=read_only).server, mode=mode, **options) as client:
            return await act(client)

    try:
        return anyio.run(main)
    finally:
        jobs.close()


def index(project: Path, mode: str = "auto", **arguments: object) -> object:
    return talk(project, mode, lambda client: client.call_tool("index", arguments))


@both
def test_new_files_are_found_after_the_tool_has_run(project: Path, mode: str) -> None:
    (project / "new.md").write_text("# New\n\nMedlars.\n", "utf-8")

    async def act(client: Client) -> tuple[object, object]:
        return await client.call_tool("index", {}), await client.call_tool("search", {"query": "medlars"})

    ran, found = talk(project, mode, act)
    assert not ran.is_error, ran.content[0].text
    assert ran.structured_content["state"] == "done"
    assert (ran.structured_content["added"], ran.structured_content["unchanged"]) == (1, 1)
    assert [hit["path"] for hit in found.structured_content["results"]] == ["new.md"]


@pytest.mark.parametrize("path", ["sub", "sub/a.md", "project/sub", "{root}/sub"])
def test_only_the_named_part_is_looked_at(project: Path, path: str) -> None:
    (project / "sub" / "a.md").write_text("# A\n\nText.\n", "utf-8")
    (project / "b.md").write_text("# B\n\nText.\n", "utf-8")
    answer = index(project, path=path.format(root=project))
    assert answer.structured_content["added"] == 1, answer
    assert {each.path for each in Shelf.open(project / ".gatherum").list_documents()} == {"old.md", "sub/a.md"}


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../secret.md",
        "../project-evil",
        "{root}-evil",
        "{root}/../secret.md",
        "/etc",
        "/",
        "sub/../../secret.md",
        "link",
        "link/passwd",
        "a\0b",
        "x" * 3000,
        "~",
        "file:///etc/passwd",
        "nothing.md",
    ],
)
def test_nothing_outside_the_gathered_folders_is_indexed(project: Path, path: str) -> None:
    (project / "link").symlink_to("/etc")
    before = Shelf.open(project / ".gatherum").collections
    answer = index(project, path=path.format(root=project))
    assert answer.is_error
    said = answer.content[0].text
    assert "outside the gathered folders" in said or "there is no file or folder" in said
    assert Shelf.open(project / ".gatherum").collections == before
    assert Shelf.open(project / ".gatherum").status().documents == 1


def test_a_file_beside_one_that_was_added_alone_is_outside(project: Path) -> None:
    (project / "b.md").write_text("# B\n\nText.\n", "utf-8")
    place = project.parent / "shelf"
    Shelf.open(place).add(project / "old.md")

    async def main() -> object:
        shelf = Shelf.open(place)
        async with Client(ShelfServer(shelf, jobs=Jobs(shelf)).server) as client:
            return await client.call_tool("index", {"path": str(project / "b.md")})

    assert anyio.run(main).is_error
    assert Shelf.open(place).status().documents == 1


@both
def test_a_server_that_only_reads_has_no_such_tool(project: Path, mode: str) -> None:
    offered = talk(project, mode, lambda client: client.list_tools(), read_only=True)
    assert "index" not in [tool.name for tool in offered.tools]
    offered = talk(project, mode, lambda client: client.list_tools())
    (tool,) = [tool for tool in offered.tools if tool.name == "index"]
    assert not tool.annotations.read_only_hint
    assert not tool.annotations.destructive_hint


@pytest.mark.parametrize("seconds", [-1, 51])
def test_no_call_waits_longer_than_clients_do(project: Path, seconds: int) -> None:
    assert index(project, wait_s=seconds).is_error


class Slow:
    """A run that goes on until it is let go or stopped."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.state = ""

    def add(self, *_: object, progress: Callable[[Progress], None], stop: threading.Event) -> IndexReport:
        done = 0
        while not self.release.is_set() and not stop.is_set():
            done += 1
            progress(Progress(stage="read", done=done, total=10_000, path=f"sub/file{done}.md"))
            time.sleep(0.002)
        self.state = "stopped" if stop.is_set() else "done"
        return IndexReport(state=self.state)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    run = Slow()
    monkeypatch.setattr(Shelf, "add", lambda _, *paths, **more: run.add(*paths, **more))
    return run


@both
def test_a_long_run_goes_on_and_the_next_one_follows_it(project: Path, mode: str, slow: Slow) -> None:
    async def act(client: Client) -> list[object]:
        first = await client.call_tool("index", {"wait_s": 0})
        second = await client.call_tool("index", {"wait_s": 1})
        slow.release.set()
        return [first, second, await client.call_tool("index", {})]

    first, second, last = talk(project, mode, act)
    assert first.structured_content["state"] in ("waiting", "running")
    assert second.structured_content["state"] == "waiting"
    assert "Another run is going on (read " in second.structured_content["warnings"][0]
    assert last.structured_content["state"] == "done"


@both
def test_progress_only_grows_and_comes_in_moderation(project: Path, mode: str, slow: Slow) -> None:
    seen: list[tuple[float, float, str]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((anyio.current_time(), progress, message or ""))

    async def act(client: Client) -> object:
        return await client.call_tool("index", {"wait_s": 1}, progress_callback=note)

    talk(project, mode, act)
    assert 2 <= len(seen) <= 11
    assert [each[1] for each in seen] == sorted({each[1] for each in seen})
    assert seen[0][2].startswith("read ")
    assert "/10000 file" in seen[0][2]


@both
def test_a_run_ends_when_the_client_takes_its_request_back(project: Path, mode: str, slow: Slow) -> None:
    async def act(client: Client) -> None:
        with anyio.move_on_after(0.5):
            await client.call_tool("index", {})
        with anyio.move_on_after(10):
            while not slow.state:
                await anyio.sleep(0.01)

    talk(project, mode, act)
    assert slow.state == "stopped"


def test_a_failed_run_is_explained(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise ShelfError("the disk is full", hint="Make room.")

    monkeypatch.setattr(Shelf, "add", full)
    answer = index(project)
    assert answer.is_error
    assert answer.content[0].text.startswith("the disk is full. Make room.")


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
def test_older_clients_are_told_what_changed(project: Path) -> None:
    told: list[object] = []

    async def note(message: object) -> None:
        told.append(message)

    async def act(client: Client) -> None:
        assert client.server_capabilities.resources.list_changed
        assert client.server_capabilities.resources.subscribe
        await client.subscribe_resource("doc:///old.md")
        await client.subscribe_resource("doc:///sub/gone.md")
        await client.unsubscribe_resource("doc:///sub/gone.md")
        (project / "old.md").write_text("# Old\n\nMedlars now.\n", "utf-8")
        (project / "sub" / "gone.md").write_text("# Gone\n\nText.\n", "utf-8")
        await client.call_tool("index", {})
        with anyio.move_on_after(10):
            while not any(isinstance(each, ResourceListChangedNotification) for each in told):
                await anyio.sleep(0.01)

    talk(project, "legacy", act, message_handler=note)
    updated = [each.params.uri for each in told if isinstance(each, ResourceUpdatedNotification)]
    assert [str(uri) for uri in updated] == ["doc:///old.md"]
    assert any(isinstance(each, ResourceListChangedNotification) for each in told)


def test_clients_that_listen_are_told_what_changed(project: Path) -> None:
    async def act(client: Client) -> list[str]:
        assert client.server_capabilities.resources.list_changed
        seen: list[str] = []
        async with client.listen(resources_list_changed=True, resource_subscriptions=["doc:///old.md"]) as events:
            (project / "old.md").write_text("# Old\n\nMedlars now.\n", "utf-8")
            await client.call_tool("index", {})
            with anyio.move_on_after(10):
                async for event in events:
                    seen.append(getattr(event, "uri", "list"))
                    if len(seen) == 2:
                        break
        return seen

    assert talk(project, "auto", act) == ["doc:///old.md", "list"]


def test_connections_that_ended_are_forgotten(project: Path) -> None:
    server = ShelfServer(Shelf.open(project / ".gatherum"))

    async def main() -> tuple[int, int]:
        async with Client(server.server, mode="legacy") as client:
            await client.list_tools()
            during = len(server._events._connections)
        await server.changed(IndexReport(documents=("old.md",)))
        return during, len(server._events._connections)

    assert anyio.run(main) == (1, 0)


@pytest.mark.parametrize(
    ("options", "settings", "offered"),
    [
        ([], {}, True),
        (["--read-only"], {}, False),
        ([], {"GATHERUM_SERVER_READ_ONLY": "true"}, False),
    ],
)
def test_the_command_offers_the_tool_unless_it_is_to_only_read(
    project: Path, options: list[str], settings: dict[str, str], offered: bool
) -> None:
    arguments = ["-m", "gatherum", "serve", "--no-daemon", "--project", str(project), *options]
    served = StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ, **settings})

    async def names() -> list[str]:
        async with Client(served) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert ("index" in anyio.run(names)) == offered
