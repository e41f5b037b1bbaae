"""The demo library is asked its questions, with the real model and the real index."""

import json
from pathlib import Path

import pytest

from gatherum import Shelf
from gatherum.results import Hit

FIXTURES = Path(__file__).parents[2] / "fixtures"
QUESTIONS = [json.loads(line) for line in (FIXTURES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
OFF_TOPIC = [json.loads(line) for line in (FIXTURES / "off_topic.jsonl").read_text(encoding="utf-8").splitlines()]

pytestmark = [pytest.mark.model, pytest.mark.slow]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    shelf = Shelf.open(tmp_path_factory.mktemp("library") / "shelf")
    report = shelf.add(FIXTURES / "library")
    assert report.embedded == report.chunks
    return shelf


def answers(hit: Hit, question: dict) -> bool:
    paths = question["path"] if isinstance(question["path"], list) else [question["path"]]
    heading = question["heading"]
    under = not heading or heading in hit.heading or heading == hit.title
    return hit.path in paths and under and question["answer"].casefold() in hit.text.casefold()


def found(shelf: Shelf, kind: str, *, mode: str = "hybrid", limit: int = 5) -> float:
    """Return the share of the questions of one kind whose passage is among the first hits."""
    asked = [question for question in QUESTIONS if question["kind"] == kind]
    right = sum(any(answers(hit, q) for hit in shelf.search(q["query"], mode=mode, limit=limit)) for q in asked)
    return right / len(asked)


def test_there_are_enough_questions_of_every_kind() -> None:
    kinds = [question["kind"] for question in QUESTIONS]
    assert len(QUESTIONS) >= 40
    assert kinds.count("paraphrase") * 3 >= len(kinds)
    assert kinds.count("cross-language") >= 8


def test_questions_in_the_words_of_the_passage(shelf: Shelf) -> None:
    assert found(shelf, "plain") >= 0.95


def test_identifiers_as_typed(shelf: Shelf) -> None:
    assert found(shelf, "identifier") >= 0.95
    assert found(shelf, "identifier", mode="keyword") >= 0.95


def test_questions_worded_unlike_the_passage(shelf: Shelf) -> None:
    assert found(shelf, "paraphrase", limit=10) >= 0.6
    assert found(shelf, "paraphrase", mode="keyword", limit=10) < 0.2


def test_questions_in_another_language(shelf: Shelf) -> None:
    assert found(shelf, "cross-language", limit=10) >= 0.4


def test_what_the_library_does_not_answer_is_not_called_a_strong_match(shelf: Shelf) -> None:
    strengths = [shelf.search(question["query"]).strength for question in OFF_TOPIC]
    assert strengths.count("strong") <= len(strengths) // 4


def test_what_it_answers_mostly_is(shelf: Shelf) -> None:
    plain = [question for question in QUESTIONS if question["kind"] in ("plain", "identifier")]
    strengths = [shelf.search(question["query"]).strength for question in plain]
    assert strengths.count("strong") >= 0.8 * len(strengths)


def test_damaged_files_are_named_with_their_reason(shelf: Shelf) -> None:
    problems = {problem.path: problem.code for problem in shelf.status(problems=True).problems}
    assert problems["damaged/empty.docx"] == "empty"
    assert problems["damaged/cut-short.pptx"] == "corrupt"
    assert "damaged/rota-1998.doc" in problems
