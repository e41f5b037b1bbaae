"""What gatherum needs to know about an embedding model to use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """An embedding model that fastembed can load.

    Attributes:
        name: How settings name it.
        version: Vectors of different versions are never compared.
        folder: Where its files are; None for a model that fastembed fetches by name.
        file: The ONNX file in that folder.
        dimensions: The length of a vector.
        max_tokens: The longest text it sees, in its own tokens.
        query_prefix: Put before a query.
        passage_prefix: Put before a passage.
        pooling: What fastembed must do with the output; "none" when the graph does it.
        normalize: Whether fastembed must bring vectors to length 1.
        weight: The weight of its ranks beside keyword ranks in fusion.
        scripts: The Unicode scripts that it was trained on; None for all. Queries in others are searched by keyword.
        batch: Texts per call; 1 where a vector depends on its batch mates.
        strong: The cosine from which a passage is a strong match.
        weak: The cosine below which a passage is no match at all.
    """

    name: str
    dimensions: int
    version: str = "1"
    folder: Path | None = None
    file: str = "model.onnx"
    max_tokens: int = 512
    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: Literal["none", "mean", "cls"] = "mean"
    normalize: bool = True
    weight: float = 0.7
    scripts: frozenset[str] | None = None
    batch: int = 16
    strong: float = 0.6
    weak: float = 0.3

    @property
    def id(self) -> str:
        """What stands beside each vector made with it."""
        return f"{self.name}@{self.version}"
