"""Jupyter notebooks of every version, as their authors and as accidents left them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class NotebookHandler(Handler):
    """Read notebooks into sections, a cell at a time."""

    name = "notebook"
    title = "Jupyter notebooks"
    extensions = (".ipynb",)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a notebook in the order of its cells."""
        text = source.text(report)
        if not text.strip("\x00 \t\r\n\ufeff"):
            raise UnreadableError("empty", f"{source.name} is empty")
        from gatherum_formats.notebook.reading import read_notebook

        yield from read_notebook(text, source.name, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a notebook by the keys that open it."""
        head = glimpse.head.lstrip(b"\xef\xbb\xbf \t\r\n")
        return ".ipynb" if head.startswith(b"{") and b'"cells"' in head and b'"cell_type"' in head else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [NotebookHandler()]
