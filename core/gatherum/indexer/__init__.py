"""Bring a shelf up to date with its folders: walk, compare, read, cut, write, embed."""

from gatherum.indexer.run import Indexer

__all__ = ["Indexer"]
