"""What the commands that should be instant cost, in CPU seconds, beside a bare interpreter.

Each is run once beforehand, so that its modules are compiled as in an installation.

usage: startup.py [--runs 5]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "gatherum --help": ["-m", "gatherum", "--help"],
    "gatherum formats": ["-m", "gatherum", "formats"],
    "gatherum plugins": ["-m", "gatherum", "plugins"],
}
BOUND = 0.15
ENVIRON = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cpu(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=ENVIRON)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    bare = 0.0
    for name, arguments in COMMANDS.items():
        cpu(arguments)
        seconds = min(cpu(arguments) for _ in range(runs))
        bare = bare or seconds
        print(f"{name:18} {seconds:.3f} s CPU  (bound {BOUND}, {seconds / bare:.1f} x a bare interpreter)")


if __name__ == "__main__":
    main()
