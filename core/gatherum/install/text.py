"""Texts and changes to them."""

from __future__ import annotations

from dataclasses import dataclass


class BrokenError(ValueError):
    """A settings file cannot be understood.

    Args:
        message: What was met.
        line: The line, from 1.
        column: The character in it, from 1.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")


class UneditableError(ValueError):
    """A settings file is sound but holds something where an entry cannot be put."""


def broken_at(text: str, offset: int, message: str) -> BrokenError:
    """Return the error for an offset in a text."""
    return BrokenError(message, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One stretch of a text replaced by another.

    Attributes:
        at: Where, in characters from the start.
        old: What was there.
        new: What is there now.
    """

    at: int
    old: str
    new: str

    def apply(self, text: str) -> str:
        """Return the text with the change."""
        return text[: self.at] + self.new + text[self.at + len(self.old) :]

    def undo(self, text: str) -> str | None:
        """Return the text without the change, or None if what was written is no longer there as it was."""
        if not self.new:
            return None
        at = self.at if text.startswith(self.new, self.at) else text.find(self.new)
        if at < 0 or (at != self.at and text.find(self.new, at + 1) >= 0):
            return None
        return text[:at] + self.old + text[at + len(self.new) :]


def newline_of(text: str) -> str:
    """Return how the lines of a text end."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
