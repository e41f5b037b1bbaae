"""What becomes of Word and PowerPoint files of before 2007, with and without their reader."""

from __future__ import annotations

import json
import struct
import sys
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatherum import Registry, Source
from gatherum.plugins import load_plugins

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


@pytest.fixture(scope="module")
def registry():
    return Registry(load_plugins())


def compound(streams):
    """Return a compound file with these streams, each padded to 4,096 bytes at least."""
    entries = [("Root Entry", 5, END, 0)]
    body, fat = [], [FAT, END]
    for name, data in streams.items():
        data = data.ljust(4_096, b"\0")
        data += bytes(-len(data) % 512)
        first, count = len(fat), len(data) // 512
        fat += [*range(first + 1, first + count), END]
        body.append(data)
        entries.append((name, 2, first, len(data)))
    directory = b""
    for at, (name, kind, first, size) in enumerate(entries):
        label = name.encode("utf-16-le") + b"\0\0"
        right = at + 1 if 0 < at < len(entries) - 1 else FREE
        child = 1 if at == 0 and len(entries) > 1 else FREE
        directory += label.ljust(64, b"\0") + struct.pack("<HBBIII", len(label), kind, 1, FREE, right, child)
        directory += bytes(36) + struct.pack("<IQ", first, size)
    directory = directory.ljust(512, b"\0")
    assert len(directory) == 512
    assert len(fat) <= 128
    head = MAGIC + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, END, 0, END, 0) + struct.pack("<I", 0) + b"\xff" * 432
    table = struct.pack("<128I", *fat, *[FREE] * (128 - len(fat)))
    return head + table + directory + b"".join(body)


def letter(text="Hello LEGACYTOKEN\rSecond paragraph\r", flags=0):
    """Return a Word file: text in one piece of 8-bit characters, no styles."""
    start = 1_024
    fib = bytearray(start)
    struct.pack_into("<HHHHHH", fib, 0, 0xA5EC, 0xC1, 0, 0x409, 0, flags)
    struct.pack_into("<H", fib, 32, 14)
    struct.pack_into("<H", fib, 62, 22)
    struct.pack_into("<i", fib, 64 + 12, len(text))
    struct.pack_into("<H", fib, 152, 93)
    piece = struct.pack("<III", 0, len(text), 0)[:8] + struct.pack("<HIH", 0, start * 2 | 1 << 30, 0)
    clx = b"\x02" + struct.pack("<I", len(piece)) + piece
    struct.pack_into("<II", fib, 154 + 33 * 8, 0, len(clx))
    return compound({"WordDocument": bytes(fib) + text.encode("cp1252"), "0Table": clx})


SLIDES = compound({"PowerPoint Document": bytes(100), "Current User": bytes(8) + b"\x14\0\0\0\x5f\xc0\x91\xe3"})


def read(registry, data, name="old.doc"):
    return registry.read(Source(name, data))


def codes(document):
    return [problem.code for problem in document.problems]


@pytest.fixture
def reader(monkeypatch):
    """Put a reader in place of office-oxide that returns what the test wants."""
    answers = {}

    class Document:
        @staticmethod
        def from_bytes(data, kind):
            answers["asked"] = kind
            if isinstance(answers["found"], BaseException):
                raise answers["found"]
            return SimpleNamespace(to_ir_json=lambda: json.dumps(answers["found"]))

    monkeypatch.setitem(sys.modules, "office_oxide", SimpleNamespace(Document=Document))
    return answers


def text(words, **more):
    return {"type": "paragraph", "content": [{"type": "text", "text": words}], **more}


def heading(words, level=1):
    return {"type": "heading", "level": level, "content": [{"type": "text", "text": words}]}


def pieces(document):
    return [(s.heading, s.kind, s.layer, s.text) for s in document.sections]


def test_documents_keep_their_structure(registry, reader):
    cell = {"content": [text("cell")], "col_span": 1, "row_span": 1}
    reader["found"] = {
        "metadata": {"title": "T", "author": "Ada;Bob", "keywords": ["k"], "created": "2001-01-01", "company": "C"},
        "sections": [
            {
                "elements": [
                    text("before"),
                    heading("One"),
                    {
                        "type": "paragraph",
                        "content": [
                            {"type": "text", "text": "see "},
                            {"type": "text", "text": "the ", "hyperlink": "https://example.org"},
                            {"type": "text", "text": "page", "hyperlink": "https://example.org"},
                            {"type": "line_break"},
                            {"type": "footnote_ref", "note_id": 1},
                        ],
                    },
                    {"type": "footnote", "id": 1, "content": [text("the note")]},
                    {"type": "endnote", "id": 2, "marker": "comment", "author": "Eve", "content": [text("why?")]},
                    heading("Deeper", 2),
                    {
                        "type": "list",
                        "ordered": True,
                        "start_number": 3,
                        "items": [
                            {
                                "content": [text("three")],
                                "nested": {"ordered": False, "items": [{"content": [text("in")]}]},
                            },
                            {"content": [text("four")]},
                        ],
                    },
                    {
                        "type": "table",
                        "rows": [
                            {"cells": [{**cell, "col_span": 2}, cell]},
                            {"cells": [{**cell, "row_span": 2}, cell, cell]},
                            {"cells": [cell, cell]},
                        ],
                    },
                    {"type": "text_box", "content": [text("boxed")]},
                    {"type": "image", "alt_text": "a picture", "data": "AAAA"},
                    {"type": "page_break"},
                ],
                "header": {"content": [text("head")]},
                "footer": {"content": [text("foot")]},
            },
            {"elements": [text("after")], "header": {"content": [text("head")]}},
        ],
    }
    document = read(registry, letter())
    one, deeper = ("One",), ("One", "Deeper")
    assert pieces(document) == [
        ((), "prose", "body", "before"),
        (one, "prose", "body", "see [the page](https://example.org)\n[^1]"),
        (one, "footnote", "notes", "[^1]: the note"),
        (one, "comment", "annotation", "Eve: why?"),
        (deeper, "list", "body", "3. three\n  - in\n4. four"),
        (
            deeper,
            "table",
            "body",
            "| cell |  | cell |\n| --- | --- | --- |\n| cell | cell | cell |\n| ^^ | cell | cell |",
        ),
        (deeper, "prose", "body", "boxed"),
        (deeper, "alt", "body", "a picture"),
        (deeper, "header", "furniture", "head\n\nfoot"),
        (deeper, "prose", "body", "after"),
    ]
    assert (document.metadata.title, document.metadata.authors, document.metadata.tags) == ("T", ("Ada", "Bob"), ("k",))
    assert document.metadata.extra == {"company": "C"}
    assert document.sections[0].locator.label == "paragraph 1"


