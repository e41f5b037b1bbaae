"""README and docs hold: what they tell a reader to type works, and every link leads somewhere.

A fenced block is run unless the line before it is a comment `<!-- not run: reason -->`. Blocks of one page share a
folder, a home and a Python namespace, in the order of the page. A comment `<!-- exits with N -->` before a console
block says how its last command ends; `<!-- file NAME -->` before any block puts it into a file.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import pytest

from gatherum.cli import main
from gatherum.config import load_settings

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / name
    for name in (
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "fixtures/README.md",
        "plugins/gatherum-example/README.md",
    )
]
PAGES += sorted((ROOT / "docs").rglob("*.md"))

NOT_RUN = frozenset(("installs packages", "needs an editor", "needs the network", "sketch"))
"""Why a block may be left out."""

MOST_NOT_RUN = 8

_FENCE = re.compile(
    r"^(?:<!-- (?P<note>[^\n]*) -->\n)?(?P<mark>`{3,})(?P<language>\w*)\n(?P<body>.*?)^(?P=mark)$",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"(?<!!)\[[^\]\[]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)|<a href=\"([^\"]+)\"")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_VARIES = re.compile(r"\d+\.\d+")
_WITH_MODEL = "<!-- run with the bundled model -->"

NOTES = {
    "retry.md": "# Retry policy\n\nRequests are retried three times.\nThe time allowed is `RETRY_TIMEOUT`.\n\n"
    "## Back-off\n\nThe wait doubles each time, up to a minute, so that a server in trouble is left to recover.\n",
    "plans/garden.md": "---\ntags: [garden]\nauthor: Ada Marsh\n---\n# Garden plan\n\n"
    "Plum trees go along the north wall.\n",
    "plans/draft.tmp": "nothing yet\n",
    "parts.csv": "name,quantity\nbolt,12\nwasher,40\n",
    "letter.txt": "Dear Ada,\n\nthe plum trees arrive on Tuesday.\n",
}


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a page."""

    language: str
    body: str
    note: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            language=match["language"],
            body=match["body"],
            note=match["note"] or "",
            line=text.count("\n", 0, match.start("mark")) + 2,
        )
        for match in _FENCE.finditer(text)
    ]


