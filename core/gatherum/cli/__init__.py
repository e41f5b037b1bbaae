"""The ``gatherum`` command."""

import sys

from gatherum.jsonable import dumps


def main() -> int:
    """Run the command line; return the exit code."""
    from gatherum.registry import load_registry

    registry = load_registry()
    for name in sys.argv[2:]:
        if not name.startswith("--"):
            sys.stdout.write(dumps(registry.read(name)) + "\n")
            sys.stdout.flush()
    return 0
