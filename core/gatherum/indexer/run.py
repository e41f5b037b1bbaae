"""One run over the folders of a shelf."""

from __future__ import annotations

import logging
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from gatherum.collection import qualified
from gatherum.errors import EmbedderError, ShelfError
from gatherum.indexer.build import build, refuse
from gatherum.indexer.compare import Changes, Task, compare, refusal
from gatherum.indexer.embed import EmbeddingStage
from gatherum.indexer.recipe import Recipes
from gatherum.nesting import on_disk, outermost
from gatherum.results import MOST_NAMED, FileProblem, IndexReport, Progress
from gatherum.store import file_problems
from gatherum.store.engine import give_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from gatherum.chunking.blocks import Count
    from gatherum.collection import Collection
    from gatherum.config import Settings
    from gatherum.document import Document
    from gatherum.embedding import Embedder
    from gatherum.model import EmbeddingModel
    from gatherum.reader import Reader
    from gatherum.store import DocumentRow, Store

log = logging.getLogger("gatherum")

_COMMIT_CHUNKS: Final = 2000
_COMMIT_DOCUMENTS: Final = 500
_COMMIT_SECONDS: Final = 15.0
_SCAN_STEP: Final = 200


class _Stopped(Exception):  # noqa: N818 - no error
    """The run was told to end while nothing was done yet."""


