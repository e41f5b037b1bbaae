"""Read files so that none can take the program with it: in worker processes, within time and memory."""

from gatherum.reader.pool import Reader
from gatherum.reader.worker import Recipe

__all__ = ["Reader", "Recipe"]
