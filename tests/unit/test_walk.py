import os
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gatherum.config import IndexSettings
from gatherum.errors import ConfigError
from gatherum.walk import Found, Skipped, walk

Corpus = Callable[[Mapping[str, str]], Path]
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def found(root: Path, *, below: str = "", **settings: object) -> list[str]:
    items = walk(root, IndexSettings(**settings), below=below)  # type: ignore[arg-type]
    return [item.path for item in items if isinstance(item, Found)]


def skipped(root: Path, **settings: object) -> dict[str, str]:
    """Return the rule or the problem for each thing that is left out."""
    items = walk(root, IndexSettings(**settings))  # type: ignore[arg-type]
    return {item.path: item.rule or item.code or "" for item in items if isinstance(item, Skipped)}


def test_files_come_folder_by_folder_in_the_order_of_names(corpus: Corpus) -> None:
    root = corpus(dict.fromkeys(("b.md", "a.md", "z/1.md", "m/2.md", "m/n/3.md", "m/o/4.md"), "x"))
    assert found(root) == ["a.md", "b.md", "m/2.md", "m/n/3.md", "m/o/4.md", "z/1.md"]


def test_a_file_is_told_with_what_its_inode_says(corpus: Corpus) -> None:
    root = corpus({"a.md": "four"})
    (item,) = walk(root, IndexSettings())
    status = (root / "a.md").stat()
    assert item == Found(
        path="a.md", size=4, mtime_ns=status.st_mtime_ns, ctime_ns=status.st_ctime_ns, inode=status.st_ino
    )


def test_an_empty_folder_gives_nothing(tmp_path: Path) -> None:
    assert list(walk(tmp_path, IndexSettings())) == []


# -- ignore files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ignore", "left"),
    [
        ("*.log", ["a.md", "keep.md", "sub/a.md", "sub/deep/a.md"]),
        ("*.log\n!keep.log", ["a.md", "keep.log", "keep.md", "sub/a.md", "sub/deep/a.md"]),
        ("a.md", ["a.log", "keep.log", "keep.md", "sub/a.log", "sub/deep/b.log"]),
        ("/a.md", ["a.log", "keep.log", "keep.md", "sub/a.log", "sub/a.md", "sub/deep/a.md", "sub/deep/b.log"]),
        ("deep/", ["a.log", "a.md", "keep.log", "keep.md", "sub/a.log", "sub/a.md"]),
        ("sub/*.md", ["a.log", "a.md", "keep.log", "keep.md", "sub/a.log", "sub/deep/a.md", "sub/deep/b.log"]),
        ("sub/**/*.md", ["a.log", "a.md", "keep.log", "keep.md", "sub/a.log", "sub/deep/b.log"]),
        ("sub\n!sub/a.md", ["a.log", "a.md", "keep.log", "keep.md"]),
        ("# a comment\n\n*.md\r\n", ["a.log", "keep.log", "sub/a.log", "sub/deep/b.log"]),
        ("*.[kl]og", ["a.md", "keep.md", "sub/a.md", "sub/deep/a.md"]),
    ],
)
def test_ignore_files_mean_what_they_mean_to_git(corpus: Corpus, ignore: str, left: list[str]) -> None:
    names = ("a.md", "a.log", "keep.md", "keep.log", "sub/a.md", "sub/a.log", "sub/deep/a.md", "sub/deep/b.log")
    root = corpus({**dict.fromkeys(names, "x"), ".gitignore": ignore})
    assert found(root) == left
    assert found(root, gitignore=False) == [name for name in found(root, gitignore=False) if name in names]


def test_the_nearest_ignore_file_decides(corpus: Corpus) -> None:
    files = dict.fromkeys(("a.log", "sub/a.log", "sub/b.log", "other/a.log"), "x")
    root = corpus({**files, ".gitignore": "*.log", "sub/.gitignore": "!a.log"})
    assert found(root) == ["sub/a.log"]


def test_patterns_of_an_inner_ignore_file_are_anchored_there(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "sub/a.md": "x", "sub/in/a.md": "x", "sub/.gitignore": "/a.md"})
    assert found(root) == ["a.md", "sub/in/a.md"]


def test_our_own_ignore_file_has_the_last_word(corpus: Corpus) -> None:
    files = {"a.md": "x", "b.md": "x", "c.md": "x"}
    root = corpus({**files, ".gitignore": "a.md\nb.md", ".gatherumignore": "!a.md\nc.md"})
    assert found(root) == ["a.md"]


def test_a_line_that_is_no_pattern_does_not_undo_the_others(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "b.md": "x", ".gitignore": "!\n[z-a]\na.md\n\\"})
    assert found(root) == ["b.md"]


