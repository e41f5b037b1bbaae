import io
import os
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import pytest

from gatherum import Shelf
from gatherum.archives import Archives, listing
from gatherum.config import IndexSettings
from gatherum.limits import Limits
from gatherum.walk import Found, Skipped, walk

TEXT = "# Tides\n\nHigh water comes at noon in the old harbour.\n"


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def tarred(parts: Mapping[str, str | bytes], mode: str = "w") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in parts.items():
            raw = data.encode() if isinstance(data, str) else data
            info = tarfile.TarInfo(name)
            info.size = len(raw)
            archive.addfile(info, io.BytesIO(raw))
    return file.getvalue()


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    (tmp_path / "gatherum.toml").write_text(
        '[index]\narchives = true\n[embedding]\nmodel = "none"\n[reader]\nisolation = "never"\n'
    )
    return Shelf.find(tmp_path)


def met(root: Path, **settings: object) -> dict[str, str]:
    """Return what the walk makes of each path: "" for a file to read, else the rule or the problem."""
    items = walk(root, IndexSettings(archives=True, **settings))  # type: ignore[arg-type]
    return {item.path: "" if isinstance(item, Found) else item.rule or item.code or "?" for item in items}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.zip", zipped({"notes/tides.md": TEXT})),
        ("a.tar", tarred({"notes/tides.md": TEXT})),
        ("a.tar.gz", tarred({"notes/tides.md": TEXT}, "w:gz")),
        ("a.tgz", tarred({"notes/tides.md": TEXT}, "w:gz")),
        ("a.tar.bz2", tarred({"notes/tides.md": TEXT}, "w:bz2")),
        ("a.tar.xz", tarred({"notes/tides.md": TEXT}, "w:xz")),
    ],
)
def test_a_member_is_found_listed_read_outlined_filtered_and_explained(
    shelf: Shelf, tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    (tmp_path / "plain.md").write_text("# Harbour\n\nNothing about water.\n")
    shelf.add(tmp_path)
    member = f"{name}!/notes/tides.md"
    assert [hit.path for hit in shelf.search("noon")] == [member]
    assert [hit.path for hit in shelf.search(f'water path:"{name}!/*"')] == [member]
    assert [hit.path for hit in shelf.search("water", under=tmp_path / name)] == [member]
    assert [document.path for document in shelf.list_documents(name)] == [member]
    reading = shelf.read(member)
    assert "High water" in reading.text
    assert not reading.stale
    assert shelf.read(f"doc:///{quote(member)}").path == member
    assert [section.title for section in shelf.outline(member).sections] == ["Tides"]
    assert shelf.why(member).verdict == "searchable"
    assert shelf.why(tmp_path / member).verdict == "searchable"
    assert shelf.why(tmp_path / name).rule == "unpacked"
    assert shelf.add(tmp_path).unchanged == 2
    assert shelf.remove(name) == 1


def test_a_changed_archive_brings_its_members_up_to_date_in_one_commit(shelf: Shelf, tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(zipped({"old.md": "old words", "same.md": TEXT, "new.md": "first words"}))
    shelf.add(tmp_path)
    archive.write_bytes(zipped({"added.md": "added words", "same.md": TEXT, "new.md": "second words"}))
    os.utime(archive, ns=(1, 10**18))
    before = _version(shelf)
    report = shelf.add(tmp_path)
    assert (report.added, report.changed, report.removed, report.unchanged) == (1, 1, 1, 1)
    assert {d.path for d in shelf.list_documents()} == {"a.zip!/added.md", "a.zip!/same.md", "a.zip!/new.md"}
    assert "second" in shelf.read("a.zip!/new.md").text
    assert _contents_by_version(shelf, before) == [
        {"a.zip!/old.md", "a.zip!/same.md", "a.zip!/new.md"},
        {"a.zip!/added.md", "a.zip!/same.md", "a.zip!/new.md"},
    ]


def _table(shelf: Shelf):  # type: ignore[no-untyped-def]
    import lancedb

    database = lancedb.connect(str(shelf.place.folder / "db"))
    return database.open_table(database.list_tables().tables[0])


def _version(shelf: Shelf) -> int:
    return int(_table(shelf).version)


def _contents_by_version(shelf: Shelf, first: int) -> list[set[str]]:
    """Return each distinct state of the shelf that a reader could have seen."""
    table, seen = _table(shelf), []
    for version in range(first, table.version + 1):
        try:
            table.checkout(version)
        except (ValueError, RuntimeError, OSError):
            continue
        paths = {row["path"] for row in table.search().where("ordinal < 0").select(["path"]).limit(100).to_list()}
        if not seen or seen[-1] != paths:
            seen.append(paths)
    return seen


def test_a_removed_archive_takes_its_members_along(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"one.md": "one", "two.md": "two"}))
    (tmp_path / "b.md").write_text("stays")
    shelf.add(tmp_path)
    (tmp_path / "a.zip").unlink()
    assert shelf.add(tmp_path).removed == 2
    assert [document.path for document in shelf.list_documents()] == ["b.md"]