def run_blocks(page: Path, *languages: str) -> list[Block]:
    return [block for block in blocks(page) if block.language in languages and not block.note.startswith("not run")]


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def pages_with(*languages: str) -> list[Path]:
    return [page for page in PAGES if run_blocks(page, *languages)]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what readers have after `git clone`, a home with notes in it, and the shelf's own words only."""
    home = tmp_path / "home"
    for path, text in NOTES.items():
        file = home / "notes" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    copy = tmp_path / "gatherum"
    ignore = shutil.ignore_patterns(".gatherum", "__pycache__")
    for folder in ("fixtures/library", "plugins/gatherum-example"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignore)
    shutil.copy(ROOT / "Makefile", copy)
    for name in [name for name in os.environ if name.startswith(("GATHERUM_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("GATHERUM_READER_ISOLATION", "never")
    monkeypatch.chdir(copy)
    return copy


class Shell:
    """Runs the lines of console blocks: gatherum in this process, for speed; the rest in a shell."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def run(self, command: str) -> tuple[int, str]:
        words = [re.sub(r"^~(?=/|$)", str(Path.home()), word) for word in shlex.split(command, comments=True)]
        if words[0] == "make":
            return self._make(words[1:])
        if command == "pip install --editable .":
            return self._install()
        assert words[0] not in ("git", "pip", "pipx", "uv"), f"{command} changes more than a test may"
        if words[0] == "cd":
            self._patch.chdir(words[1])
            return 0, ""
        if words[0] == "export":
            self._patch.setenv(*words[1].split("=", 1))
            return 0, ""
        if words[0] == "gatherum" and not set(command) & set("|<>*"):
            return self._gatherum(words[1:])
        done = subprocess.run(["bash", "-ec", command], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def _gatherum(self, words: list[str]) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main(words)
        return code, out.getvalue()

    def _install(self) -> tuple[int, str]:
        """Put the project in the working directory where Python finds it, for this process and as long as the test."""
        project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
        about = Path(f"{project['name'].replace('-', '_')}-{project['version']}.dist-info")
        about.mkdir()
        about.joinpath("METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
        entries = "\n".join(f"{name} = {module}" for name, module in project["entry-points"]["gatherum"].items())
        about.joinpath("entry_points.txt").write_text(f"[gatherum]\n{entries}\n")
        self._patch.syspath_prepend(Path.cwd())
        for module in project["entry-points"]["gatherum"].values():
            self._patch.delitem(sys.modules, module, raising=False)
        return 0, ""

    def _make(self, targets: list[str]) -> tuple[int, str]:
        """Check that the target is there: what it does is what CI does, and takes minutes."""
        known = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        return (0, "") if set(targets) <= set(known) else (2, f"no target among {targets}")


def shape(line: str) -> str:
    """A line of output without what differs from run to run: times and scores."""
    return _VARIES.sub("0.0", line).strip()


def is_printed(line: str, output: str) -> bool:
    """Whether a line that a page shows is among the output's; "…" stands for anything."""
    wanted = re.compile(".*".join(map(re.escape, shape(line).split("…"))))
    return any(wanted.fullmatch(shape(each)) for each in output.splitlines())


@pytest.mark.model
@pytest.mark.parametrize("page", pages_with("console"), ids=named)
def test_commands_work_and_print_what_is_shown(page: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if _WITH_MODEL in page.read_text(encoding="utf-8"):
        monkeypatch.delenv("GATHERUM_EMBEDDING_MODEL")
    shell = Shell(monkeypatch)
    for block in blocks(page):
        if block.note.startswith("file "):
            Path(block.note.removeprefix("file ")).write_text(block.body, encoding="utf-8")
        if block.language != "console" or block.note.startswith("not run"):
            continue
        ends = int(block.note.removeprefix("exits with ") or 0)
        steps = re.split(r"^\$ ", block.body, flags=re.MULTILINE)
        assert not steps[0], f"{named(page)}:{block.line}: a console block begins with a command"
        for number, step in enumerate(steps[1:], 2):
            command, _, shown = step.replace("\\\n", " ").partition("\n")
            code, output = shell.run(command)
            where = f"{named(page)}:{block.line}: {command}\n{output}"
            assert code == (ends if number == len(steps) else 0), where
            missing = [line for line in shown.splitlines() if line.strip("… ") and not is_printed(line, output)]
            assert not missing, f"{where}\nnot printed: {missing}"


@pytest.mark.parametrize("page", pages_with("python"), ids=named)
def test_python_works(page: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(checkout / "plugins/gatherum-example")
    namespace: dict[str, object] = {"__name__": "__main__"}
    out = io.StringIO()
    for block in run_blocks(page, "python"):
        code = compile("\n" * (block.line - 1) + block.body, named(page), "exec")
        with contextlib.redirect_stdout(out):
            exec(code, namespace)


@pytest.mark.parametrize("page", pages_with("toml", "json"), ids=named)
def test_settings_and_json_are_valid(page: Path, tmp_path: Path) -> None:
    for block in run_blocks(page, "toml", "json"):
        if block.language == "json":
            json.loads(block.body)
        elif not {"project", "build-system", "tool"} & set(tomllib.loads(block.body)):
            file = tmp_path / "gatherum.toml"
            file.write_text(block.body, encoding="utf-8")
            load_settings(file, environ={})


@pytest.mark.parametrize(
    ("heading", "schema"), [("index", "IndexReport"), ("search", "SearchResult"), ("extract", "Document")]
)
def test_the_examples_of_json_fit_their_schemas(heading: str, schema: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    page = ROOT / "docs/reference/json.md"
    line = page.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[0].count("\n")
    block = next(block for block in blocks(page) if block.line > line)
    rules = json.loads((page.parent / f"schemas/{schema}.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(block.body), rules)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", lambda code: "x" * len(code[0]), text)
    for match in _LINK.finditer(text):
        target = next(filter(None, match.groups()))
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = unquote(target).partition("#")
        file = (page.parent / path) if path else page
        assert file.exists(), f"{named(page)} links to {target}"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{named(page)} links to {target}: no such heading"


def anchors(page: Path) -> set[str]:
    """The fragments that GitHub gives to the headings of a page."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in _HEADING.findall(text)}


def test_every_page_is_reached_from_the_index() -> None:
    reached: set[Path] = set()
    todo = [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        for match in _LINK.finditer(page.read_text(encoding="utf-8")):
            target = next(filter(None, match.groups())).partition("#")[0]
            if target and not re.match(r"[a-z]+:", target):
                todo.append((page.parent / target).resolve())
    assert not {named(page) for page in PAGES if page not in reached}


def test_blocks_are_left_out_for_known_reasons_and_seldom() -> None:
    reasons = [
        (named(page), block.note.removeprefix("not run: "))
        for page in PAGES
        for block in blocks(page)
        if block.note.startswith("not run")
    ]
    assert not [place for place, reason in reasons if reason not in NOT_RUN]
    assert len(reasons) <= MOST_NOT_RUN, reasons


def test_the_tutorials_plugin_is_the_example(checkout: Path) -> None:
    page = ROOT / "docs/tutorials/write-a-plugin.md"
    shown = [block.body for block in blocks(page)]
    for name in ("gatherum_example.py", "pyproject.toml"):
        assert (ROOT / "plugins/gatherum-example" / name).read_text(encoding="utf-8") in shown, name