def test_an_ignore_file_in_any_encoding_is_read(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "b.md": "x"})
    (root / ".gitignore").write_bytes(b"\xff\xe9\na.md\n")
    assert found(root) == ["b.md"]


# -- rules -----------------------------------------------------------------------------------------------------------


def test_everything_left_out_by_rule_is_told_with_its_rule(corpus: Corpus) -> None:
    names = (
        *(".hidden.md", ".dir/a.md", "node_modules/a.md", "__pycache__/a.md", "~$letter.docx", ".~lock.a.odt#"),
        *("no.md", "out/a.md", "ignored.md", "id_rsa", "a.md"),
    )
    root = corpus({**dict.fromkeys(names, "x"), ".gitignore": "ignored.md"})
    assert skipped(root, exclude=("no.md", "out/")) == {
        ".dir": "hidden",
        ".gitignore": "hidden",
        ".hidden.md": "hidden",
        ".~lock.a.odt#": "generated",
        "__pycache__": "generated",
        "id_rsa": "secret",
        "ignored.md": "ignored",
        "no.md": "excluded",
        "node_modules": "generated",
        "out": "excluded",
        "~$letter.docx": "generated",
    }


def test_hidden_files_are_read_when_asked_for_but_never_generated_ones(corpus: Corpus) -> None:
    root = corpus(dict.fromkeys((".notes/a.md", ".a.md", ".git/config", ".gatherum/db/x", ".venv/a.md"), "x"))
    assert found(root, hidden=True) == [".a.md", ".notes/a.md"]


@pytest.mark.parametrize(
    "secret",
    [
        *(".env", ".env.local", "server.pem", "server.key", "id_rsa", "id_ed25519.pub", ".netrc", ".npmrc", ".pypirc"),
        *("secrets.yaml", "credentials", "credentials.json", "store.kdbx", "a.p12", ".ssh/config", ".aws/config"),
        *(".git-credentials", ".docker/config.json", "deep/in/secrets.toml"),
    ],
)
def test_secrets_are_not_read_even_if_hidden_files_are(corpus: Corpus, secret: str) -> None:
    root = corpus({secret: "x", "a.md": "x"})
    assert found(root, hidden=True) == ["a.md"]
    assert "secret" in skipped(root, hidden=True).values()


@pytest.mark.parametrize("name", ["secretary.md", "key.md", "environment.md", "credential-policy.md"])
def test_names_that_only_sound_secret_are_read(corpus: Corpus, name: str) -> None:
    assert found(corpus({name: "x"})) == [name]


def test_only_included_files_are_read_in_whatever_folder(corpus: Corpus) -> None:
    root = corpus(dict.fromkeys(("a.md", "b.txt", "sub/c.md", "sub/d.txt"), "x"))
    assert found(root, include=("*.md",)) == ["a.md", "sub/c.md"]
    assert found(root, include=("/sub/",)) == ["sub/c.md", "sub/d.txt"]


@pytest.mark.parametrize("name", ["include", "exclude"])
def test_a_setting_that_is_no_pattern_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"index\.{name} has '\[z-a\]'"):
        found(tmp_path, **{name: ("*.md", "[z-a]")})


def test_a_file_larger_than_allowed_is_named_with_the_setting(corpus: Corpus) -> None:
    root = corpus({"small.md": "x"})
    with (root / "huge.md").open("wb") as file:
        file.truncate(5 << 20)
    (item,) = (item for item in walk(root, IndexSettings(max_file_mb=4)) if isinstance(item, Skipped))
    assert (item.path, item.code) == ("huge.md", "too_large")
    assert "index.max_file_mb" in item.message


# -- below -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("below", "paths"),
    [
        ("", ["a.md", "sub/b.md", "sub/in/c.md", "subway/d.md"]),
        ("sub", ["sub/b.md", "sub/in/c.md"]),
        ("sub/", ["sub/b.md", "sub/in/c.md"]),
        ("sub/in", ["sub/in/c.md"]),
        ("sub/b.md", ["sub/b.md"]),
        ("gone", []),
    ],
)
def test_only_what_was_asked_for_is_walked(corpus: Corpus, below: str, paths: list[str]) -> None:
    root = corpus(dict.fromkeys(("a.md", "sub/b.md", "sub/in/c.md", "subway/d.md"), "x"))
    assert found(root, below=below) == paths


def test_ignore_files_above_what_was_asked_for_hold(corpus: Corpus) -> None:
    root = corpus({"sub/a.log": "x", "sub/a.md": "x", ".gitignore": "*.log"})
    assert found(root, below="sub") == ["sub/a.md"]


# -- what is no ordinary file ----------------------------------------------------------------------------------------


