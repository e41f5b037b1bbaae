"""What hostile files do to a run, and what it costs to read files where they can do no more.

A plugin for ``.hostile`` files does what each file says: it hangs, crashes, eats memory, raises or prints. Two of each
stand among small Markdown files; every good file must be gathered, every bad one named, and nothing but the report
may be printed. Then the time for one small file in a worker is set beside the time for it in this process.

usage: isolation.py [--files 1000] [--runs 5]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLUGIN = """
import ctypes, os, sys, time
from gatherum import Handler, Section, hookimpl


class HostileHandler(Handler):
    name, title, extensions = "hostile", "Hostile files", (".hostile",)

    def read(self, source, report):
        order = source.text().split()[0]
        if order == "hang":
            while True:
                time.sleep(1)
        if order == "crash":
            ctypes.string_at(0)
        if order == "eat":
            eaten = []
            while True:
                eaten.append(bytes(16 << 20))
        if order == "raise":
            raise ValueError("hostile")
        if order == "print":
            print("CANARY", flush=True)
            print("CANARY", file=sys.stderr, flush=True)
            os.write(1, b"CANARY")
        yield Section(text=order)


@hookimpl
def gatherum_handlers():
    return [HostileHandler()]
"""
CODES = {"hang": "timeout", "crash": "crashed", "eat": "memory", "raise": "handler_failed", "print": None}
EACH = 2
BOUND_MS = 0.3


def install(site: Path) -> None:
    """Put the plugin and its entry point where an installer would put them."""
    about = site / "gatherum_hostile-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "gatherum_hostile.py").write_text(PLUGIN, encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: gatherum-hostile\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[gatherum]\nhostile = gatherum_hostile\n", encoding="utf-8")


def write_good(folder: Path, files: int) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"good-{number:04}.md" for number in range(files)]
    for number, path in enumerate(paths):
        path.write_text(f"# Note {number}\n\nNote number {number} is small.\n\n- one\n- two\n", encoding="utf-8")
    return [str(path) for path in paths]


def gather(work: Path, files: int) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """Gather good and hostile files with the command; return what it did and the names of the hostile ones."""
    site, notes = work / "site", work / "notes"
    install(site)
    write_good(notes, files)
    bad = {f"{order}-{number}.hostile" for order in CODES for number in range(EACH)}
    for name in bad:
        (notes / name).write_text(f"{name.partition('-')[0]} {name}", encoding="utf-8")
    environ = {
        **os.environ,
        "PYTHONPATH": str(site),
        "GATHERUM_EMBEDDING_MODEL": "none",
        "GATHERUM_READER_MEMORY_MB": "1024",
        "GATHERUM_READER_SECONDS": "5",
    }
    command = [sys.executable, "-m", "gatherum", "index", str(notes), "--shelf", str(work / "shelf"), "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ), bad


def faults(done: subprocess.CompletedProcess[str], files: int, bad: set[str]) -> list[str]:
    """Return what was wrong with a run; nothing, if all is well."""
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) != 1 or done.stderr:
        return [f"exit code {done.returncode}, {len(lines)} lines on stdout, {done.stderr!r} on stderr"]
    report = json.loads(lines[0])
    named = {problem["path"]: problem["code"] for problem in report["problems"]}
    wanted = {name: code for name in bad if (code := CODES[name.partition("-")[0]])}
    added = files + len(bad) - len(wanted)
    found = [] if report["added"] == added else [f"{report['added']} files gathered instead of {added}"]
    return found + [
        f"{name}: {named.get(name)} instead of {wanted.get(name)}"
        for name in named.keys() | wanted.keys()
        if named.get(name) != wanted.get(name)
    ]


def overhead(folder: Path, files: int, runs: int) -> None:
    from gatherum.limits import Limits
    from gatherum.reader import Reader, Recipe

    paths, recipe = write_good(folder, files), Recipe(limits=Limits())
    best: dict[str, float] = {}
    with Reader(recipe, isolation="never") as here, Reader(recipe, workers=1) as one, Reader(recipe) as several:
        for _ in range(runs + 1):  # the first starts the workers and loads the parser
            for name, reader in (("in this process", here), ("in one worker", one), ("in as many as usual", several)):
                start = time.perf_counter()
                assert all(document.state == "read" for document in reader.read(paths))
                seconds = (time.perf_counter() - start) / files
                best[name] = min(seconds, best.get(name, seconds))
    for name, seconds in best.items():
        more = (seconds - best["in this process"]) * 1e3
        print(f"{name:20} {seconds * 1e3:.3f} ms a file, {more:+.3f} ms  (bound {BOUND_MS} ms more)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        done, bad = gather(Path(folder), options.files)
        seconds = time.perf_counter() - start
        wrong = faults(done, options.files, bad)
        print(f"{options.files} good and {len(bad)} hostile files in {seconds:.1f} s:", *(wrong or ["all is well"]))
        overhead(Path(folder) / "small", options.files, options.runs)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
