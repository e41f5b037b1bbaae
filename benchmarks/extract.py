"""How fast documents are read, beside markitdown and kreuzberg, in CPU seconds of the readers alone.

Each reader runs in a process and an environment of its own; the peers' is made on first use (about 700 MB). A reader
reads every file once before the clock runs, so that imports do not count. Files that a reader refuses
count with the time that this takes. Prints MB of files a CPU second for each family, and our multiple of each peer.

usage: extract.py CORPUS [--families docx,pptx,html,epub,ipynb] [--peers DIR] [--seconds 20]
  CORPUS has a folder for each family, named as above.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from pathlib import Path

PEERS = ("markitdown[all]", "kreuzberg")

READER = """
import json, os, signal, sys, time

def gatherum():
    from gatherum import load_registry
    registry = load_registry()
    return lambda path: registry.read(path)

def markitdown():
    from markitdown import MarkItDown
    converter = MarkItDown()
    return lambda path: converter.convert(path)

def kreuzberg():
    import kreuzberg
    config = kreuzberg.ExtractionConfig(use_cache=False)
    return lambda path: kreuzberg.extract_file_sync(path, config=config)

class Late(BaseException): pass

def alarm(*_): raise Late

name, seconds = sys.argv[1], int(sys.argv[2])
families = json.load(sys.stdin)
read = {"gatherum": gatherum, "markitdown": markitdown, "kreuzberg": kreuzberg}[name]()
signal.signal(signal.SIGALRM, alarm)
out = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
def passage(files):
    failed, start = 0, time.process_time()
    for path in files:
        signal.alarm(seconds)
        try: read(path)
        except BaseException: failed += 1
        signal.alarm(0)
    return time.process_time() - start, failed

result = {}
for family, files in families.items():
    passage(files)
    result[family] = passage(files)
os.write(out, json.dumps(result).encode())
os._exit(0)
"""


def peers_python(folder: Path) -> str:
    """Return the interpreter of the environment that holds the peers, made if need be."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS], check=True)
    return str(python)


def run(python: str, reader: str, families: dict[str, list[str]], seconds: int) -> dict[str, tuple[float, int]]:
    command = [python, "-c", READER, reader, str(seconds)]
    done = subprocess.run(command, input=json.dumps(families), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--families", default="docx,pptx,html,epub,ipynb")
    parser.add_argument("--peers", type=Path, default=Path(".venv-peers"))
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    families = {
        family: sorted(str(path) for path in (options.corpus / family).rglob("*") if path.is_file())
        for family in options.families.split(",")
    }
    peers = peers_python(options.peers)
    results = {
        "gatherum": run(sys.executable, "gatherum", families, options.seconds),
        "markitdown": run(peers, "markitdown", families, options.seconds),
        "kreuzberg": run(peers, "kreuzberg", families, options.seconds),
    }
    print(f"{'family':12} {'files':>5} {'MB':>6} | MB/s: " + " ".join(f"{name:>10}" for name in results), end="")
    print(" | x markitdown  x kreuzberg")
    for family, files in families.items():
        megabytes = sum(Path(file).stat().st_size for file in files) / 1e6
        speed = {name: megabytes / max(1e-6, result[family][0]) for name, result in results.items()}
        ours = speed["gatherum"]
        print(
            f"{family:12} {len(files):5} {megabytes:6.1f} |       " + " ".join(f"{s:10.2f}" for s in speed.values()),
            end="",
        )
        print(f" | {ours / speed['markitdown']:12.1f} {ours / speed['kreuzberg']:12.2f}")


if __name__ == "__main__":
    main()
