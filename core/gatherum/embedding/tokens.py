"""Count tokens as the bundled model does."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_WIDE = 0x2E80
"""From this code point on (Han, kana, Hangul, ...), about one token for each letter and a half."""


class TokenCounter:
    """Counts tokens with a tokenizer file, or by an estimate when there is none.

    Args:
        folder: The folder of a model with its ``tokenizer.json``.
    """

    def __init__(self, folder: Path | None) -> None:
        file = folder / "tokenizer.json" if folder else None
        self._file = file if file and file.is_file() else None
        self._tokenizer: Any = None
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        if self._file is None:
            return [_estimate(text) for text in texts]
        with self._lock:
            if self._tokenizer is None:
                from tokenizers import Tokenizer

                self._tokenizer = Tokenizer.from_file(str(self._file))
                self._tokenizer.no_truncation()
                self._tokenizer.no_padding()
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encodings]

    def fitting(self, lines: Sequence[str], tokens: int) -> list[str]:
        """Return the first of *lines* that have no more than *tokens* together; one line in any case."""
        for at, length in enumerate(self(lines)):
            tokens -= length + 1
            if tokens < 0:
                return list(lines[: max(1, at)])
        return list(lines)


def _estimate(text: str) -> int:
    wide = sum(letter >= chr(_WIDE) for letter in text)
    return round((len(text) - wide) / 4 + wide / 1.5) + 1 if text else 0
