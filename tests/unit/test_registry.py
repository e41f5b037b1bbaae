import os
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import ClassVar

import pytest

from gatherum import Document, Handler, Locator, Registry, Report, Section, SectionBuilder, Source, UnreadableError
from gatherum.limits import Limits
from gatherum.plugins import PluginInfo, Plugins
from gatherum.registry import load_registry

Read = Callable[[Source, Report], Iterator[Section]]


def handler(read: Read, *, name: str = "test", extensions: tuple[str, ...] = (".t",), mark: bytes = b"") -> Handler:
    """Make a handler of a function; *mark* at the start of a content is unmistakably its own."""

    class Made(Handler):
        title: ClassVar[str] = f"{name} files"

        def read(self, source: Source, report: Report) -> Iterator[Section]:
            return read(source, report)

        def recognise(self, glimpse: object) -> str | None:
            return extensions[0] if mark and glimpse.head.startswith(mark) else None  # type: ignore[attr-defined]

    Made.name, Made.extensions = name, extensions
    return Made()


def registry(*handlers: Handler | tuple[str, Handler], **options: object) -> Registry:
    """Make a registry of handlers, each with the distribution that it comes from."""
    pairs = []
    for number, each in enumerate(handlers):
        distribution, one = each if isinstance(each, tuple) else ("gatherum", each)
        info = PluginInfo(name=f"plugin{number}", distribution=distribution, version="1", state="active")
        pairs.append((info, one))
    plugins = Plugins(infos=tuple(info for info, _ in pairs), handlers=tuple(pairs), models=())
    return Registry(plugins, **options)  # type: ignore[arg-type]


def says(text: str) -> Read:
    def read(source: Source, report: Report) -> Iterator[Section]:
        yield Section(text=text)

    return read


def reading(read: Read, data: bytes = b"x", **limits: int) -> Document:
    return registry(handler(read), limits=Limits(**limits)).read(Source("a.t", data, limits=Limits(**limits)))


def codes(document: Document) -> list[str]:
    return [problem.code for problem in document.problems]


# -- what a handler may do -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValueError("odd"), "handler_failed"),
        (KeyError("x"), "handler_failed"),
        (RecursionError(), "too_deep"),
        (MemoryError(), "memory"),
        (PermissionError(13, "no"), "denied"),
        (FileNotFoundError(2, "no"), "vanished"),
        (OSError(5, "input/output error"), "denied"),
        (UnreadableError("drm", "the book is locked"), "drm"),
        (StopIteration(), "handler_failed"),
    ],
)
def test_what_was_read_before_an_exception_is_kept(error: Exception, code: str) -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        yield Section(text="the first chapter")
        raise error

    document = reading(read)
    assert [section.text for section in document.sections] == ["the first chapter"]
    assert (document.state, codes(document)) == ("partial", [code])


def test_an_exception_before_any_text_makes_a_file_unreadable() -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        raise ValueError("odd \ud800")
        yield

    document = reading(read)
    assert (document.state, codes(document)) == ("unreadable", ["handler_failed"])
    assert document.problems[0].message == "test failed on a.t: ValueError: odd \ufffd"


def test_a_handler_that_is_no_generator_may_raise_or_return_a_list() -> None:
    def fail(source: Source, report: Report) -> Iterator[Section]:
        raise ValueError

    assert reading(fail).state == "unreadable"
    assert reading(lambda source, report: [Section(text="x")]).state == "read"
    assert reading(lambda source, report: None).state == "unreadable"


