"""How well and how fast the prompt hook answers.

Quality: thresholds are found with one half of the questions, and judged on the other half and on prompts that are not
among the built-in ones; random halves, the mean and the worst of them. A set is a folder with ``docs``,
``questions.jsonl`` and, where --off names no other, ``off_topic.txt``: prompts that it does not answer.

Speed: what an editor runs for each prompt, through a daemon that is warm, beside a bare interpreter in the same run.

usage: hook.py [--set DIR] [--off FILE] [--halves 50] [--runs 40]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gatherum import Shelf
from gatherum.context.calibrate import Fit, built_in, tried
from gatherum.context.questions import questions_in
from gatherum.daemon.address import address_of
from gatherum.daemon.ending import end

HANDBOOK = Path(__file__).parents[1] / "fixtures" / "handbook"
BOUND = 300


def quality(shelf: Shelf, questions: Path, off_topic: Path, halves: int) -> None:
    asked = [each for each in questions_in(questions) if each.path]
    on, off = tried(shelf, asked), tried(shelf, questions_in(off_topic, on=False))
    fit, found = Fit(shelf, built_in(shelf)), []
    for seed in range(halves):
        order = random.Random(seed).sample(on, len(on))
        threshold, margin = fit(order[: len(on) // 2], ())
        found.append(fit.rates([*order[len(on) // 2 :], *off], threshold, margin))

    def line(name: str, worst: str, show: str) -> str:
        values = [getattr(rates, name) for rates in found]
        return f"{statistics.mean(values):{show}} (worst {(min if worst == 'least' else max)(values):{show}})"

    print(f"{len(on)} questions, {len(off)} others, {halves} random halves, held out:")
    print(f"  fires on topic   {line('fired_on', 'least', '.1%')}")
    print(f"  fires off topic  {line('fired_off', 'most', '.1%')}")
    print(f"  right section    {line('answered', 'least', '.1%')}")
    print(f"  tokens           {line('tokens', 'most', '.0f')}")


def once(command: list[str], stdin: bytes) -> tuple[float, float, bytes]:
    """Return wall-clock and CPU milliseconds of a program, and what it printed."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, input=stdin, capture_output=True, check=True)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1000, cpu * 1000, done.stdout


def speed(folder: Path, shelf: Path, questions: Path, runs: int) -> None:
    prompts = [each.text for each in questions_in(questions)]
    hook = [sys.executable, "-m", "gatherum", "prompt-hook", "--shelf", str(shelf)]
    bare = [sys.executable, "-c", "pass"]
    payloads = [json.dumps({"prompt": prompt, "cwd": str(folder)}).encode() for prompt in prompts]
    deadline = time.monotonic() + 60
    while not any(once(hook, payload)[2] for payload in payloads[:10]) and time.monotonic() < deadline:
        time.sleep(0.5)
    rows = [(once(bare, b""), once(hook, payloads[at % len(payloads)])) for at in range(runs)]
    for name, column in (("python -c pass", 0), ("gatherum prompt-hook", 1)):
        wall = sorted(row[column][0] for row in rows)
        cpu = statistics.median(row[column][1] for row in rows)
        p95 = wall[min(len(wall) - 1, int(0.95 * len(wall)))]
        print(f"  {name:21} p50 {statistics.median(wall):.0f} ms, p95 {p95:.0f} ms, {cpu:.0f} ms CPU")
    ratio = statistics.median(row[1][0] / row[0][0] for row in rows)
    answered = sum(bool(row[1][2]) for row in rows) / len(rows)
    print(f"  {ratio:.1f} x a bare interpreter; answered {answered:.0%}; bound on a quiet machine: p95 {BOUND} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--set", type=Path, default=HANDBOOK)
    parser.add_argument("--off", type=Path)
    parser.add_argument("--halves", type=int, default=50)
    parser.add_argument("--runs", type=int, default=40)
    options = parser.parse_args()
    docs, questions = options.set / "docs", options.set / "questions.jsonl"
    off_topic = options.off or options.set / "off_topic.txt"
    os.environ["GATHERUM_SERVER_DAEMON"] = "true"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_RUNTIME_DIR"] = scratch
        place = Path(scratch, "shelf")
        shelf = Shelf.open(place)
        shelf.add(docs)
        quality(shelf, questions, off_topic, options.halves)
        try:
            speed(docs, place, questions, options.runs)
        finally:
            end(address_of(str(place)))


if __name__ == "__main__":
    main()
