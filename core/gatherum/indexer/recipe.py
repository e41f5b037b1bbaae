"""What, besides a file's bytes, decides which passages come of it."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final, cast

from gatherum.chunking import CHUNKER
from gatherum.jsonable import dumps
from gatherum.registry import claim_of

if TYPE_CHECKING:
    from gatherum.config import Settings
    from gatherum.reader.pool import Code
    from gatherum.registry import Registry


ENDS: Final[frozenset[str]] = frozenset(("crashed", "memory", "timeout"))
"""Problems that came of reading a content, and would come again with the same content elsewhere."""
_ENDED: Final = "ended:"


class Recipes:
    """Writes and judges recipes: "handler by name | handler by content | chunker", versions included.

    Args:
        registry: The handlers in use.
        settings: How files are read and sections are cut.
    """

    def __init__(self, registry: Registry, settings: Settings) -> None:
        self._by_claim = registry.versions()
        self._by_name = {version.partition("@")[0]: version for version in self._by_claim.values()}
        every = "\n".join(sorted(self._by_name.values()))
        self._nobody = f"nobody:{blake2b(every.encode(), digest_size=6).hexdigest()}"
        self._chunker = f"{CHUNKER}:{blake2b(dumps(settings.chunking).encode(), digest_size=6).hexdigest()}"
        if registry.refiners:
            self._chunker += f":{blake2b(dumps(registry.refiners).encode(), digest_size=6).hexdigest()}"
        self._limits = f"limits:{settings.reader.seconds}:{settings.reader.memory_mb}"

    def of(self, path: str, handler: str, *, limited: bool = False, ended: Code | None = None) -> str:
        """Return the recipe of a file.

        Args:
            path: The file.
            handler: Who read it; "" if nobody did.
            limited: Whether time or memory ran out: with more of them it might come out differently.
            ended: How its reading came to nothing, when that says something about every file with this content.
        """
        read = self._limits if limited else self._by_name.get(handler, self._nobody)
        if ended:
            read = f"{_ENDED}{ended}:{self._limits}:{self._nobody}"
        return f"{self._named(path)}|{read}|{self._chunker}"

    def holds(self, path: str, recipe: str) -> bool:
        """Whether a file with this recipe would still be read and cut in the same way."""
        named, _, rest = recipe.partition("|")
        read, _, chunker = rest.partition("|")
        ended = read.startswith(_ENDED) and self.ended(recipe) is not None
        known = ended or read in (self._nobody, self._limits) or read == self._by_name.get(read.partition("@")[0])
        return named == self._named(path) and known and chunker == self._chunker

    def ended(self, recipe: str) -> tuple[str, Code] | None:
        """Return the "handler@version" by a file's name and how reading it ended; None if it would not end so now."""
        named, _, rest = recipe.partition("|")
        code, _, under = rest.partition("|")[0].removeprefix(_ENDED).partition(":")
        if under != f"{self._limits}:{self._nobody}" or code not in ENDS:
            return None
        return named, cast("Code", code)

    def orphaned(self, path: str, recipe: str) -> str:
        """Return the name of the handler that read a file, if it is gone and nobody else claims the file; else ""."""
        name, read, _ = recipe.partition("|")[2].partition("|")[0].partition("@")
        return name if read and name not in self._by_name and not self._named(path) else ""

    def _named(self, path: str) -> str:
        return self._by_claim.get(claim_of(path), "")
