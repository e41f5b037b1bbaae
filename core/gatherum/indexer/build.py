"""A document as it was read becomes a document as it is stored."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, cast

from gatherum.chunking import chunk_document
from gatherum.document import Document
from gatherum.indexer.recipe import ENDS
from gatherum.ledger import ledger_of
from gatherum.problems import Problem
from gatherum.rendering import render
from gatherum.store import ChunkRow, DocumentRow
from gatherum.tokens import expand, normal
from gatherum.walk import Found

if TYPE_CHECKING:
    from gatherum.chunking.blocks import Count
    from gatherum.config import ChunkingSettings
    from gatherum.indexer.compare import Task
    from gatherum.indexer.recipe import Recipes
    from gatherum.problems import Code
    from gatherum.reader.pool import Code as ReaderCode
    from gatherum.walk import Skipped


_LIMITED: Final[frozenset[Code]] = frozenset(("memory", "timeout"))


def title_of(document: Document, path: str) -> str:
    """Return a document's title: its own, else its first heading, else its file's name."""
    if document.metadata.title:
        return document.metadata.title
    for section in document.sections:
        if section.heading and section.layer == "body":
            return section.heading[0]
    return PurePosixPath(path).stem


def build(task: Task, document: Document, count: Count, settings: ChunkingSettings, recipes: Recipes) -> DocumentRow:
    """Cut a document into passages and add the tokens that it is searched by."""
    path = task.found.path
    rendered = render(document)
    title = title_of(document, path)
    chunks = chunk_document(document, rendered, count, settings, title=title)
    rows = []
    for chunk in chunks:
        text = normal(chunk.indexed)
        rows.append(ChunkRow(chunk=chunk, fts=f"{text}\n{expand(text)}"))
    return DocumentRow(
        collection=task.collection.name,
        path=path,
        title=title,
        document=document,
        rendered=rendered,
        chunks=tuple(rows),
        found=task.found,
        file_hash=task.file_hash,
        ledger=ledger_of(document.sections, (chunk.text for chunk in chunks)),
        recipe=recipes.of(
            path,
            document.handler,
            limited=any(problem.code in _LIMITED for problem in document.problems),
            ended=_ended(document),
        ),
    )


def _ended(document: Document) -> ReaderCode | None:
    """Return how the reading of a document came to nothing, when its content is to blame."""
    if document.state != "unreadable":
        return None
    return next((cast("ReaderCode", problem.code) for problem in document.problems if problem.code in ENDS), None)


def refuse(collection: str, skipped: Skipped, file_hash: str) -> DocumentRow:
    """Return the row by which the shelf remembers why it has nothing of a file."""
    assert skipped.code is not None  # noqa: S101 - those left out by rule are not remembered
    problem = Problem(code=skipped.code, message=skipped.message)
    document = Document(path=skipped.path, state="skipped", problems=(problem,))
    return DocumentRow(
        collection=collection,
        path=skipped.path,
        title=PurePosixPath(skipped.path).name,
        document=document,
        rendered=render(document),
        chunks=(),
        found=Found(path=skipped.path, size=0, mtime_ns=0, ctime_ns=0, inode=0),
        file_hash=file_hash,
        recipe="",
    )