def test_slides_are_sections_with_their_notes(registry, reader):
    reader["found"] = {
        "sections": [
            {"title": "Start", "elements": [heading("Start"), text("point")], "speaker_notes": [text("say this")]},
            {"title": "Slide 2", "elements": [text("no title")]},
            {"title": "Slide Master", "elements": [text("on every slide"), text("on every slide")]},
        ]
    }
    document = read(registry, SLIDES, "old.ppt")
    assert reader["asked"] == "ppt"
    assert pieces(document) == [
        (("Start",), "prose", "body", "point"),
        (("Start",), "note", "notes", "say this"),
        (("Slide 2",), "prose", "body", "no title"),
        (("Slide 2",), "header", "furniture", "on every slide"),
    ]
    assert [section.locator.label for section in document.sections[:3]] == ["slide 1", "slide 1", "slide 2"]


def test_spans_and_numbers_from_the_file_are_bounded(registry, reader):
    cell = {"content": [text("x")], "col_span": 10**9, "row_span": 10**9}
    items = [{"content": [text("item")]}]
    nested = {"ordered": True, "start_number": -5, "items": items}
    for _ in range(200):
        nested = {"ordered": True, "items": [{"content": [text("item")], "nested": nested}]}
    rows = [{"cells": [cell]}, {"cells": [cell, 7, None]}, {"cells": None}]
    elements = [{"type": "table", "rows": rows}, {"type": "list", **nested}, 5, {"type": "paragraph", "content": "odd"}]
    reader["found"] = {"sections": [{"elements": elements}, None, "odd"], "metadata": None}
    document = read(registry, letter())
    assert document.state == "read"
    assert sum(len(section.text) for section in document.sections) < 100_000


@pytest.mark.parametrize("error", [ValueError("no piece table"), type("PanicException", (BaseException,), {})("oh")])
def test_what_its_reader_cannot_read_is_corrupt(registry, reader, error):
    reader["found"] = error
    document = read(registry, letter())
    assert (document.state, codes(document)) == ("unreadable", ["corrupt"])


def test_without_text_it_says_so(registry, reader):
    reader["found"] = {"sections": [], "metadata": {"title": "T"}}
    assert codes(read(registry, letter())) == ["empty"]


def test_without_a_reader_it_says_what_to_do(registry, monkeypatch):
    monkeypatch.setitem(sys.modules, "office_oxide", None)
    document = read(registry, letter())
    assert (document.state, codes(document)) == ("unreadable", ["legacy_format"])
    assert "gatherum[legacy]" in document.problems[0].message


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.doc", letter(flags=0x100)),
        ("a.ppt", compound({"PowerPoint Document": bytes(9), "EncryptedSummary": b"x"})),
        ("a.ppt", compound({"PowerPoint Document": bytes(9), "Current User": b"\xdf\xc4\xd1\xf3"})),
        ("a.doc", compound({"EncryptionInfo": b"x", "EncryptedPackage": b"x"})),
    ],
)
def test_passwords_are_named(registry, name, data):
    document = read(registry, data, name)
    assert (document.state, codes(document)) == ("unreadable", ["password_protected"])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\x31\xbe\x00\x00\x00\xab" + bytes(200), "legacy_format"),
        (compound({"Other": b"x"}), "corrupt"),
        (MAGIC, "corrupt"),
    ],
)
def test_what_is_no_such_file_is_named(registry, data, code):
    assert codes(read(registry, data)) == [code]


def test_plain_text_under_an_old_name_is_read(registry):
    document = read(registry, b"graph { a -- b }\nLETTERTOKEN\n", "graph.dot")
    assert "LETTERTOKEN" in document.sections[0].text


def test_old_documents_are_known_by_their_content(registry, reader):
    reader["found"] = {"sections": [{"elements": [text("OLDTOKEN")]}]}
    document = read(registry, letter(), "report.docx")
    assert (document.handler, codes(document)) == ("legacy", ["wrong_extension"])
    assert [section.text for section in document.sections] == ["OLDTOKEN"]


def test_a_real_document_is_read(registry):
    pytest.importorskip("office_oxide")
    document = read(registry, letter())
    assert document.state == "read"
    said = " ".join([*document.sections[0].heading, *(section.text for section in document.sections)])
    assert "LEGACYTOKEN" in said
    assert "Second paragraph" in said


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(8, 9_000), at=st.integers(8, 9_000), byte=st.integers(0, 255))
def test_damage_never_raises(registry, cut, at, byte):
    data = bytearray(letter())
    data[at % len(data)] = byte
    for damaged in (bytes(data), bytes(data[:cut])):
        document = read(registry, damaged)
        assert document.state in ("read", "unreadable")
        assert "handler_failed" not in codes(document)
