"""Eight editors on one daemon, with the model: searches, memory, and searches while an index run goes on.

The passages are those of query.py, with random vectors. Prints the time of a warm search through the proxy, the
proportional memory of daemon and proxies together, and for eight editors that search without or with pauses, how long
that takes at rest and while runs gather and embed new files: of all searches, and of the first after each commit. With
each goes the processor time of the daemon for one search, which other programs disturb less, and the load of the
machine.

usage: daemon_load.py [--passages 10000] [--calls 200] [--editors 8] [--seconds 60]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from daemon import Editor
from query import give_vectors, make_folder, words

from gatherum import Shelf
from gatherum.daemon.address import address_of
from gatherum.daemon.client import ask
from gatherum.daemon.ending import end
from gatherum.server.apart import LINGER_SECONDS


def proportional(pids: list[int]) -> float:
    """Return the memory of processes and all that they have started in MB, with what they share counted once."""
    pids = list({each for pid in pids for each in family(pid)})  # the first editor has started the daemon
    rows = [row for pid in pids for row in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()]
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1e3


def family(pid: int) -> list[int]:
    """Return a process and all that it has started."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text("ascii").split():
            found += family(int(child))
    return found


def spent(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def centiles(times: list[float]) -> str:
    ordered = sorted(each * 1000 for each in times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"{len(ordered)} searches, p50 {statistics.median(ordered):.0f} ms, p99 {p99:.0f} ms"


class Load:
    """All editors searching at once.

    Args:
        editors: They.
        queries: What they ask.
        shelf: The shelf, whose commits are watched.
        daemon: The process that answers.
    """

    def __init__(self, editors: list[Editor], queries: list[str], shelf: Path, daemon: int) -> None:
        self._editors = editors
        self._queries = queries
        self._versions = shelf / "db" / "chunks.lance" / "_versions"
        self._daemon = daemon

    def run(self, seconds: float, pause: float) -> str:
        """Return how long searches took; any error ends the program."""
        searches: list[tuple[float, float]] = []
        commits: list[float] = []
        until = time.monotonic() + seconds

        def work(editor: Editor, seed: int) -> None:
            chance = random.Random(seed)
            while time.monotonic() < until:
                begin = time.monotonic()
                searches.append((begin, editor.search(chance.choice(self._queries))))
                time.sleep(chance.uniform(0, 2 * pause))

        def watch() -> None:
            names = set(self._versions.iterdir())
            while time.monotonic() < until:
                time.sleep(0.005)
                now = set(self._versions.iterdir())
                if now - names:
                    commits.append(time.monotonic())
                names = now

        before = spent(self._daemon)
        with ThreadPoolExecutor(len(self._editors) + 1) as pool:
            watching = pool.submit(watch)
            asking = [pool.submit(work, *pair) for pair in zip(self._editors, range(len(self._editors)), strict=True)]
            for each in (watching, *asking):
                each.result()
        share = (spent(self._daemon) - before) / len(searches) * 1000
        said = f"{centiles([took for _, took in searches])}, {share:.0f} ms of processor time each"
        firsts = [min((begin, took) for begin, took in searches if begin >= moment)[1] for moment in commits
                  if any(begin >= moment for begin, _ in searches)]  # fmt: skip
        if firsts:
            said += f"; the first after each of {len(firsts)} commits: at most {max(firsts) * 1000:.0f} ms"
        return f"{said}; load {os.getloadavg()[0]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--editors", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between an editor's searches, on average")
    options = parser.parse_args()
    chance, vocabulary = random.Random(1), words()
    queries = [" ".join(chance.choices(vocabulary, k=6)) for _ in range(options.calls)]
    os.environ["GATHERUM_SERVER_DAEMON"] = "true"
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_RUNTIME_DIR"] = scratch
        folder, shelf = Path(scratch, "files"), Path(scratch, "shelf")
        folder.mkdir()
        make_folder(folder, options.passages, vocabulary, chance)
        os.environ["GATHERUM_EMBEDDING_MODEL"] = "none"
        Shelf.open(shelf).add(folder)
        del os.environ["GATHERUM_EMBEDDING_MODEL"]
        give_vectors(Shelf.open(shelf), seed=1)
        editors = [Editor(shelf) for _ in range(options.editors)]
        try:
            for editor in editors:
                editor.tools()
            while (status := ask(str(shelf), "status", {}, seconds=30))["job"] or status["seconds"] < 5:
                time.sleep(0.2)
            for query in queries[:10]:
                editors[0].search(query)
            print(f"one editor: {centiles([editors[0].search(query) for query in queries])}", flush=True)
            pids = [status["pid"], *(editor.process.pid for editor in editors)]
            print(f"daemon and {len(editors)} editors: {proportional(pids):.0f} MB in all", flush=True)
            load = Load(editors, queries, shelf, status["pid"])
            for pause in (0.0, options.pause):
                seconds = options.seconds / 4
                name = f"{len(editors)} editors, {pause} s between searches"
                print(f"{name}, at rest: {load.run(seconds, pause)}", flush=True)
                make_folder(folder, 2000, vocabulary, random.Random(pause))
                until_runs(shelf)
                print(f"{name}, indexing: {load.run(seconds * 3, pause)}", flush=True)
                print(f"  the run: {ask(str(shelf), 'status', {}, seconds=30)['job']}", flush=True)
            while ask(str(shelf), "status", {}, seconds=30)["job"]:
                time.sleep(0.5)
            print(f"daemon and {len(editors)} editors: {proportional(pids):.0f} MB in all, just after the runs")
            time.sleep(LINGER_SECONDS + 5)
            print(f"daemon and {len(editors)} editors: {proportional(pids):.0f} MB in all, a while later")
        finally:
            for editor in editors:
                editor.close()
            end(address_of(str(shelf)))


def until_runs(shelf: Path) -> None:
    """Wait until an index run goes on."""
    while not ask(str(shelf), "status", {}, seconds=30)["job"]:
        time.sleep(0.1)


if __name__ == "__main__":
    main()
