"""What the Outlook handler must bring out of a message."""

from __future__ import annotations

import tracemalloc

import pytest
from compound import compound, message, properties
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Registry, Source
from gatherum.plugins import load_plugins
from gatherum_formats.outlook.rtf import unpack_rtf

REGISTRY = Registry(load_plugins())
SUBJECT, BODY, HTML, RTF, NAME, ADDRESS, TO = 0x0037, 0x1000, 0x1013, 0x1009, 0x0C1A, 0x5D01, 0x0E04
SENT = {(0x0039, 0x0040): 129_000_000_000_000_000}


def read(streams):
    return REGISTRY.read(Source("a.msg", compound(streams)))


def attachment(number, name, data):
    at = f"__attach_version1.0_#{number:08X}"
    return {
        f"{at}/__properties_version1.0": properties(8),
        f"{at}/__substg1.0_3707001F": name.encode("utf-16-le"),
        f"{at}/__substg1.0_37010102": data,
    }


def person(number, name, address, role):
    at = f"__recip_version1.0_#{number:08X}"
    return {
        f"{at}/__properties_version1.0": properties(8, {(0x0C15, 3): role}),
        f"{at}/__substg1.0_3001001F": name.encode("utf-16-le"),
        f"{at}/__substg1.0_39FE001F": address.encode("utf-16-le"),
    }


def test_a_message_has_its_people_subject_date_and_text():
    texts = {SUBJECT: "Tides", BODY: "High water\r\nat noon.", NAME: "Lovelace, Ada", ADDRESS: "ada@x.org"}
    people = {**person(0, "Bob", "bob@x.org", 1), **person(1, "", "eve@x.org", 2)}
    document = read(message(texts, SENT, inner=people))
    assert document.metadata.title == "Tides"
    assert document.metadata.authors == ("Lovelace, Ada",)
    assert document.metadata.created.startswith("2009-10-")
    head, body = document.sections
    assert head.layer == "metadata"
    assert head.text.split("\n")[:3] == [
        'From: "Lovelace, Ada" <ada@x.org>',
        "To: Bob <bob@x.org>",
        "Cc: eve@x.org",
    ]
    assert (body.heading, body.text) == (("Tides",), "High water\nat noon.")


def test_a_message_in_html_alone_is_read_as_a_page():
    document = read(message({SUBJECT: "s", HTML: b"<h1>One</h1><p>caf\xc3\xa9"}, {(0x3FDE, 3): 65001}))
    assert [(s.heading, s.text) for s in document.sections if s.text] == [(("s", "One"), "café")]


def test_text_in_a_code_page_is_decoded():
    streams = message({SUBJECT: "s"}, {(0x3FFD, 3): 1251})
    streams["__substg1.0_1000001E"] = "Привет, мир".encode("cp1251")
    assert "Привет, мир" in [s.text for s in read(streams).sections]


def test_formatted_text_is_unpacked_where_there_is_nothing_else():
    rtf = rb"{\rtf1\ansi Tide \b table\b0\par Second}"
    packed = len(rtf).to_bytes(4, "little") + len(rtf).to_bytes(4, "little") + b"MELA" + b"\0" * 4 + rtf
    document = read(message({SUBJECT: "s", RTF: packed}))
    assert "Tide table" in document.sections[-1].text


def test_compressed_text_repeats_what_came_before():
    # literal "abc", then a reference to it, then the end
    start = 207
    reference = (start << 4 | 1).to_bytes(2, "big")
    end = ((start + 6) << 4).to_bytes(2, "big")
    body = bytes([0b00011000]) + b"abc" + reference + end
    data = b"\0" * 4 + (6).to_bytes(4, "little") + b"LZFu" + b"\0" * 4 + body
    assert unpack_rtf(data, 100) == b"abcabc"


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_compressed_text_ends(data):
    assert len(unpack_rtf(b"\0" * 4 + b"\xff" * 4 + b"LZFu" + b"\0" * 4 + data, 5_000)) <= 5_000


def test_attachments_are_read_by_the_handlers_of_their_formats():
    inner = {**attachment(0, "note.md", b"# Note\n\ninside"), **attachment(1, "a.png", b"\x89PNG")}
    document = read(message({SUBJECT: "s", BODY: "b"}, inner=inner))
    assert [(s.heading, s.text) for s in document.sections if s.text == "inside"] == [
        (("s", "note.md", "Note"), "inside")
    ]
    assert "Attachments: note.md, a.png" in document.sections[0].text


def test_a_message_inside_a_message_follows_it():
    at = "__attach_version1.0_#00000000/__substg1.0_3701000D"
    inner = {f"{at}/{name}": data for name, data in message({SUBJECT: "Inner", BODY: "inner words"}).items()}
    inner[f"{at}/__properties_version1.0"] = properties(24)
    inner["__attach_version1.0_#00000000/__properties_version1.0"] = properties(8)
    document = read(message({SUBJECT: "Outer", BODY: "outer words"}, inner=inner))
    assert [(s.heading, s.text) for s in document.sections if "words" in s.text] == [
        (("Outer",), "outer words"),
        (("Outer", "Inner"), "inner words"),
    ]


def test_categories_become_tags_in_sight():
    name = "Keywords".encode("utf-16-le")
    inner = {
        "__nameid_version1.0/__substg1.0_00030102": b"\0\0\0\0\x01\0\x05\0",
        "__nameid_version1.0/__substg1.0_00040102": len(name).to_bytes(4, "little") + name,
        "__substg1.0_8005101F-00000000": "harbour".encode("utf-16-le"),
        "__substg1.0_8005101F-00000001": "sea".encode("utf-16-le"),
    }
    assert "Keywords: harbour, sea" in read(message({SUBJECT: "s", BODY: "b"}, inner=inner)).sections[0].text


def test_a_contact_shows_what_is_known_of_the_person():
    texts = {0x001A: "IPM.Contact", 0x3001: "Ada", 0x3A16: "Port Office", SUBJECT: "Ada"}
    assert "Company: Port Office" in read(message(texts)).sections[-1].text


@pytest.mark.parametrize("cut", [0, 8, 511, 700, 1500])
def test_a_damaged_message_is_named(cut):
    data = compound(message({SUBJECT: "Tides", BODY: "High water"}))[:cut]
    document = REGISTRY.read(Source("a.msg", data))
    assert document.state in ("unreadable", "read", "partial")
    assert "handler_failed" not in [problem.code for problem in document.problems]


def test_a_stream_that_claims_more_than_the_file_holds_costs_no_memory():
    data = bytearray(compound(message({SUBJECT: "Tides", BODY: "High water. " * 1000})))
    entry = data.find("__properties_version1.0".encode("utf-16-le"))
    data[entry + 120 : entry + 124] = (0xF0000000).to_bytes(4, "little")
    tracemalloc.start()
    try:
        document = REGISTRY.read(Source("a.msg", bytes(data)))
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    assert "High water" in "".join(section.text for section in document.sections)
