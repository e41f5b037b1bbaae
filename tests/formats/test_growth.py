"""What once took a time that grew with the square of a document, or more memory than there is, takes neither."""

import zlib
from collections.abc import Callable
from functools import partial

import pytest

from gatherum import Report, Source, load_registry
from gatherum.testing.growth import memory_growth, time_growth
from gatherum_formats.pdf.streams import defused

REGISTRY = load_registry()


def table(records: int) -> bytes:
    """Return a dBASE table with one field."""
    field = b"A".ljust(11, b"\0") + b"C" + bytes(4) + b"\x14" + bytes(15)
    head = b"\x03\x7a\x01\x01" + records.to_bytes(4, "little") + (65).to_bytes(2, "little") + (21).to_bytes(2, "little")
    return head.ljust(32, b"\0") + field + b"\r" + b" a boat in a harbour " * records


def chained_styles(number: int) -> str:
    styles = "".join(f"{{\\s{at}\\sbasedon{at + 1} style;}}" for at in range(number))
    return rf"{{\rtf1{{\stylesheet{styles}}}\s1 text\par}}"


DOCUMENTS: dict[str, tuple[str, Callable[[int], bytes | str], int]] = {
    "records of a dBASE table": (".dbf", table, 20_000),
    "styles in Rich Text that are based on each other": (".rtf", chained_styles, 700),
    "indented items in Typst": (".typ", lambda number: "".join(" " * at + "- a\n" for at in range(number)), 200),
}
UNCLOSED = {
    "notes in Org": (".org", "[fn:a: x [fn:b: y ", "[fn:a: x [fn:b: y]]", 6_000),
}


@pytest.mark.parametrize("what", DOCUMENTS)
def test_time_grows_with_the_document_and_not_with_its_square(what: str) -> None:
    extension, make, number = DOCUMENTS[what]
    small, large = (text if isinstance(text := make(size), bytes) else text.encode() for size in (number, number * 8))
    assert REGISTRY.read(Source(f"a{extension}", small)).state in ("read", "partial")
    assert time_growth(partial(read, extension), small, large) < 24


@pytest.mark.parametrize("what", UNCLOSED)
def test_what_is_never_closed_costs_about_as_much_as_what_is(what: str) -> None:
    extension, open_, closed, number = UNCLOSED[what]
    work = partial(read, extension)
    assert time_growth(work, (closed * number).encode(), (open_ * number).encode()) < 4


def read(extension: str, data: bytes) -> object:
    return REGISTRY.read(Source(f"a{extension}", data))


def test_a_stream_that_is_packed_twice_is_a_bomb_though_it_is_short() -> None:
    bomb = zlib.compress(zlib.compress(bytes(200 << 20), 9), 9)
    head = b"%PDF-1.7\n1 0 obj\n<</Filter[/FlateDecode/FlateDecode]>>stream\n"
    report = Report()
    assert len(bomb) < 10_000
    assert bomb not in defused(head + bomb + b"\nendstream\nendobj\n", report)
    assert [problem.code for problem in report.problems] == ["too_large"]


def test_python_on_one_endless_line_is_read_without_a_tree_of_it() -> None:
    work = partial(read, ".py")
    lines, line = (("x = 1;" + end).encode() * 100_000 for end in ("\n", " "))
    assert memory_growth(work, lines, line) < 0.5
