"""Start gatherum's server for the folder that the client names."""

import sys

from gatherum.cli import main

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
