"""The demo library is what its questions and its makers say it is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from gatherum import Document, Section, load_registry

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
LIBRARY = FIXTURES / "library"
SOURCES = FIXTURES / "library_sources"
KINDS = {"plain", "paraphrase", "cross-language", "identifier"}
COMMON = frozenset(
    re.findall(
        r"\w+",
        "about after again against along also before below beside down during else ever every from have into just "
        "like made make many more most much must only other over same some than that their them then there these they "
        "this those through under until very were what when where which while will with within without would your",
    )
)


def _lines(name: str) -> list[dict]:
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]


QUESTIONS = _lines("questions.jsonl")
OFF_TOPIC = _lines("off_topic.jsonl")


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    registry = load_registry()
    return {
        path.relative_to(LIBRARY).as_posix(): registry.read(path)
        for path in sorted(LIBRARY.rglob("*"))
        if path.is_file() and ".gatherum" not in path.parts
    }


def _paths(question: dict) -> list[str]:
    return [question["path"]] if isinstance(question["path"], str) else question["path"]


def _answering(question: dict, document: Document) -> list[Section]:
    return [
        section
        for section in document.sections
        if question["answer"] in section.text
        and section.layer != "hidden"
        and (not question["heading"] or question["heading"] in section.heading)
    ]


def _content_words(text: str) -> set[str]:
    return {word for word in re.findall(r"[^\W\d_]{4,}", text.casefold()) if word not in COMMON}


def test_holds_enough_documents_in_enough_formats(documents):
    read = [document for document in documents.values() if document.state == "read"]
    assert len(read) >= 34
    assert len({document.format for document in read}) >= 14


def test_every_document_is_read_in_full_or_has_no_handler_yet(documents):
    for name, document in documents.items():
        if not name.startswith("damaged/"):
            assert document.state in {"read", "unsupported"}, (name, document.problems)


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("empty.docx", {"empty"}),
        ("cut-short.pptx", {"corrupt"}),
        ("rota-1998.doc", {"corrupt", "legacy_format"}),
    ],
)
def test_damaged_files_are_listed_with_a_reason(documents, name, codes):
    document = documents[f"damaged/{name}"]
    assert not document.sections
    assert codes & {problem.code for problem in document.problems}


def test_documents_are_small(documents):
    assert sum((LIBRARY / name).stat().st_size for name in documents) < 1_500_000
    for name, document in documents.items():
        assert sum(len(section.text) for section in document.sections) < 9000, name


def test_speaks_many_languages_and_encodings(documents):
    for name, words in {
        "dome/wartungsprotokoll-2026.de.txt": "Häußler",
        "telescopes/refractor-guide.txt": "naïvely",
        "instruments/nightjar-test.ja.txt": "液体窒素を四リットル入れた",
        "partners/occultation-memo.zh.txt": "一律使用协调世界时",
        "science/notes-carpentras.fr.odt": "deux heures de retard",
    }.items():
        assert any(words in section.text for section in documents[name].sections), name
    for name in ("dome/wartungsprotokoll-2026.de.txt", "instruments/nightjar-test.ja.txt"):
        with pytest.raises(UnicodeDecodeError):
            (LIBRARY / name).read_text(encoding="utf-8")


def test_holds_every_kind_of_text(documents):
    kinds = {section.kind for document in documents.values() for section in document.sections}
    assert {
        "prose",
        "code",
        "table",
        "list",
        "quote",
        "math",
        "footnote",
        "comment",
        "note",
        "header",
        "output",
    } <= kinds


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_answers_stand_where_the_question_says(documents, question):
    for path in _paths(question):
        document = documents[path]
        assert _answering(question, document), [(section.heading, section.text[:200]) for section in document.sections]


def test_questions_are_of_every_kind():
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert set(kinds) == KINDS
    assert sum(kinds.values()) >= 48
    assert kinds["paraphrase"] * 3 >= sum(kinds.values())
    assert kinds["cross-language"] >= 8
    assert kinds["identifier"] >= 8
    assert len({question["id"] for question in QUESTIONS + OFF_TOPIC}) == len(QUESTIONS) + len(OFF_TOPIC)


@pytest.mark.parametrize(
    "question", [q for q in QUESTIONS if q["kind"] == "paraphrase"], ids=lambda question: question["id"]
)
def test_paraphrases_share_no_word_with_their_passage(documents, question):
    for section in _answering(question, documents[question["path"]]):
        passage = " ".join((*section.heading, section.text))
        assert not _content_words(question["query"]) & _content_words(passage)


def test_off_topic_queries_are_not_in_the_library(documents):
    text = " ".join(section.text for document in documents.values() for section in document.sections).casefold()
    for question in OFF_TOPIC:
        words = _content_words(question["query"]) or {question["query"]}
        assert sum(word in text for word in words) * 2 <= len(words), question["query"]


def test_generator_gives_the_committed_files_again(tmp_path):
    subprocess.run([sys.executable, FIXTURES / "make_library.py", "--into", tmp_path], check=True, capture_output=True)
    made = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == len(list(SOURCES.rglob("*.md"))) + 3
    for path in made:
        assert _members(path) == _members(LIBRARY / path.relative_to(tmp_path)), path.name


def _members(path: Path) -> dict[str, bytes]:
    """Return what we write: a presentation's theme and layouts come from the library that makes it."""
    if not zipfile.is_zipfile(path):
        return {"": path.read_bytes()}
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if "ppt/presentation.xml" in names:
            names = [name for name in names if re.fullmatch(r"ppt/(slides|notesSlides)/\w+\.xml", name)]
        return {name: archive.read(name) for name in names}
