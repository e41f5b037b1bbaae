"""Turn bytes into text, and text into clean text."""

from gatherum.text.binary import is_binary
from gatherum.text.cleaning import clean, fold
from gatherum.text.decoding import Decoded, decode

__all__ = ["Decoded", "clean", "decode", "fold", "is_binary"]
