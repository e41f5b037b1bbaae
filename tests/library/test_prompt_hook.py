"""The prompt hook on a small handbook: thresholds from one half of the questions, judged on the other."""

import json
import os
import random
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from statistics import mean

import pytest

from gatherum import Shelf
from gatherum.context.calibrate import Fit, Rates, built_in, tried
from gatherum.context.questions import questions_in

HANDBOOK = Path(__file__).parents[2] / "fixtures" / "handbook"
HALVES = 20
SETTINGS = """\
# kept by hand
[search]
limit = 7  # a short list

[hook]
max_tokens = 180  # they are dear
"""

pytestmark = [pytest.mark.model, pytest.mark.slow]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    shelf = Shelf.open(tmp_path_factory.mktemp("handbook") / "shelf")
    shelf.add(HANDBOOK / "docs")
    return shelf


@pytest.fixture(scope="module")
def halves(shelf: Shelf) -> list[Rates]:
    on = tried(shelf, questions_in(HANDBOOK / "questions.jsonl"))
    off = tried(shelf, questions_in(HANDBOOK / "off_topic.txt", on=False))
    fit, found = Fit(shelf, built_in(shelf)), []
    for seed in range(HALVES):
        order = random.Random(seed).sample(on, len(on))
        found.append(fit.rates([*order[len(on) // 2 :], *off], *fit(order[: len(on) // 2], ())))
    return found


def test_it_speaks_up_on_topic(halves: list[Rates]) -> None:
    assert mean(rates.fired_on for rates in halves) >= 0.9
    assert min(rates.fired_on for rates in halves) >= 0.7


def test_it_is_silent_off_topic(halves: list[Rates]) -> None:
    assert mean(rates.fired_off for rates in halves) <= 0.05


def test_the_right_section_is_mostly_among_what_is_given(halves: list[Rates]) -> None:
    """Not one of these questions is in the words of its section."""
    assert mean(rates.answered for rates in halves) >= 0.7


def test_what_is_given_is_short(halves: list[Rates]) -> None:
    assert max(rates.tokens for rates in halves) <= 200


def test_it_does_well_without_calibration(shelf: Shelf) -> None:
    fit, settings = Fit(shelf, built_in(shelf)), shelf.settings.hook
    asked = tried(shelf, questions_in(HANDBOOK / "questions.jsonl"))
    others = tried(shelf, questions_in(HANDBOOK / "off_topic.txt", on=False))
    rates = fit.rates(asked + others, settings.threshold, settings.margin)
    assert rates.fired_on >= 0.8
    assert rates.fired_off == 0


def test_calibration_is_written_and_holds_for_the_next_prompt(tmp_path: Path) -> None:
    shutil.copytree(HANDBOOK / "docs", tmp_path / "docs")
    (tmp_path / "gatherum.toml").write_text(SETTINGS)
    Shelf.find(tmp_path).add(tmp_path / "docs")
    questions = tmp_path / "questions.jsonl"
    stray = '{"question": "tell me a limerick about a goose"}\n'
    questions.write_text((HANDBOOK / "questions.jsonl").read_text() + stray)
    environ = {**os.environ, "GATHERUM_SERVER_DAEMON": "false"}

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gatherum", "prompt-hook", *arguments]
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, cwd=tmp_path, env=environ, check=True
        )

    done = run("--calibrate", str(questions), "--off", str(HANDBOOK / "off_topic.txt"), "--write")
    assert "held-out half" in done.stdout
    assert "limerick" in done.stderr
    written = (tmp_path / "gatherum.toml").read_text()
    assert all(line in written for line in SETTINGS.splitlines())
    hook = tomllib.loads(written)["hook"]
    assert done.stdout.startswith(f"threshold {hook['threshold']}  margin {hook['margin']}\n")
    assert 0.1 < hook["threshold"] < 0.25
    assert [file.name for file in tmp_path.glob("gatherum.toml*")] == ["gatherum.toml"]
    answer = run(stdin=json.dumps({"prompt": "When are old snapshots thrown away?", "cwd": str(tmp_path)}))
    given = json.loads(answer.stdout)["hookSpecificOutput"]["additionalContext"]
    assert Shelf.find(tmp_path).count_tokens(given) <= 180
    assert run(stdin=json.dumps({"prompt": "write me a limerick about a goose", "cwd": str(tmp_path)})).stdout == ""
