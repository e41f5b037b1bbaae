"""`gatherum install` and `uninstall`, as they are typed, in homes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from gatherum.cli.install import install_command, uninstall_command
from gatherum.install.clients import CLIENTS
from gatherum.install.entries import launcher

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = [name for name, client in CLIENTS.items() if client.scopes]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "home"
    (home / "notes").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "notes")
    return home


def files(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def install(*words: str) -> Result:
    return CliRunner().invoke(install_command, words, catch_exceptions=False)


def uninstall(*words: str) -> Result:
    return CliRunner().invoke(uninstall_command, words, catch_exceptions=False)


@pytest.mark.parametrize(("client", "scope"), [(name, scope) for name in WRITTEN for scope in CLIENTS[name].scopes])
def test_an_empty_home_is_empty_again(client: str, scope: str, home: Path) -> None:
    done = install(client, "--scope", scope)
    assert done.exit_code == 0, done.output
    assert CLIENTS[client].note in done.output
    written = [path for path in files(home) if "state" not in path]
    assert len(written) == 1
    assert written[0].startswith("notes/") == (scope == "project")
    assert "nothing to do" in install(client, "--scope", scope).output
    assert uninstall(client, "--scope", scope).exit_code == 0
    assert files(home) == {}


def test_a_dry_run_shows_a_diff_and_writes_nothing(home: Path) -> None:
    (home / "notes/.mcp.json").write_text('{\n  "mcpServers": {}\n}\n')
    before = files(home)
    done = install("claude-code", "--dry-run")
    assert '+    "gatherum": {' in done.stdout
    assert '-  "mcpServers": {}' in done.stdout
    assert files(home) == before


@pytest.mark.usefixtures("home")
def test_an_installation_that_will_be_cleared_away_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "for one run" not in install("cursor", "--dry-run").stderr
    monkeypatch.setattr(sys, "prefix", "/home/ada/.cache/uv/archive-v0/Xw3kQ9")
    done = install("cursor", "--dry-run")
    assert "uvx made this installation for one run" in done.stderr
    assert "uv tool install gatherum" in done.stderr


def test_the_command_starts_a_server_for_the_project(home: Path) -> None:
    install("cursor", "--project", ".")
    entry = json.loads((home / "notes/.cursor/mcp.json").read_text())["mcpServers"]["gatherum"]
    assert [entry["command"], *entry["args"]] == [*launcher(), "serve", "--project", str(home / "notes")]
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}}
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        input=json.dumps({**hello, "params": params}) + "\n",
        capture_output=True,
        text=True,
        cwd="/",
        env={
            "HOME": str(home),
            "PATH": os.defpath,
            "GATHERUM_EMBEDDING_MODEL": "none",
        },
        check=False,
    )
    assert '"name":"gatherum"' in done.stdout, done.stderr


def test_json_tells_what_was_done(home: Path) -> None:
    row = json.loads(install("zed", "--json").stdout)
    assert (row["state"], row["written"]) == ("added", True)
    assert row["file"] == str(home / "notes/.zed/settings.json")
    assert row["diff"].startswith("--- /dev/null")


def test_a_client_without_a_file_gets_lines_to_paste(home: Path) -> None:
    done = install("jetbrains")
    entry = json.loads(done.stdout)["mcpServers"]["gatherum"]
    assert entry["args"][-2:] == ["--project", str(home / "notes")]
    assert "paste" in done.stderr
    assert files(home) == {}


def test_the_list_names_every_client_and_file(home: Path) -> None:
    rows = [json.loads(line) for line in install("--list", "--json").stdout.splitlines()]
    assert [row["client"] for row in rows] == list(CLIENTS)
    assert install("--list").stdout.count(str(home)) == sum(len(client.scopes) for client in CLIENTS.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("emacs",), "known are claude-code"),
        ((), "name a client"),
        (("windsurf", "--scope", "project"), "has no file for project scope"),
        (("cursor", "--hooks"), "runs no hooks"),
        (("gemini-cli", "--name", "my_docs"), "letters, digits and hyphens"),
        (("cursor", "--name", "a" * 30), "at most 29"),
    ],
)
def test_wrong_words_are_told(words: tuple[str, ...], said: str, home: Path) -> None:
    done = install(*words)
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert files(home) == {}


MINE = """{
  "permissions": {"allow": ["Bash(ls:*)"]},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}
    ]
  }
}
"""


class TestHooks:
    def test_come_beside_others_and_go_again(self, home: Path) -> None:
        settings = home / "notes/.claude/settings.json"
        settings.parent.mkdir()
        settings.write_text(MINE)
        before = files(home)
        assert install("claude-code", "--hooks").exit_code == 0
        hooks = json.loads(settings.read_text())["hooks"]
        assert hooks["PreToolUse"][0] == json.loads(MINE)["hooks"]["PreToolUse"][0]
        assert hooks["PreToolUse"][1]["hooks"][0]["command"].endswith(" context --hook-stdin")
        assert hooks["UserPromptSubmit"][0]["hooks"][0]["command"].endswith(" prompt-hook")
        assert install("claude-code", "--hooks").output.count("nothing to do") == 2
        assert uninstall("claude-code").exit_code == 0
        assert files(home) == before

    def test_are_brought_up_to_date_in_their_place(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "executable", str(home / "old env/bin/python"))
        install("claude-code", "--hooks", "--scope", "user")
        settings = home / ".claude/settings.json"
        old = settings.read_text()
        assert "'" in json.loads(old)["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
        monkeypatch.undo()
        monkeypatch.setenv("HOME", str(home))
        install("claude-code", "--hooks", "--scope", "user", "--project", str(home))
        now = settings.read_text()
        assert "old env" in old
        assert "old env" not in now
        assert now.count("prompt-hook") == now.count("--hook-stdin") == 1
        uninstall("claude-code", "--scope", "user")
        assert files(home) == {}

    def test_leave_what_the_user_put_into_their_group(self, home: Path) -> None:
        install("claude-code", "--hooks")
        settings = home / "notes/.claude/settings.json"
        held = json.loads(settings.read_text())
        other = {"type": "command", "command": "mine"}
        held["hooks"]["UserPromptSubmit"][0]["hooks"].append(other)
        settings.write_text(json.dumps(held))
        uninstall("claude-code")
        assert json.loads(settings.read_text())["hooks"]["UserPromptSubmit"] == [{"hooks": [other]}]
        assert "gatherum" not in settings.read_text()

    def test_leave_no_empty_lists_when_claude_wrote_the_file_anew(self, home: Path) -> None:
        settings = home / "notes/.claude/settings.json"
        settings.parent.mkdir()
        settings.write_text(MINE)
        install("claude-code", "--hooks")
        settings.write_text(json.dumps(json.loads(settings.read_text()) | {"model": "m"}))
        uninstall("claude-code")
        assert json.loads(settings.read_text()) == json.loads(MINE) | {"model": "m"}