@pytest.mark.parametrize(
    "rubbish",
    [
        "text",
        None,
        Section(text=None),
        Section(text="x", kind="nonsense"),
        Section(text="x", layer="nonsense"),
        Section(text="x", heading="Title"),
        Section(text="x", heading=(1,)),
        Section(text="x", locator="line 1"),
    ],
)
def test_rubbish_is_refused_and_what_came_before_is_kept(rubbish: object) -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        yield Section(text="good")
        yield rubbish

    document = reading(read)
    assert (document.state, codes(document)) == ("partial", ["handler_failed"])
    assert [section.text for section in document.sections] == ["good"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_no_error_is_for_the_reader_to_handle(error: type[BaseException]) -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        raise error
        yield

    with pytest.raises(error):
        reading(read)


def test_text_and_headings_are_made_fit_for_storing() -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        yield Section(text="a\x00b\ud800", heading=("One\nline", "\x01Two "))

    (section,) = reading(read).sections
    assert section.text == "a b\ufffd"
    assert section.heading == ("One line", "Two")


def test_headings_are_no_longer_than_titles_can_be() -> None:
    document = reading(telling(text="x", heading=("A", "h" * 100_000)))
    assert [len(title) for title in document.sections[0].heading] == [1, 2000]
    assert codes(document) == ["too_large"]


def test_metadata_and_problems_are_made_fit_for_storing() -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        report.metadata(title="a\ud800 b", authors=["x\udfff"], when=object, odd={"\ud800": {1}})
        report.problem("partial", "part \ud800")
        yield Section(text="x")

    document = reading(read)
    assert document.metadata.title == "a\ufffd b"
    assert document.metadata.authors == ("x\ufffd",)
    assert document.metadata.extra == {"when": str(object), "odd": {"\ufffd": [1]}}
    assert document.problems[0].message == "part \ufffd"


def test_metadata_takes_the_first_value_that_is_not_empty() -> None:
    report = Report()
    report.metadata(title="  ", authors=[" "], tags=7, language=None)
    report.metadata(title="A\n title", authors="Ann", tags=["x", " y "], language="de", pages=3)
    report.metadata(title="Another", pages=4)
    told = report.build()
    assert (told.title, told.authors, told.tags, told.language) == ("A title", ("Ann",), ("x", "y"), "de")
    assert told.extra == {"pages": 3}


def test_a_title_is_no_longer_than_titles_can_be() -> None:
    report = Report()
    report.metadata(title="t" * 100_000, description="d" * 100_000)
    assert len(report.build().title) == 2000
    assert len(report.build().description) == 100_000


def test_the_same_problem_is_told_once() -> None:
    report = Report()
    for place in (None, None, Locator.lines(3)):
        report.problem("partial", "damaged", place)
    assert len(report.problems) == 2


# -- states ----------------------------------------------------------------------------------------------------------


def telling(*problems: str, text: str = "", heading: tuple[str, ...] = ()) -> Read:
    def read(source: Source, report: Report) -> Iterator[Section]:
        for code in problems:
            report.problem(code, "told")  # type: ignore[arg-type]
        yield Section(text=text, heading=heading)

    return read


@pytest.mark.parametrize(
    ("read", "state"),
    [
        (telling(text="x"), "read"),
        (telling(heading=("A",)), "read"),
        (telling(), "read"),
        (telling("partial", text="x"), "partial"),
        (telling("missing_part", heading=("A",)), "partial"),
        (telling("hidden_text", text="x"), "read"),
        (telling("encoding_guessed", "wrong_extension", text="x"), "read"),
        (telling("no_text"), "unreadable"),
        (telling("password_protected"), "unreadable"),
        (telling("empty"), "unreadable"),
        (telling("empty", text="x"), "read"),
    ],
)
def test_states_follow_from_text_and_problems(read: Read, state: str) -> None:
    assert reading(read).state == state


def test_a_file_without_a_handler_is_unsupported() -> None:
    known = registry(handler(says("x")))
    document = known.read(Source("a.xyz", b"data"))
    assert (document.state, document.handler, codes(document)) == ("unsupported", "", ["unsupported"])
    assert known.read(Source("noext", b"data")).problems[0].message == "no handler for files without extension"


# -- limits ----------------------------------------------------------------------------------------------------------


def test_a_document_gets_its_share_of_text_and_sections() -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        while True:
            yield Section(text="0123456789")

    for limits, kept in (({"text_chars": 35}, 3), ({"sections": 5}, 5)):
        document = reading(read, **limits)
        assert len(document.sections) == kept
        assert (document.state, codes(document)) == ("partial", ["too_large"])


def test_a_file_larger_than_allowed_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.t").write_bytes(b"x" * 101)

    def read(source: Source, report: Report) -> Iterator[Section]:
        yield Section(text=source.data.decode())

    limited = registry(handler(read), limits=Limits(file_bytes=100))
    assert codes(limited.read(tmp_path / "a.t")) == ["too_large"]


def nested(source: Source, report: Report) -> Iterator[Section]:
    """Each document holds another one, for ever."""
    yield Section(text=source.name)
    yield from report.child(f"{source.path.stem}i.t", b"x")


def test_documents_inside_documents_are_read_to_a_depth() -> None:
    document = reading(nested, children=2)
    assert [section.text for section in document.sections] == ["a.t", "ai.t", "aii.t"]
    assert codes(document) == ["too_deep"]
    assert document.problems[0].message.endswith("aiii.t is more than 2 documents deep")


def test_problems_of_inner_documents_are_named_by_them() -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        yield Section(text="letter")
        yield from report.child("photo.xyz", b"x")
        yield from report.child("broken.u", b"x")
        yield Section(text="end")

    def fail(source: Source, report: Report) -> Iterator[Section]:
        yield Section(text="half")
        raise ValueError("odd")

    both = registry(handler(read), handler(fail, name="other", extensions=(".u",)))
    document = both.read(Source("a.t", b"x"))
    assert [section.text for section in document.sections] == ["letter", "half", "end"]
    assert codes(document) == ["unsupported", "handler_failed"]
    assert document.problems[1].message.startswith("broken.u: ")


def test_a_report_of_its_own_reads_no_inner_documents() -> None:
    assert list(Report().child("a.txt", b"x")) == []


# -- who reads what --------------------------------------------------------------------------------------------------


def test_third_parties_come_before_built_in_handlers() -> None:
    both = registry(("gatherum", handler(says("ours"), name="ours")), ("theirs", handler(says("x"), name="theirs")))
    (form,) = both.formats
    assert (form.handler, form.distribution, form.shadowed) == ("theirs", "theirs", ("ours",))


def test_the_user_comes_before_everybody() -> None:
    both = registry(
        ("gatherum", handler(says("ours"), name="ours")),
        ("theirs", handler(says("theirs"), name="theirs")),
        preferred={".t": "ours", ".other": "ours", ".nobody": "unknown"},
    )
    assert both.read(Source("a.t", b"x")).sections[0].text == "ours"
    assert both.read(Source("a.other", b"x")).sections[0].text == "ours"
    assert both.formats[-1].shadowed == ("theirs",)
    assert both.extensions == (".other", ".t")


def test_a_third_party_that_recognises_nothing_still_reads_its_files() -> None:
    both = registry(
        ("gatherum", handler(says("ours"), name="ours", mark=b"%T")),
        ("theirs", handler(says("theirs"), name="theirs")),
    )
    document = both.read(Source("a.t", b"%T"))
    assert (document.handler, codes(document)) == ("theirs", [])


def test_a_wrong_extension_is_read_for_what_it_is() -> None:
    both = registry(
        handler(says("t"), name="t", mark=b"%T"),
        handler(says("u"), name="u", extensions=(".u",)),
    )
    document = both.read(Source("a.u", b"%T"))
    assert (document.handler, document.format, document.state) == ("t", "t", "read")
    assert codes(document) == ["wrong_extension"]


@pytest.mark.parametrize("name", ["readme", "a.unknown"])
def test_content_is_recognised_whatever_the_name(name: str) -> None:
    document = registry(handler(says("t"), mark=b"%T")).read(Source(name, b"%T"))
    assert (document.format, codes(document)) == ("t", [])


def test_extensions_are_told_apart_without_case() -> None:
    assert registry(handler(says("t"))).read(Source("A.T", b"x")).state == "read"


@pytest.mark.parametrize("answer", [ValueError, True, 7])
def test_a_handler_that_fails_to_recognise_keeps_nobody_from_reading(answer: object) -> None:
    class Broken(Handler):
        name, title, extensions = "broken", "Broken", (".b",)

        def read(self, source: Source, report: Report) -> Iterator[Section]:
            yield Section(text="broken reads")

        def recognise(self, glimpse: object) -> str | None:
            if isinstance(answer, type):
                raise answer
            return answer

    both = registry(handler(says("t")), ("theirs", Broken()))
    assert both.read(Source("a.t", b"x")).state == "read"
    assert both.read(Source("a.b", b"x")).sections[0].text == "broken reads"


def test_the_glimpse_shows_the_head_and_the_members_of_an_archive() -> None:
    seen: list[object] = []

    class Looks(Handler):
        name, title, extensions = "looks", "Looks", (".z",)

        def read(self, source: Source, report: Report) -> Iterator[Section]:
            yield Section(text="x")

        def recognise(self, glimpse: object) -> str | None:
            seen.append(glimpse)
            return None

    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("a/b.xml", "x")
    one = registry(Looks())
    one.read(Source("a.z", data.getvalue()))
    one.read(Source("a.z", data.getvalue()[:50]))
    one.read(Source("a.z", b"plain"))
    whole, cut, plain = seen
    assert (whole.members, whole.mimetype) == ({"mimetype", "a/b.xml"}, "application/epub+zip")
    assert (cut.members, cut.mimetype) == (frozenset(), "")
    assert plain.head == b"plain"


def test_versions_tell_how_a_file_is_read() -> None:
    one = handler(says("t"))
    type(one).version = 3
    assert registry(one).versions() == {".t": "test@3"}


# -- what is no file -------------------------------------------------------------------------------------------------


def test_what_is_not_there_has_vanished(tmp_path: Path) -> None:
    assert codes(registry(handler(says("x"))).read(tmp_path / "gone.t")) == ["vanished"]


def test_only_ordinary_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "folder.t").mkdir()
    os.mkfifo(tmp_path / "pipe.t")
    one = registry(handler(says("x")))
    assert [codes(one.read(tmp_path / name)) for name in ("folder.t", "pipe.t")] == [["not_a_file"]] * 2
    assert codes(one.read("/dev/zero")) == ["not_a_file"]


