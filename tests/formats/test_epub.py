"""EPUB: every kind of text once, under the path that the table of contents gives, whatever the book lacks."""

import io
import re
import sys
import warnings
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Document, Registry, Report, Source
from gatherum.handler import Glimpse
from gatherum.limits import Archive
from gatherum.plugins import PluginInfo, Plugins
from gatherum_formats.epub import EpubHandler
from gatherum_formats.epub.contents import read_contents
from gatherum_formats.epub.library import library_view
from gatherum_formats.epub.package import read_package

INFO = PluginInfo(name="epub", distribution="gatherum", version="0", state="active")
REGISTRY = Registry(Plugins(infos=(INFO,), handlers=((INFO, EpubHandler()),), models=()))
CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="{0}" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
XHTML = "application/xhtml+xml"


def page(body: str, title: str = "T", head: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" '
        '"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>{title}</title>{head}</head><body>{body}</body></html>'
    )


def nav(entries: str, more: str = "") -> str:
    return page(f'<nav epub:type="toc"><h1>TKCONTENTS</h1><ol>{entries}</ol></nav>{more}')


def ncx(points: str) -> str:
    return f'<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'


def point(title: str, src: str, inner: str = "") -> str:
    return f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{src}"/>{inner}</navPoint>'


def item(ident: str, href: str, kind: str = XHTML, more: str = "") -> str:
    return f'<item id="{ident}" href="{href}" media-type="{kind}" {more}/>'


def package(manifest: str, spine: str, metadata: str = "<dc:title>T</dc:title>", toc: str = "") -> str:
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">'
        f"{metadata}</metadata><manifest>{manifest}</manifest><spine {toc}>{spine}</spine></package>"
    )


def pack(parts: dict[str, str | bytes], *, first: bool = True) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        if first:
            archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def book(
    pages: dict[str, str | bytes], contents: str = "", *, metadata: str = "<dc:title>T</dc:title>", **more: str
) -> bytes:
    """A book of pages in the order given, with a navigation document if there is one."""
    manifest = "".join(item(f"i{n}", name) for n, name in enumerate(pages))
    parts: dict[str, str | bytes] = {f"O/{name}": data for name, data in pages.items()}
    if contents:
        manifest += item("nav", "nav.xhtml", more='properties="nav"')
        parts["O/nav.xhtml"] = contents
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(pages)))
    return pack(
        {
            "META-INF/container.xml": CONTAINER.format("O/p.opf"),
            "O/p.opf": package(manifest, spine, metadata),
            **more,
            **parts,
        }
    )


def read(data: bytes) -> Document:
    return REGISTRY.read(Source("book.epub", data))


def told(document: Document, layer: str = "body") -> list[tuple[tuple[str, ...], str]]:
    return [(section.heading, section.text) for section in document.sections if section.layer == layer]


def codes(document: Document) -> set[str]:
    return {problem.code for problem in document.problems}


