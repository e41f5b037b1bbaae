"""How many searches a second the server over HTTP answers, and how long the slowest take, on 10,000 passages.

The passages and their vectors are those of query.py. Clients keep their connections and ask in the revision of the
protocol without sessions. Prints requests a second, the median and the 99th percentile in milliseconds for one client
and for eight, and the ratio of the median to the same search in this process.

usage: serve.py [--passages 10000] [--requests 400] [--mode keyword hybrid]
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from query import _index_text, give_vectors, make_folder, measure, words

from gatherum import Shelf

REVISION = "2026-07-28"


def start(shelf: Path, log: Path) -> tuple[subprocess.Popen[bytes], int, str]:
    command = [sys.executable, "-m", "gatherum", "serve", "--shelf", str(shelf), "--http", "0"]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stderr=stream, stdin=subprocess.DEVNULL)
    while process.poll() is None:
        if found := re.search(r":(\d+)/mcp", log.read_text(encoding="utf-8")):
            return process, int(found[1]), (shelf / "token.key").read_text(encoding="ascii").strip()
        time.sleep(0.05)
    raise SystemExit(log.read_text(encoding="utf-8"))


def client(port: int, token: str, mode: str, queries: list[str]) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search",
    }
    prefix = "io.modelcontextprotocol"
    meta = {f"{prefix}/protocolVersion": REVISION, f"{prefix}/clientCapabilities": {}}
    times = []
    for number, query in enumerate(queries):
        params = {"name": "search", "arguments": {"query": query, "mode": mode}, "_meta": meta}
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        begin = time.perf_counter()
        connection.request("POST", "/mcp", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        times.append((time.perf_counter() - begin) * 1000)
        if answer.status != 200 or b'"isError":true' in text:
            raise SystemExit(f"{answer.status}: {text[:200]!r}")
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--mode", nargs="+", default=["keyword", "hybrid"])
    options = parser.parse_args()
    chance = random.Random(1)
    vocabulary = words()
    queries = [" ".join(chance.choices(vocabulary, k=6)) for _ in range(options.requests)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "files")
        folder.mkdir()
        make_folder(folder, options.passages, vocabulary, chance)
        shelf = Shelf.open(Path(scratch, "shelf"))
        _index_text(shelf, folder)
        give_vectors(shelf, 1)
        here = {}
        for mode in options.mode:
            measure(lambda query, mode=mode: shelf.search(query, mode=mode, limit=8), queries[:10])
            here[mode], _ = measure(lambda query, mode=mode: shelf.search(query, mode=mode, limit=8), queries[:100])
        server, port, token = start(Path(scratch, "shelf"), Path(scratch, "log"))
        try:
            print(f"{'mode':9} {'clients':>7} {'req/s':>7} {'p50 ms':>7} {'p99 ms':>7} {'x here':>7}")
            for mode in options.mode:
                client(port, token, mode, queries[:20])
                for clients in (1, 8):
                    shares = [queries[first::clients] for first in range(clients)]
                    begin = time.perf_counter()
                    with ThreadPoolExecutor(clients) as pool:
                        every = pool.map(lambda share, mode=mode: client(port, token, mode, share), shares)
                        times = sorted(each for share in every for each in share)
                    rate = len(times) / (time.perf_counter() - begin)
                    middle, high = statistics.median(times), times[int(len(times) * 0.99)]
                    print(f"{mode:9} {clients:7} {rate:7.0f} {middle:7.1f} {high:7.1f} {middle / here[mode]:7.1f}")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