def test_a_path_that_no_file_can_have_is_a_problem() -> None:
    assert registry(handler(says("x"))).read("a\0b.t").state == "unreadable"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_forbidden_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.t").write_bytes(b"x")
    (tmp_path / "a.t").chmod(0)
    assert codes(registry(handler(says("x"))).read(tmp_path / "a.t")) == ["denied"]


def test_sections_and_their_builder_are_all_that_a_handler_needs() -> None:
    def read(source: Source, report: Report) -> Iterator[Section]:
        builder = SectionBuilder()
        for number, line in enumerate(source.text(report).split("\n"), 1):
            yield from builder.add(line, locator=Locator.lines(number), separator="\n")
        yield from builder.close()

    document = reading(read, b"one\ntwo")
    assert document.sections[0].locator == Locator.lines(1, 2)


def test_every_built_in_format_has_a_handler_with_a_title() -> None:
    for form in load_registry().formats:
        assert form.handler
        assert form.title


def test_a_file_without_extension_is_known_by_its_whole_name(tmp_path: Path) -> None:
    from gatherum import load_registry

    (tmp_path / "README").write_text("How to begin.\n", encoding="utf-8")
    (tmp_path / "mystery").write_text("Nobody claims this.\n", encoding="utf-8")
    registry = load_registry()
    readme = registry.read(tmp_path / "README")
    assert (readme.state, readme.format, readme.handler) == ("read", "txt", "text")
    assert readme.problems == ()
    assert registry.read(tmp_path / "mystery").state == "unsupported"
