"""Database tables in the format of dBASE, FoxPro and shapefiles (.dbf)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class DbaseHandler(Handler):
    """Read a table: the names of its fields, and its records."""

    name = "dbase"
    title = "dBASE tables"
    extensions = (".dbf",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the records as tables of some hundred rows.

        Raises:
            UnreadableError: It is empty, or no table.
        """
        data = source.data
        if not data:
            raise UnreadableError("empty", f"{source.name} is empty")
        from gatherum_formats.dbase.records import read_table

        yield from read_table(data, source.path, report)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [DbaseHandler()]
