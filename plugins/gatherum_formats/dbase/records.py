"""The records of a dBASE table.

Source: "Xbase File Format Description", E. Bachmann, and "dBASE .DBF File Structure" of dBase LLC (level 5).
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder, UnreadableError
from gatherum.tables import pipe_table
from gatherum.text import decode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gatherum import Report, Section

_HEADER: Final = 32
_END: Final = b"\x0d"
_DELETED: Final = b"*"
_LAST: Final = 0x1A
_VERSIONS: Final = frozenset((0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8E, 0xCB, 0xF5, 0xFB))
_MOST_FIELDS: Final = 2_050
_ROWS: Final = 200
_MOST_ROWS: Final = 200_000
_MEMO: Final = "GBMP"
_CODE_PAGES: Final = {
    0x01: "cp437",
    0x02: "cp850",
    0x03: "cp1252",
    0x08: "cp865",
    0x0D: "cp437",
    0x13: "cp932",
    0x26: "cp866",
    0x1F: "cp852",
    0x4D: "cp936",
    0x4E: "cp949",
    0x4F: "cp950",
    0x57: "cp1252",
    0x58: "cp1252",
    0x59: "cp1252",
    0x64: "cp852",
    0x65: "cp866",
    0x66: "cp865",
    0x6A: "cp737",
    0x6B: "cp857",
    0x78: "cp950",
    0x79: "cp949",
    0x7A: "cp936",
    0x7B: "cp932",
    0x7C: "cp874",
    0x7D: "cp1255",
    0x7E: "cp1256",
    0xC8: "cp1250",
    0xC9: "cp1251",
    0xCA: "cp1254",
    0xCB: "cp1253",
    0xCC: "cp1257",
}
"""The language driver, byte 29 of the header, to the code page that it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    name: str
    kind: str
    start: int
    size: int


def read_table(data: bytes, path: Path, report: Report) -> Iterator[Section]:
    """Yield the records that are not marked as deleted.

    Args:
        data: The file.
        path: Its name, by which the table is called; a ``.cpg`` beside it is not read.
        report: Told of damage, and of memo fields, whose text is in another file.

    Raises:
        UnreadableError: It is no table.
    """
    count, start, size = struct.unpack_from("<IHH", data.ljust(_HEADER, b"\0"), 4)
    if data[0] not in _VERSIONS or start < _HEADER + 1 or size < 1 or len(data) <= _HEADER:
        raise UnreadableError("corrupt", f"{path.name} is no dBASE table")
    charset = _CODE_PAGES.get(data[29])
    fields = _fields(data[:start], charset)
    if not fields:
        raise UnreadableError("corrupt", f"{path.name} has no fields")
    if memos := [field.name for field in fields if field.kind in _MEMO and field.kind != "B"]:
        report.problem("missing_part", f"the text of {', '.join(memos)} is in a memo file, which is not read")
    there = max(0, (len(data) - start) // size)
    if there < count:
        report.problem("partial", f"{count} records are announced, {there} are there")
    if min(count, there) > _MOST_ROWS:
        report.problem("too_large", f"only the first {_MOST_ROWS} of {count} records were read")
    report.metadata(title=path.stem, records=count)
    builder = SectionBuilder()
    head = [field.name for field in fields]
    rows: list[list[str | None]] = []
    first = 1
    for number in range(min(count, there, _MOST_ROWS)):
        at = start + number * size
        if data[at] == _LAST:
            break
        if data[at : at + 1] != _DELETED:
            record = data[at : at + size]
            rows.append([_value(record[field.start :][: field.size], field.kind, charset) for field in fields])
        if len(rows) == _ROWS:
            yield from _rows(builder, head, rows, first, number + 1)
            rows, first = [], number + 2
    yield from _rows(builder, head, rows, first, first + max(0, len(rows) - 1))
    yield from builder.close()


def _rows(
    builder: SectionBuilder, head: list[str], rows: list[list[str | None]], first: int, last: int
) -> Iterator[Section]:
    place = Locator(unit="sheet", start=first, end=last)
    yield from builder.add(pipe_table([head, *rows]), kind="table", locator=place)
    yield from builder.close()


def _fields(header: bytes, charset: str | None) -> list[_Field]:
    fields: list[_Field] = []
    at = 1  # a record begins with the mark of deletion
    for start in range(_HEADER, len(header) - 31, 32):
        entry = header[start : start + 32]
        if entry.startswith((_END, b"\0")) or len(fields) >= _MOST_FIELDS:
            break
        name = decode(entry[:11].partition(b"\0")[0], declared=charset).text.strip()
        kind = chr(entry[11]).upper()
        size = entry[16] + (entry[17] << 8 if kind == "C" else 0)
        if name != "_NullFlags":
            fields.append(_Field(name=name, kind=kind, start=at, size=size))
        at += size
    return fields


def _value(raw: bytes, kind: str, charset: str | None) -> str:
    """Return a value as people write it; "" for none."""
    if kind == "I" and len(raw) == 4:
        return str(int.from_bytes(raw, "little", signed=True))
    if kind in "OB" and len(raw) == 8:
        number = float(struct.unpack("<d", raw)[0])
        return f"{number:.15g}" if math.isfinite(number) else ""
    if kind == "Y" and len(raw) == 8:
        return f"{int.from_bytes(raw, 'little', signed=True) / 10_000:.4f}"
    if kind in _MEMO or kind in "0@T+":
        return ""
    text = decode(raw.replace(b"\0", b" "), declared=charset).text.strip() if raw.strip(b" \0") else ""
    if kind == "D" and len(text) == 8 and text.isdigit():
        return f"{text[:4]}-{text[4:6]}-{text[6:]}"
    if kind == "L":
        return {"Y": "true", "T": "true", "N": "false", "F": "false"}.get(text.upper(), "")
    return "" if text.strip("*") == "" else text
