"""The last stage of a run: every passage on the shelf that has no vector yet gets one."""

from __future__ import annotations

import re
import time
from contextlib import ExitStack
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from gatherum.results import Progress
from gatherum.store.engine import give_back
from gatherum.tables import spell_out

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from gatherum.embedding import Embedder
    from gatherum.model import EmbeddingModel
    from gatherum.store import Store

_COMMIT: Final = 2048
_COMMIT_SECONDS: Final = 15.0
_REMEMBERED: Final = 4096
_STEP: Final = 32
_LETTER: Final = re.compile(r"[^\W\d_]")


class EmbeddingStage:
    """Embeds passages, in commits that may be searched at once.

    A passage without a single letter gets no vector: numbers alone mean nothing to a model, and are found as words.

    Args:
        store: The shelf's table, held for writing by the caller.
        model: The model.
        embedding: Lends it, loaded; called only when there is something to embed.
        progress: Told where the run is.
        stopped: Whether the run is to end after the batch at hand.

    Attributes:
        done: How many passages were seen to.
    """

    def __init__(
        self,
        store: Store,
        model: EmbeddingModel,
        embedding: Callable[[], AbstractContextManager[Embedder]],
        *,
        progress: Callable[[Progress], None],
        stopped: Callable[[], bool],
    ) -> None:
        self.done = 0
        self._store = store
        self._model = model
        self._embedding = embedding
        self._progress = progress
        self._stopped = stopped
        self._total = 0
        self._vectors: dict[bytes, NDArray[np.float32]] = {}

    def run(self) -> None:
        """See to every passage that lacks a vector.

        Raises:
            EmbedderError: The model cannot be loaded, or fails.
        """
        if self._stopped() or not self._count():
            return
        if self._model.dimensions != self._store.dimensions:
            self._store.reset_vectors(self._model.dimensions)
        self._total = self._count()
        with ExitStack() as lent:
            lend = cache(lambda: lent.enter_context(self._embedding()))
            while not self._stopped() and (rows := self._store.without_vector(self._model.id, _COMMIT)):
                self._embed(rows, lend)

    def _count(self) -> int:
        return self._store.count(self._store.lacks_vector(self._model.id))

    def _embed(self, rows: Sequence[dict[str, str]], lend: Callable[[], Embedder]) -> None:
        start = time.monotonic()
        vectors: list[NDArray[np.float32] | None] = []
        for at in range(0, len(rows), _STEP):
            vectors += self._passages([_spoken(row) for row in rows[at : at + _STEP]], lend)
            seen = min(self.done + len(vectors), self._total)
            self._progress(Progress(stage="embed", done=seen, total=self._total))
            if self._stopped() or time.monotonic() - start > _COMMIT_SECONDS:
                break
        self._store.set_vectors([row["id"] for row in rows[: len(vectors)]], vectors, self._model.id)
        self.done += len(vectors)
        give_back()

    def _passages(self, texts: Sequence[str], lend: Callable[[], Embedder]) -> list[NDArray[np.float32] | None]:
        """Return the vectors of passages; what was embedded a short while ago is not embedded again."""
        if len(self._vectors) > _REMEMBERED:
            self._vectors.clear()
        keys = [blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest() for text in texts]
        worded = {key: text for key, text in zip(keys, texts, strict=True) if has_letters(text)}
        if fresh := {key: text for key, text in worded.items() if key not in self._vectors}:
            made = lend().passages(list(fresh.values()))
            self._vectors.update(zip(fresh, made, strict=True))
        return [self._vectors[key] if key in worded else None for key in keys]


def has_letters(text: str) -> bool:
    """Whether a text has a letter, of any script."""
    return _LETTER.search(text) is not None


def _spoken(row: dict[str, str]) -> str:
    return spell_out(f"{row['context']}\n{row['text']}" if row["context"] else row["text"])
