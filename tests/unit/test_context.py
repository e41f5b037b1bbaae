"""Which role holds for which work."""

from pathlib import Path

import numpy as np
import pytest

from gatherum import Shelf
from gatherum.config import load_settings
from gatherum.context.roles import MAX_BYTES, Work, choose
from gatherum.context.service import context_hook
from gatherum.errors import ConfigError, EmbedderError
from gatherum.place import Place

SETTINGS = """\
[context]
default = "general"
[context.roles.general]
file = "roles/general.md"
[context.roles.backend]
file = "roles/backend.md"
when_files = ["src/**/*.py", "migrations/"]
when_task = ["deploy"]
when_query = ["database", "api", "index"]
[context.roles.frontend]
file = "roles/frontend.md"
when_files = ["web/**", "*.css"]
when_task = ["design"]
when_query = ["button", "api", "dark mode"]
[context.roles.writer]
file = "roles/writer.md"
when_files = ["docs/**/*.md", "!docs/private/**"]
when_task = ["review", "Write"]
when_query = ["manual", "C++", "straße"]
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    (tmp_path / "roles").mkdir()
    for name in ("general", "backend", "frontend", "writer"):
        (tmp_path / "roles" / f"{name}.md").write_text(f"You are {name}.\n")
    return shelf_of(tmp_path, SETTINGS)


def shelf_of(folder: Path, settings: str) -> Shelf:
    file = folder / "gatherum.toml"
    file.write_text(settings)
    return Shelf(Place(folder=folder / ".gatherum", settings=load_settings(file), config=file))


CASES = [
    # files, task, query, role, reason
    (("src/app.py",), "", "", "backend", "rules"),
    (("src/deep/er/app.py",), "", "", "backend", "rules"),
    (("migrations/001.sql",), "", "", "backend", "rules"),
    (("./src/../src/app.py",), "", "", "backend", "rules"),
    (("web/index.html",), "", "", "frontend", "rules"),
    (("any/where/page.css",), "", "", "frontend", "rules"),
    (("docs/guide.md",), "", "", "writer", "rules"),
    (("docs/private/plan.md",), "", "", "general", "default"),
    (("../elsewhere/src/app.py",), "", "", "general", "default"),
    (("/etc/web/x.css",), "", "", "general", "default"),
    (("src/app.py", "README"), "", "", "backend", "rules"),
    (("src/app.py", "web/index.html"), "", "", "general", "default"),
    (("src/app.py", "web/index.html"), "design", "", "frontend", "rules"),
    (("src/app.py", "web/index.html"), "", "the database", "backend", "score"),
    (("src/app.py",), "design", "", "backend", "score"),
    (("src/app.py",), "deploy", "the button", "backend", "rules"),
    ((), "deploy", "", "backend", "only"),
    ((), "DESIGN", "", "frontend", "only"),
    ((), " write ", "", "writer", "only"),
    ((), "deploying", "", "general", "default"),
    ((), "deploy", "the database", "backend", "rules"),
    ((), "", "the database is slow", "backend", "only"),
    ((), "", "DATABASE", "backend", "only"),
    ((), "", "databases", "general", "default"),
    ((), "", "the api", "general", "default"),
    ((), "", "the api of the database", "backend", "score"),
    ((), "", "a database with an index and an api", "backend", "rules"),
    ((), "", "add a dark mode", "frontend", "only"),
    ((), "", "dark", "general", "default"),
    ((), "", "in C++ please", "writer", "only"),
    ((), "", "die Strasse", "writer", "only"),
    ((), "review", "the button", "writer", "score"),
    ((), "", "", "general", "default"),
    ((), "", "the weather", "general", "default"),
    (("\x00",), "", "", "general", "default"),
]


@pytest.mark.parametrize(("files", "task", "query", "role", "reason"), CASES)
def test_the_role_for_a_piece_of_work(
    shelf: Shelf, files: tuple[str, ...], task: str, query: str, role: str, reason: str
) -> None:
    chosen = choose(shelf, Work(files=files, task=task, query=query))
    assert (chosen.role, chosen.reason) == (role, reason)
    assert chosen.content == f"You are {role}."


def test_without_a_default_nothing_may_hold(shelf: Shelf) -> None:
    bare = shelf_of(shelf.place.folder.parent, SETTINGS.replace('default = "general"', ""))
    assert choose(bare, Work(query="the weather")).role == ""


def test_words_may_count_within_words_and_only_from_some_number(shelf: Shelf) -> None:
    loose = SETTINGS.replace("[context]\n", "[context]\nword_boundaries = false\nmin_query_score = 2\n")
    bare = shelf_of(shelf.place.folder.parent, loose)
    assert choose(bare, Work(query="databases")).role == "general"
    assert choose(bare, Work(query="databases, indexed")).role == "backend"


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("../secret.md", b"x", "outside the project"),
        ("roles/none.md", None, "no file"),
        ("roles/big.md", b"x" * (MAX_BYTES + 1), "larger"),
        ("roles/bytes.md", b"\xff\xfe\x00", "not UTF-8"),
        ("roles/empty.md", b" \n", "empty"),
    ],
)
def test_a_file_that_cannot_be_given_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes | None, complaint: str
) -> None:
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    project = tmp_path / "project"
    (project / "roles").mkdir(parents=True)
    if content is not None:
        (project / name).write_bytes(content)
    shelf = shelf_of(project, f'[context]\ndefault = "a"\n[context.roles.a]\nfile = "{name}"\n')
    chosen = choose(shelf, Work())
    assert chosen.content == ""
    assert complaint in chosen.problems[0]


def test_a_link_out_of_the_project_is_not_followed(shelf: Shelf, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("secret") / "key"
    secret.write_text("secret")
    file = shelf.place.folder.parent / "roles" / "general.md"
    file.unlink()
    file.symlink_to(secret)
    assert choose(shelf, Work()).content == ""


def test_a_session_is_told_a_role_once_and_again_when_it_has_changed(shelf: Shelf) -> None:
    payload = {"session_id": "s", "tool_name": "Edit", "tool_input": {"file_path": "src/a.py"}}
    first = context_hook(shelf, payload)["hookSpecificOutput"]
    assert first["hookEventName"] == "PreToolUse"
    assert "You are backend." in first["additionalContext"]
    assert context_hook(shelf, payload) == {}
    assert context_hook(shelf, {**payload, "session_id": "other"})
    (shelf.place.folder.parent / "roles" / "backend.md").write_text("You are new.")
    assert "You are new." in context_hook(shelf, payload)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize(
    "settings",
    [
        "[context.roles.a]\ndescription = 'x'\n",
        "[context.roles.a]\nfile = 'a.md'\nwhen = ['x']\n",
        "[context]\nroles = 3\n",
        "[[context.roles]]\nname = 'a'\nfile = 'x'\n[[context.roles]]\nname = 'a'\nfile = 'y'\n",
    ],
)
def test_roles_that_are_set_wrongly_are_refused(tmp_path: Path, settings: str) -> None:
    with pytest.raises(ConfigError, match=r"context\.roles|two roles"):
        shelf_of(tmp_path, settings)


NEAR = {"wire the api": (1.0, 0.0), "backend": (0.6, 0.8), "frontend": (0.8, 0.6)}


def nearness(text: str) -> np.ndarray:
    """Return a vector that is the nearer to the query the more a text is about the frontend."""
    return np.array(next(vector for name, vector in NEAR.items() if name in text), dtype=np.float32)


def test_of_roles_that_are_equal_the_nearest_in_meaning_holds(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shelf, "query_vector", lambda _, text: nearness(text))
    chosen = choose(shelf, Work(query="wire the api"))
    assert (chosen.role, chosen.reason, chosen.confidence) == ("frontend", "meaning", "medium")
    assert [(each.name, each.cosine) for each in chosen.candidates] == [("frontend", 0.8), ("backend", 0.6)]


def test_meaning_decides_among_those_the_rules_speak_for_only(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Shelf, "query_vector", lambda _, text: asked.append(text) or nearness(text))
    choose(shelf, Work(query="wire the api"))
    assert [text.strip() for text in asked] == ["wire the api", "You are backend.", "You are frontend."]


def test_meaning_is_not_asked_where_the_rules_decide(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shelf, "query_vector", lambda _, text: pytest.fail(text))
    assert choose(shelf, Work(files=("src/app.py",), query="wire the button")).reason == "rules"
    assert choose(shelf, Work(query="a database")).reason == "only"
    assert choose(shelf, Work(files=("src/app.py", "web/index.html"))).reason == "default"


def test_a_model_that_fails_leaves_it_to_the_points(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise EmbedderError("it is broken")

    monkeypatch.setattr(Shelf, "query_vector", broken)
    assert choose(shelf, Work(query="the api of the database")).reason == "score"
    assert choose(shelf, Work(query="wire the api")).reason == "default"
