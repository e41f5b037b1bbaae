"""What the dBASE handler must bring out of a table."""

from __future__ import annotations

import struct

import pytest

from gatherum import Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def table(fields, records, *, driver=0x03, count=None):
    size = 1 + sum(width for _, _, width in fields)
    count = len(records) if count is None else count
    head = struct.pack("<B3BIHH17xB2x", 3, 24, 1, 1, count, 33 + 32 * len(fields), size, driver)
    for name, kind, width in fields:
        head += struct.pack("<11scIBB14x", name.encode(), kind.encode(), 0, width, 0)
    return head + b"\r" + b"".join(records) + b"\x1a"


FIELDS = [("NAME", "C", 6), ("BUILT", "D", 8), ("SIZE", "N", 5), ("FLOATS", "L", 1)]


def read(data):
    return REGISTRY.read(Source("boats.dbf", data))


def test_records_become_a_table_without_those_that_were_deleted():
    document = read(table(FIELDS, [b" Ada   19991231  2.5T", b"*Bob   20000101  1.0F", b" Eve                ?"]))
    assert document.metadata.title == "boats"
    assert [section.text for section in document.sections] == [
        "| NAME | BUILT | SIZE | FLOATS |\n| --- | --- | --- | --- |\n| Ada | 1999-12-31 | 2.5 | true |\n"
        "| Eve |  |  |  |"
    ]


def test_the_code_page_that_the_table_names_is_used():
    document = read(table([("N", "C", 6)], [b" " + "Привет".encode("cp1251")], driver=0xC9))
    assert "Привет" in document.sections[0].text


def test_binary_numbers_are_read():
    record = b" " + struct.pack("<i", -7) + struct.pack("<d", 2.5) + struct.pack("<q", 12_3400)
    document = read(table([("I", "I", 4), ("D", "O", 8), ("M", "Y", 8)], [record]))
    assert "| -7 | 2.5 | 12.3400 |" in document.sections[0].text


def test_missing_records_and_memo_files_are_told():
    document = read(table([("N", "C", 3), ("TEXT", "M", 10)], [b" abc         1"], count=5))
    assert {problem.code for problem in document.problems} == {"partial", "missing_part"}
    assert "abc" in document.sections[0].text


def test_long_tables_are_parted_and_keep_their_rows():
    document = read(table([("N", "C", 4)], [b" %04d" % number for number in range(450)]))
    assert [(s.locator.start, s.locator.end) for s in document.sections] == [(1, 200), (201, 400), (401, 450)]
    assert all(section.text.startswith("| N |") for section in document.sections)


@pytest.mark.parametrize("data", [b"", b"\x03", b"plain text, no table at all, long enough for a header"])
def test_what_is_no_table_is_named(data):
    assert read(data).state == "unreadable"
