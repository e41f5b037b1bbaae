"""``gatherum context`` as a person and a script use it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gatherum.cli.context import context_command

SETTINGS = """\
[context]
default = "general"
[context.roles.general]
file = "general.md"
[context.roles.backend]
file = "backend.md"
when_files = ["src/**"]
when_task = ["deploy"]
when_query = ["database", "api"]
[context.roles.frontend]
file = "frontend.md"
when_files = ["web/**"]
when_query = ["button", "api"]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gatherum.toml").write_text(SETTINGS)
    for role in ("general", "backend", "frontend"):
        (tmp_path / f"{role}.md").write_text(f"You are {role}.\n")
    return tmp_path


def context(*words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(context_command, words, input=stdin, catch_exceptions=False)


@pytest.mark.usefixtures("project")
def test_the_role_is_said_on_stderr_and_its_text_on_stdout() -> None:
    done = context("--files", "src/app.py")
    assert done.stdout == "You are backend.\n"
    assert "backend: by rules, high confidence" in done.stderr


@pytest.mark.usefixtures("project")
def test_quiet_gives_the_text_alone() -> None:
    assert context("--files", "src/app.py", "--quiet").stderr == ""


@pytest.mark.usefixtures("project")
def test_all_options_count_together() -> None:
    done = context("--files", "src/a.py", "--files", "web/b.css", "--task", "deploy", "--query", "the button", "--json")
    found = json.loads(done.stdout)
    assert found["candidates"] == [
        {"name": "backend", "score": 5},
        {"name": "frontend", "score": 4},
    ]
    assert (found["role"], found["reason"], found["confidence"], found["margin"]) == ("backend", "score", "low", 1)
    assert found["content"] == "You are backend."


@pytest.mark.usefixtures("project")
def test_where_two_roles_are_equal_the_default_holds() -> None:
    found = json.loads(context("--query", "the api", "--json").stdout)
    assert (found["role"], found["reason"], found["margin"]) == ("general", "default", 0)
    assert [each["name"] for each in found["candidates"]] == ["backend", "frontend"]


@pytest.mark.usefixtures("project")
def test_without_options_the_default_holds() -> None:
    assert context().stdout == "You are general.\n"


def test_files_are_meant_from_the_working_directory(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "src").mkdir()
    monkeypatch.chdir(project / "src")
    assert context("--files", "app.py").stdout == "You are backend.\n"
    assert context("--files", "../web/a.css").stdout == "You are frontend.\n"


def test_settings_may_be_named(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "mine.toml").write_text('[context]\ndefault = "one"\n[context.roles.one]\nfile = "one.md"\n')
    (other / "one.md").write_text("You are one.")
    assert context("--config", str(other / "mine.toml")).stdout == "You are one.\n"


def test_without_a_default_no_role_holds(project: Path) -> None:
    (project / "gatherum.toml").write_text(SETTINGS.replace('default = "general"', ""))
    done = context("--query", "the weather")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "No role holds here." in done.stderr
    assert json.loads(context("--query", "the weather", "--json").stdout)["role"] == ""


def test_without_roles_it_says_so(project: Path) -> None:
    (project / "gatherum.toml").write_text("")
    assert "The settings name no roles." in context().stderr


def test_a_file_that_is_not_there_is_told(project: Path) -> None:
    (project / "backend.md").unlink()
    done = context("--files", "src/a.py")
    assert done.stdout == ""
    assert "there is no file backend.md" in done.stderr
    (problem,) = json.loads(context("--files", "src/a.py", "--json").stdout)["problems"]
    assert "there is no file backend.md" in problem


def test_a_default_that_is_no_role_is_told(project: Path) -> None:
    (project / "gatherum.toml").write_text(SETTINGS.replace('"general"\n', '"nobody"\n', 1))
    assert "context.default names 'nobody'" in context().stderr


def test_a_payload_is_answered_and_options_beside_it_do_not_matter(project: Path) -> None:
    sent = {"session_id": "s", "cwd": str(project), "tool_name": "Edit", "tool_input": {"file_path": "web/a.css"}}
    done = context("--hook-stdin", "--query", "database", "--json", stdin=json.dumps(sent))
    assert json.loads(done.stdout) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "additionalContext": "Context for the role 'frontend', from this project's settings:\n\nYou are frontend.",
        }
    }
