"""Run an embedding model through fastembed."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from gatherum.errors import EmbedderError
from gatherum.model import EmbeddingModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

NO_MODEL = "none"

_RECENT: Final = 32
"""Queries whose vectors are kept: what asks for more of an answer asks the same again."""


def find_model(name: str, models: Iterable[EmbeddingModel]) -> EmbeddingModel | None:
    """Return the model that settings call *name*: one that a plugin brings, or one that fastembed knows.

    Args:
        name: The name; "none" means that no vectors are wanted.
        models: What the plugins bring.

    Raises:
        EmbedderError: Nobody knows this model.
    """
    if name == NO_MODEL:
        return None
    known = list(models)
    for model in known:
        if model.name == name:
            return model
    from fastembed import TextEmbedding

    supported = {row["model"]: row for row in TextEmbedding.list_supported_models()}
    row = supported.get(name)
    if row is None:
        names = ", ".join(model.name for model in known) or "no model"
        raise EmbedderError(
            f"there is no embedding model {name!r}",
            hint=f"Installed: {names}. Any model of fastembed can be named too, or {NO_MODEL!r} for keyword search.",
        )
    return EmbeddingModel(name=name, dimensions=int(row["dim"]), scripts=_scripts(name), weight=0.7)


def _scripts(name: str) -> frozenset[str] | None:
    """Tell by its name which scripts a fastembed model was trained on."""
    low = name.lower()
    if any(mark in low for mark in ("multilingual", "-m3", "gte-base", "jina-embeddings-v3", "embeddinggemma")):
        return None
    return frozenset(("LATIN", "CJK")) if "-zh" in low else frozenset(("LATIN",))


class Embedder:
    """A model that has been loaded; its methods may be called from several threads.

    Args:
        model: What to load.
        threads: Texts worked on at the same time; 0 for one per processor, at most 4.

    Raises:
        EmbedderError: It cannot be loaded.
    """

    def __init__(self, model: EmbeddingModel, *, threads: int = 0) -> None:
        self.model = model
        self._threads = threads or min(os.cpu_count() or 1, 4)
        self._recent = lru_cache(maxsize=_RECENT)(self._query)
        try:
            self._engine = _load(model)
        except Exception as error:  # fastembed, onnxruntime and the network fail in many ways
            raise EmbedderError(
                f"the embedding model {model.name} cannot be loaded: {str(error).rstrip('.')}",
                hint="Keyword search works without it. Set embedding.model to the bundled model or to 'none'.",
            ) from error

    def query(self, text: str) -> Vectors:
        """Return the vector of a query, of length `EmbeddingModel.dimensions`; it is not to be written to."""
        return self._recent(text)

    def _query(self, text: str) -> Vectors:
        vector = self._run([self.model.query_prefix + text]).reshape(-1)
        vector.setflags(write=False)
        return vector

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one row each.

        Texts are embedded longest first so that the processors finish together.
        """
        import numpy as np

        order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
        size = max(1, self.model.batch)
        batches = [order[at : at + size] for at in range(0, len(order), size)]
        vectors = np.zeros((len(texts), self.model.dimensions), dtype=np.float32)

        def work(batch: list[int]) -> None:
            vectors[batch] = self._run([self.model.passage_prefix + texts[at] for at in batch])

        if self._threads == 1 or len(batches) < 2:
            for batch in batches:
                work(batch)
        else:
            with ThreadPoolExecutor(self._threads, thread_name_prefix="gatherum-embed") as pool:
                list(pool.map(work, batches))
        return vectors

    def _run(self, texts: list[str]) -> Vectors:
        import numpy as np

        try:
            return np.array(list(self._engine.embed(texts, batch_size=len(texts))), dtype=np.float32)
        except Exception as error:
            raise EmbedderError(f"the embedding model {self.model.name} failed: {error}") from error


_registering = threading.Lock()


def _load(model: EmbeddingModel) -> Any:
    """Return a fastembed model with one thread for each text: for short texts two are slower than one."""
    from fastembed import TextEmbedding

    if loguru := sys.modules.get("loguru"):
        loguru.logger.disable("fastembed")  # what it logs, its errors say again
    if model.folder is None:
        return TextEmbedding(model.name, threads=1)
    from fastembed.common.model_description import ModelSource, PoolingType

    pooling = {"none": PoolingType.DISABLED, "mean": PoolingType.MEAN, "cls": PoolingType.CLS}[model.pooling]
    name = f"gatherum/{model.name}"
    with _registering:
        if name not in {row["model"] for row in TextEmbedding.list_supported_models()}:
            TextEmbedding.add_custom_model(
                model=name,
                pooling=pooling,
                normalization=model.normalize,
                sources=ModelSource(hf=name),
                dim=model.dimensions,
                model_file=model.file,
            )
    return TextEmbedding(name, specific_model_path=str(model.folder), threads=1)
