import io
import struct
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Report, Source, UnreadableError
from gatherum.limits import Archive, Limits

METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
TEXT = b"<p>the good text of this part</p>"


def packed(*parts: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=method)
    return data.getvalue()


def opened(data: bytes, **limits: int) -> tuple[Archive, Report]:
    report = Report()
    return Archive(Source("a.docx", data, limits=Limits(**limits)), report), report


def codes(report: Report) -> list[str]:
    return [problem.code for problem in report.problems]


def refused(data: bytes, **limits: int) -> str:
    with pytest.raises(UnreadableError) as error:
        opened(data, **limits)
    return error.value.code


def patched(data: bytes, signature: bytes, offset: int, value: bytes) -> bytes:
    """Change a field in every record that begins with *signature*."""
    out, at = bytearray(data), data.find(signature)
    while at >= 0:
        out[at + offset : at + offset + len(value)] = value
        at = data.find(signature, at + 4)
    return bytes(out)


LOCAL, CENTRAL = b"PK\x03\x04", b"PK\x01\x02"


@pytest.mark.parametrize("method", METHODS)
def test_parts_are_read_whatever_packed_them(method: int) -> None:
    archive, report = opened(packed(("word/document.xml", TEXT), method=method))
    assert archive.names == ("word/document.xml",)
    assert archive.read("word/document.xml") == TEXT
    assert not report.problems


@pytest.mark.parametrize(
    "name", ["Word/Document.XML", "/word/document.xml", "word\\document.xml", "word/./document.xml"]
)
def test_names_are_found_as_programs_write_them(name: str) -> None:
    archive, _ = opened(packed(("word/document.xml", TEXT)))
    assert name in archive
    assert archive.read(name) == TEXT


def test_a_missing_part_is_named() -> None:
    archive, report = opened(packed(("a.xml", TEXT)))
    assert archive.read("b.xml") is None
    assert codes(report) == ["missing_part"]
    assert "b.xml" in report.problems[0].message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"text", "corrupt"),
        (b"PK\x03\x04", "corrupt"),
        (packed(("a.xml", TEXT))[:-30], "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "legacy_format"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
            "password_protected",
        ),
    ],
)
def test_what_is_no_archive_is_named_for_what_it_is(data: bytes, code: str) -> None:
    assert refused(data) == code


def test_an_archive_locked_by_a_password_is_named() -> None:
    data = packed(("a.xml", TEXT), ("b.xml", TEXT))
    assert refused(patched(patched(data, LOCAL, 6, b"\x01"), CENTRAL, 8, b"\x01")) == "password_protected"


def test_one_locked_part_does_not_lock_the_others() -> None:
    data = bytearray(packed(("a.xml", TEXT), ("b.xml", TEXT)))
    data[data.find(CENTRAL) + 8] = 1
    archive, report = opened(bytes(data))
    assert archive.read("a.xml") is None
    assert archive.read("b.xml") == TEXT
    assert codes(report) == ["password_protected"]


def test_folders_are_no_parts() -> None:
    archive, report = opened(packed(("word/", b""), ("word/a.xml", TEXT)))
    assert archive.names == ("word/a.xml",)
    assert opened(packed(("word/", b"")))[0].names == ()
    assert not report.problems


