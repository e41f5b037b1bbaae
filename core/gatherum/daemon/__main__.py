"""Run the daemon of a shelf: ``python -m gatherum.daemon --shelf FOLDER``."""

import sys

from gatherum.daemon.process import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
