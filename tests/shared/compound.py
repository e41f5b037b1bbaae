"""Write small compound files (OLE), [MS-CFB]: enough for Outlook messages."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECTOR = 512
_SHORT = 64
_CUTOFF = 4096
_NONE = 0xFFFFFFFF
_END = 0xFFFFFFFE


def compound(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file with these streams; "/" parts storages. Short streams share one."""
    tree: dict[str, list[str]] = {"": []}
    for path in streams:
        parts = path.split("/")
        for depth in range(len(parts)):
            parent, whole = "/".join(parts[:depth]), "/".join(parts[: depth + 1])
            if whole not in tree.setdefault(parent, []):
                tree[parent].append(whole)
    order = [""]
    for path in order:
        order.extend(tree.get(path, ()))
    sectors: list[bytes] = []
    fat: list[int] = []
    starts: dict[str, int] = {}

    def put(data: bytes) -> int:
        first = len(sectors)
        pieces = [data[at : at + _SECTOR].ljust(_SECTOR, b"\0") for at in range(0, len(data), _SECTOR)]
        sectors.extend(pieces)
        fat.extend([*range(first + 1, first + len(pieces)), _END])
        return first

    shared = b""
    short: list[int] = []
    for path, data in streams.items():
        if len(data) >= _CUTOFF:
            starts[path] = put(data)
            continue
        units = -(-len(data) // _SHORT)
        starts[path] = len(short) if units else _END
        short += [*range(len(short) + 1, len(short) + units), _END] if units else []
        shared += data.ljust(units * _SHORT, b"\0")
    starts[""] = put(shared) if shared else _END
    short_table = put(struct.pack(f"<{len(short)}I", *short).ljust(-(-len(short) // 128) * _SECTOR, b"\xff"))
    sibling = {path: order.index(following) for children in tree.values() for path, following in pairwise(children)}
    directory = b""
    for path in order:
        name = (path.rpartition("/")[2] or "Root Entry").encode("utf-16-le") + b"\0\0"
        kind = 5 if not path else 2 if path in streams else 1
        child = order.index(tree[path][0]) if tree.get(path) else _NONE
        start = starts.get(path, 0)
        size = len(shared if not path else streams.get(path, b""))
        directory += struct.pack(
            "<64sHBBIII16sIQQIQ",
            *(name, len(name), kind, 1, _NONE, sibling.get(path, _NONE), child),
            *(b"", 0, 0, 0, start, size),
        )
    first_entry = put(directory)
    number = -(-(len(fat) + 8) // (_SECTOR // 4))
    place = len(sectors)
    fat += [0xFFFFFFFD] * number
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(number * _SECTOR, b"\xff")
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIII",
        *(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"", 0, number, first_entry),
        *(0, _CUTOFF, short_table, -(-len(short) // 128), _END, 0),
    )
    header += struct.pack("<109I", *range(place, place + number), *[_NONE] * (109 - number))
    return header + b"".join(sectors) + table


def properties(header: int, fixed: Mapping[tuple[int, int], int] | None = None) -> bytes:
    """Return the stream of fixed properties: (name, type) to value."""
    rows = [struct.pack("<HHIQ", kind, name, 6, value) for (name, kind), value in (fixed or {}).items()]
    return b"\0" * header + b"".join(rows)


def message(
    texts: Mapping[int, str | bytes],
    fixed: Mapping[tuple[int, int], int] | None = None,
    *,
    inner: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """Return the streams of an Outlook message: text and binary properties by name, and whatever else is in it."""
    streams = {"__properties_version1.0": properties(32, fixed)}
    for name, value in texts.items():
        kind = "001F" if isinstance(value, str) else "0102"
        streams[f"__substg1.0_{name:04X}{kind}"] = value.encode("utf-16-le") if isinstance(value, str) else value
    return {**streams, **(inner or {})}