def test_links_are_not_followed_unless_asked(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "sub/b.md": "x"})
    (root / "c.md").symlink_to(root / "a.md")
    (root / "linked").symlink_to(root / "sub")
    assert found(root) == ["a.md", "sub/b.md"]
    assert skipped(root) == {"c.md": "excluded", "linked": "excluded"}
    assert found(root, follow_links=True) == ["a.md", "c.md", "linked/b.md"]


def test_links_out_of_the_folder_are_never_followed(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "corpus-secret").mkdir()
    (tmp_path / "corpus-secret/s.md").write_text("secret", encoding="utf-8")
    root = corpus({"a.md": "x"})
    (root / "file.md").symlink_to(tmp_path / "corpus-secret/s.md")
    (root / "folder").symlink_to(tmp_path / "corpus-secret")
    (root / "dots.md").symlink_to("../corpus-secret/s.md")
    (root / "proc").symlink_to("/proc/self")
    for follow in (False, True):
        assert found(root, follow_links=follow) == ["a.md"]
        assert skipped(root, follow_links=follow) == dict.fromkeys(("dots.md", "file.md", "folder", "proc"), "outside")


def test_loops_of_links_end(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "sub/b.md": "x"})
    (root / "sub/up").symlink_to(root)
    (root / "sub/self").symlink_to(root / "sub")
    (root / "round").symlink_to("round")
    assert found(root, follow_links=True) == ["a.md", "sub/b.md"]
    assert set(skipped(root, follow_links=True)) == {"round", "sub/self", "sub/up"}


def test_a_broken_link_is_told(corpus: Corpus) -> None:
    root = corpus({"a.md": "x"})
    (root / "gone.md").symlink_to(root / "nowhere.md")
    assert skipped(root, follow_links=True) == {"gone.md": "vanished"}


def test_pipes_and_sockets_are_left_alone(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    root = corpus({"a.md": "x"})
    os.mkfifo(root / "pipe.md")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.md")
        assert found(root) == ["a.md"]
        assert skipped(root) == {"pipe.md": "not_a_file", "socket.md": "not_a_file"}


def test_a_pipe_called_like_an_ignore_file_is_left_alone(corpus: Corpus) -> None:
    root = corpus({"a.md": "x"})
    os.mkfifo(root / ".gitignore")
    assert found(root) == ["a.md"]


def test_names_that_are_not_utf8_are_told(corpus: Corpus) -> None:
    root = corpus({"a.md": "x"})
    with open(os.fsencode(root) + b"/caf\xe9.md", "wb") as file:  # noqa: PTH123 - Path knows no bytes
        file.write(b"x")
    assert found(root) == ["a.md"]
    assert skipped(root) == {"caf?.md": "unnameable"}


@pytest.mark.parametrize("name", ["new\nline.md", "e\u0301.md", "é.md", "emoji 😀.md", "x" * 240 + ".md", "%2e.md"])
def test_odd_names_are_read(corpus: Corpus, name: str) -> None:
    assert found(corpus({name: "x"})) == [name]


def test_folders_too_deep_are_told(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(70):
        folder /= "d"
    folder.mkdir(parents=True)
    assert list(skipped(tmp_path).values()) == ["too_deep"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions")
def test_a_forbidden_folder_is_told_and_the_others_are_walked(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "shut/b.md": "x"})
    (root / "shut").chmod(0)
    try:
        assert found(root) == ["a.md"]
        assert skipped(root) == {"shut": "denied"}
    finally:
        (root / "shut").chmod(0o700)


@pytest.mark.skipif(not ROOT, reason="others find out when they read it")
def test_what_nobody_may_read_is_left_closed_even_for_root(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "shut.md": "x"})
    (root / "shut.md").chmod(0)
    assert found(root) == ["a.md"]
    assert skipped(root) == {"shut.md": "denied"}


def test_a_folder_that_cannot_be_listed_is_told(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    root = corpus({"a.md": "x", "shut/b.md": "x"})
    original = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return original(path)

    monkeypatch.setattr(os, "scandir", scandir)
    (item,) = (item for item in walk(root, IndexSettings()) if isinstance(item, Skipped))
    assert (item.path, item.code, item.folder) == ("shut", "denied", True)
    assert item.message == "cannot be read: permission denied"


def test_a_folder_that_vanishes_meanwhile_is_told(corpus: Corpus) -> None:
    root = corpus({"a.md": "x", "sub/b.md": "x"})
    items = walk(root, IndexSettings())
    assert next(items).path == "a.md"
    (root / "sub/b.md").unlink()
    (root / "sub").rmdir()
    assert [item.path for item in items if isinstance(item, Skipped)] == ["sub"]
