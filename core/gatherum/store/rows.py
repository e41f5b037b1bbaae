"""The rows of the table: one for each document, one for each of its passages."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from gatherum.jsonable import dumps
from gatherum.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gatherum.chunking import Chunk
    from gatherum.document import Document
    from gatherum.rendering import Rendered
    from gatherum.walk import Found

DOCUMENT = -1
"""The ordinal of a document's own row; its passages count from 0."""


def document_id(collection: str, path: str) -> str:
    """Return the id of a document: the same for the same place on the same shelf."""
    return _digest(collection, path)


def chunk_id(document: str, heading: Sequence[str], number: int) -> str:
    """Return the id of a passage: it survives edits elsewhere in its document.

    Args:
        document: The document's id.
        heading: The passage's heading path.
        number: Its place among the passages with that path, from 0.
    """
    return _digest(document, *heading, str(number))


def text_hash(text: str) -> str:
    """Return what tells equal passages apart from others; a passage with a known hash needs no new vector."""
    return _digest(text)


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What decides whether a file must be read again.

    Attributes:
        id: The document's id.
        path: Relative to its collection.
        file_hash: Of its bytes; "" when they could not be read.
        size: In bytes.
        mtime_ns: See `gatherum.walk.Found`.
        ctime_ns: Likewise.
        inode: Likewise.
        recipe: How it was read and cut; another recipe would give other passages.
    """

    id: str
    path: str
    file_hash: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    recipe: str

    def same_stat(self, found: Found) -> bool:
        """Whether the file system says that nothing has changed."""
        mine = (self.size, self.mtime_ns, self.ctime_ns, self.inode)
        return mine == (found.size, found.mtime_ns, found.ctime_ns, found.inode)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRow:
    """A passage and the words it is searched by.

    Attributes:
        chunk: The passage.
        fts: Its indexed text with the tokens added for searching.
    """

    chunk: Chunk
    fts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document with its passages, ready to be written.

    Attributes:
        collection: The name of its collection.
        path: Relative to that collection.
        title: Its title.
        document: What was read.
        rendered: The same, rendered.
        chunks: Its passages.
        found: Its file.
        file_hash: Of the file's bytes.
        recipe: How it was read and cut.
        ledger: How many words it has, and how many can be searched.
    """

    collection: str
    path: str
    title: str
    document: Document
    rendered: Rendered
    chunks: tuple[ChunkRow, ...]
    found: Found
    file_hash: str
    recipe: str
    ledger: Ledger = field(default_factory=Ledger)

    def rows(self, now: str) -> Iterable[dict[str, Any]]:
        """Yield the table's rows, the document's own first.

        Args:
            now: The time of writing, as ISO 8601.
        """
        document, metadata = self.document, self.document.metadata
        identity = document_id(self.collection, self.path)
        shared: dict[str, Any] = {
            "doc": identity,
            "path": self.path,
            "collection": self.collection,
            "format": document.format,
            "handler": document.handler,
            "title": self.title,
            "authors": list(metadata.authors),
            "tags": list(metadata.tags),
            "language": metadata.language,
            "created": metadata.created,
            "modified": metadata.modified,
            "mtime_ns": self.found.mtime_ns,
        }
        yield {
            **shared,
            "id": identity,
            "ordinal": DOCUMENT,
            "kind": "document",
            "layer": "metadata",
            "heading": [],
            "recipe": self.recipe,
            "file_hash": self.file_hash,
            "size": self.found.size,
            "ctime_ns": self.found.ctime_ns,
            "inode": self.found.inode,
            "state": document.state,
            "problems": dumps(document.problems),
            "ledger": dumps(self.ledger),
            "content": self.rendered.text,
            "outline": dumps(self.rendered.outline),
            "metadata": dumps(metadata),
            "chunks": len(self.chunks),
            "indexed": now,
        }
        numbers: dict[tuple[str, ...], int] = {}
        for ordinal, row in enumerate(self.chunks):
            chunk = row.chunk
            number = numbers.get(chunk.heading, 0)
            numbers[chunk.heading] = number + 1
            yield {
                **shared,
                "id": chunk_id(identity, chunk.heading, number),
                "ordinal": ordinal,
                "kind": chunk.kind,
                "layer": chunk.layer,
                "heading": list(chunk.heading),
                "locator": dumps(chunk.locator),
                "line": chunk.line,
                "text": chunk.text,
                "fts": row.fts,
                "context": chunk.context,
                "text_hash": text_hash(chunk.indexed),
                "tokens": chunk.tokens,
            }
