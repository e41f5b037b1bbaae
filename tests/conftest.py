"""Fixtures for every test; nothing heavy is imported before a test needs it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from gatherum import Shelf
    from gatherum.store import DocumentRow

os.environ.setdefault("GATHERUM_SERVER_DAEMON", "false")  # tests of other things leave no process behind

REGENERATE = os.environ.get("GATHERUM_REGENERATE") == "1"


@pytest.fixture
def regenerate() -> bool:
    """Whether generated pages are written anew instead of compared: GATHERUM_REGENERATE=1."""
    return REGENERATE


@pytest.fixture
def in_step(regenerate: bool) -> Callable[[Path, str], None]:
    """Compare a generated page with the stored one, or write it when that is wanted."""

    def check(page: Path, text: str) -> None:
        if regenerate:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8")
        assert page.is_file(), f"{page} is missing: run the tests once with GATHERUM_REGENERATE=1"
        assert page.read_text(encoding="utf-8") == text, f"{page} is out of step: run with GATHERUM_REGENERATE=1"

    return check


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Make a folder of files out of their contents, by path."""

    def make(files: Mapping[str, str | bytes], name: str = "corpus") -> Path:
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        for path, content in files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return make


@pytest.fixture
def make_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Shelf]:
    """Open a shelf that reads in this process and makes no vectors."""
    monkeypatch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("GATHERUM_READER_ISOLATION", "never")

    def make(name: str = "shelf") -> Shelf:
        from gatherum import Shelf

        return Shelf.open(tmp_path / name)

    return make


@pytest.fixture
def project() -> Path:
    """The root of the repository."""
    from pathlib import Path

    return Path(__file__).parents[1]


@pytest.fixture(scope="session")
def document_row() -> Callable[..., DocumentRow]:
    """Make a document with its passages, ready to be stored, out of sections given as (heading, text)."""
    from gatherum import Document, Metadata, Section
    from gatherum.chunking import chunk_document
    from gatherum.config import ChunkingSettings
    from gatherum.embedding import TokenCounter
    from gatherum.rendering import render
    from gatherum.store import ChunkRow, DocumentRow
    from gatherum.tokens import expand, normal
    from gatherum.walk import Found

    def make(
        path: str, *sections: tuple[str, str], collection: str = "notes", mtime_ns: int = 0, **metadata: object
    ) -> DocumentRow:
        document = Document(
            path=path,
            state="read",
            format=path.rpartition(".")[2],
            handler=path.rpartition(".")[2],
            metadata=Metadata(**metadata),  # type: ignore[arg-type]
            sections=tuple(Section(heading=(head,) if head else (), level=bool(head), text=t) for head, t in sections),
        )
        rendered, title = render(document), document.metadata.title or path
        chunks = chunk_document(document, rendered, TokenCounter(None), ChunkingSettings(), title=title)
        texts = [normal(chunk.indexed) for chunk in chunks]
        return DocumentRow(
            collection=collection,
            path=path,
            title=title,
            document=document,
            rendered=rendered,
            chunks=tuple(
                ChunkRow(chunk=chunk, fts=f"{text}\n{expand(text)}") for chunk, text in zip(chunks, texts, strict=True)
            ),
            found=Found(path=path, size=1, mtime_ns=mtime_ns, ctime_ns=2, inode=3),
            file_hash=f"hash of {path}",
            recipe="recipe",
        )

    return make
