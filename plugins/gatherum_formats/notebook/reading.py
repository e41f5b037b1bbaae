"""Notebooks from their JSON to their sections.

The JSON is read here, so that no schema decides whether a notebook can be read; nbformat brings notebooks of old
versions up to date where it can.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final

from gatherum import UnreadableError
from gatherum.text import clean
from gatherum_formats.notebook.cells import cell_sections, code_language
from gatherum_formats.notebook.json import parse_notebook
from gatherum_formats.notebook.outputs import joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section

_LONG: Final = 1_000
_CURRENT: Final = 4


def read_notebook(text: str, name: str, report: Report) -> Iterator[Section]:
    """Yield the sections of a notebook in the order of its cells.

    Args:
        text: The notebook's JSON.
        name: What it is called in problems.
        report: Told of metadata and problems.

    Raises:
        UnreadableError: It is no notebook.
    """
    notebook = parse_notebook(text, name, report)
    metadata = notebook.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    language = code_language(metadata)
    _describe(notebook, metadata, language, report)
    yield from cell_sections(_cells(notebook, name), language, report)


def _cells(notebook: dict[str, Any], name: str) -> list[Any]:
    """Return the cells of a notebook of any version."""
    cells = notebook.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = notebook.get("worksheets")
    if cells is None and isinstance(sheets, list):
        own = [cell for sheet in sheets if isinstance(sheet, dict) for cell in _list(sheet.get("cells"))]
        return _upgraded(notebook, own) or own
    if cells is None and "nbformat" in notebook:
        return []
    raise UnreadableError("corrupt", f"{name} is not a notebook: it has no list of cells")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _upgraded(notebook: dict[str, Any], own: list[Any]) -> list[Any] | None:
    """Return the cells as nbformat brings them up to date; None where it cannot, or loses any.

    It joins lines without regard to whether they have their ends, so they are joined beforehand.
    """
    for cell in own:
        if isinstance(cell, dict):
            for key in ("source", "input"):
                if isinstance(cell.get(key), list):
                    cell[key] = joined(cell[key])
    try:
        import nbformat

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cells = nbformat.convert(nbformat.from_dict(notebook), _CURRENT).cells  # type: ignore[no-untyped-call]
    except Exception:  # noqa: BLE001 - whatever is odd about the notebook: its cells are read as they are
        return None
    if len(cells) != len(own):
        return None
    for cell, before in zip(cells, own, strict=True):
        if not (isinstance(before, dict) and "id" in before):
            cell.pop("id", None)  # it is made up, anew each time
    return list(cells)


def _describe(notebook: dict[str, Any], metadata: dict[str, Any], language: str, report: Report) -> None:
    """Tell what the notebook says about itself."""
    inner = metadata.get("docinfo")
    info: dict[str, Any] = {**(inner if isinstance(inner, dict) else {}), **metadata}
    authors = info.get("authors") or info.get("author")
    names = [
        _short(author.get("name") if isinstance(author, dict) else author)
        for author in (authors if isinstance(authors, list) else [authors])[:_LONG]
    ]
    kernel = metadata.get("kernelspec")
    version = notebook.get("nbformat")
    report.metadata(
        title=_short(info.get("title") or metadata.get("name")),
        authors=[name for name in names if name],
        created=_short(info.get("date") or info.get("created")),
        description=_short(info.get("description") or info.get("abstract")),
        tags=[_short(tag) for tag in _list(info.get("keywords") or info.get("tags"))[:_LONG]],
        programming_language=language,
        kernel=_short(kernel.get("display_name") or kernel.get("name")) if isinstance(kernel, dict) else "",
        nbformat=version if isinstance(version, int) and abs(version) < _LONG else None,
    )


def _short(value: object) -> str:
    return clean(value[:_LONG]) if isinstance(value, str) else ""
