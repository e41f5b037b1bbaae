"""Vectors for passages and queries, and the tokens that both are counted in."""

from gatherum.embedding.embedder import Embedder, find_model
from gatherum.embedding.tokens import TokenCounter

__all__ = ["Embedder", "TokenCounter", "find_model"]
