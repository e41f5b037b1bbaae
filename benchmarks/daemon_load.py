"""Eight editors on one daemon, with the model: searches, memory, and searches while an index run goes on.

The passages are those of query.py, with random vectors. Prints the time of a warm search through the proxy, the
proportional memory of daemon and proxies together, and for eight editors that search as fast as they are answered, how
long that takes at rest and while a run gathers and embeds new files.

usage: daemon_load.py [--passages 10000] [--calls 200] [--editors 8] [--seconds 60]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path

from daemon import Editor
from query import give_vectors, make_folder, words

from gatherum import Shelf
from gatherum.daemon.address import address_of
from gatherum.daemon.client import ask
from gatherum.daemon.ending import end


def proportional(pids: list[int]) -> float:
    """Return the memory of processes in MB, with what they share counted once."""
    rows = [row for pid in pids for row in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()]
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1e3


def centiles(times: list[float]) -> str:
    ordered = sorted(each * 1000 for each in times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"{len(ordered)} searches, p50 {statistics.median(ordered):.0f} ms, p99 {p99:.0f} ms"


def load(editors: list[Editor], queries: list[str], seconds: float, pause: float) -> list[float]:
    """Search with all editors at once; any error ends the program."""
    times: list[float] = []
    until = time.monotonic() + seconds

    def work(editor: Editor, seed: int) -> None:
        chance = random.Random(seed)
        while time.monotonic() < until:
            times.append(editor.search(chance.choice(queries)))
            time.sleep(chance.uniform(0, 2 * pause))

    threads = [threading.Thread(target=work, args=pair) for pair in zip(editors, range(len(editors)), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


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
            for pause in (0.0, options.pause):
                seconds = options.seconds / 4
                name = f"{len(editors)} editors, {pause} s between searches"
                print(f"{name}, at rest: {centiles(load(editors, queries, seconds, pause))}", flush=True)
                make_folder(folder, 2000, vocabulary, random.Random(pause))
                until_runs(shelf)
                print(f"{name}, indexing: {centiles(load(editors, queries, seconds * 3, pause))}", flush=True)
                print(f"  the run: {ask(str(shelf), 'status', {}, seconds=30)['job']}", flush=True)
            print(f"daemon and {len(editors)} editors: {proportional(pids):.0f} MB in all")
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
