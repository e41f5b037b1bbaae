"""The exceptions that gatherum raises to its callers.

    GatherumError
    ├── ConfigError          a setting is unknown or has a wrong value
    ├── DocumentNotFoundError  a name or id that the shelf does not hold
    ├── EmbedderError        no vectors can be made; keyword search goes on without them
    ├── QueryError           a query that cannot be understood
    ├── ShelfError           a shelf cannot be opened or written
    │   ├── ShelfBusyError     another process is writing to it
    │   └── ShelfNotFoundError there is no shelf here
    └── UnreadableError      a whole source cannot be read; the registry turns it into a problem

Each says what happened and, in ``hint``, what to do about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gatherum.problems import Code


class GatherumError(Exception):
    """The base of every error below; ``str()`` is a sentence for people.

    Args:
        message: What happened, to which file or setting.
        hint: What to do about it; may be empty.
    """

    code = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(GatherumError):
    """A setting is unknown or has a wrong value."""

    code = "config"


class DocumentNotFoundError(GatherumError):
    """The shelf has no such document or passage."""

    code = "not_found"


class EmbedderError(GatherumError):
    """No embedding model could be loaded, or it failed."""

    code = "embedder"


class QueryError(GatherumError):
    """A query cannot be understood."""

    code = "query"


class ShelfError(GatherumError):
    """A shelf cannot be opened or written."""

    code = "shelf"


class ShelfBusyError(ShelfError):
    """Another process is writing to this shelf."""

    code = "busy"


class ShelfNotFoundError(ShelfError):
    """There is no shelf at this place."""

    code = "no_shelf"


class UnreadableError(GatherumError):
    """A whole source cannot be read.

    Handlers and guards raise it with a problem code; the registry records it. Raised out of a generator that has
    already yielded sections, it makes the document partial.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code

    def __reduce__(self) -> tuple[type[UnreadableError], tuple[Code, str]]:
        return (type(self), (self.code, self.message))