def test_one_archive_can_be_named_on_its_own(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"one.md": "one", "two.md": "two"}))
    (tmp_path / "b.md").write_text("b")
    shelf.add(tmp_path)
    (tmp_path / "a.zip").write_bytes(zipped({"one.md": "other"}))
    report = shelf.add(tmp_path / "a.zip")
    assert (report.changed, report.removed) == (1, 1)
    assert {document.path for document in shelf.list_documents()} == {"a.zip!/one.md", "b.md"}


def test_switched_off_archives_are_one_file_again(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"one.md": "one"}))
    shelf.add(tmp_path)
    (tmp_path / "gatherum.toml").write_text('[embedding]\nmodel = "none"\n[reader]\nisolation = "never"\n')
    off = Shelf.find(tmp_path)
    assert off.add(tmp_path).removed == 1
    assert off.list_documents() == ()


def test_problems_are_told_for_each_member(shelf: Shelf, tmp_path: Path) -> None:
    data = zipped({"good.md": "good", "bad.docx": b"PK\x03\x04 no document"})
    (tmp_path / "a.zip").write_bytes(data)
    (tmp_path / "broken.zip").write_bytes(data[:40])
    report = shelf.add(tmp_path)
    assert {(problem.path, problem.code) for problem in report.problems} == {
        ("a.zip!/bad.docx", "corrupt"),
        ("broken.zip", "corrupt"),
    }
    assert shelf.why("a.zip!/bad.docx").verdict == "unreadable"


def test_a_damaged_member_spoils_no_other(shelf: Shelf, tmp_path: Path) -> None:
    data = bytearray(zipped({"a.md": "alpha " * 900, "b.md": "beta"}))
    data[60] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(bytes(data))
    shelf.add(tmp_path)
    assert "beta" in shelf.read("a.zip!/b.md").text
    assert shelf.why("a.zip!/a.md").verdict in ("unreadable", "searchable")
    assert {problem.path for problem in shelf.status(problems=True).problems} == {"a.zip!/a.md"}


def test_workers_read_members_too(tmp_path: Path) -> None:
    (tmp_path / "gatherum.toml").write_text(
        '[index]\narchives = true\n[embedding]\nmodel = "none"\n[reader]\nisolation = "always"\nworkers = 2\n'
    )
    (tmp_path / "a.tar.gz").write_bytes(tarred({f"{n}.md": f"number {n}" for n in range(30)}, "w:gz"))
    shelf = Shelf.find(tmp_path)
    assert shelf.add(tmp_path).added == 30
    assert "number 17" in shelf.read("a.tar.gz!/17.md").text


def test_a_large_packed_archive_is_read_by_workers(tmp_path: Path) -> None:
    (tmp_path / "gatherum.toml").write_text(
        '[index]\narchives = true\n[embedding]\nmodel = "none"\n[reader]\nisolation = "always"\nworkers = 1\n'
    )
    (tmp_path / "a.tar.gz").write_bytes(tarred({"pad.bin": b"\0" * (12 << 20), "last.md": "last words"}, "w:gz"))
    shelf = Shelf.find(tmp_path)
    shelf.add(tmp_path)
    assert "last words" in shelf.read("a.tar.gz!/last.md").text


# -- rules -----------------------------------------------------------------------------------------------------------


