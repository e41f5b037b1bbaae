"""The facade: everything that can be done with a shelf."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from gatherum import __version__
from gatherum.collection import holds
from gatherum.errors import DocumentNotFoundError, ShelfBusyError
from gatherum.explain import Explainer
from gatherum.indexer import Indexer
from gatherum.nesting import outermost
from gatherum.obstacles import Obstacles
from gatherum.place import Collections, Place, distinct, find_place
from gatherum.query import Filter, parse_query
from gatherum.resolve import Resolver
from gatherum.resources import Resources
from gatherum.results import (
    CollectionInfo,
    DocumentInfo,
    Explanation,
    IndexReport,
    Mode,
    Outline,
    Progress,
    Reading,
    SearchResult,
    Status,
)
from gatherum.store import Catalog, Entry, Store
from gatherum.store.schema import literal
from gatherum.walk import Found

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Iterator

    from gatherum.config import Settings
    from gatherum.document import Document
    from gatherum.embedding.embedder import Vectors
    from gatherum.query import Field

StrPath = str | os.PathLike[str]


class Shelf:
    """The index of one project: what was gathered, and the settings by which it is.

    Searching and reading may be done by any number of processes and threads at once; one process at a time writes.
    Nothing is loaded before it is needed.

    Args:
        place: The shelf's folder and settings.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self._collections = Collections(place)
        self._resources = Resources(place)

    def __repr__(self) -> str:
        return f"Shelf({str(self.place.folder)!r})"

    @classmethod
    def open(cls, path: StrPath) -> Shelf:
        """Return the shelf in the folder *path*; it is made when something is added to it.

        Raises:
            ConfigError: A setting that holds there is wrong.
        """
        folder = Path(path).expanduser().absolute()
        return cls(find_place(folder.parent, shelf=folder))

    @classmethod
    def find(cls, start: StrPath = ".") -> Shelf:
        """Return the shelf of the project that *start* is in: the nearest at or above it.

        Raises:
            ConfigError: A setting that holds there is wrong.
        """
        return cls(find_place(Path(start).expanduser().absolute()))

    @property
    def settings(self) -> Settings:
        """The settings that hold."""
        return self.place.settings

    @property
    def collections(self) -> dict[str, Path]:
        """The gathered folders by the name of their collection."""
        return self._collections.all()

    def gathers(self, path: StrPath) -> bool:
        """Return whether a file or folder is among what the shelf gathers, wherever links lead."""
        real = Path(os.path.realpath(path))
        return any(
            real.is_relative_to(each.root) and holds(each.below, real.relative_to(each.root).as_posix())
            for each in self._collections.wanted()
        )

    # -- gathering -----------------------------------------------------------------------------------------------------

    def add(
        self,
        *paths: StrPath,
        progress: Callable[[Progress], None] | None = None,
        stop: threading.Event | None = None,
    ) -> IndexReport:
        """Bring the shelf up to date with files and folders; files without changes are not read again.

        Args:
            paths: Files and folders; none for all that the shelf gathers already.
            progress: Told where the run is.
            stop: Ends the run after the file, or the batch of passages, at hand when it is set.

        Returns:
            What was done; ``state`` is "busy", and nothing was done, while another process is writing, and "stopped"
            after *stop*.

        Raises:
            ShelfError: A folder is not there, or the shelf cannot be written.
        """
        named = [self._collections.add(Path(path).expanduser().absolute()) for path in paths]
        wanted = distinct(named) if paths else self._collections.everything()
        model, warnings = self._resources.model()
        store = self._resources.store(create=True)
        with self._resources.reader() as reader:
            try:
                with store.writing():
                    indexer = Indexer(
                        store,
                        self.settings,
                        reader,
                        self._resources.count,
                        model=model,
                        embedding=self._resources.embedding,
                        named=self._named,
                        progress=progress or (lambda _: None),
                        stopped=stop.is_set if stop else (lambda: False),
                    )
                    report = indexer.run(wanted)
                    if not paths and report.state == "done" and (forgotten := self._forget(store)):
                        report = replace(report, removed=report.removed + forgotten)
            except ShelfBusyError as error:
                return IndexReport(state="busy", warnings=(f"{error.message}. {error.hint}",))
        return _with_warnings(report, warnings)

    def remove(self, *names: StrPath) -> int:
        """Take documents, or whole collections, off the shelf; return how many documents.

        Files on the disk stay. A document whose file is still in a gathered folder comes back with the next run.

        Args:
            names: Collections, folders and documents as hits name them.

        Raises:
            DocumentNotFoundError: The shelf has nothing of this name.
        """
        store, resolver = self._resources.store(), self._resolver
        with store.writing():
            doomed = {entry.doc: entry for name in names for entry in resolver.several(os.fspath(name))}
            Catalog(store).remove(list(doomed.values()))
            for name in names:
                self._collections.remove(os.fspath(name))
        return len(doomed)

    # -- finding and reading -------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        mode: Mode | None = None,
        limit: int | None = None,
        per_file: int | None = None,
        max_tokens: int = 0,
        under: StrPath | None = None,
        path: str = "",
        formats: Iterable[str] = (),
        collection: str = "",
    ) -> SearchResult:
        """Return the best passages for a query.

        Args:
            query: Words, "phrases", -exclusions and field:value conditions; see `gatherum.query`.
            mode: ``hybrid``, ``keyword`` or ``semantic``; by default what the settings say.
            limit: How many hits at most.
            per_file: How many hits of one document at most; 0 for any number.
            max_tokens: How long all hits may be together; 0 for any length.
            under: Only documents in this gathered folder.
            path: Only documents whose path matches this glob, as ``path:`` in a query.
            formats: Only these formats; all if there is none.
            collection: Only this collection; "" for all.

        Raises:
            QueryError: The query cannot be understood.
            DocumentNotFoundError: *under* is not in a gathered folder.
            ShelfNotFoundError: Nothing was ever gathered here.
        """
        _, warnings = self._resources.model()
        defaults = self.settings.search
        result = self._resources.searcher(named=self._named).search(
            query,
            mode=mode or cast("Mode", defaults.mode),
            limit=limit or defaults.limit,
            per_file=defaults.per_file if per_file is None else per_file,
            max_tokens=max_tokens,
            filters=(
                *(self._within(under) if under is not None else ()),
                *_conditions(path=path, format=",".join(formats), collection=collection),
            ),
        )
        return _with_warnings(result, warnings)

    def read(self, name: str, *, line: int | None = None, lines: int | None = None, max_tokens: int = 0) -> Reading:
        """Return a document's text as it was gathered, or a window of it.

        Args:
            name: A document's path or id, a hit's id (the window starts at the hit), or "path#line".
            line: The first line of the window, from 1.
            lines: How many lines; by default all.
            max_tokens: How long the window may be; 0 for any length. One line is always given.

        Raises:
            DocumentNotFoundError: The shelf has nothing of this name; the hint says what was perhaps meant.
        """
        entry, at = self._resolver.one(name)
        text, metadata = self._resources.catalog.content(entry)
        every = text.rstrip("\n").split("\n") if text else []
        start = max(1, min(line or at, max(1, len(every))))
        window = every[start - 1 : None if lines is None else start - 1 + max(1, lines)]
        if max_tokens:
            window = self._resources.count.fitting(window, max_tokens)
        return Reading(
            id=entry.doc,
            path=entry.path,
            collection=self._shown(entry),
            title=entry.title,
            text="\n".join(window),
            start=start,
            end=start + max(0, len(window) - 1),
            lines=len(every),
            metadata=metadata,
            stale=self._stale(entry),
        )

    def outline(self, name: str) -> Outline:
        """Return a document's headings.

        Args:
            name: As for `read`.

        Raises:
            DocumentNotFoundError: The shelf has nothing of this name.
        """
        entry, _ = self._resolver.one(name)
        catalog = self._resources.catalog
        text, _ = catalog.content(entry)
        return Outline(
            path=entry.path,
            collection=self._shown(entry),
            title=entry.title,
            lines=text.rstrip("\n").count("\n") + 1 if text else 0,
            sections=catalog.outline(entry),
        )

    def list_documents(self, pattern: str = "", *, format: str = "") -> tuple[DocumentInfo, ...]:  # noqa: A002 - as in results
        """Return the documents on the shelf, sorted by place.

        Args:
            pattern: A glob for their paths; "" for all.
            format: Only this format, or one of these: "docx", "docx,pdf".
        """
        found, named = [], self._named
        wanted = {name.strip().removeprefix(".") for name in format.lower().split(",")} - {""}
        for entry in self._resources.catalog.entries("state IN ('read', 'partial')"):
            if pattern and not (fnmatch(entry.path, pattern) or holds(pattern.rstrip("/"), entry.path)):
                continue
            if wanted and not wanted & {entry.format, entry.handler}:
                continue
            found.append(
                DocumentInfo(
                    id=entry.doc,
                    path=entry.path,
                    collection=entry.collection if named else "",
                    title=entry.title,
                    format=entry.format,
                    state=entry.state,
                    bytes=entry.size,
                    modified=_iso(entry.mtime_ns),
                    chunks=entry.chunks,
                )
            )
        return tuple(found)

    def status(self, *, problems: bool = False) -> Status:
        """Return the state of the shelf.

        Args:
            problems: Whether to list everything that could not be read, or cannot be searched.
        """
        store = self._resources.store()
        model, warnings = self._resources.model()
        entries = Catalog(store).entries()
        named = self._named
        readable = [entry for entry in entries if entry.state in ("read", "partial")]
        missing, total = self._resources.searches.coverage(model.id if model else "")
        if model and missing:
            warnings = (*warnings, f"{missing} of {total} passages have no vector yet; `gatherum index` embeds them.")
        return Status(
            shelf=str(self.place.folder),
            collections=tuple(
                CollectionInfo(name=name, root=str(root), documents=sum(entry.collection == name for entry in readable))
                for name, root in self._collections.all().items()
            ),
            documents=len(readable),
            chunks=total,
            embedded=total - missing if model else 0,
            model=model.name if model else "",
            semantic=model is not None and missing < total,
            formats=dict(sorted(Counter(entry.format for entry in readable).items())),
            problem_files=sum(bool(entry.problems) for entry in entries),
            indexed=max((entry.indexed for entry in entries), default=""),
            bytes=store.bytes,
            version=__version__,
            problems=tuple(p for e in entries for p in e.file_problems(named=named)) if problems else (),
            losses=tuple(e.loss(named=named) for e in readable if e.ledger.share < 1) if problems else (),
            warnings=warnings,
        )

    def why(self, name: StrPath, query: str = "") -> Explanation:
        """Explain why a file is found, or is not.

        Args:
            name: A file on the disk, or a document as for `read`.
            query: Say also what keeps it from being found by this query.

        Raises:
            DocumentNotFoundError: There is no such file or document, or it is a folder.
            QueryError: The query cannot be understood.
        """
        store, catalog = self._resources.store(), self._resources.catalog
        explainer = Explainer(catalog, self._collections, self._resolver, self.settings.index, named=self._named)
        subject = explainer.find(os.fspath(name))
        entry, (model, _) = subject.entry, self._resources.model()
        vectors = 0
        if entry is not None and model is not None:
            vectors = store.count(f"doc = {literal(entry.doc)} AND ordinal >= 0 AND model = {literal(model.id)}")
        explanation = explainer.explain(subject, vectors=vectors)
        if entry is None or not query.strip():
            return replace(explanation, query=query)
        file = subject.place.full(entry.path) if subject.place and isinstance(subject.met, Found) else ""
        obstacles = Obstacles(
            store,
            catalog,
            self._resources.searcher(named=self._named),
            mode=cast("Mode", self.settings.search.mode),
            limit=self.settings.search.limit,
            reread=(lambda: self._reread(file)) if file else None,
        )
        matches, found = obstacles.of(entry, query)
        return replace(explanation, query=query, matches=matches, obstacles=found)

    def query_vector(self, text: str) -> Vectors:
        """Return the vector of a text taken as a query.

        Raises:
            EmbedderError: There is no embedding model, or it cannot be loaded.
        """
        return self._resources.embedder().query(text)

    def count_tokens(self, text: str) -> int:
        """Return the length of a text in tokens of the bundled model."""
        return self._resources.count([text])[0]

    def warm(self) -> None:
        """Load what a search needs, so that the first one is as fast as the next."""
        self._resources.warm()

    def check(self) -> int:
        """Read a row and ask the keyword index, as a search would: counting rows succeeds on a damaged table too.

        Returns:
            The table's version, which grows with each commit.

        Raises:
            ShelfNotFoundError: Nothing was ever gathered here.
            ShelfError: The shelf is damaged.
        """
        self._resources.store().scan(["id"], limit=1)
        self._resources.searches.by_keyword(parse_query("gatherum"), limit=1)
        return self._resources.store().version

    # -- the parts of the above ---------------------------------------------------------------------------------------

    def _reread(self, file: str) -> Document:
        with self._resources.reader() as reader:
            return next(iter(reader.read([file])))

    @property
    def _resolver(self) -> Resolver:
        return Resolver(self._resources.catalog, self._collections.all())

    @property
    def _named(self) -> bool:
        return len(self._collections.all()) > 1

    def _shown(self, entry: Entry) -> str:
        return entry.collection if self._named else ""

    def _stale(self, entry: Entry) -> bool:
        root = self._collections.all().get(entry.collection)
        try:
            file, member = outermost(os.path.join(root or "", entry.path))  # noqa: PTH118 - as it is stored
            status = os.stat(file)  # noqa: PTH116
        except OSError:
            return True
        size = entry.size if member else status.st_size
        return (size, status.st_mtime_ns) != (entry.size, entry.mtime_ns)

    def _within(self, folder: StrPath) -> tuple[Filter, ...]:
        located = self._collections.locate(Path(folder).expanduser().absolute())
        if located is None:
            raise DocumentNotFoundError(
                f"{os.fspath(folder)} is not in a gathered folder", hint="`gatherum status` shows which those are."
            )
        of_collection = Filter(field="collection", value=located.name)
        return (of_collection, Filter(field="under", value=located.below)) if located.below else (of_collection,)

    def _forget(self, store: Store) -> int:
        """Take off the shelf what belongs to collections that are no more; return how many documents."""
        catalog = Catalog(store)
        orphans = catalog.outside(self._collections.all())
        catalog.remove(orphans)
        return len(orphans)


_Result = TypeVar("_Result", IndexReport, SearchResult)


def _with_warnings(result: _Result, warnings: tuple[str, ...]) -> _Result:
    return replace(result, warnings=(*result.warnings, *warnings)) if warnings else result


def _conditions(**values: str) -> Iterator[Filter]:
    """Give a condition for each value that is not empty."""
    for name, value in values.items():
        if value.strip():
            yield Filter(field=cast("Field", name), value=value)


def _iso(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC).isoformat(timespec="seconds")
