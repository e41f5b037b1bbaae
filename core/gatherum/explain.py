"""Why a file is found, or is not: what the shelf has of it, and which rule or problem stands in the way."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gatherum.collection import Collection, holds
from gatherum.config import SHELF
from gatherum.errors import DocumentNotFoundError
from gatherum.nesting import on_disk
from gatherum.problems import ADVICE
from gatherum.results import Explanation
from gatherum.store.schema import literal
from gatherum.walk import Found, Skipped, walk

if TYPE_CHECKING:
    from gatherum.config import IndexSettings
    from gatherum.place import Collections
    from gatherum.resolve import Resolver
    from gatherum.results import Verdict
    from gatherum.store import Catalog, Entry
    from gatherum.walk import Rule

_RULES: Final[dict[Rule, str]] = {
    "excluded": "Change index.exclude, or for a link index.follow_links, to have it read.",
    "generated": "Such files and folders are never read.",
    "hidden": "Set index.hidden to have it read.",
    "ignored": "Take it out of the ignore file, add a line with ! to a .gatherumignore, or switch off index.gitignore.",
    "not_included": "Add a pattern for it to index.include.",
    "unpacked": "`gatherum list ARCHIVE` shows them.",
    "secret": "Files that often hold secrets are never read. Rename it if it holds none.",
}
_UP_TO_DATE: Final = "`gatherum index` brings the shelf up to date."


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A file that is asked about.

    Attributes:
        name: As it was named.
        place: Its collection, reduced to it; None if it is in none.
        entry: What the shelf has of it.
        met: What a run would meet there; None for nothing.
    """

    name: str
    place: Collection | None
    entry: Entry | None
    met: Found | Skipped | None

    @property
    def stale(self) -> bool:
        """Whether the file is not what the shelf has of it."""
        if self.entry is None:
            return False
        found = self.met
        return not isinstance(found, Found) or (found.size, found.mtime_ns) != (self.entry.size, self.entry.mtime_ns)