def test_rules_hold_for_the_names_of_members(tmp_path: Path) -> None:
    names = (".env", "x/id_rsa", "x/.hidden/a.md", "node_modules/a.md", "drafts/a.md", "log.txt", "a.md")
    (tmp_path / "a.zip").write_bytes(zipped(dict.fromkeys(names, "x")))
    (tmp_path / ".gitignore").write_text("*.txt\n")
    assert met(tmp_path, exclude=("drafts/",)) == {
        ".gitignore": "hidden",
        "a.zip": "unpacked",
        "a.zip!/.env": "secret",
        "a.zip!/x/id_rsa": "secret",
        "a.zip!/x/.hidden/a.md": "hidden",
        "a.zip!/node_modules/a.md": "generated",
        "a.zip!/drafts/a.md": "excluded",
        "a.zip!/log.txt": "ignored",
        "a.zip!/a.md": "",
    }


def test_include_may_name_members_or_the_archive(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"a.md": "x", "b.txt": "x"}))
    (tmp_path / "c.txt").write_text("x")
    assert met(tmp_path, include=("*.md",)) == {
        "a.zip": "unpacked",
        "a.zip!/a.md": "",
        "a.zip!/b.txt": "not_included",
        "c.txt": "not_included",
    }
    assert met(tmp_path, include=("a.zip",))["a.zip!/b.txt"] == ""


def test_why_names_the_rule_for_a_member(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({".env": "TOKEN=1", "a.md": "x"}))
    shelf.add(tmp_path)
    assert shelf.why(tmp_path / "a.zip!/.env").rule == "secret"


