"""The shared server against one of an editor's own: time to the first answer, searches, memory, and killed daemons.

python benchmarks/daemon.py --passages 2000 --calls 200
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from gatherum import Shelf
from gatherum.daemon.address import address_of
from gatherum.daemon.client import DaemonError, ask
from gatherum.daemon.ending import end

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "editor", "version": "1"}}


class Editor:
    """Speaks to ``gatherum serve`` line by line."""

    def __init__(self, shelf: Path, *options: str) -> None:
        self.begin = time.perf_counter()
        command = [sys.executable, "-m", "gatherum", "serve", "--shelf", str(shelf), *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if answer["id"] != self.number or "error" in answer:
            raise SystemExit(f"not the answer to {self.number}: {answer}")
        result: dict[str, Any] = answer["result"]
        return result

    def tools(self) -> float:
        """Return the seconds from the start of the process to its list of tools."""
        assert self.process.stdin is not None
        self.ask("initialize", INITIALIZE)
        self.process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        self.ask("tools/list", {})
        return time.perf_counter() - self.begin

    def search(self, query: str) -> float:
        """Return the seconds that a search takes."""
        begin = time.perf_counter()
        if self.ask("tools/call", {"name": "search", "arguments": {"query": query}}).get("isError"):
            raise SystemExit("a search failed")
        return time.perf_counter() - begin

    def memory(self) -> float:
        """Return the resident memory in MB."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text("ascii").splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS")) / 1e3

    def close(self) -> None:
        with self.process as process:
            process.kill()


def make(folder: Path, passages: int, chance: random.Random) -> list[str]:
    """Write documents; return the words they are made of."""
    words = ["".join(chance.choices("abdegiklmnoprstuz", k=chance.randint(3, 9))) for _ in range(3000)]
    for number in range(passages // 10 or 1):
        parts = [f"## {chance.choice(words)}\n\n{' '.join(chance.choices(words, k=120))}\n" for _ in range(10)]
        Path(folder, f"{number}.md").write_text("\n".join(parts), encoding="utf-8")
    return words


def first_answers(shelf: Path, *options: str, cold: bool, runs: int) -> float:
    """Return the median seconds to the list of tools."""
    times = []
    for _ in range(runs):
        if cold:
            end(address_of(str(shelf)))
        editor = Editor(shelf, *options)
        times.append(editor.tools())
        editor.close()
    return statistics.median(times)


def kills(shelf: Path, queries: list[str], clients: int, every: int) -> tuple[int, float]:
    """Ask from several editors while the daemon is killed again and again; return how often, and the longest wait."""
    done, killed, waits = threading.Event(), 0, []
    editors = [Editor(shelf) for _ in range(clients)]
    for editor in editors:
        editor.tools()

    def kill() -> None:
        nonlocal killed
        while not done.wait(0.01):
            if len(waits) < every * (killed + 1):
                continue
            try:
                os.kill(ask(str(shelf), "status", {}, seconds=5)["pid"], signal.SIGKILL)
                killed += 1
            except (DaemonError, ProcessLookupError):
                continue

    def calls(editor: Editor, share: list[str]) -> None:
        for query in share:
            waits.append(editor.search(query))  # noqa: PERF401 - others count them

    killer = threading.Thread(target=kill)
    shares = [queries[first::clients] for first in range(clients)]
    asking = [threading.Thread(target=calls, args=pair) for pair in zip(editors, shares, strict=True)]
    for thread in (killer, *asking):
        thread.start()
    for thread in asking:
        thread.join()
    done.set()
    killer.join()
    for editor in editors:
        editor.close()
    if len(waits) != len(queries):
        raise SystemExit(f"{len(queries) - len(waits)} of {len(queries)} calls have no answer")
    return killed, max(waits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passages", type=int, default=2000)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kill-every", type=int, default=20, metavar="CALLS")
    options = parser.parse_args()
    chance = random.Random(1)
    os.environ["GATHERUM_EMBEDDING_MODEL"] = "none"
    os.environ["GATHERUM_SERVER_DAEMON"] = "true"
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_RUNTIME_DIR"] = scratch
        folder, shelf = Path(scratch, "files"), Path(scratch, "shelf")
        folder.mkdir()
        words = make(folder, options.passages, chance)
        Shelf.open(shelf).add(folder)
        queries = [" ".join(chance.choices(words, k=3)) for _ in range(options.calls)]
        try:
            alone = first_answers(shelf, "--no-daemon", cold=False, runs=options.runs)
            cold = first_answers(shelf, cold=True, runs=options.runs)
            warm = first_answers(shelf, cold=False, runs=options.runs)
            print(f"first list of tools: alone {alone:.2f} s, cold {cold:.2f} s ({cold / alone:.2f} x alone), "
                  f"warm {warm:.2f} s ({warm / alone:.2f} x alone)")  # fmt: skip
            for name, extra in (("alone", ["--no-daemon"]), ("shared", [])):
                editor = Editor(shelf, *extra)
                editor.tools()
                times = [editor.search(query) * 1000 for query in (queries[0], *queries)][1:]
                print(f"search, {name}: p50 {statistics.median(times):.1f} ms; {editor.memory():.0f} MB an editor")
                editor.close()
            print(f"the daemon: {ask(str(shelf), 'status', {}, seconds=5)['memory_bytes'] / 1e6:.0f} MB")
            killed, longest = kills(shelf, queries, options.clients, options.kill_every)
            print(f"{len(queries)} calls from {options.clients} editors, the daemon killed {killed} times: "
                  f"all answered once, the longest wait {longest:.1f} s")  # fmt: skip
        finally:
            end(address_of(str(shelf)))


if __name__ == "__main__":
    main()
