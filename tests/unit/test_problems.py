from pathlib import Path
from typing import get_args

import pytest

from gatherum import Locator, Problem, UnreadableError
from gatherum.problems import ADVICE, Code


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_has_advice_in_whole_sentences(code: Code) -> None:
    assert ADVICE[code][0].isupper() or ADVICE[code].startswith("`")
    assert ADVICE[code].endswith(".")


def test_there_is_no_advice_for_unknown_codes() -> None:
    assert set(ADVICE) == set(get_args(Code))


def test_a_problem_carries_its_advice() -> None:
    problem = Problem(code="empty", message="a.txt is empty", locator=Locator.lines(1))
    assert problem.advice == ADVICE["empty"]


def test_an_unreadable_source_survives_the_way_between_processes() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(UnreadableError("drm", "locked")))
    assert (error.code, error.message) == ("drm", "locked")


def test_the_page_of_problems_is_in_step(project: Path, in_step) -> None:
    rows = "\n".join(f"| `{code}` | {advice} |" for code, advice in sorted(ADVICE.items()))
    in_step(
        project / "docs/reference/problems.md",
        "# Problems\n\n"
        "What kept a file from being read, or from being read in full. `gatherum status --problems` lists those\n"
        "of a shelf; every problem has one of these codes, a sentence about the file, and this advice.\n\n"
        f"| Code | What to do |\n| --- | --- |\n{rows}\n",
    )