def test_names_that_climb_out_stay_names(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["../../etc/passwd", "/etc/shadow", "C:\\boot.ini", "a/../../b"]
    archive, _ = opened(packed(*((name, TEXT) for name in names)))
    assert not any(name.startswith("/") or "\\" in name for name in archive.names)
    assert all(archive.read(name) == TEXT for name in names)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_parts_with_one_name_the_first_is_read_and_the_other_told() -> None:
    archive, report = opened(packed(("a.xml", b"first"), ("a.xml", b"second")))
    assert archive.read("a.xml") == b"first"
    assert codes(report) == ["partial"]


def test_parts_that_overlap_are_refused() -> None:
    data = packed(("a.xml", b"x" * 400), ("b.xml", b"y" * 400), method=zipfile.ZIP_STORED)
    second = data.find(CENTRAL, data.find(CENTRAL) + 4)
    overlapping = bytearray(data)
    overlapping[second + 42 : second + 46] = struct.pack("<I", 10)
    assert refused(bytes(overlapping)) == "corrupt"


def test_too_many_parts_are_refused() -> None:
    assert refused(packed(*((f"{n}.xml", b"") for n in range(11))), archive_entries=10) == "too_large"


def test_a_bomb_is_told_and_does_not_go_off() -> None:
    archive, report = opened(packed(("bomb.xml", bytes(30 << 20)), ("good.xml", TEXT)))
    assert archive.read("bomb.xml") is None
    assert archive.read("good.xml") == TEXT
    assert codes(report) == ["too_large"]


def test_a_bomb_that_lies_about_its_size_does_not_go_off() -> None:
    data = patched(packed(("bomb.xml", bytes(30 << 20))), CENTRAL, 24, struct.pack("<I", 100))
    archive, report = opened(data, member_bytes=1 << 20)
    assert len(archive.read("bomb.xml") or b"") <= 1 << 20
    assert report.problems


def test_a_part_larger_than_allowed_is_left_out() -> None:
    archive, report = opened(packed(("a.xml", TEXT * 100)), member_bytes=1000)
    assert archive.read("a.xml") is None
    assert codes(report) == ["too_large"]


def test_all_parts_together_have_a_limit() -> None:
    archive, report = opened(packed(("a.xml", b"a" * 600), ("b.xml", b"b" * 600)), archive_bytes=1000)
    assert archive.read("a.xml") is not None
    assert archive.read("b.xml") is None
    assert codes(report) == ["too_large"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("content", [TEXT, TEXT * 5000], ids=["small", "large"])
def test_a_wrong_checksum_costs_no_text(method: int, content: bytes) -> None:
    data = patched(packed(("a.xml", content), method=method), CENTRAL, 16, b"\0\0\0\0")
    archive, report = opened(data)
    assert archive.read("a.xml") == content
    assert codes(report) == ["partial"]


def test_what_stands_before_the_damage_is_kept() -> None:
    content = b" ".join(b"%d" % (n * 7919) for n in range(20_000))
    data = bytearray(packed(("a.xml", content)))
    data[40_000:40_040] = bytes(40)
    archive, report = opened(bytes(data))
    kept = archive.read("a.xml")
    assert kept
    assert len(kept) > 10_000
    assert content.startswith(kept[:10_000])
    assert codes(report) == ["partial"]


@pytest.mark.parametrize("method", METHODS)
def test_a_damaged_part_leaves_the_others_readable(method: int) -> None:
    data = bytearray(packed(("bad.xml", TEXT * 50), ("good.xml", TEXT), method=method))
    data[50:70] = b"\xff" * 20
    archive, report = opened(bytes(data))
    archive.read("bad.xml")
    assert archive.read("good.xml") == TEXT
    assert codes(report) == ["partial"]


def test_an_unknown_packing_method_is_told() -> None:
    data = patched(packed(("a.xml", TEXT)), CENTRAL, 10, b"\x63\x00")
    archive, report = opened(data)
    assert archive.read("a.xml") is None
    assert codes(report) == ["partial"]


def test_xml_parts_come_as_trees_and_damage_is_told() -> None:
    archive, report = opened(packed(("a.xml", b"<a><b>x</b></a>"), ("b.xml", b"<a><b>x</b>"), ("c.xml", b"none")))
    root = archive.xml("a.xml")
    assert root is not None
    assert not report.problems
    broken = archive.xml("b.xml")
    assert broken is not None
    assert broken.findtext("b") == "x"
    assert archive.xml("c.xml") is None
    assert archive.xml("missing.xml") is None
    assert codes(report) == ["partial", "partial", "missing_part"]
    assert "c.xml" in report.problems[1].message


def test_a_slim_copy_has_every_part_and_only_the_wanted_content() -> None:
    archive, _ = opened(packed(("a.xml", TEXT), ("media/1.png", b"p" * 999), ("media/", b"")))
    with zipfile.ZipFile(archive.slim(lambda name: name.endswith(".xml"))) as copy:
        assert {name: copy.read(name) for name in copy.namelist()} == {"a.xml": TEXT, "media/1.png": b""}


def test_media_that_nobody_asks_for_are_never_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    archive, _ = opened(packed(("a.xml", TEXT), ("media/1.png", bytes(1000))))
    read: list[str] = []
    original = archive.read
    monkeypatch.setattr(archive, "read", lambda name: read.append(name) or original(name))
    archive.slim(lambda name: name.endswith(".xml"))
    assert read == ["a.xml"]


GOOD = packed(("[Content_Types].xml", TEXT), ("word/document.xml", TEXT * 20), ("docProps/core.xml", TEXT))


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=12), st.integers(0, len(GOOD)))
def test_no_mutation_raises_anything_unexpected(changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(GOOD)
    for at, value in changes:
        data[at] = value
    for variant in (bytes(data), bytes(data[:cut])):
        try:
            archive, _ = opened(variant, member_bytes=100_000)
        except UnreadableError:
            continue
        for name in archive.names:
            archive.xml(name)


def test_salvage_never_gives_more_than_allowed() -> None:
    data = patched(packed(("a.xml", bytes(3 << 20))), CENTRAL, 16, b"\1\1\1\1")
    archive, _ = opened(data, member_bytes=1 << 20)
    assert len(archive.read("a.xml") or b"") <= 1 << 20


def test_pictures_of_a_large_archive_are_never_in_memory(tmp_path):
    path = tmp_path / "album.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("word/document.xml", TEXT)
        archive.writestr("word/media/1.png", bytes(24 << 20))
    source = Source(path)
    tracemalloc.start()
    try:
        assert Archive(source, Report()).read("word/document.xml") == TEXT
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()
        source.close()
