"""The shelf's one LanceDB table; nothing outside this package knows LanceDB or Arrow."""

from gatherum.store.catalog import Catalog, Entry, file_problems
from gatherum.store.rows import ChunkRow, DocumentRow, FileState, chunk_id, document_id
from gatherum.store.search import Candidate, Searches
from gatherum.store.table import Store

__all__ = [
    "Candidate",
    "Catalog",
    "ChunkRow",
    "DocumentRow",
    "Entry",
    "FileState",
    "Searches",
    "Store",
    "chunk_id",
    "document_id",
    "file_problems",
]
