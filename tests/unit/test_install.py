"""Every client: its file is changed where our entry is, and nowhere else, and comes back to the byte."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gatherum.errors import ConfigError
from gatherum.install.change import Change, install, uninstall
from gatherum.install.clients import CLIENTS, SYSTEMS, Client, Layout, System
from gatherum.install.entries import JsonServer, Piece, TomlServer, is_ours, passing
from gatherum.install.jsonc import parse
from gatherum.install.text import BrokenError

COMMAND = ["/opt/new/bin/gatherum", "serve", "--project", "/home/me/notes ü"]
OLDER = ["/opt/old/bin/python", "-m", "gatherum", "serve", "--project", "/home/me/notes"]
WRITTEN = [client for client in CLIENTS.values() if client.scopes]


def piece(client: Client, command: list[str] = COMMAND, name: str = "gatherum") -> Piece:
    if client.format == "toml":
        return TomlServer(table=client.path[0], name=name, entry=client.entry(command))
    return JsonServer(path=client.path, name=name, entry=client.entry(command), comments=client.format == "jsonc")


def plain(client: Client, data: bytes) -> dict[str, Any]:
    text = data.decode("utf-8-sig")
    if client.format == "toml":
        return tomllib.loads(text)
    root = parse(text, comments=client.format == "jsonc")
    assert root
    held: dict[str, Any] = root.plain
    return held


def put(client: Client, file: Path, command: list[str] = COMMAND, **options: Any) -> Change:
    receipts = file.parent.parent / "receipts"
    change = install(file, [piece(client, command, **options)], receipts_in=receipts)
    change.apply(receipts)
    return change


def take(client: Client, file: Path, **options: Any) -> Change:
    receipts = file.parent.parent / "receipts"
    change = uninstall(file, [piece(client, **options)], receipts_in=receipts)
    change.apply(receipts)
    return change


JSON = {
    "empty": "",
    "blank": "\n",
    "object": "{}",
    "open object": "{\n}\n",
    "one line": '{"theme": "dark", "X": {"other": {"command": "o"}}}',
    "no such table": '{\n  "theme": "dark"\n}\n',
    "empty table": '{\n  "X": {}\n}\n',
    "open table": '{\n  "X": {\n  }\n}\n',
    "others": (
        '{\n  "X": {\n    "other": {\n      "command": "o",\n      "args": ["ü", "\\u00e4"]\n    }\n  },\n  "z": 1\n}'
    ),
    "tabs": '{\n\t"X": {\n\t\t"other": {"command": "o"}\n\t}\n}\n',
    "crlf": '{\r\n    "X": {\r\n        "other": {"command": "o"}\r\n    }\r\n}\r\n',
    "mark": '\ufeff{\n  "X": {"other": {"command": "o"}}\n}\n',
    "crowded": '{"X":{"other":{"command":"o"},"b":{"command":"{}[],"}},"y":[1,2,{"a":null}]}\n',
}
JSONC = JSON | {
    "comments": (
        '// mine\n{\n  // servers\n  "X": { // all\n    // one\n'
        '    "other": {"command": "o"} // why\n    // end\n  } /* z */\n}\n// bye'
    ),
    "trailing commas": '{\n  "X": {\n    "other": {"command": "o",}, // why\n  },\n}\n',
    "comment in table": '{\n  "X": {\n    // none yet\n  }\n}\n',
    "only a comment": "// nothing\n",
    "url": '{\n  "$schema": "https://x.y/z", /* a, b */ "X": {"other": {"command": "o" /* c, d */}}\n}\n',
}
TOML = {
    "empty": "",
    "others": 'model = "o" # mine\n\n[X.other]\ncommand = "o"\nargs = [\n  "a", # one\n]\n\n[X.other.env]\nA = "ü"\n',
    "no end": '[tui]\ntheme = "dark"',
    "crlf": '[X.other]\r\ncommand = "o"\r\n',
    "mark": '\ufeffmodel = "o"\n',
    "after": '[X.other]\ncommand = "o"\n[zed]\na = [[1]]\n',
}


def _files() -> list[Any]:
    cases = []
    for client in WRITTEN:
        table = {"json": JSON, "jsonc": JSONC, "toml": TOML}[client.format]
        for name, text in table.items():
            data = text.replace("X", client.path[0]).encode()
            cases.append(pytest.param(client, data, id=f"{client.name}-{name}"))
    return cases


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "there"
    folder.mkdir()
    return folder / "settings"


@pytest.mark.parametrize(("client", "before"), _files())
class TestEveryFile:
    def test_gets_our_entry_and_keeps_the_rest(self, client: Client, before: bytes, file: Path) -> None:
        file.write_bytes(before)
        assert put(client, file).what == "added"
        now = plain(client, file.read_bytes())
        assert now[client.path[0]].pop("gatherum") == client.entry(COMMAND)
        then = plain(client, before) if before.decode("utf-8-sig").strip(" \n") not in ("", "// nothing") else {}
        assert now == {client.path[0]: {}} | then
        after = iter(file.read_bytes().decode("utf-8-sig"))
        assert all(letter in after for letter in before.decode("utf-8-sig"))

    def test_the_second_time_there_is_nothing_to_do(self, client: Client, before: bytes, file: Path) -> None:
        file.write_bytes(before)
        put(client, file)
        seen = (file.stat().st_ino, file.stat().st_mtime_ns)
        again = put(client, file)
        assert (again.what, again.diff()) == ("nothing to do", "")
        assert (file.stat().st_ino, file.stat().st_mtime_ns) == seen

    def test_comes_back_to_the_byte(self, client: Client, before: bytes, file: Path) -> None:
        file.write_bytes(before)
        put(client, file)
        assert take(client, file).what == "removed"
        assert file.read_bytes() == before
        assert take(client, file).what == "nothing to do"

    def test_comes_back_to_the_byte_after_an_upgrade(self, client: Client, before: bytes, file: Path) -> None:
        file.write_bytes(before)
        put(client, file, OLDER)
        assert put(client, file).what == "updated"
        assert plain(client, file.read_bytes())[client.path[0]]["gatherum"] == client.entry(COMMAND)
        take(client, file)
        assert file.read_bytes() == before

    def test_is_sound_without_our_entry_when_receipts_are_lost(self, client: Client, before: bytes, file: Path) -> None:
        file.write_bytes(before)
        put(client, file)
        held = plain(client, file.read_bytes())
        for receipt in (file.parent.parent / "receipts").iterdir():
            receipt.unlink()
        take(client, file)
        del held[client.path[0]]["gatherum"]
        now = plain(client, file.read_bytes())
        assert now | ({client.path[0]: {}} if client.path[0] not in now else {}) == held

    def test_keeps_line_ends_and_the_mark(self, client: Client, before: bytes, file: Path) -> None:
        file.write_bytes(before)
        put(client, file)
        after = file.read_bytes()
        assert after.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
        if b"\r\n" in before:
            assert after.count(b"\n") == after.count(b"\r\n")
        if b"\n\t" in before:
            assert b"\n  " not in after


@pytest.mark.parametrize("client", WRITTEN, ids=lambda client: client.name)
class TestEveryClient:
    def test_a_new_file_and_its_folders_go_again(self, client: Client, tmp_path: Path) -> None:
        file = tmp_path / "a/b/settings"
        put(client, file)
        assert plain(client, file.read_bytes()) == {client.path[0]: {"gatherum": client.entry(COMMAND)}}
        take(client, file)
        assert not (tmp_path / "a/b").exists()

    def test_a_new_file_stays_with_what_was_added_since(self, client: Client, file: Path) -> None:
        put(client, file)
        put(client, file, ["npx", "other"], name="other")
        take(client, file)
        assert plain(client, file.read_bytes()) == {client.path[0]: {"other": client.entry(["npx", "other"])}}

    def test_later_changes_elsewhere_stay(self, client: Client, file: Path) -> None:
        text = "a = 1\n" if client.format == "toml" else '{\n  "a": 1\n}\n'
        file.write_text(text)
        put(client, file)
        file.write_text(file.read_text().replace("1", "22222", 1))
        take(client, file)
        assert file.read_text() == text.replace("1", "22222")

    def test_nothing_of_ours_stays_when_the_client_wrote_the_file_anew(self, client: Client, file: Path) -> None:
        toml = client.format == "toml"
        file.write_text("a = 1\n" if toml else '{"a": 1}')
        put(client, file)
        held = plain(client, file.read_bytes())
        anew = file.read_text().replace(" = ", "=").replace("a=1", "a=1\nb=2") if toml else json.dumps(held | {"b": 2})
        file.write_text(anew)
        take(client, file)
        assert plain(client, file.read_bytes()) == {"a": 1, "b": 2}
        assert not list((file.parent.parent / "receipts").iterdir())

    def test_an_upgrade_keeps_what_the_user_added_to_the_entry(self, client: Client, file: Path) -> None:
        mine = client.entry(OLDER) | {"disabled": False}
        file.write_text("")
        put(client, file, OLDER)
        old = file.read_text()
        if client.format == "toml":
            file.write_text(old.rstrip("\n") + "\ndisabled = false\n")
        else:
            file.write_text(json.dumps({client.path[0]: {"gatherum": mine}}))
        put(client, file)
        assert plain(client, file.read_bytes())[client.path[0]]["gatherum"] == mine | client.entry(COMMAND)
        take(client, file)
        assert "gatherum" not in file.read_text()

    def test_an_entry_that_is_not_ours_is_refused(self, client: Client, file: Path) -> None:
        put(client, file, ["/usr/bin/other", "serve-this"])
        before = file.read_bytes()
        with pytest.raises(ConfigError, match="does not start gatherum"):
            put(client, file)
        with pytest.raises(ConfigError, match="does not start gatherum"):
            take(client, file)
        assert file.read_bytes() == before

    def test_force_replaces_it_and_uninstalling_brings_it_back(self, client: Client, file: Path) -> None:
        put(client, file, ["/usr/bin/other", "serve-this"])
        before = file.read_bytes()
        receipts = file.parent.parent / "receipts"
        install(file, [piece(client)], receipts_in=receipts, force=True).apply(receipts)
        assert plain(client, file.read_bytes())[client.path[0]]["gatherum"]["command"] == COMMAND[0]
        take(client, file)
        assert file.read_bytes() == before

    @pytest.mark.parametrize(
        ("data", "place"),
        [
            (b"{\n  [", "line 2, column 3"),
            (b"null ]", "line 1"),
            (b"\xff\xfe{\x00}\x00", "UTF-8"),
            (b"{} {}", "line 1"),
        ],
    )
    def test_a_broken_file_is_left_untouched(self, client: Client, data: bytes, place: str, file: Path) -> None:
        file.write_bytes(data)
        expected = "line 1" if client.format == "toml" and place != "UTF-8" else place
        with pytest.raises(ConfigError, match=expected) as caught:
            put(client, file)
        assert str(file) in str(caught.value)
        assert file.read_bytes() == data
        with pytest.raises(ConfigError, match=expected):
            take(client, file)
        assert list(file.parent.iterdir()) == [file]

    def test_links_are_followed_and_the_mode_is_kept(self, client: Client, file: Path) -> None:
        dotfiles = file.parent / "dotfiles"
        dotfiles.write_text("")
        dotfiles.chmod(0o640)
        file.symlink_to(dotfiles)
        put(client, file)
        assert file.is_symlink()
        assert stat.S_IMODE(dotfiles.stat().st_mode) == 0o640
        take(client, file)
        assert dotfiles.read_text() == ""

    def test_a_read_only_file_is_left_alone(self, client: Client, file: Path) -> None:
        file.write_text("")
        file.chmod(0o444)
        with pytest.raises(ConfigError, match="read-only"):
            put(client, file)
        assert file.read_text() == ""

    def test_a_file_changed_meanwhile_is_left_alone(self, client: Client, file: Path) -> None:
        change = install(file, [piece(client)], receipts_in=file.parent / "receipts")
        file.write_text("new")
        with pytest.raises(ConfigError, match="changed meanwhile"):
            change.apply(file.parent / "receipts")
        assert file.read_text() == "new"

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_has_a_file_on_every_system(self, client: Client, system: System, tmp_path: Path) -> None:
        layout = Layout(system=system, home=tmp_path, environ={})
        for scope in client.scopes:
            file = client.file(scope, tmp_path / "project", layout)
            assert tmp_path in file.parents


def test_a_full_disk_leaves_all_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("{}")
    receipts = file.parent.parent / "receipts"
    change = install(file, [piece(CLIENTS["cursor"])], receipts_in=receipts)
    replaced = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target == file:
            raise OSError(28, "No space left on device")
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ConfigError, match="No space left"):
        change.apply(receipts)
    assert file.read_text() == "{}"
    assert list(file.parent.iterdir()) == [file]
    assert list(receipts.iterdir()) == []


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ("null", "the file holds null"),
        ("[]", "the file holds a list"),
        ('{"mcpServers": []}', "mcpServers holds a list"),
    ],
)
def test_a_file_of_another_shape_is_left_untouched(root: str, said: str, file: Path) -> None:
    file.write_text(root)
    with pytest.raises(ConfigError, match=said):
        put(CLIENTS["cursor"], file)
    assert file.read_text() == root


def test_a_large_file_is_changed_in_one_place(file: Path) -> None:
    text = json.dumps({"projects": {f"/p/{n}": {"history": ["ü" * 50] * 5} for n in range(5000)}}, indent=2)
    file.write_text(text)
    change = put(CLIENTS["claude-code"], file)
    assert len(change.diff().splitlines()) < 30
    take(CLIENTS["claude-code"], file)
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("client", "system", "environ", "path"),
    [
        ("claude-code", "linux", {}, ".claude.json"),
        ("claude-code", "macos", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json"),
        ("claude-desktop", "linux", {"XDG_CONFIG_HOME": "/x"}, "/x/Claude/claude_desktop_config.json"),
        ("claude-desktop", "macos", {}, "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "windows", {"APPDATA": "/r"}, "/r/Claude/claude_desktop_config.json"),
        ("vscode", "linux", {}, ".config/Code/User/mcp.json"),
        ("vscode", "windows", {}, "AppData/Roaming/Code/User/mcp.json"),
        ("zed", "macos", {"XDG_CONFIG_HOME": "/x"}, ".config/zed/settings.json"),
        ("zed", "linux", {"XDG_CONFIG_HOME": "/x"}, "/x/zed/settings.json"),
        ("zed", "windows", {}, "AppData/Roaming/Zed/settings.json"),
        ("codex", "linux", {"CODEX_HOME": "/k"}, "/k/config.toml"),
        ("windsurf", "windows", {}, ".codeium/windsurf/mcp_config.json"),
        ("gemini-cli", "macos", {}, ".gemini/settings.json"),
        ("cursor", "windows", {}, ".cursor/mcp.json"),
    ],
)
def test_files_are_where_the_clients_look(client: str, system: System, environ: dict[str, str], path: str) -> None:
    layout = Layout(system=system, home=Path("/home/me"), environ=environ)
    assert CLIENTS[client].file("user", Path("/p"), layout) == Path("/home/me") / path


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"a": 1,}', 1, 8),
        ('{\n "a" 1}', 2, 6),
        ("[1 2]", 1, 4),
        ('{"a": tru}', 1, 7),
        ("{", 1, 2),
        ("[01]", 1, 2),
        ("// c\n{}", 1, 1),
        ("[" * 5000, 1, 201),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(BrokenError, match=f"line {line}, column {column}: "):
        parse(text, comments=False)


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ({"command": "gatherum", "args": ["serve"]}, True),
        ({"command": r"C:\me\Scripts\gatherum.exe", "args": ["serve", "--project", "."]}, True),
        ({"command": "/usr/bin/python3", "args": ["-m", "gatherum", "serve"]}, True),
        ({"command": "uvx", "args": ["gatherum", "serve"]}, True),
        ({"command": "serve", "args": ["gatherum"]}, False),
        ({"command": "gatherum-other", "args": ["serve"]}, False),
        ({"url": "http://localhost"}, False),
        ("gatherum serve", False),
        (None, False),
    ],
)
def test_entries_of_ours_are_known(entry: object, ours: bool) -> None:
    assert is_ours(entry) is ours


def test_names_fit_what_cursor_takes() -> None:
    from gatherum import Shelf
    from gatherum.cli.install import _LONGEST_NAME
    from gatherum.server.toolbox import Toolbox

    assert max(len(tool.name) for tool in Toolbox(Shelf.open(".")).tools) <= 30
    assert _LONGEST_NAME + 30 < 60


@pytest.mark.parametrize(
    ("prefix", "runner"),
    [
        ("/home/ada/.cache/uv/archive-v0/Xw3kQ9", "uvx"),
        ("/home/ada/.cache/uv/environments-v2/gatherum-1a2b", "uvx"),
        ("C:\\Users\\Ada\\AppData\\Local\\uv\\cache\\archive-v0\\Xw3kQ9", "uvx"),
        ("/home/ada/.cache/pipx/0f1e2d", "pipx run"),
        ("/home/ada/.local/pipx/.cache/0f1e2d", "pipx run"),
        ("C:\\Users\\Ada\\AppData\\Local\\pipx\\Cache\\0f1e2d", "pipx run"),
        ("/home/ada/.local/share/uv/tools/gatherum", ""),
        ("/home/ada/.local/share/pipx/venvs/gatherum", ""),
        ("/home/ada/project/.venv", ""),
        ("/usr", ""),
    ],
)
def test_an_installation_for_one_run_is_known(prefix: str, runner: str) -> None:
    assert passing(prefix) == runner
