"""Data files by key path: JSON, JSON lines, YAML, TOML, INI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl
from gatherum.text import is_binary

if TYPE_CHECKING:
    from collections.abc import Iterator


class DataHandler(Handler):
    """Read data as lines of key path and value, a section for each key at the top."""

    name = "data"
    title = "Data files"
    extensions = (".json", ".jsonl", ".ndjson", ".geojson", ".yaml", ".yml", ".toml", ".ini", ".cfg")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the values under their keys; what cannot be parsed is kept as it is written."""
        if is_binary(source.data):
            raise UnreadableError("corrupt", f"{source.name} is not text")
        text = source.text(report).replace("\ufeff", "")
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} is empty")
        from gatherum_formats.data.reading import read_data

        yield from read_data(text, source.name, source.extension, report)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [DataHandler()]
