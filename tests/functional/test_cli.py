"""The command line: its JSON, its exit codes, its manners."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GATHERUM = [sys.executable, "-m", "gatherum"]


def run(
    *arguments: str | Path, cwd: Path | None = None, stdin: str | None = None, **environ: str
) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "GATHERUM_EMBEDDING_MODEL": "none", **environ}
    return subprocess.run(
        [*GATHERUM, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, env=env, input=stdin, check=False
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    (root / "guide.md").write_text(
        "---\ntitle: Guide\nauthor: Ada\n---\n# Guide\n\n## Retry policy\n\nWait 30 seconds, then try again.\n",
        encoding="utf-8",
    )
    (root / "page.html").write_text("<title>Page</title><h1>Timeouts</h1><p>A request waits a minute.</p>", "utf-8")
    (root / "bad.docx").write_bytes(b"not a document")
    done = run("index", root)
    assert done.returncode == 0, done.stderr
    return root


def test_index_tells_what_it_did_and_what_it_could_not_read(project: Path, tmp_path: Path) -> None:
    done = run("index", project, "--shelf", tmp_path / "s", "--json")
    report = json.loads(done.stdout)
    assert (report["added"], report["failed"]) == (2, 1)
    assert [problem["path"] for problem in report["problems"]] == ["bad.docx"]
    assert done.returncode == 0
    names = ["added", "changed", "moved", "removed", "unchanged", "skipped", "failed", "chunks", "seconds", "problems"]
    assert set(names) <= set(report)


def test_index_writes_nothing_but_the_shelf(project: Path) -> None:
    names = {path.name for path in project.iterdir()}
    assert names == {"guide.md", "page.html", "bad.docx", ".gatherum"}
    assert (project / ".gatherum").stat().st_mode & 0o077 == 0
    assert (project / ".gatherum/.gitignore").read_text(encoding="utf-8") == "*\n"


def test_strict_makes_file_problems_an_error(project: Path, tmp_path: Path) -> None:
    assert run("index", project, "--shelf", tmp_path / "s", "--strict").returncode == 1


def test_search_from_anywhere_in_the_project(project: Path) -> None:
    (project / "deep").mkdir(exist_ok=True)
    answer = json.loads(run("search", "retry", "--json", cwd=project / "deep").stdout)
    hit = answer["results"][0]
    assert (hit["path"], hit["heading"], hit["title"]) == ("guide.md", ["Guide", "Retry policy"], "Guide")
    assert hit["locator"]["unit"] == "line"
    names = ["id", "path", "title", "heading", "kind", "text", "snippet", "locator", "score", "ranks", "tokens"]
    assert set(names) <= set(hit)
    assert set(answer) >= {"query", "mode", "strength", "results", "more", "warnings"}


def test_search_for_people_shows_place_heading_and_snippet(project: Path) -> None:
    out = run("search", "retry", cwd=project).stdout
    assert "guide.md" in out
    assert "Guide › Retry policy" in out
    assert "Wait 30 seconds" in out


def test_search_says_when_it_finds_nothing(project: Path) -> None:
    done = run("search", "zyzzyva", cwd=project)
    assert done.returncode == 0
    assert done.stdout == ""
    assert "Nothing found" in done.stderr


def test_batch_answers_each_line(project: Path) -> None:
    lines = '{"id": "q1", "query": "retry"}\n\n{"id": 2, "query": "timeouts"}\n'
    done = run("search", "--batch", "-", "--json", cwd=project, stdin=lines)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["id"] for row in rows] == ["q1", "2"]
    assert [row["results"][0]["path"] for row in rows] == ["guide.md", "page.html"]


def test_a_bad_batch_line_is_named(project: Path) -> None:
    done = run("search", "--batch", "-", "--json", cwd=project, stdin="nonsense\n")
    assert done.returncode == 1
    assert "line 1" in json.loads(done.stderr)["error"]["message"]


def test_read_and_outline(project: Path) -> None:
    reading = json.loads(run("read", "guide.md", "--json", cwd=project).stdout)
    assert reading["text"].startswith("# Guide")
    assert reading["metadata"]["authors"] == ["Ada"]
    outline = json.loads(run("outline", "guide.md", "--json", cwd=project).stdout)
    assert [entry["title"] for entry in outline["sections"]] == ["Guide", "Retry policy"]
    line = outline["sections"][1]["line"]
    window = json.loads(run("read", f"guide.md#{line}", "--lines", "1", "--json", cwd=project).stdout)
    assert window["text"] == "## Retry policy"


def test_a_hit_can_be_read_by_its_id(project: Path) -> None:
    hit = json.loads(run("search", "retry", "--json", cwd=project).stdout)["results"][0]
    reading = json.loads(run("read", hit["id"], "--lines", "1", "--json", cwd=project).stdout)
    assert reading["start"] == hit["line"]
    assert reading["text"] in hit["text"]


def test_an_unknown_document_is_an_error_with_a_suggestion(project: Path) -> None:
    done = run("read", "giude.md", "--json", cwd=project)
    error = json.loads(done.stderr)["error"]
    assert done.returncode == 1
    assert error["code"] == "not_found"
    assert "guide.md" in error["hint"]


def test_list_and_status(project: Path) -> None:
    rows = [json.loads(line) for line in run("list", "--json", cwd=project).stdout.splitlines()]
    assert [row["path"] for row in rows] == ["guide.md", "page.html"]
    status = json.loads(run("status", "--problems", "--json", cwd=project).stdout)
    assert status["documents"] == 2
    assert [problem["code"] for problem in status["problems"]] == ["corrupt"]


def test_extract_prints_a_line_a_file_in_order(project: Path) -> None:
    done = run("extract", "--json", project / "page.html", project / "none.md", project / "guide.md")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["state"] for row in rows] == ["read", "unreadable", "read"]
    assert rows[1]["problems"][0]["code"] == "vanished"
    assert rows[2]["metadata"]["title"] == "Guide"
    section = rows[2]["sections"][-1]
    assert section["heading"] == ["Guide", "Retry policy"]
    assert set(section) >= {"heading", "level", "kind", "layer", "text", "locator"}


def test_without_a_shelf_commands_say_what_to_do(tmp_path: Path) -> None:
    done = run("search", "x", cwd=tmp_path)
    assert done.returncode == 1
    assert "gatherum index" in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_usage_exits_with_two(project: Path) -> None:
    assert run("search", cwd=project).returncode == 2
    assert run("serch", "x", cwd=project).returncode == 2
    assert run("index", project / "nowhere").returncode == 2


def test_a_wrong_setting_is_named_with_the_nearest_right_one(tmp_path: Path) -> None:
    (tmp_path / "gatherum.toml").write_text("[search]\nlimt = 5\n", encoding="utf-8")
    done = run("config", "show", cwd=tmp_path)
    assert done.returncode == 1
    assert "search.limit" in done.stderr


def test_init_then_index_without_arguments(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Alpha\n\nbeta\n", encoding="utf-8")
    assert run("init", cwd=tmp_path).returncode == 0
    assert run("init", cwd=tmp_path).returncode == 1
    report = json.loads(run("index", "--json", cwd=tmp_path).stdout)
    assert report["added"] == 1
    shown = json.loads(run("config", "show", "--json", cwd=tmp_path).stdout)
    assert shown["config"] == str(tmp_path / "gatherum.toml")


def test_quiet_prints_results_only(project: Path) -> None:
    assert run("list", "--quiet", cwd=project).stderr == ""
    assert run("index", "--quiet", cwd=project).stderr == ""


def test_a_reader_that_stops_early_is_no_error(project: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m gatherum extract {project}/guide.md {project}/page.html | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize("command", ["--help", "formats", "plugins", "extract --help", "search --help", "index --help"])
def test_light_commands_import_nothing_heavy(command: str) -> None:
    code = (
        "import sys; from gatherum.cli import main; main(sys.argv[1:]);print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command.split()], capture_output=True, text=True, check=True)
    heavy = {"lancedb", "pyarrow", "fastembed", "onnxruntime", "tokenizers", "mcp", "pydantic", "numpy", "rich"}
    heavy |= {"docx", "pptx", "ebooklib", "odf", "nbformat", "bs4", "lxml", "markdown_it", "yaml", "charset_normalizer"}
    assert not heavy & set(done.stderr.split())


def test_formats_and_plugins_as_json() -> None:
    formats = [json.loads(line) for line in run("formats", "--json").stdout.splitlines()]
    by_extension = {row["extension"]: row["handler"] for row in formats}
    assert by_extension[".docx"] == "word"
    plugins = [json.loads(line) for line in run("plugins", "--json").stdout.splitlines()]
    assert {"word", "markdown", "multilingual-e5-small"} <= {row["name"] for row in plugins}
    assert {row["state"] for row in plugins} == {"active"}


def test_a_blocked_plugin_is_shown_and_not_used() -> None:
    environ = {"GATHERUM_READER_BLOCK": "epub"}
    plugins = {
        row["name"]: row["state"] for row in map(json.loads, run("plugins", "--json", **environ).stdout.splitlines())
    }
    assert plugins["epub"] == "blocked"
    formats = [json.loads(line)["extension"] for line in run("formats", "--json", **environ).stdout.splitlines()]
    assert ".epub" not in formats
