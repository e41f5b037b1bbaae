"""How long a warm query takes over 10,000 passages, in this process.

The passages are sentences made of the demo library's words; their vectors are random, which costs the search the same
as real ones. Queries are embedded by the real model. Prints medians and 95th percentiles in milliseconds, and the
ratio to searching the same texts with SQLite FTS5 in the same run.

usage: query.py [--passages 10000] [--queries 100]
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gatherum import Shelf, load_registry

if TYPE_CHECKING:
    from collections.abc import Callable

LIBRARY = Path(__file__).resolve().parents[1] / "fixtures" / "library"
BOUNDS = {"keyword": 15, "semantic": 40, "hybrid": 50}


def words() -> list[str]:
    registry = load_registry()
    texts = (section.text for file in sorted(LIBRARY.rglob("*.md")) for section in registry.read(file).sections)
    return [word for text in texts for word in text.split() if word.isalpha()]


def make_folder(folder: Path, passages: int, vocabulary: list[str], chance: random.Random) -> list[str]:
    texts = []
    for number in range(0, passages, 20):
        parts = []
        for part in range(20):
            text = " ".join(chance.choices(vocabulary, k=110))
            texts.append(text)
            parts.append(f"## Part {number + part}\n\n{text}\n")
        (folder / f"{number}.md").write_text(f"# File {number}\n\n" + "\n".join(parts), encoding="utf-8")
    return texts


def give_vectors(shelf: Shelf, seed: int) -> None:
    """Fill in random unit vectors in place of ten thousand real ones, which would take minutes."""
    generator = np.random.default_rng(seed)
    store = shelf._resources.store(create=True)
    model, _ = shelf._resources.model()
    assert model is not None
    with store.writing():
        while rows := store.without_vector(model.id, 5000):
            vectors = generator.standard_normal((len(rows), model.dimensions), dtype=np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            store.set_vectors([row["id"] for row in rows], list(vectors), model.id)
        store.maintain(force=True)


def measure(run: Callable[[str], object], queries: list[str]) -> tuple[float, float]:
    times = []
    for query in queries:
        start = time.perf_counter()
        run(query)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times), sorted(times)[int(len(times) * 0.95)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=100)
    options = parser.parse_args()
    chance = random.Random(1)
    vocabulary = words()
    queries = [" ".join(chance.choices(vocabulary, k=6)) for _ in range(options.queries)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "files")
        folder.mkdir()
        texts = make_folder(folder, options.passages, vocabulary, chance)
        shelf = Shelf.open(Path(scratch, "shelf"))
        _index_text(shelf, folder)
        give_vectors(shelf, 1)
        status = shelf.status()
        print(f"{status.chunks:,} passages, {status.embedded:,} with a vector")
        peer = sqlite3.connect(":memory:")
        peer.execute("CREATE VIRTUAL TABLE texts USING fts5(text)")
        peer.executemany("INSERT INTO texts VALUES (?)", ((text,) for text in texts))

        def ask_peer(query: str) -> object:
            match = " OR ".join(f'"{word}"' for word in query.split())
            sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 100"
            return peer.execute(sql, (match,)).fetchall()

        base, _ = measure(ask_peer, queries)
        print(f"{'mode':9} {'p50 ms':>7} {'p95 ms':>7} {'bound':>6} {'x FTS5':>7}")
        for mode, bound in BOUNDS.items():
            measure(lambda query, mode=mode: shelf.search(query, mode=mode), queries[:10])
            middle, high = measure(lambda query, mode=mode: shelf.search(query, mode=mode), queries)
            print(f"{mode:9} {middle:7.1f} {high:7.1f} {bound:6} {middle / base:7.1f}")
        print(f"{'FTS5':9} {base:7.1f}")


def _index_text(shelf: Shelf, folder: Path) -> None:
    """Gather without embedding."""
    from dataclasses import replace

    from gatherum.place import Place

    place = shelf.place
    embedding = replace(place.settings.embedding, model="none")
    silent = Place(folder=place.folder, settings=replace(place.settings, embedding=embedding))
    Shelf(silent).add(folder)


if __name__ == "__main__":
    main()
