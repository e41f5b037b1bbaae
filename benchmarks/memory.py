"""How much memory a book or a presentation full of pictures takes to read, above what the reader takes when idle.

Each file is one of CORPUS with 100 MB of pictures added, and is read in a process of its own after the file without
them. Prints MB, and the ratio to the file's size.

usage: memory.py CORPUS [--megabytes 100]
  CORPUS has a folder for each family: epub, pptx, docx.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

READER = """
import resource, sys
from gatherum import load_registry
registry = load_registry()
registry.read(sys.argv[1])
idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
document = registry.read(sys.argv[2])
print(document.state, idle >> 10, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - idle) / 1024)
"""


def fattened(source: Path, target: Path, megabytes: int) -> None:
    with zipfile.ZipFile(source) as lean, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as fat:
        for info in lean.infolist():
            fat.writestr(info, lean.read(info))
        for number in range(megabytes):
            fat.writestr(f"media/picture{number}.png", os.urandom(1 << 20))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--megabytes", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for family in ("epub", "pptx", "docx"):
            files = sorted((options.corpus / family).glob(f"*.{family}"))
            lean = next(file for file in files if zipfile.is_zipfile(file))
            fat = Path(folder) / f"fat.{family}"
            fattened(lean, fat, options.megabytes)
            command = [sys.executable, "-c", READER, str(lean), str(fat)]
            state, idle, more = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            size = fat.stat().st_size / (1 << 20)
            print(f"{family}: {size:.0f} MB {state}, idle {idle} MB, {float(more):.1f} MB more", end="")
            print(f" ({float(more) / size:.3f} of the file)")


if __name__ == "__main__":
    main()