def test_documents_that_are_zip_archives_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "word.zip").write_bytes(zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": "<d/>"}))
    (tmp_path / "book.fb2.zip").write_bytes(zipped({"book.fb2": "<FictionBook/>"}))
    assert met(tmp_path) == {"word.zip": "", "book.fb2.zip": ""}


# -- hostile archives ------------------------------------------------------------------------------------------------


def test_archives_in_archives_are_opened_to_a_depth(tmp_path: Path) -> None:
    data = zipped({"leaf.md": "x"})
    for level in range(5):
        data = (
            zipped({f"{level}.zip": data})
            if level % 2
            else tarred({f"{level}.tar": data} if level else {"0.zip": data})
        )
    (tmp_path / "a.tar").write_bytes(data)
    seen = met(tmp_path)
    assert "too_deep" in seen.values()
    assert max(path.count("!/") for path in seen) == Limits().children


def test_an_archive_of_itself_ends(tmp_path: Path) -> None:
    inner = zipped({"a.md": "x"})
    (tmp_path / "a.zip").write_bytes(zipped({"in.zip": inner, "in/deep.tar.gz": tarred({"b.md": "y"}, "w:gz")}))
    assert met(tmp_path) == {"a.zip": "unpacked", "a.zip!/in.zip!/a.md": "", "a.zip!/in/deep.tar.gz!/b.md": ""}


@pytest.mark.parametrize("make", [zipped, tarred])
def test_names_that_lead_out_are_named_and_not_followed(tmp_path: Path, make) -> None:  # type: ignore[no-untyped-def]
    suffix = "zip" if make is zipped else "tar"
    (tmp_path / f"a.{suffix}").write_bytes(
        make({"../../etc/passwd": "x", "/etc/shadow": "x", "C:\\x.md": "x", "x/../../y.md": "x", "fine.md": "x"})
    )
    assert met(tmp_path) == {
        f"a.{suffix}": "unpacked",
        f"a.{suffix}!/etc/passwd": "outside",
        f"a.{suffix}!/etc/shadow": "",
        f"a.{suffix}!/C:/x.md": "outside",
        f"a.{suffix}!/y.md": "outside",
        f"a.{suffix}!/fine.md": "",
    }


def test_links_and_devices_in_a_tar_archive_are_left_alone(tmp_path: Path) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, kind in (("soft.md", tarfile.SYMTYPE), ("hard.md", tarfile.LNKTYPE), ("pipe.md", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    (tmp_path / "a.tar").write_bytes(file.getvalue())
    assert met(tmp_path) == {
        "a.tar": "unpacked",
        "a.tar!/soft.md": "excluded",
        "a.tar!/hard.md": "excluded",
        "a.tar!/pipe.md": "not_a_file",
    }


def test_links_in_a_zip_archive_are_not_followed(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo("link.md")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    (tmp_path / "a.zip").write_bytes(file.getvalue())
    assert met(tmp_path)["a.zip!/link.md"] == "excluded"


def test_a_locked_member_is_named(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.md": "x", "b.md": "y"}))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    (tmp_path / "a.zip").write_bytes(bytes(data))
    assert met(tmp_path)["a.zip!/a.md"] == "password_protected"


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"big.md": b"\0" * (3 << 20), "small.md": "x"}))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.getinfo("big.md").compress_size < 10_000
    limits = Limits(member_bytes=1 << 20)
    archives = Archives(limits)
    items = {item.path: item.code for item in listing(archives, str(tmp_path / "a.zip"), "a.zip", limits, bool) or ()}
    assert items == {"a.zip!/big.md": "too_large", "a.zip!/small.md": None}


def test_all_members_together_have_a_limit(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({f"{n}.md": b"x" * 1000 for n in range(5)}))
    limits = Limits(archive_bytes=2500)
    found = listing(Archives(limits), str(tmp_path / "a.zip"), "a.zip", limits, bool)
    assert [item.code for item in found or ()] == [None, None, "too_large", "too_large", "too_large"]


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_a_packed_tar_archive_is_unpacked_up_to_its_limit(tmp_path: Path, mode: str) -> None:
    from gatherum.errors import UnreadableError

    (tmp_path / "a.tar").write_bytes(tarred({"a.md": b"\0" * (2 << 20)}, mode))
    limits = Limits(archive_bytes=1 << 20)
    with pytest.raises(UnreadableError, match="unpacks to more than"):
        listing(Archives(limits), str(tmp_path / "a.tar"), "a.tar", limits, bool)


def test_a_member_longer_than_the_archive_says_is_refused(shelf: Shelf, tmp_path: Path) -> None:
    data = bytearray(zipped({"a.md": "word " * 500}))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (3).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(bytes(data))
    shelf.add(tmp_path)
    assert shelf.why("a.zip!/a.md").verdict == "unreadable"


def test_a_packed_tar_archive_cut_short_gives_what_came_before(shelf: Shelf, tmp_path: Path) -> None:
    data = tarred({"a.md": "alpha words", "b.md": os.urandom(30_000).hex()}, "w:gz")
    (tmp_path / "a.tgz").write_bytes(data[:-20_000])
    report = shelf.add(tmp_path)
    assert "alpha" in shelf.read("a.tgz!/a.md").text
    assert "a.tgz" in {problem.path for problem in report.problems}


def test_a_folder_that_looks_like_an_archives_inside_comes_first(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"x.md": "inside"}))
    (tmp_path / "a.zip!").mkdir()
    (tmp_path / "a.zip!" / "x.md").write_text("outside")
    shelf.add(tmp_path)
    assert "outside" in shelf.read("a.zip!/x.md").text


def test_no_file_handle_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"a.md": "x"}))
    items = list(walk(tmp_path, IndexSettings(archives=True)))
    assert any(isinstance(item, Skipped) for item in items)


def test_a_client_finds_and_fetches_a_member(shelf: Shelf, tmp_path: Path) -> None:
    import anyio
    from mcp import Client

    from gatherum.server.mcp import ShelfServer

    (tmp_path / "a b.zip").write_bytes(zipped({"notes/tides & co.md": TEXT}))
    shelf.add(tmp_path)

    async def talk() -> tuple[str, str, str]:
        async with Client(ShelfServer(shelf).server) as client:
            found = await client.call_tool("search", {"query": "noon"})
            hit = found.structured_content["results"][0]
            fetched = await client.call_tool("fetch", {"id": hit["path"]})
            resources = (await client.list_resources()).resources
            uri = next(str(each.uri) for each in resources if "tides" in str(each.uri))
            read = await client.read_resource(uri)
            return hit["path"], fetched.content[0].text, read.contents[0].text

    path, fetched, read = anyio.run(talk)
    assert path == "a b.zip!/notes/tides & co.md"
    assert "High water" in fetched
    assert "High water" in read
