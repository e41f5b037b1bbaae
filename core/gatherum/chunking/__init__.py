"""Cut documents into passages: by section first, then by the embedding model's tokens."""

from gatherum.chunking.chunk import CHUNKER, Chunk, context_of
from gatherum.chunking.pack import chunk_document

__all__ = ["CHUNKER", "Chunk", "chunk_document", "context_of"]