@pytest.fixture(params=["with the library", "without the library"], autouse=True)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Every test holds with ebooklib and with its import failing."""
    if request.param == "without the library":
        monkeypatch.setitem(sys.modules, "ebooklib", None)
    return request.param == "with the library"


PAGES = {
    "ch%20one.xhtml": page(
        '<section epub:type="chapter"><h1 id="a">TKONE</h1><p>First&nbsp;para TKENTITY &mdash; x<a epub:type="noteref" '
        'href="#fn1">1</a></p><p>TKNEXT</p><h2 id="s2">TKSECTION</h2><p>TKUNDER</p>'
        '<aside epub:type="footnote" id="fn1"><p>TKFOOTNOTE</p></aside></section>',
        head='<link rel="stylesheet" href="s.css"/><style>TKCSS{}</style><script>var TKSCRIPT=1;</script>',
    ),
    "ch2.xhtml": page(
        "<h2>TKTWO<br/>line</h2><div>TKDIV<p>in p</p>TKTAIL</div><table><tr><th>TKTH</th><th>b</th></tr><tr>"
        '<td rowspan="2">TKTD</td><td><table><tr><td>TKINNERTD</td><td>x</td></tr></table></td></tr>'
        "<tr><td>TKLASTTD</td></tr></table><pre><code>def TKCODE():\n    pass</code></pre><figure><img src='no.png' "
        "alt='TKALT'/><figcaption>TKFIGCAP</figcaption></figure><dl><dt>TKDT</dt><dd>TKDD</dd></dl><ul><li>TKLI<ul>"
        '<li>TKLIIN</li></ul></li></ul><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>TKMATH</mi></math>'
        '<p><ruby>TKRUBY<rt>TKRT</rt></ruby></p><svg xmlns="http://www.w3.org/2000/svg"><title>TKSVGTITLE</title>'
        "<text>TKSVGTEXT</text></svg><p>TKFAR<a epub:type='noteref' href='notes.xhtml#e1'>2</a></p>"
    ),
    "ch3.html": page("<p>TKHTMLTYPE</p>"),
    "plain.xhtml": page("<p class='h1'>Chapter TKNOHEAD</p><p>TKAFTER</p>", "TKPLAINTITLE"),
    "bad.xhtml": "<html><head><title>b</title></head><body><p>TKBAD <b>unclosed & amp<p>TKBADTAIL</body>",
    "utf16.xhtml": page("<p>TKWIDE é</p>").replace("utf-8", "utf-16").encode("utf-16"),
    "prefixed.xhtml": '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:p>TKPREFIXED</h:p></h:body></h:html>',
    "notes.xhtml": page(
        '<h1>TKNOTES</h1><p>TKALOUD</p><section epub:type="endnotes"><ol><li id="e1">TKENDNOTE</li></ol></section>'
    ),
}
CONTENTS = nav(
    '<li><a href="ch%20one.xhtml"><span>TKONE</span></a><ol>'
    '<li><a href="ch%20one.xhtml#s2">TKSECTION</a></li></ol></li>'
    '<li><span>TKPART</span><ol><li><a href="ch2.xhtml">TKTWO line</a></li>'
    '<li><a href="plain.xhtml">TKPLAIN</a></li></ol></li>'
    '<li><a href="notes.xhtml">TKNOTES</a></li>',
    '<nav epub:type="page-list"><ol><li><a href="ch2.xhtml">TKPAGELIST</a></li></ol></nav>',
)
METADATA = (
    '<dc:identifier id="id">TKIDENTIFIER</dc:identifier><dc:title>TKBOOK</dc:title>'
    '<dc:creator id="c">TKAUTHOR</dc:creator><dc:creator opf:role="ill">TKDRAWER</dc:creator>'
    "<dc:language>en</dc:language>"
    "<dc:description>&lt;p&gt;TKDESCRIPTION&lt;/p&gt;</dc:description><dc:subject>TKSUBJECT</dc:subject>"
    '<meta property="dcterms:modified">2024-01-01T00:00:00Z</meta>'
    '<meta property="belongs-to-collection" id="s">TKSERIES</meta><meta refines="#s" property="group-position">2</meta>'
)


def torture() -> bytes:
    manifest = (
        item("c2", "ch2.xhtml")
        + item("c1", "ch%20one.xhtml", "Application/XHTML+XML; charset=utf-8")
        + item("c3", "ch3.html", "text/html")
        + item("pl", "PLAIN.xhtml", "text/xml")
        + item("bd", "../O/bad.xhtml")
        + item("u", "utf16.xhtml")
        + item("pr", "prefixed.xhtml")
        + item("nt", "notes.xhtml")
        + item("orphan", "orphan.xhtml")
        + item("nav", "nav.xhtml", more='properties="nav"')
        + item("css", "s.css", "text/css")
        + item("pic", "gone.png", "image/png")
    )
    spine = "".join(f'<itemref idref="{ident}"/>' for ident in ("c1", "c2", "c3", "pl", "bd", "u", "pr"))
    parts = {f"O/{name.replace('%20', ' ')}": data for name, data in PAGES.items()}
    return pack(
        {
            "O/s.css": "TKSHEET{}",
            **parts,
            "O/nav.xhtml": CONTENTS,
            "O/orphan.xhtml": page("TKORPHAN"),
            "META-INF/container.xml": CONTAINER.format("O/p.opf"),
            "O/p.opf": package(manifest, spine + '<itemref idref="nt" linear="no"/>', METADATA),
        },
        first=False,
    )


class TestMustExtract:
    @pytest.fixture
    def document(self) -> Document:
        return read(torture())

    def test_every_word_is_there_once_in_reading_order(self, document: Document) -> None:
        said = " ".join(section.text for section in document.sections if section.layer == "body")
        wanted = [
            token
            for data in list(PAGES.values())[:-1]
            for token in re.findall(r"\bTK[A-Z]+", data if isinstance(data, str) else "TKWIDE")
        ]
        heads = {"TKONE", "TKSECTION", "TKTWO", "TKNOTES"}
        apart = heads | {"TKCSS", "TKSCRIPT", "TKFOOTNOTE", "TKPLAINTITLE"}
        assert re.findall(r"\bTK[A-Z]+", said) == [token for token in wanted if token not in apart] + ["TKALOUD"]
        assert document.state == "read"
        assert document.problems == ()

    def test_what_nobody_reads_is_absent(self, document: Document) -> None:
        said = "\n".join(f"{section.heading} {section.text}" for section in document.sections)
        for token in ("TKCSS", "TKSCRIPT", "TKSHEET", "TKCONTENTS", "TKPAGELIST", "TKORPHAN", "TKPLAINTITLE"):
            assert token not in said

    @pytest.mark.parametrize(
        ("token", "heading"),
        [
            ("TKENTITY", ("TKONE",)),
            ("TKUNDER", ("TKONE", "TKSECTION")),
            ("TKDIV", ("TKPART", "TKTWO line")),
            ("TKHTMLTYPE", ("TKPART", "TKTWO line")),
            ("TKAFTER", ("TKPART", "TKPLAIN")),
            ("TKALOUD", ("TKNOTES",)),
        ],
    )
    def test_the_contents_give_the_path(self, document: Document, token: str, heading: tuple[str, ...]) -> None:
        assert [s.heading for s in document.sections if re.search(rf"\b{token}\b", s.text)] == [heading]

    def test_notes_follow_their_paragraphs_even_from_other_files(self, document: Document) -> None:
        texts = [(s.kind, s.layer, s.text) for s in document.sections if s.text]
        at = texts.index(("footnote", "notes", "[^1]: TKFOOTNOTE"))
        assert texts[at - 1][2].endswith("x[^1]")
        assert texts[at + 1][2] == "TKNEXT"
        at = texts.index(("endnote", "notes", "[^2]: TKENDNOTE"))
        assert texts[at - 1][2].endswith("TKFAR[^2]")

    def test_kinds(self, document: Document) -> None:
        kinds = {
            "TKTD": "table",
            "TKCODE": "code",
            "TKALT": "alt",
            "TKFIGCAP": "caption",
            "TKDD": "list",
            "TKMATH": "math",
        }
        for token, kind in kinds.items():
            assert [s.kind for s in document.sections if re.search(rf"\b{token}\b", s.text)] == [kind]

    def test_metadata(self, document: Document) -> None:
        told = document.metadata
        assert (told.title, told.authors, told.language, told.tags) == ("TKBOOK", ("TKAUTHOR",), "en", ("TKSUBJECT",))
        assert (told.description, told.modified) == ("TKDESCRIPTION", "2024-01-01T00:00:00Z")
        assert told.extra["identifier"] == "TKIDENTIFIER"
        assert (told.extra["series"], told.extra["series_index"]) == ("TKSERIES", "2")
        assert told.extra["contributors"] == ["TKDRAWER"]

    def test_places(self, document: Document) -> None:
        places = {section.heading[-1]: section.locator for section in document.sections if section.heading}
        assert (places["TKSECTION"].unit, places["TKSECTION"].start) == ("chapter", 1)
        assert (places["TKSECTION"].name, places["TKSECTION"].anchor) == ("O/ch one.xhtml", "s2")


class TestContents:
    def test_the_older_contents_are_read_where_there_are_no_newer(self) -> None:
        manifest = item("a", "a.xhtml") + item("b", "b.xhtml") + item("n", "t/toc.ncx", "application/x-dtbncx+xml")
        points = point("Part", "../a.xhtml", point("Chapter &amp; more", "../b.xhtml#x"))
        data = pack(
            {
                "META-INF/container.xml": CONTAINER.format("p.opf"),
                "p.opf": package(manifest, '<itemref idref="a"/><itemref idref="b"/>', toc='toc="n"'),
                "t/toc.ncx": ncx(points),
                "a.xhtml": page("<p>one</p>"),
                "b.xhtml": page("<p>two</p><p id='x'>three</p>"),
            }
        )
        assert told(read(data)) == [(("Part",), "one\n\ntwo"), (("Part", "Chapter & more"), "three")]

    def test_without_contents_the_files_own_headings_count(self) -> None:
        data = book({"a.xhtml": page("<h1>A</h1><h3>B</h3>x"), "b.xhtml": page("<p>y</p>", "Its title")})
        assert told(read(data)) == [(("A",), ""), (("A", "B"), "x"), (("Its title",), "y")]

    def test_titles_that_all_files_share_are_no_headings(self) -> None:
        assert told(read(book({"a.xhtml": page("x", "Same"), "b.xhtml": page("y", "Same")}))) == [((), "x\n\ny")]

    def test_fragments_split_a_file(self) -> None:
        body = (
            "<p>zero</p><div id='a'><p>one</p></div><p>more<a id='b'/></p><p>two</p><h4 id='c'>Three</h4><p>three</p>"
        )
        entries = "".join(
            f'<li><a href="x.xhtml#{ident}">{title}</a></li>'
            for ident, title in zip("abc", ("A", "B", "3. Three"), strict=True)
        )
        assert told(read(book({"x.xhtml": page(body)}, nav(entries)))) == [
            ((), "zero"),
            (("A",), "one"),
            (("B",), "more\n\ntwo"),
            (("Three",), "three"),
        ]

    def test_headings_inside_refine_the_path(self) -> None:
        body = "<h1>I</h1><h1>The Call</h1><p>a</p><h2>Later</h2><p>b</p>"
        contents = nav('<li><span>Book</span><ol><li><a href="x.xhtml">I. The Call</a></li></ol></li>')
        assert told(read(book({"x.xhtml": page(body)}, contents))) == [
            (("Book",), ""),
            (("Book", "I"), ""),
            (("Book", "The Call"), "a"),
            (("Book", "The Call", "Later"), "b"),
        ]

    def test_ranks_inside_the_files_hold_where_the_contents_are_flat(self) -> None:
        pages = {
            "cover.xhtml": page("<p>a</p>"),
            "t.xhtml": page("<h1>Title</h1>"),
            "x.xhtml": page("<h2>One</h2><p>b</p>"),
            "y.xhtml": page("<h2>Two</h2><h3>Inner</h3><p>c</p>"),
        }
        lines = "".join(
            f'<li><a href="{n}.xhtml">{t}</a></li>' for n, t in (("cover", "Cover"), ("x", "One"), ("y", "Two"))
        )
        assert told(read(book(pages, nav(lines)))) == [
            (("Cover",), "a"),
            (("Title",), ""),
            (("Title", "One"), "b"),
            (("Title", "Two"), ""),
            (("Title", "Two", "Inner"), "c"),
        ]

    def test_several_lines_may_lead_to_one_place(self) -> None:
        contents = nav('<li><a href="x.xhtml">Part One</a><ol><li><a href="x.xhtml#c">Chapter 1</a></li></ol></li>')
        body = "<h1>Part One</h1><h2 id='c'>Chapter 1</h2><p>a</p>"
        assert told(read(book({"x.xhtml": page(body)}, contents))) == [
            (("Part One",), ""),
            (("Part One", "Chapter 1"), "a"),
        ]

    def test_a_place_that_is_gone_is_found_by_its_title(self) -> None:
        contents = nav('<li><a href="x.xhtml">A</a><ol><li><a href="x.xhtml#gone">B</a></li></ol></li>')
        assert told(read(book({"x.xhtml": page("<h1>A</h1>a<h1>B</h1>b")}, contents))) == [
            (("A",), "a"),
            (("A", "B"), "b"),
        ]

    def test_a_contents_page_in_reading_order_is_furniture(self) -> None:
        manifest = item("a", "a.xhtml") + item("nav", "nav.xhtml", more='properties="nav"')
        data = pack(
            {
                "META-INF/container.xml": CONTAINER.format("p.opf"),
                "p.opf": package(manifest, '<itemref idref="nav"/><itemref idref="a"/>'),
                "nav.xhtml": nav('<li><a href="a.xhtml">A</a></li>'),
                "a.xhtml": page("<p>one</p>"),
            }
        )
        document = read(data)
        assert told(document) == [(("A",), "one")]
        assert [(s.kind, s.heading) for s in document.sections if s.layer == "furniture"] == [("toc", ())]

    def test_both_ways_of_reading_the_contents_agree(self, library: bool) -> None:
        report = Report()
        archive = Archive(Source("b.epub", torture()), report)
        package = read_package(archive, report)
        own = [(e.depth, e.title, e.path, e.fragment) for e in read_contents(archive, package)]
        theirs = [(e.depth, e.title, e.path, e.fragment) for e in library_view(archive, package, report)]
        assert theirs == (own if library else [])
        assert report.build().title == ("TKBOOK" if library else "")


ONE: dict[str, str | bytes] = {"a.xhtml": page("<p>one</p>")}


class TestOddBooks:
    def test_missing_and_remote_items_are_told(self) -> None:
        manifest = item("a", "a.xhtml") + item("g", "gone.xhtml") + item("r", "https://example.org/r.xhtml")
        spine = "".join(f'<itemref idref="{ident}"/>' for ident in "garz")
        document = read(
            pack({"META-INF/container.xml": CONTAINER.format("p.opf"), "p.opf": package(manifest, spine), **ONE})
        )
        assert told(document) == [((), "one")]
        assert document.state == "partial"
        assert codes(document) == {"missing_part"}
        assert [p.message.split(",")[0][15:] for p in document.problems] == [
            "gone.xhtml",
            "https://example.org/r.xhtml",
            "z",
        ]

    def test_fallbacks_are_followed(self) -> None:
        manifest = (
            item("f", "f.bin", "application/x-f", 'fallback="g"')
            + item("g", "g.bin", "x/y", 'fallback="a"')
            + item("a", "a.xhtml")
        )
        data = pack(
            {
                "META-INF/container.xml": CONTAINER.format("p.opf"),
                "p.opf": package(manifest, '<itemref idref="f"/>'),
                "f.bin": "",
                "g.bin": "",
                **ONE,
            }
        )
        assert told(read(data)) == [((), "one")]

    @pytest.mark.parametrize(
        "parts", [{}, {"META-INF/container.xml": CONTAINER.format("none.opf")}, {"META-INF/container.xml": "<broken"}]
    )
    def test_without_a_package_the_pages_are_read(self, parts: dict[str, str]) -> None:
        document = read(pack({**parts, **ONE}))
        assert [text for _, text in told(document)] == ["one"]
        assert "missing_part" in codes(document)

    def test_a_package_is_found_without_a_container(self) -> None:
        document = read(
            pack({"deep/p.opf": package(item("a", "../a.xhtml"), '<itemref idref="a"/>'), **ONE}, first=False)
        )
        assert (told(document), document.problems) == ([((), "one")], ())

    def test_a_drawing_is_a_page(self) -> None:
        manifest = item("a", "a.svg", "image/svg+xml")
        svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>Map</title><text>North</text><text>South</text></svg>'
        document = read(
            pack(
                {
                    "META-INF/container.xml": CONTAINER.format("p.opf"),
                    "p.opf": package(manifest, '<itemref idref="a"/>'),
                    "a.svg": svg,
                }
            )
        )
        assert told(document) == [((), "Map\nNorth\nSouth")]

    def test_pages_that_only_links_lead_to_are_read_last(self) -> None:
        manifest = item("a", "a.xhtml") + item("b", "b.xhtml") + item("c", "c.xhtml")
        parts = {
            "a.xhtml": page("<p>one <a href='b.xhtml#x'>see</a></p>"),
            "b.xhtml": page("<p>two</p>"),
            "c.xhtml": page("<p>three</p>"),
        }
        data = pack(
            {
                "META-INF/container.xml": CONTAINER.format("p.opf"),
                "p.opf": package(manifest, '<itemref idref="a"/>'),
                **parts,
            }
        )
        assert told(read(data)) == [((), "one see\n\ntwo")]

    def test_a_page_listed_many_times_is_read_once(self) -> None:
        manifest = item("a", "a.xhtml") + item("b", "./a.xhtml")
        spine = '<itemref idref="a"/><itemref idref="b"/>' * 20_000
        data = pack({"META-INF/container.xml": CONTAINER.format("p.opf"), "p.opf": package(manifest, spine), **ONE})
        assert told(read(data)) == [((), "one")]

    def test_contents_of_any_depth(self) -> None:
        contents = nav('<li><a href="a.xhtml">x</a><ol>' * 3000 + "</ol></li>" * 3000)
        document = read(book(ONE, contents))
        assert "one" in " ".join(text for _, text in told(document))
        assert max(len(section.heading) for section in document.sections) <= 9

    def test_asides_of_a_chapter_belong_to_it(self) -> None:
        data = book({"a.xhtml": page("<header><h1>A</h1></header><p>one</p><aside>two</aside><footer>three</footer>")})
        assert told(read(data)) == [(("A",), "one\n\ntwo\n\nthree")]

    def test_a_book_of_pictures_has_no_text(self) -> None:
        assert codes(read(book({"a.xhtml": page("<img src='a.png'/>")}))) == {"no_text"}


class TestLocks:
    DATA = "http://www.w3.org/2001/04/xmlenc#"

    def encryption(self, algorithm: str, *paths: str) -> str:
        return (
            "<encryption>"
            + "".join(
                f'<EncryptedData xmlns="{self.DATA}"><EncryptionMethod Algorithm="{algorithm}"/><CipherData>'
                f'<CipherReference URI="{path}"/></CipherData></EncryptedData>'
                for path in paths
            )
            + "</encryption>"
        )

    def test_a_locked_book_tells_its_metadata_only(self) -> None:
        lock = {
            "META-INF/encryption.xml": self.encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "O/a%20.xhtml")
        }
        document = read(book({"a .xhtml": b"\x93\xff\x00" * 99}, **lock))
        assert (document.state, codes(document), document.metadata.title) == ("unreadable", {"drm"}, "T")
        assert document.sections == ()

    @pytest.mark.parametrize("name", ["rights.xml", "license.lcpl", "sinf.xml"])
    def test_a_licence_beside_cipher_text_is_a_lock(self, name: str) -> None:
        document = read(book({"a.xhtml": b"\x93\xff\x00" * 999}, **{f"META-INF/{name}": "<x/>"}))
        assert codes(document) == {"drm"}

    def test_a_licence_beside_plain_text_is_none(self) -> None:
        assert told(read(book({"a.xhtml": page("<p>one</p>")}, **{"META-INF/rights.xml": "<x/>"}))) == [((), "one")]

    @pytest.mark.parametrize("algorithm", ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"])
    def test_obfuscated_fonts_are_no_lock(self, algorithm: str) -> None:
        document = read(
            book({"a.xhtml": page("<p>one</p>")}, **{"META-INF/encryption.xml": self.encryption(algorithm, "O/f.otf")})
        )
        assert (told(document), document.state) == ([((), "one")], "read")

    def test_what_is_not_locked_is_read(self) -> None:
        lock = {"META-INF/encryption.xml": self.encryption("urn:x", "O/a.xhtml")}
        document = read(book({"a.xhtml": b"\x93" * 99, "b.xhtml": page("<p>two</p>")}, **lock))
        assert (told(document), document.state, codes(document)) == ([((), "two")], "partial", {"drm"})


class TestDamage:
    @pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\0" * 999, b"no book", pack({}), pack({"a.txt": "x"})])
    def test_no_book_is_unreadable(self, data: bytes) -> None:
        document = read(data)
        assert document.state == "unreadable"
        assert "handler_failed" not in codes(document)

    @settings(deadline=None, max_examples=60)
    @given(st.integers(0, 4000), st.binary(min_size=1, max_size=8), st.booleans())
    def test_no_damage_fails(self, at: int, put: bytes, cut: bool) -> None:
        whole = torture()
        at = at * len(whole) // 4000
        document = read(whole[:at] if cut else whole[:at] + put + whole[at + len(put) :])
        assert "handler_failed" not in codes(document)

    @settings(deadline=None, max_examples=60)
    @given(
        st.sampled_from(["META-INF/container.xml", "O/p.opf", "O/nav.xhtml", "O/a.xhtml"]),
        st.integers(0, 900),
        st.binary(max_size=30),
    )
    def test_no_damaged_part_fails(self, name: str, at: int, put: bytes) -> None:
        with zipfile.ZipFile(
            io.BytesIO(book({"a.xhtml": page("<h1>A</h1>one")}, nav('<li><a href="a.xhtml">A</a></li>')))
        ) as archive:
            parts = {part: archive.read(part) for part in archive.namelist()[1:]}
        parts[name] = parts[name][:at] + put + parts[name][at + len(put) :]
        document = read(pack(parts))
        assert "handler_failed" not in codes(document)


@pytest.mark.parametrize(
    ("glimpse", "extension"),
    [
        (Glimpse(head=b"PK", mimetype="application/epub+zip"), ".epub"),
        (Glimpse(head=b"PK", members=frozenset(("META-INF/container.xml", "a/b.opf"))), ".epub"),
        (Glimpse(head=b"PK", members=frozenset(("META-INF/container.xml",))), None),
        (Glimpse(head=b"PK", members=frozenset(("word/document.xml",))), None),
    ],
)
def test_recognition(glimpse: Glimpse, extension: str | None) -> None:
    assert EpubHandler().recognise(glimpse) == extension


def test_words_in_are_words_out() -> None:
    pages = {
        f"c{n}.xhtml": page(f"<h2>w{n}a</h2><p>w{n}b</p><table><tr><td>w{n}c</td><td>w{n}d</td></tr></table>")
        for n in range(100)
    }
    contents = nav("".join(f'<li><a href="c{n}.xhtml">w{n}a</a></li>' for n in range(0, 100, 2)))
    said = " ".join(f"{' '.join(s.heading)} {s.text}" for s in read(book(pages, contents)).sections)
    assert set(re.findall(r"w\d+\w", said)) == {f"w{n}{letter}" for n in range(100) for letter in "abcd"}
