"""What editors send to hooks, and what else may arrive: a hook answers as the editor reads it, or not at all."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMANDS = {"UserPromptSubmit": ["prompt-hook"], "PreToolUse": ["context", "--hook-stdin"]}
HEAVY = {"lancedb", "pyarrow", "numpy", "pydantic", "mcp", "fastembed", "tokenizers", "rich", "pluggy", "lxml"}
ROLES = """\
[context]
default = "general"
[context.roles.general]
file = "general.md"
[context.roles.backend]
file = "backend.md"
when_files = ["src/**"]
when_task = ["research"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "gatherum.toml").write_text(ROLES)
    for role in ("general", "backend"):
        (tmp_path / f"{role}.md").write_text(f"You are {role}.")
    return tmp_path


def payload(event: str, project: Path, **more: Any) -> dict[str, Any]:
    """Return what Claude Code sends for *event*."""
    common = {
        "session_id": "0f1e2d3c",
        "transcript_path": str(project / "transcript.jsonl"),
        "cwd": str(project),
        "permission_mode": "default",
        "hook_event_name": event,
    }
    return {**common, **more}


def tool(project: Path, name: str, **given: Any) -> dict[str, Any]:
    return payload("PreToolUse", project, tool_name=name, tool_input=given, tool_use_id="toolu_01")


