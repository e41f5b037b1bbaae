"""The table's columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pyarrow as pa

TABLE: Final = "chunks"
VERSION: Final = "2"
"""Raised whenever the columns change; a shelf of another version is gathered anew."""

STATE_COLUMNS: Final = ("doc", "path", "file_hash", "size", "mtime_ns", "ctime_ns", "inode", "recipe")


def schema(dimensions: int) -> pa.Schema:
    """Return the table's schema for vectors of this length."""
    import pyarrow as pa

    text, many, number = pa.string(), pa.list_(pa.string()), pa.int64()
    fields: list[Any] = [
        pa.field("id", text, nullable=False),
        pa.field("doc", text, nullable=False),
        pa.field("path", text, nullable=False),
        ("collection", text),
        ("ordinal", pa.int32()),
        ("format", text),
        ("handler", text),
        # what a passage is and what it is found by
        ("kind", text),
        ("layer", text),
        ("heading", many),
        ("locator", text),
        ("line", pa.int32()),
        ("text", text),
        ("context", text),
        ("fts", text),
        ("text_hash", text),
        ("tokens", pa.int32()),
        ("vector", pa.list_(pa.float32(), dimensions)),
        ("model", text),
        # what the document says about itself
        ("title", text),
        ("authors", many),
        ("tags", many),
        ("language", text),
        ("created", text),
        ("modified", text),
        # the file; in the document's own row only, but for mtime_ns
        ("recipe", text),
        ("file_hash", text),
        ("size", number),
        ("mtime_ns", number),
        ("ctime_ns", number),
        ("inode", number),
        ("state", text),
        ("problems", text),
        ("ledger", text),
        ("content", pa.large_string()),
        ("outline", pa.large_string()),
        ("metadata", text),
        ("chunks", pa.int32()),
        ("indexed", text),
    ]
    return pa.schema(fields, metadata={"gatherum": VERSION})


def literal(value: str | float) -> str:
    """Return a value as SQL; the only way by which anything from outside gets into a filter."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''").replace("\0", "") + "'"
    return repr(value)
