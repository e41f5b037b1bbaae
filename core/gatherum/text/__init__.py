"""Turn bytes into text, and text into clean text."""

from typing import TYPE_CHECKING

from gatherum.text.binary import is_binary
from gatherum.text.cleaning import clean, fold

if TYPE_CHECKING:
    from gatherum.text.decoding import Decoded, decode

__all__ = ["Decoded", "clean", "decode", "fold", "is_binary"]


def __getattr__(name: str) -> object:
    """Load decoding with its statistics on first use: commands that read no file do without it."""
    if name in ("Decoded", "decode"):
        from gatherum.text import decoding

        return getattr(decoding, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
