"""Open, write and keep the table."""

from __future__ import annotations

import datetime as dt
import json
import logging
import os
import shutil
import socket
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from gatherum.errors import ShelfBusyError, ShelfError, ShelfNotFoundError
from gatherum.store.engine import lancedb
from gatherum.store.rows import DOCUMENT, FileState, document_id
from gatherum.store.schema import STATE_COLUMNS, TABLE, VERSION, literal, schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from gatherum.embedding.embedder import Vectors
    from gatherum.store.rows import DocumentRow
    from gatherum.walk import Found

log = logging.getLogger("gatherum")

UNINDEXED_ROWS: Final = 250
"""So many rows that the index of words does not have are searched one by one; each takes 40 microseconds."""

_KEEP: Final = dt.timedelta(minutes=10)
_FRAGMENTS: Final = 20
_VECTOR_INDEX_FROM: Final = 4_000
_QUANTIZE_FROM: Final = 20_000
_SEGMENTS: Final = 8
_LOOKUP: Final = 1000
_FTS: Final = {"base_tokenizer": "icu/split", "remove_stop_words": False, "stem": True, "with_position": True}


class Store:
    """The table of one shelf. Many processes may read it at any time; one at a time writes, under `writing`.

    Args:
        folder: The shelf's folder.
        create: Whether to make the folder (for this user only) and the table if they are not there.
        dimensions: The length of vectors in a table that is made now.

    Raises:
        ShelfNotFoundError: There is no shelf, and none is to be made.
        ShelfError: The folder cannot be used.
    """

    def __init__(self, folder: Path, *, create: bool = False, dimensions: int = 384) -> None:
        self.folder = folder
        try:
            str(folder).encode()
        except UnicodeEncodeError:
            shown = str(folder).encode(errors="replace").decode()
            raise ShelfError(
                f"the shelf cannot be in {shown}: the name is not valid UTF-8", hint="Set shelf.path to another folder."
            ) from None
        if create:
            self._make_folder()
        elif not (folder / "db").is_dir():
            raise ShelfNotFoundError(f"there is no shelf in {folder}", hint="Run `gatherum index FOLDER` first.")
        self.table: Any = None
        self.open(create=create, dimensions=dimensions)

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            ignore = self.folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
            self._probe()
        except OSError as error:
            where = f"{self.folder}: {error.strerror or error}"
            raise ShelfError(
                f"the shelf cannot be written in {where}", hint="Set shelf.path to another folder."
            ) from None

    def _probe(self) -> None:
        """Make sure that the file system has hard links: LanceDB commits by them."""
        probe, link = self.folder / f"probe-{os.getpid()}", self.folder / f"probe-{os.getpid()}-link"
        try:
            probe.touch()
            os.link(probe, link)
        finally:
            link.unlink(missing_ok=True)
            probe.unlink(missing_ok=True)

    def open(self, *, create: bool = False, dimensions: int = 384) -> None:
        """Open the table again, which lets go of the files of indexes that are no more."""
        try:
            database = lancedb().connect(str(self.folder / "db"), read_consistency_interval=dt.timedelta(0))
            if TABLE in database.list_tables().tables:
                self.table = database.open_table(TABLE)
                if create:
                    self._complete()
            elif create:
                self.table = database.create_table(TABLE, schema=schema(dimensions))
                self._complete()
            else:
                raise ShelfNotFoundError(f"there is no shelf in {self.folder}", hint="Run `gatherum index` first.")
        except (RuntimeError, ValueError, OSError) as error:
            raise ShelfError(
                f"the shelf in {self.folder} cannot be opened: {str(error).splitlines()[0].split(', /')[0]}",
                hint="It is made from your files: delete the folder and index again.",
            ) from None
        found = (self.table.schema.metadata or {}).get(b"gatherum", b"").decode()
        if found != VERSION:
            raise ShelfError(
                f"the shelf in {self.folder} was written by another version of gatherum",
                hint="It is made from your files: delete the folder and index again.",
            )

    def _complete(self) -> None:
        """Give the table its key and its indexes; a run that was killed while it made the table left some out."""
        from lancedb.index import FTS, Bitmap, BTree

        kinds = {**dict.fromkeys(("id", "doc", "text_hash"), BTree()), "format": Bitmap(), "fts": FTS(**_FTS)}
        there = {index.columns[0] for index in self.table.list_indices()}
        if there >= kinds.keys():
            return
        if not there:
            with suppress(ValueError):  # it has one already, and the run was killed just after that
                self.table.set_unenforced_primary_key(["id"])
        for column in kinds.keys() - there:
            self.table.create_index(column, config=kinds[column])

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the shelf for writing.

        Raises:
            ShelfBusyError: Another process holds it; the message says which.
        """
        from filelock import FileLock, Timeout

        holder = self.folder / "writer.json"
        lock = FileLock(self.folder / "writer.lock", mode=0o600)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise ShelfBusyError(
                f"the shelf is being written by {_holder(holder)}", hint="Wait until it is done."
            ) from None
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            holder.write_text(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}), encoding="utf-8")
            yield
        except OSError as error:
            raise self._unwritable(error) from None
        except RuntimeError as error:
            if "lance" not in str(error).lower():
                raise
            raise self._unwritable(error) from None
        finally:
            with suppress(OSError):
                holder.unlink(missing_ok=True)
            lock.release()

    def _unwritable(self, error: Exception) -> ShelfError:
        """Say in a sentence what LanceDB or the system complains of."""
        if "No space left" in str(error):
            return ShelfError(
                f"there is no space left for the shelf in {self.folder}",
                hint="What was committed is kept. Make room, then run `gatherum index` again.",
            )
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0].split(", /")[0]
        return ShelfError(
            f"the shelf in {self.folder} cannot be written: {reason}",
            hint="It is made from your files: if this stays so, delete the folder and index again.",
        )

    # -- what is there -------------------------------------------------------------------------------------------------

    @property
    def dimensions(self) -> int:
        """The length of the table's vectors."""
        return int(self.table.schema.field("vector").type.list_size)

    @property
    def version(self) -> int:
        """The table's version, which grows with each commit."""
        return int(self.table.version)

    @property
    def quantized(self) -> bool:
        """Whether vectors are indexed by short codes, so that what is found by them must be compared exactly."""
        index = self._indexes.get("vector")
        return index is not None and _is_quantized(index)

    @property
    def behind(self) -> int:
        """How many rows the index of words does not have yet."""
        return self._indexes["fts"].num_unindexed_rows or 0

    @property
    def _indexes(self) -> dict[str, Any]:
        return {index.columns[0]: index for index in self.table.list_indices()}

    def scan(self, columns: Sequence[str], where: str | None = None, limit: int | None = None) -> list[dict[str, Any]]:
        """Return rows in no particular order.

        Raises:
            ShelfError: The shelf is damaged.
        """

        def run() -> list[dict[str, Any]]:
            search = self.table.search()
            if where:
                search = search.where(where)
            if limit is not None:
                search = search.limit(limit)
            rows: list[dict[str, Any]] = search.select(list(columns)).to_list()
            return rows

        return self.patiently(run)

    def patiently(self, run: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
        """Run a search; once more if another process has tidied away the files that it was reading.

        Raises:
            ShelfError: The shelf is damaged.
        """
        try:
            return run()
        except RuntimeError as error:
            if "Not found" not in str(error):
                raise self._damaged(error) from None
        self.open()
        try:
            return run()
        except RuntimeError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> ShelfError:
        return ShelfError(
            f"the shelf in {self.folder} is damaged: {str(error).splitlines()[0]}",
            hint="It is made from your files: delete the folder and index again.",
        )

    def count(self, where: str) -> int:
        """Return how many rows meet a condition."""
        try:
            return int(self.table.count_rows(where))
        except RuntimeError as error:
            raise self._damaged(error) from None

    def states(self, collection: str) -> dict[str, FileState]:
        """Return what is known of each file of a collection, by path."""
        where = f"ordinal = {DOCUMENT} AND collection = {literal(collection)}"
        rows = self.scan(STATE_COLUMNS, where)
        return {row["path"]: FileState(id=row.pop("doc"), **row) for row in rows}

    # -- writing -------------------------------------------------------------------------------------------------------

    def write(self, documents: Sequence[DocumentRow], removed: Collection[str] = (), *, model: str = "") -> int:
        """Put documents on the shelf, and take others off, in one commit; return how many passages were written.

        Readers see each document as it was or as it is, never a part of it. Passages whose text is on the shelf
        already keep their vector.

        Args:
            documents: The documents, whole.
            removed: Ids of documents that are gone.
            model: The embedding model whose vectors are kept.
        """
        import pyarrow as pa

        now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        rows = {row["id"]: row for document in documents for row in document.rows(now)}
        vectors = self._known_vectors({row["text_hash"] for row in rows.values() if "text_hash" in row}, model)
        for row in rows.values():
            if vector := vectors.get(row.get("text_hash", "")):
                row["vector"], row["model"] = vector, model
        replaced = {document_id(document.collection, document.path) for document in documents} | set(removed)
        if not replaced:
            return 0
        table = pa.Table.from_pylist(list(rows.values()), schema=self.table.schema)
        doomed = f"doc IN ({', '.join(map(literal, sorted(replaced)))})"
        merge = self.table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        merge.when_not_matched_by_source_delete(doomed).execute(table, on_bad_vectors="null")
        return len(rows) - len(documents)

    def _known_vectors(self, hashes: set[str], model: str) -> dict[str, list[float]]:
        if not model:
            return {}
        known: dict[str, list[float]] = {}
        every = sorted(hashes)
        for at in range(0, len(every), _LOOKUP):
            some = ", ".join(map(literal, every[at : at + _LOOKUP]))
            where = f"text_hash IN ({some}) AND model = {literal(model)} AND vector IS NOT NULL"
            known.update((row["text_hash"], row["vector"]) for row in self.scan(("text_hash", "vector"), where))
        return known

    def touch(self, documents: Sequence[tuple[str, Found]]) -> None:
        """Note that files have new stat values but their old content, in one commit."""
        import pyarrow as pa

        full = self.table.schema
        wanted = pa.schema([full.field(name) for name in ("id", "size", "mtime_ns", "ctime_ns", "inode")])
        rows = [
            {"id": key, "size": f.size, "mtime_ns": f.mtime_ns, "ctime_ns": f.ctime_ns, "inode": f.inode}
            for key, f in documents
        ]
        self.table.merge_insert("id").when_matched_update_all().execute(pa.Table.from_pylist(rows, schema=wanted))

    def without_vector(self, model: str, limit: int) -> list[dict[str, Any]]:
        """Return id, context and text of up to *limit* passages that have no vector of *model*."""
        return self.scan(("id", "context", "text"), self.lacks_vector(model), limit)

    @staticmethod
    def lacks_vector(model: str) -> str:
        """Return the condition for passages that have no vector of *model*."""
        return f"ordinal >= 0 AND (model IS NULL OR model <> {literal(model)})"

    def set_vectors(self, ids: Sequence[str], vectors: Sequence[Vectors | None], model: str) -> None:
        """Give passages their vectors, or note that *model* has none for them, in one commit."""
        import pyarrow as pa

        full = self.table.schema
        wanted = pa.schema([full.field(name) for name in ("id", "vector", "model")])
        columns = [pa.array(ids), pa.array(vectors, wanted.field("vector").type), pa.array([model] * len(ids))]
        given = pa.Table.from_arrays(columns, schema=wanted)
        self.table.merge_insert("id").when_matched_update_all().execute(given, on_bad_vectors="null")

    def reset_vectors(self, dimensions: int) -> None:
        """Make room for vectors of another length; all passages lose theirs."""
        import pyarrow as pa

        self.table.drop_columns(["vector", "model"])
        self.table.add_columns(pa.schema([("vector", pa.list_(pa.float32(), dimensions)), ("model", pa.string())]))

    # -- maintenance ---------------------------------------------------------------------------------------------------

    def maintain(self, *, force: bool = False) -> None:
        """Bring the indexes up to date and drop versions older than ten minutes, when enough has changed."""
        behind = self.behind
        self._index_vectors(self._indexes.get("vector"))
        fragments = self.table.stats()["fragment_stats"]["num_fragments"]
        if not force and behind <= UNINDEXED_ROWS and fragments <= _FRAGMENTS:
            return
        if shutil.disk_usage(self.folder).free < 2 * self.bytes:
            log.warning("too little free space to tidy the shelf in %s", self.folder)
            return
        try:
            self.table.optimize(cleanup_older_than=_KEEP)
        except RuntimeError as error:
            log.warning("the shelf in %s could not be tidied: %s", self.folder, str(error).splitlines()[0])
        self.open()

    def catch_up(self) -> None:
        """Do the same in the middle of a long run, when what has been written is a tenth of the table."""
        if self.behind > max(4 * UNINDEXED_ROWS, self.table.count_rows() // 10):
            self.maintain()

    def _index_vectors(self, index: Any) -> None:
        """Index the vectors when there are many; again when the index has fallen into too many parts.

        Of some thousands it holds the vectors themselves, in one partition: what it finds is exact, and found without
        reading the table. Of more it holds short codes, which only vectors whose length is a multiple of 8 have.
        """
        from lancedb.index import IvfFlat, IvfRq

        rows = self.table.count_rows()
        exact = rows < _QUANTIZE_FROM or self.dimensions % 8 != 0
        if index is not None and (index.num_segments or 0) <= _SEGMENTS and exact != _is_quantized(index):
            return
        if rows < _VECTOR_INDEX_FROM or self.count("vector IS NOT NULL") < _VECTOR_INDEX_FROM:
            return
        kind = IvfFlat(num_partitions=1, distance_type="cosine") if exact else IvfRq(distance_type="cosine", num_bits=4)
        try:
            self.table.create_index("vector", config=kind, replace=True)
        except RuntimeError as error:
            log.warning("the vectors in %s could not be indexed: %s", self.folder, str(error).splitlines()[0])

    @property
    def bytes(self) -> int:
        """The shelf's size on disk."""
        total = 0
        for folder, _, names in os.walk(self.folder):
            for name in names:
                try:
                    total += os.lstat(os.path.join(folder, name)).st_size  # noqa: PTH118 - thousands of files
                except OSError:
                    continue
        return total


def _is_quantized(index: Any) -> bool:
    return bool(index.index_type != "IvfFlat")


def _holder(file: Path) -> str:
    try:
        holder = json.loads(file.read_text(encoding="utf-8"))
        return f"process {holder['pid']} on {holder['host']}"
    except (OSError, ValueError, KeyError):
        return "another process"
