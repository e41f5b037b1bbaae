"""What comes along when a plugin's module is imported."""

from __future__ import annotations

import os
import subprocess
import sys

_CODE = """
import sys
import gatherum, pluggy
before = set(sys.modules)
import importlib
importlib.import_module(sys.argv[1])
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names))
"""


class ImportFailed(Exception):  # noqa: N818 - it is told to people, as a sentence
    """A module cannot be imported by itself."""


def brought_in(module: str) -> set[str]:
    """Return the packages of others that *module* imports as soon as it is imported, in a fresh interpreter.

    Packages that gatherum itself imports at its start, and the module's own, do not count.

    Raises:
        ImportFailed: The module cannot be imported.
    """
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _CODE, module],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise ImportFailed(f"{module} cannot be imported in a fresh interpreter: {last}")
    lines = done.stdout.splitlines()
    return set(lines[-1].split() if lines else ()) - {module.partition(".")[0], "gatherum"}
