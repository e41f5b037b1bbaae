"""multilingual-e5-small in 8 bits, 96,000 word pieces; SOURCE.md tells how it was made."""

from __future__ import annotations

from pathlib import Path

from gatherum import EmbeddingModel, hookimpl


@hookimpl
def gatherum_models() -> list[EmbeddingModel]:
    """Return the bundled model."""
    return [
        EmbeddingModel(
            name="multilingual-e5-small",
            version="96k-int8",
            folder=Path(__file__).parent,
            dimensions=384,
            max_tokens=512,
            query_prefix="query: ",
            passage_prefix="passage: ",
            pooling="none",
            normalize=False,
            weight=1.0,
            batch=1,  # its 8-bit scales are taken over a whole batch
            strong=0.86,
            weak=0.81,
        )
    ]