class Indexer:
    """Brings a shelf up to date with its folders. It may be stopped at any moment: the next run goes on from there.

    Args:
        store: The shelf's table, held for writing by the caller.
        settings: The shelf's settings.
        reader: Reads files.
        count: Counts tokens.
        model: The model whose vectors passages get; None for none.
        embedding: Lends that model; called only when there is something to embed.
        named: Whether problems name their collection.
        progress: Told where the run is.
        stopped: Whether the run is to end after the file, or the batch of passages, at hand.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        reader: Reader,
        count: Count,
        *,
        model: EmbeddingModel | None,
        embedding: Callable[[], AbstractContextManager[Embedder]],
        named: bool,
        progress: Callable[[Progress], None],
        stopped: Callable[[], bool],
    ) -> None:
        self._store = store
        self._settings = settings
        self._reader = reader
        self._count = count
        self._model = model
        self._embedding = embedding
        self._named = named
        self._progress = progress
        self._stopped = stopped
        self._recipes = Recipes(reader.registry, settings)
        self._done: Counter[str] = Counter()
        self._problems: list[FileProblem] = []
        self._warnings: list[str] = []
        self._touched: dict[str, None] = {}
        self._pending: list[DocumentRow] = []
        self._committed = time.monotonic()

    def run(self, collections: Sequence[Collection]) -> IndexReport:
        """Gather *collections* and return what was done."""
        start = time.monotonic()
        removed: dict[str, str] = {}
        with suppress(_Stopped):
            removed = self._gather(collections)
        stopped, done = self._stopped(), self._done
        if not stopped:
            changed = bool(done["written"] or removed or done["embedded"])
            if changed:
                self._progress(Progress(stage="optimize", done=0, total=1))
            self._store.maintain(force=changed)  # a run that was stopped may have left something to do
        return IndexReport(
            state="stopped" if stopped else "done",
            added=done["added"],
            changed=done["changed"],
            moved=done["moved"],
            removed=max(0, len(removed) - done["moved"]),
            unchanged=done["unchanged"],
            skipped=done["skipped"],
            failed=done["failed"],
            chunks=done["chunks"],
            embedded=done["embedded"],
            seconds=round(time.monotonic() - start, 3),
            documents=tuple(self._touched)[:MOST_NAMED],
            problems=tuple(sorted(self._problems, key=lambda problem: (problem.collection, problem.path))),
            warnings=tuple(self._warnings),
        )

    def _gather(self, collections: Sequence[Collection]) -> dict[str, str]:
        """Look, read, write and embed; return the content hashes of what was taken off the shelf, by document.

        Raises:
            _Stopped: The run was told to end before anything was read.
        """
        done = self._done
        changes = self._scan(collections)
        for content, named, code in (ended for _, each in changes for ended in each.ended):
            self._reader.distrust((content, named), code)
        for _, each in changes:
            done["unchanged"] += each.unchanged
            done["skipped"] += each.left_out
        for name, each in changes:
            for skipped in each.refused:
                self._take(refuse(name, skipped, refusal(skipped)))
        self._warn_of_orphans(each for _, each in changes)
        tasks = _in_order([task for _, each in changes for task in each.tasks])
        removed = {state.id: state.file_hash for _, each in changes for state in each.removed}
        gone_members: dict[tuple[str, str], list[str]] = {}
        for name, each in changes:
            for state in each.removed:
                gone_members.setdefault((name, on_disk(state.path)), []).append(state.id)
        self._read(tasks, removed, gone_members)
        self._reader.close()
        if self._stopped():
            removed = {}  # what has moved keeps its old place until its new one is read
        for name, each in changes:
            for state in each.removed:
                if state.id in removed:
                    self._note(name, state.path)
        self._commit(removed)
        if touched := [pair for _, each in changes for pair in each.touched]:
            self._store.touch(touched)
        del changes, tasks
        self._store.open()  # lets go of what the table caches while it is written
        if not self._stopped():
            self._store.maintain()  # passages that no index has yet slow down every search until all are embedded
        give_back()
        self._embed()
        return removed

    def _note(self, collection: str, path: str) -> None:
        if len(self._touched) < MOST_NAMED:
            self._touched[qualified(collection if self._named else "", path)] = None

    def _scan(self, collections: Sequence[Collection]) -> list[tuple[str, Changes]]:
        seen = 0

        def step(path: str) -> None:
            nonlocal seen
            if self._stopped():
                raise _Stopped
            seen += 1
            if seen % _SCAN_STEP == 0:
                self._progress(Progress(stage="scan", done=seen, total=0, path=path))

        changes: list[tuple[str, Changes]] = []
        for collection in collections:
            try:
                found = compare(collection, self._store, self._recipes, self._settings.index, step)
                changes.append((collection.name, found))
                if found.emptied:
                    self._warnings.append(
                        f"nothing that was gathered in {collection.root} is there any more, so all of it was taken "
                        "off the shelf; if a drive is missing, connect it and index again"
                    )
            except ShelfError as error:
                if len(collections) == 1:
                    raise
                self._warnings.append(f"{error.message}; what the shelf holds of it was kept")
        return changes

    def _warn_of_orphans(self, changes: Iterable[Changes]) -> None:
        orphaned = sum((each.orphaned for each in changes), Counter[str]())
        for handler, number in sorted(orphaned.items()):
            what = "1 document was" if number == 1 else f"{number} documents were"
            self._warnings.append(
                f"{what} read by the handler {handler!r}, which is no longer installed, and kept as found last; "
                "install its plugin again, or take them off with `gatherum remove`."
            )

    def _read(
        self, tasks: Sequence[Task], removed: dict[str, str], gone_members: dict[tuple[str, str], list[str]]
    ) -> None:
        """Read files; what an archive holds is written, and what it no longer holds taken off, in one commit."""
        gone = Counter(removed.values())
        group: list[tuple[Task, DocumentRow]] = []
        paths = (task.collection.full(task.found.path) for task in tasks)
        documents = self._reader.read(paths, (task.file_hash for task in tasks))
        for number, (task, document) in enumerate(zip(tasks, documents, strict=True), 1):
            group.append((task, build(task, document, self._count, self._settings.chunking, self._recipes)))
            if number == len(tasks) or _file(tasks[number]) != _file(task):
                for each, row in group:
                    self._done[self._outcome(each, row.document, gone)] += 1
                    self._note(row.collection, row.path)
                    self._keep(row)
                group = []
                off = gone_members.get(_file(task), ()) if outermost(task.found.path)[1] else ()
                self._write_if_due({doc: removed[doc] for doc in off})
            self._progress(Progress(stage="read", done=number, total=len(tasks), path=task.found.path))
            if self._stopped():
                return

    def _outcome(self, task: Task, document: Document, gone: Counter[str]) -> str:
        if document.state == "unsupported" or _is_empty(document):
            return "skipped"
        if document.state == "unreadable":
            return "failed"
        if task.known:
            return "changed"
        if gone[task.file_hash] > 0:
            gone[task.file_hash] -= 1
            return "moved"
        return "added"

    def _take(self, row: DocumentRow) -> None:
        """Put a document among those to be written, and write them when there are enough."""
        self._keep(row)
        self._write_if_due({})

    def _keep(self, row: DocumentRow) -> None:
        collection = row.collection if self._named else ""
        self._problems += file_problems(row.document.problems, path=row.path, collection=collection)
        self._done["written"] += 1
        if row.document.state == "skipped":
            self._done["skipped"] += 1
        self._pending.append(row)

    def _write_if_due(self, removed: dict[str, str]) -> None:
        late = time.monotonic() - self._committed > _COMMIT_SECONDS
        if late or removed or len(self._pending) >= _COMMIT_DOCUMENTS or self._waiting_chunks >= _COMMIT_CHUNKS:
            self._commit(removed)

    @property
    def _waiting_chunks(self) -> int:
        return sum(len(row.chunks) for row in self._pending)

    def _commit(self, removed: dict[str, str] | None = None) -> None:
        self._done["chunks"] += self._store.write(
            self._pending, removed or {}, model=self._model.id if self._model else ""
        )
        self._pending = []
        if not self._stopped():
            self._store.catch_up()
        give_back()
        self._committed = time.monotonic()

    def _embed(self) -> None:
        """Give every passage on the shelf that has none its vector; the shelf can be searched all the while."""
        if self._model is None:
            return
        stage = EmbeddingStage(
            self._store, self._model, self._embedding, progress=self._progress, stopped=self._stopped
        )
        try:
            stage.run()
        except EmbedderError as error:
            self._warnings.append(f"{error.message}. {error.hint}".strip())
        self._done["embedded"] = stage.done
        give_back()


def _file(task: Task) -> tuple[str, str]:
    """Return the file on the disk that a task is about, or lies in."""
    return task.collection.name, on_disk(task.found.path)


def _in_order(tasks: Sequence[Task]) -> list[Task]:
    """Small files first, so that one huge file keeps nobody waiting; what one archive holds stays together."""
    sizes: Counter[tuple[str, str]] = Counter()
    for task in tasks:
        sizes[_file(task)] += task.found.size
    return sorted(tasks, key=lambda task: (sizes[_file(task)], _file(task), task.found.size))


def _is_empty(document: Document) -> bool:
    """Whether there was nothing to read, which is no failure."""
    return not document.sections and {problem.code for problem in document.problems} == {"empty"}