def run(command: list[str], stdin: bytes, folder: Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    words = [sys.executable, "-m", "gatherum", *command]
    return subprocess.run(words, input=stdin, capture_output=True, cwd=folder, check=False, **options)


def context(project: Path, sent: dict[str, Any], folder: Path | None = None) -> str:
    done = run(COMMANDS["PreToolUse"], json.dumps(sent).encode(), folder or project)
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    assert list(answer) == ["hookSpecificOutput"]
    output = answer["hookSpecificOutput"]
    assert set(output) == {"hookEventName", "additionalContext"}
    assert output["hookEventName"] == "PreToolUse"
    return str(output["additionalContext"])


def test_tools_of_every_kind_are_given_the_role_of_their_files(project: Path) -> None:
    for number, (name, given) in enumerate(
        [
            ("Read", {"file_path": str(project / "src/a.py"), "limit": 20}),
            ("Edit", {"file_path": str(project / "src/a.py"), "old_string": "a", "new_string": "b"}),
            ("Write", {"file_path": "src/new.py", "content": "x"}),
            ("MultiEdit", {"file_path": "src/a.py", "edits": [{"old_string": "a", "new_string": "b"}]}),
            ("NotebookEdit", {"notebook_path": str(project / "src/a.ipynb"), "new_source": "1"}),
            ("Grep", {"pattern": "x", "path": str(project / "src/deep")}),
            ("WebSearch", {"query": "latest release"}),
        ]
    ):
        sent = {**tool(project, name, **given), "session_id": str(number)}
        assert context(project, sent).endswith("You are backend."), name


def test_other_work_is_given_the_default(project: Path) -> None:
    assert context(project, tool(project, "Bash", command="ls", description="List")).endswith("You are general.")


def test_the_project_is_that_of_the_payload_not_of_the_working_directory(project: Path, tmp_path_factory: Any) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert context(project, tool(project, "Read", file_path="src/a.py"), elsewhere).endswith("You are backend.")


def test_a_session_is_told_once_by_any_number_of_processes(project: Path) -> None:
    sent = tool(project, "Read", file_path="src/a.py")
    assert context(project, sent) != ""
    assert context(project, sent) == ""
    assert context(project, tool(project, "Bash", command="ls")) != ""
    (project / "backend.md").write_text("You are new.")
    assert context(project, sent).endswith("You are new.")


def test_where_nothing_can_be_noted_it_is_told_each_time(project: Path) -> None:
    (project / ".gatherum").mkdir()
    (project / ".gatherum/told").write_text("a file is in the way")
    (project / ".gatherum/usage").write_text("and here")
    sent = tool(project, "Read", file_path="src/a.py")
    assert context(project, sent) == context(project, sent) != ""


def test_other_letters_than_ascii_arrive_whatever_the_locale(project: Path) -> None:
    (project / "backend.md").write_text("Grüße, 你好, 🪶", encoding="utf-8")
    environ = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    sent = json.dumps(tool(project, "Read", file_path="src/größe.py"), ensure_ascii=False).encode()
    done = run(COMMANDS["PreToolUse"], sent, project, env=environ)
    assert json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"].endswith("Grüße, 你好, 🪶")


ODD = {
    "nothing": b"",
    "blank": b" \n\n",
    "cut short": b'{"prompt": "how do I',
    "no object": b'["prompt"]',
    "null": b"null",
    "a number": b"1e999",
    "not UTF-8": b'{"prompt": "caf\xe9"}',
    "UTF-16": '{"prompt": "hello there"}'.encode("utf-16"),
    "NUL": b'{"prompt": "a\\u0000b", "cwd": "\\u0000"}',
    "a lone surrogate": b'{"prompt": "\\ud800", "tool_name": "\\ud800", "tool_input": {"file_path": "\\ud800"}}',
    "wrong kinds": b'{"prompt": ["a"], "cwd": 7, "tool_name": {}, "tool_input": "x", "session_id": []}',
    "nested deep": b'{"prompt": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "huge": b'{"prompt": "' + b"word " * 1_000_000 + b'"}',
    "a folder that is not there": b'{"prompt": "hello there", "cwd": "/no/such/folder"}',
    "a long name": b'{"prompt": "hello there", "cwd": "/' + b"x" * 5000 + b'", "tool_input": {"file_path": "'
    + b"y" * 9000 + b'"}}',
    "a command": b'{"prompt": "/clear"}',
    "blank prompt": b'{"prompt": "   "}',
    "only marks": b'{"prompt": "?!"}',
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("stdin", ODD.values(), ids=ODD)
def test_whatever_arrives_a_hook_never_complains(tmp_path: Path, command: list[str], stdin: bytes) -> None:
    done = run(command, stdin, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes handles")
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("closing", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "| true", ">/dev/full"])
def test_closed_pipes_are_no_matter(project: Path, command: list[str], closing: str) -> None:
    (project / "sent").write_text(json.dumps(payload("PreToolUse", project, tool_name="Read", prompt="hello there")))
    words = " ".join([sys.executable, "-m", "gatherum", *command])
    feed = "" if "<" in closing else "< sent "
    script = f"set -o pipefail\n{words} {feed}{closing}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=project, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_daemon_that_hangs_is_not_waited_for(project: Path, command: list[str], tmp_path_factory: Any) -> None:
    """The hook asks a daemon; here one that accepts and never greets."""
    import socket

    from gatherum import Shelf
    from gatherum.daemon.address import address_of

    runtime = tmp_path_factory.mktemp("r")
    environ = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "GATHERUM_SERVER_DAEMON": "true"}
    environ["GATHERUM_EMBEDDING_MODEL"] = "none"
    (project / "a.md").write_text("# A\n\nsome words\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
        shelf = Shelf.find(project)
        shelf.add(project)
        address = address_of(str(shelf.place.folder))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address.socket)
        listening.listen()
        sent = payload("UserPromptSubmit", project, prompt="hello there", tool_name="Read", tool_input={})
        done = run(command, json.dumps(sent).encode(), project, env=environ, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_hook_that_asks_the_daemon_loads_next_to_nothing() -> None:
    code = (
        "import json, sys\n"
        "import gatherum.daemon.client\n"
        "gatherum.daemon.client.ask = lambda *a, **k: {}\n"
        "from gatherum.place import Place\n"
        "Place.exists = property(lambda self: True)\n"
        "from gatherum.cli import main\n"
        "assert main(['prompt-hook']) == 0\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    environ = {**os.environ, "GATHERUM_SERVER_DAEMON": "true"}
    sent = b'{"prompt": "hello there"}'
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True, env=environ)
    assert not set(json.loads(done.stdout)) & HEAVY
