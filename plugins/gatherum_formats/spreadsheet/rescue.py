"""Read the cells of an .xlsx file one by one, where the fast reader refuses them or would take too much memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum.limits import parse_xml
from gatherum_formats.spreadsheet.parts import MAIN, position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from gatherum import Report
    from gatherum_formats.shared.opc import Package

_MOST_COLUMNS: Final = 16_384
_LONGEST_NUMBER: Final = 10
_MOST_BYTES: Final = 24 << 20
"""The tree of a larger sheet would take too much memory."""


def rescued_rows(package: Package, part: str, report: Report) -> Iterator[tuple[int, list[str | None]]]:
    """Yield the rows of a worksheet part that have text, with their numbers; dates come as the numbers they are.

    Args:
        package: The file.
        part: The worksheet.
        report: Told of damage.
    """
    data = package.archive.read(part) or b""
    if len(data) > _MOST_BYTES:
        report.problem("too_large", f"the sheet {part} is damaged or too wide, and larger than {_MOST_BYTES >> 20} MiB")
        return
    root = parse_xml(data, lambda message: report.problem("partial", f"the part {part}: {message}"))
    shared = _shared_strings(package)
    number = 0
    for row in root.iter(f"{MAIN}row") if root is not None else ():
        given = row.get("r", "")
        number = int(given) if given.isascii() and given.isdigit() and len(given) < 8 else number + 1
        texts: list[str | None] = []
        for cell in row:
            text = _text(cell, shared)
            at = min(position(cell.get("r", ""))[1] if cell.get("r") else len(texts), _MOST_COLUMNS)
            if text:
                texts.extend([None] * (at + 1 - len(texts)))
                texts[at] = text
        if texts:
            yield number, texts


def _shared_strings(package: Package) -> list[str]:
    part = "xl/sharedStrings.xml"
    root = package.xml(part) if part in package.archive else None
    return [_plain(entry) for entry in root.iterchildren(f"{MAIN}si")] if root is not None else []


def _text(cell: _Element, shared: list[str]) -> str:
    value = cell.findtext(f"{MAIN}v") or ""
    kind = cell.get("t", "n")
    if kind == "s":
        number = int(value) if value.isascii() and value.isdigit() and len(value) < _LONGEST_NUMBER else len(shared)
        return shared[number] if number < len(shared) else ""
    if kind == "inlineStr":
        return _plain(cell)
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    return value


def _plain(element: _Element) -> str:
    """Return the text of a string item, without the readings above it."""
    return "".join(
        part.text or ""
        for part in element.iter(f"{MAIN}t")
        if (parent := part.getparent()) is None or parent.tag != f"{MAIN}rPh"
    ).strip()
