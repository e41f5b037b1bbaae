"""Why a file is found, or is not."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatherum import Shelf
from gatherum.cli import gatherum
from gatherum.errors import DocumentNotFoundError, QueryError

FILES = {
    "plums.md": "# Plums\n\nThe orchard has twelve plum trees.\n\n## Harvest\n\nPick them in August.\n",
    "twin.md": "# Twin\n\nA sentence that stands twice.\n",
    "page.html": "<h1>Page</h1><p>Seen by all.</p><p hidden>Whispered zeppelin.</p>",
    "odd.xyz": bytes(range(256)),
    "empty.docx": b"",
    "shadow.html": "<p hidden>unseen</p>",
    "drafts/plan.md": "# Plan\n",
    "node_modules/readme.md": "# Readme\n",
    ".hidden.md": "# Hidden\n",
    ".env": "KEY=1\n",
    "noted.md": "# Noted\n",
    ".gitignore": "noted.md\n",
}


@pytest.fixture
def root(corpus) -> Path:
    return corpus(FILES)


@pytest.fixture
def shelf(root: Path, make_shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A shelf for tests that change files."""
    monkeypatch.setenv("GATHERUM_INDEX_EXCLUDE", "drafts/")
    shelf = make_shelf()
    shelf.add(root)
    return shelf


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Path]]:
    """A shelf for tests that only ask, and its folder."""
    root = tmp_path_factory.mktemp("still")
    for path, content in FILES.items():
        file = root / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("EMBEDDING_MODEL", "none"), ("READER_ISOLATION", "never"), ("INDEX_EXCLUDE", "drafts/")):
            patch.setenv(f"GATHERUM_{name}", value)
        shelf = Shelf.open(root / "shelf")
        shelf.add(root / "files")
        yield shelf, root / "files"


def test_a_file_that_was_read_is_accounted_for(still: tuple[Shelf, Path]) -> None:
    shelf, root = still
    found = shelf.why(root / "plums.md")
    assert (found.path, found.collection, found.verdict, found.state) == ("plums.md", "", "searchable", "read")
    assert (found.handler, found.format, found.stale, found.rule, found.problems) == ("markdown", "md", False, "", ())
    assert found.words == {"body": 10}
    assert (found.searchable, found.reached, found.share) == (10, 10, 1.0)
    assert found.passages == 1
    assert found.vectors == 0
    assert (found.query, found.matches, found.obstacles) == ("", (), ())


@pytest.mark.parametrize(
    ("path", "verdict", "rule", "words"),
    [
        ("odd.xyz", "unsupported", "unsupported", "no handler"),
        ("empty.docx", "unreadable", "empty", "empty"),
        ("shadow.html", "without_text", "", "no text"),
        ("drafts/plan.md", "skipped", "excluded", "the folder drafts"),
        ("node_modules/readme.md", "skipped", "generated", "the folder node_modules"),
        (".hidden.md", "skipped", "hidden", "index.hidden"),
        (".env", "skipped", "secret", "secrets"),
        ("noted.md", "skipped", "ignored", ".gitignore"),
    ],
)
def test_the_rule_or_problem_is_named_with_advice(
    still: tuple[Shelf, Path], path: str, verdict: str, rule: str, words: str
) -> None:
    shelf, root = still
    found = shelf.why(root / path)
    assert (found.verdict, found.rule) == (verdict, rule)
    assert words in found.reason
    assert found.advice or verdict == "without_text"