class Explainer:
    """Explains single files.

    Args:
        catalog: The documents of the shelf.
        collections: What it gathers.
        resolver: Looks names up.
        settings: What is gathered.
        named: Whether answers name their collection.
    """

    def __init__(
        self, catalog: Catalog, collections: Collections, resolver: Resolver, settings: IndexSettings, *, named: bool
    ) -> None:
        self._catalog = catalog
        self._collections = collections
        self._resolver = resolver
        self._settings = settings
        self._named = named

    def find(self, name: str) -> Subject:
        """Return the file on the disk, or else the document on the shelf, that *name* means.

        Raises:
            DocumentNotFoundError: There is neither, or it is a folder.
        """
        path = Path(name).expanduser().absolute()
        there = os.path.lexists(on_disk(str(path)))
        place = self._place(path) if there else None
        entry: Entry | None = None
        if place is not None:
            where = f"collection = {literal(place.name)} AND path = {literal(place.below)}"
            entry = next(iter(self._catalog.entries(where)), None)
        else:
            try:
                entry, _ = self._resolver.one(name)
            except DocumentNotFoundError:
                if not there:
                    raise
        if entry is not None and place is None and (root := self._collections.all().get(entry.collection)):
            place = Collection(name=entry.collection, root=Path(os.path.realpath(root)), below=entry.path)
        met = self._met(place) if place is not None else None
        if entry is None and path.is_dir() and not isinstance(met, Skipped):
            raise DocumentNotFoundError(f"{name} is a folder", hint="Name a file in it.")
        return Subject(name=name, place=place, entry=entry, met=met)

    def _place(self, path: Path) -> Collection | None:
        """Return the collection that a file is in; of a link, not of what it leads to."""
        parent = self._collections.locate(path.parent)
        if parent is None:
            whole = self._collections.locate(path)
            return whole if whole is not None and not whole.below else None
        return replace(parent, below=f"{parent.below}/{path.name}" if parent.below else path.name)

    def _met(self, place: Collection) -> Found | Skipped | None:
        """Walk to one file; a folder on the way that is left out is what is met."""
        for item in walk(place.root, self._settings, below=place.below):
            if item.path in ("", place.below) or holds(item.path, place.below):
                return item
        return None

    def explain(self, subject: Subject, *, vectors: int = 0) -> Explanation:
        """Say why a file is found or is not, whatever is asked.

        Args:
            subject: The file.
            vectors: How many of its passages have a vector.
        """
        entry, place = subject.entry, subject.place
        if entry is None:
            return self._absent(subject)
        verdict, reason, advice = _read(entry)
        problems = entry.file_problems(named=self._named)
        rule: str = problems[0].code if problems and verdict in ("unreadable", "unsupported", "skipped") else ""
        met = subject.met
        if isinstance(met, Skipped) and met.rule:
            reason += f"; the next run takes it off: {_why(met, entry.path)}"
            rule, advice = met.rule, _RULES[met.rule]
        elif isinstance(met, Skipped) and met.code and verdict != "skipped":
            reason, advice = f"{reason}; {_why(met, entry.path)}", ADVICE[met.code]
        elif met is None and verdict != "skipped":
            where = "its folder is no longer gathered" if place is None else "the file is gone"
            reason, advice = f"{reason}; {where}", _UP_TO_DATE
        elif subject.stale and verdict != "skipped":
            reason, advice = f"{reason}; the file has changed since", _UP_TO_DATE
        ledger = entry.ledger
        return Explanation(
            path=entry.path,
            collection=entry.collection if self._named else "",
            verdict=verdict,
            reason=reason,
            advice=advice,
            rule=rule,
            state=entry.state,
            format=entry.format,
            handler=entry.handler,
            stale=subject.stale and verdict != "skipped",
            problems=problems,
            words=ledger.words,
            searchable=ledger.searchable,
            reached=ledger.reached,
            share=ledger.share,
            passages=entry.chunks,
            vectors=vectors,
        )

    def _absent(self, subject: Subject) -> Explanation:
        place, met = subject.place, subject.met
        verdict: Verdict = "skipped"
        rule = ""
        if place is None or not self._wanted(place):
            verdict, reason = "outside", "it is in no folder that this shelf gathers"
            advice = "`gatherum index FILE` gathers it; `gatherum status` shows which folders are gathered."
        elif isinstance(met, Found):
            verdict, reason, advice = "not_indexed", "it is not on the shelf yet", "`gatherum index` gathers it."
        elif isinstance(met, Skipped):
            reason, rule = _why(met, place.below), met.rule or met.code or ""
            advice = _RULES[met.rule] if met.rule else ADVICE[met.code] if met.code else ""
        else:
            inside = SHELF in place.below.split("/")
            reason = "it belongs to a shelf" if inside else "it is not met when the folder is walked"
            advice = "Nothing in a shelf's folder is read." if inside else ""
        return Explanation(
            path=place.below if place else subject.name,
            collection=place.name if place and self._named else "",
            verdict=verdict,
            reason=reason,
            advice=advice,
            rule=rule,
        )

    def _wanted(self, place: Collection) -> bool:
        """Whether a run over everything looks at a file: of some folders only parts are gathered."""
        return any(
            each.name == place.name and (not each.below or f"{place.below}/".startswith(f"{each.below}/"))
            for each in self._collections.wanted()
        )


def _read(entry: Entry) -> tuple[Verdict, str, str]:
    """Return verdict, reason and advice for a document by how it was read."""
    first = entry.problems[0] if entry.problems else None
    message, advice = (first.message, first.advice) if first else ("it could not be read", "")
    if entry.state in ("unreadable", "unsupported", "skipped"):
        return entry.state, message, advice
    if not entry.chunks:
        return "without_text", "it was read, but there is no text in it to search", advice if first else ""
    how = "it was read" if entry.state == "read" else f"it was read in part ({message})"
    return "searchable", f"{how} and can be searched", advice if entry.state == "partial" else ""


def _why(met: Skipped, path: str) -> str:
    return met.message if met.path == path else f"the folder {met.path or '.'} is left out: {met.message}"
