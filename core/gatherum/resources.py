"""What a shelf works with, each loaded when it is first needed and then kept."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, cast

from gatherum.embedding import Embedder, TokenCounter, find_model
from gatherum.errors import EmbedderError
from gatherum.limits.budget import Limits
from gatherum.reader import Reader, Recipe
from gatherum.search import Searcher
from gatherum.store import Catalog, Searches, Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum.model import EmbeddingModel
    from gatherum.place import Place
    from gatherum.reader.pool import Isolation


class Resources:
    """The table, the embedding model and the readers of one shelf; may be used from several threads.

    Args:
        place: The shelf's folder and settings.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.RLock()
        self._store: Store | None = None
        self._embedder: Embedder | None = None

    def store(self, *, create: bool = False) -> Store:
        """Return the table.

        Args:
            create: Whether to make it if it is not there.

        Raises:
            ShelfNotFoundError: It is not there, and is not to be made.
            ShelfError: It cannot be opened.
        """
        with self._lock:
            if self._store is None:
                model, _ = self.model() if create else (None, ())
                self._store = Store(self._place.folder, create=create, dimensions=model.dimensions if model else 384)
            return self._store

    @property
    def catalog(self) -> Catalog:
        """The documents of the table."""
        return Catalog(self.store())

    def reader(self) -> Reader:
        """Return a reader of files; it is the caller's to close."""
        settings = self._place.settings.reader
        return Reader(
            self._recipe,
            isolation=cast("Isolation", settings.isolation),
            workers=settings.workers,
            seconds=settings.seconds,
        )

    def searcher(self, *, named: bool) -> Searcher:
        """Return what answers queries; *named* says whether hits name their collection."""
        model, _ = self.model()
        return Searcher(self.searches, model, self.embedder, named=named)

    def model(self) -> tuple[EmbeddingModel | None, tuple[str, ...]]:
        """Return the embedding model of the settings, or None and the reason as a warning."""
        try:
            return find_model(self._place.settings.embedding.model, self._models), ()
        except EmbedderError as error:
            return None, (f"{error.message}. {error.hint}",)

    def embedder(self) -> Embedder:
        """Return the embedding model, loaded.

        Raises:
            EmbedderError: There is none, or it cannot be loaded.
        """
        with self._lock:
            if self._embedder is None:
                model, warnings = self.model()
                if model is None:
                    raise EmbedderError(warnings[0] if warnings else "embedding is switched off")
                self._embedder = Embedder(model, threads=self._place.settings.embedding.threads)
            return self._embedder

    @contextmanager
    def embedding(self) -> Iterator[Embedder]:
        """Lend the embedding model for one piece of work; if it was not loaded before, it is let go afterwards.

        Raises:
            EmbedderError: There is none, or it cannot be loaded.
        """
        kept = self._embedder is not None
        try:
            yield self.embedder()
        finally:
            if not kept:
                with self._lock:
                    self._embedder = None

    @cached_property
    def count(self) -> TokenCounter:
        """Counts tokens as the bundled model does."""
        return TokenCounter(next((model.folder for model in self._models if model.folder), None))

    def warm(self) -> None:
        """Load what a search needs."""
        self.store()
        model, _ = self.model()
        if model is not None:
            self.embedder()

    @cached_property
    def searches(self) -> Searches:
        """The searches of the table."""
        return Searches(self.store())

    @cached_property
    def _models(self) -> tuple[EmbeddingModel, ...]:
        return tuple(model for _, model in self._recipe.registry().plugins.models)

    @property
    def _recipe(self) -> Recipe:
        settings = self._place.settings
        return Recipe(
            limits=Limits(file_bytes=settings.index.max_file_mb << 20),
            block=settings.reader.block,
            handlers=settings.reader.handlers,
            memory_bytes=settings.reader.memory_mb << 20,
        )