def test_a_link_and_an_oversized_file_are_named(shelf: Shelf, root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("# Elsewhere\n", encoding="utf-8")
    (root / "link.md").symlink_to(tmp_path / "elsewhere.md")
    with (root / "huge.md").open("wb") as file:
        file.truncate(300 << 20)
    for path, rule in (("link.md", "outside"), ("huge.md", "too_large")):
        for _ in range(2):
            found = shelf.why(root / path)
            assert (found.verdict, found.rule) == ("skipped", rule)
            assert found.advice
            shelf.add()


def test_a_new_file_is_not_there_yet(shelf: Shelf, root: Path) -> None:
    (root / "new.md").write_text("# New\n", encoding="utf-8")
    found = shelf.why(root / "new.md", "new")
    assert (found.verdict, found.state, found.query, found.matches) == ("not_indexed", None, "new", ())
    assert "gatherum index" in found.advice


def test_a_file_elsewhere_is_outside(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("# Elsewhere\n", encoding="utf-8")
    assert shelf.why(tmp_path / "elsewhere.md").verdict == "outside"


def test_beside_a_file_that_was_named_alone_others_are_outside(root: Path, make_shelf) -> None:
    shelf = make_shelf()
    shelf.add(root / "plums.md")
    assert shelf.why(root / "plums.md").verdict == "searchable"
    assert shelf.why(root / "twin.md").verdict == "outside"


def test_a_changed_file_is_stale(shelf: Shelf, root: Path) -> None:
    (root / "plums.md").write_text("# Pears\n", encoding="utf-8")
    found = shelf.why(root / "plums.md")
    assert found.stale
    assert "has changed" in found.reason


def test_a_deleted_file_is_gone(shelf: Shelf, root: Path) -> None:
    (root / "plums.md").unlink()
    found = shelf.why("plums.md")
    assert (found.verdict, found.stale) == ("searchable", True)
    assert "the file is gone" in found.reason


def test_a_file_that_cannot_be_met_any_more_says_why(shelf: Shelf, root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("# Elsewhere\n", encoding="utf-8")
    (root / "plums.md").unlink()
    (root / "plums.md").symlink_to(tmp_path / "elsewhere.md")
    found = shelf.why(root / "plums.md")
    assert (found.verdict, found.stale) == ("searchable", True)
    assert "the link leads out of the folder" in found.reason


def test_nothing_in_a_shelf_is_read(corpus, make_shelf) -> None:
    root = corpus({"a.md": "# A\n", ".gatherum/b.md": "# B\n"})
    shelf = make_shelf()
    shelf.add(root)
    found = shelf.why(root / ".gatherum/b.md")
    assert (found.verdict, found.reason) == ("skipped", "it belongs to a shelf")


def test_a_rule_that_came_later_is_named(shelf: Shelf, root: Path, make_shelf, monkeypatch) -> None:
    monkeypatch.setenv("GATHERUM_INDEX_EXCLUDE", "plums.md")
    found = make_shelf().why(root / "plums.md")
    assert (found.verdict, found.rule) == ("searchable", "excluded")
    assert "takes it off" in found.reason


def test_what_is_nowhere_is_an_error(still: tuple[Shelf, Path]) -> None:
    shelf, root = still
    with pytest.raises(DocumentNotFoundError) as error:
        shelf.why("plum.md")
    assert "plums.md" in error.value.hint
    with pytest.raises(DocumentNotFoundError, match="is a folder"):
        shelf.why(root)


def test_a_folder_that_is_left_out_is_named(still: tuple[Shelf, Path]) -> None:
    shelf, root = still
    assert shelf.why(root / "drafts").rule == "excluded"


def test_the_places_of_its_passages_are_told(still: tuple[Shelf, Path]) -> None:
    shelf, _ = still
    found = shelf.why("plums.md", "plum trees")
    assert [(match.place, match.ranks.keyword) for match in found.matches] == [(1, 1)]
    assert found.matches[0].heading == ("Plums",)
    assert not [each for each in found.obstacles if "embedding model" not in each]


@pytest.mark.parametrize(
    ("query", "obstacle"),
    [
        ("plum format:docx", "the condition format:docx leaves it out"),
        ("plum -format:md", "the condition -format:md leaves it out"),
        ('"plum orchard"', 'the phrase "plum orchard" leaves it out'),
        ("orchard -plum", "the exclusion of 'plum' leaves it out"),
        ("plum modified:<1990", "the condition modified:…1990-01-01 leaves it out"),
        ("submarine", "it has none of the query's words"),
        ("plum submarine", "it has no 'submarine'"),
    ],
)
def test_what_stands_in_the_way_is_named(still: tuple[Shelf, Path], query: str, obstacle: str) -> None:
    shelf, _ = still
    assert obstacle in shelf.why("plums.md", query).obstacles


def test_words_that_only_hidden_text_has_are_named(still: tuple[Shelf, Path]) -> None:
    shelf, _ = still
    (obstacle,) = (each for each in shelf.why("page.html", "zeppelin").obstacles if "zeppelin" in each)
    assert "not searched: hidden" in obstacle


def test_a_document_without_passages_says_so(still: tuple[Shelf, Path]) -> None:
    shelf, _ = still
    assert "it has no passages" in shelf.why("odd.xyz", "anything").obstacles


def test_a_low_place_is_told(shelf: Shelf, root: Path) -> None:
    for number in range(20):
        (root / f"many-{number}.md").write_text(f"# Plum {number}\n\n{'plum ' * 9} {number}\n", encoding="utf-8")
    shelf.add()
    found = shelf.why("plums.md", "plum")
    assert found.matches[0].place == 21
    assert "its best passage comes in place 21, and an answer shows 10" in found.obstacles


def test_a_twin_that_is_shown_instead_is_named(corpus, make_shelf) -> None:
    shelf = make_shelf()
    shelf.add(corpus({"a/x.md": FILES["twin.md"], "b/x.md": FILES["twin.md"]}))
    assert shelf.why("a/x.md", "sentence").matches[0].place == 1
    found = shelf.why("b/x.md", "sentence")
    assert "a/x.md says the same and is shown instead" in found.obstacles
    assert found.matches[0].place is None
    assert found.matches[0].ranks.bm25


def test_a_query_that_is_none_is_an_error(still: tuple[Shelf, Path]) -> None:
    shelf, _ = still
    with pytest.raises(QueryError):
        shelf.why("plums.md", "modified:never")


def test_the_command_prints_it_for_people_and_as_json(still: tuple[Shelf, Path]) -> None:
    shelf, root = still
    options = ["--shelf", str(shelf.place.folder)]
    told = CliRunner().invoke(gatherum, ["why", str(root / "plums.md"), "plum submarine", *options]).stdout
    for words in ("plums.md  searchable", "10 of 10", "1, 0 with a vector", "place 1", "'submarine'"):
        assert words in told
    told = CliRunner().invoke(gatherum, ["why", str(root / ".env"), "--json", *options]).stdout
    assert json.loads(told)["rule"] == "secret"


@pytest.mark.model
def test_vectors_and_places_by_meaning_are_told(corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATHERUM_READER_ISOLATION", "never")
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "multilingual-e5-small")
    shelf = Shelf.open(tmp_path / "shelf")
    shelf.add(corpus({"plums.md": FILES["plums.md"], "twin.md": FILES["twin.md"]}))
    found = shelf.why("plums.md", "fruit in a garden")
    assert (found.passages, found.vectors) == (1, 1)
    assert found.matches[0].ranks.semantic == 1
    assert found.matches[0].ranks.keyword is None
