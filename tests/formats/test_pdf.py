"""What the handler of PDF must bring out, in which order, and what it must survive."""

from __future__ import annotations

import hashlib
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatherum import Registry, Source
from gatherum.limits import Limits
from gatherum.plugins import load_plugins
from gatherum_formats.pdf import streams

HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
BOLD = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>"
WORDS = "quick brown foxes jump over the lazy dogs that sleep all day"


@pytest.fixture(scope="module")
def registry():
    return Registry(load_plugins())


class Pdf:
    """A PDF in the making: objects 1 to 4 are the catalog, the page tree and two fonts."""

    def __init__(self):
        self.objects = [b"", b"", HELVETICA, BOLD]
        self.kids = []
        self.catalog = b""
        self.trailer = b""
        self.encrypt = None

    def add(self, body):
        self.objects.append(body)
        return len(self.objects)

    def stream(self, content, extra=b""):
        if self.encrypt:
            content = self.encrypt(content, len(self.objects) + 1)
        return self.add(b"<</Length %d%b>>stream\n%b\nendstream" % (len(content), extra, content))

    def page(self, content=b"", extra=b"", resources=b""):
        """Add a page; content is drawing operators, or lines of (x, y, text[, size[, font]])."""
        if isinstance(content, list):
            content = b"\n".join(draw(*line) for line in content)
        contents = self.stream(content)
        fonts = b"<</Font<</F 3 0 R/B 4 0 R>>%b>>" % resources
        self.kids.append(
            self.add(
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources%b%b>>"
                % (contents, fonts, extra)
            )
        )
        return self.kids[-1]

    def build(self, kids=None):
        kids = self.kids if kids is None else kids
        self.objects[0] = b"<</Type/Catalog/Pages 2 0 R%b>>" % self.catalog
        tree = b" ".join(b"%d 0 R" % kid for kid in kids)
        self.objects[1] = b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(kids), tree)
        out, offsets = bytearray(b"%PDF-1.7\n"), []
        for number, body in enumerate(self.objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer\n<</Size %d/Root 1 0 R%b>>\n" % (len(offsets) + 1, self.trailer)
        return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def draw(x, y, text, size=12, font="F"):
    escaped = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /%b %g Tf %g %g Td (%b) Tj ET" % (font.encode(), size, x, y, escaped)


def read(registry, pdf, name="paper.pdf", **kwargs):
    return registry.read(Source(name, pdf.build() if isinstance(pdf, Pdf) else pdf, **kwargs))


def pieces(document):
    return [(s.heading, s.kind, s.layer, s.locator.label, s.text) for s in document.sections]


def body(document):
    return "\n".join(s.text for s in document.sections if s.layer == "body")


def codes(document):
    return [problem.code for problem in document.problems]


def test_the_outline_gives_the_heading_paths_and_pages_are_exact(registry):
    pdf = Pdf()
    first = pdf.page(
        [(72, 740, "before"), (72, 700, "Chapter One", 18), (72, 660, "first text"), (72, 600, "1.1 Part")]
    )
    second = pdf.page([(72, 700, "part text on page two"), (72, 500, "Chapter Two"), (72, 480, "last text")])
    n = len(pdf.objects)
    pdf.catalog = b"/Outlines %d 0 R" % (n + 1)
    pdf.add(b"<</First %d 0 R/Last %d 0 R>>" % (n + 2, n + 4))
    pdf.add(
        b"<</Title(Chapter One)/Dest[%d 0 R/XYZ 0 720 0]/First %d 0 R/Last %d 0 R/Next %d 0 R>>"
        % (first, n + 3, n + 3, n + 4)
    )
    pdf.add(b"<</Title(Part)/A<</S/GoTo/D[%d 0 R/Fit]>>>>" % first)
    pdf.add(b"<</Title(Chapter Two)/Dest[%d 0 R/XYZ 0 510 0]/First %d 0 R>>" % (second, n + 2))
    assert pieces(read(registry, pdf)) == [
        ((), "prose", "body", "page 1", "before"),
        (("Chapter One",), "prose", "body", "page 1", "first text"),
        (("Chapter One", "Part"), "prose", "body", "page 2", "part text on page two"),
        (("Chapter Two",), "prose", "body", "page 2", "last text"),
    ]


def test_without_an_outline_larger_lines_are_headings(registry):
    text = [(72, 600 - 14 * n, WORDS, 11) for n in range(6)]
    pdf = Pdf()
    pdf.page([(72, 740, "A Long Title", 24), (72, 712, "in Two Lines", 24), (72, 640, "Beginnings", 16), *text])
    pdf.page([(72, 640, "Endings", 16), (72, 620, "2.1 Deeper", 11, "B"), *text])
    headings = [section.heading for section in read(registry, pdf).sections]
    assert headings == [
        ("A Long Title in Two Lines",),
        ("A Long Title in Two Lines", "Beginnings"),
        ("A Long Title in Two Lines", "Endings"),
        ("A Long Title in Two Lines", "Endings", "2.1 Deeper"),
    ]


def test_without_headings_each_page_is_a_section(registry):
    pdf = Pdf()
    for number in range(1, 4):
        pdf.page([(72, 500, f"text of page number {number}")])
    assert pieces(read(registry, pdf)) == [
        ((), "prose", "body", f"page {number}", f"text of page number {number}") for number in (1, 2, 3)
    ]


def column(side, rows=12):
    return [f"{side}{n:02} and some words of its" for n in range(rows)]


@pytest.mark.parametrize("drawn", ["across", "down"])
def test_two_columns_are_read_one_after_the_other(registry, drawn):
    left = [(72, 600 - 14 * n, text, 11) for n, text in enumerate(column("left"))]
    right = [(320, 600 - 14 * n, text, 11) for n, text in enumerate(column("right"))]
    lines = [line for pair in zip(left, right, strict=True) for line in pair] if drawn == "across" else left + right
    pdf = Pdf()
    pdf.page([(72, 650, "A line that runs over the whole width of the page and over both of its columns", 11), *lines])
    text = body(read(registry, pdf))
    marks = [word for word in text.split() if word.startswith(("left", "right"))]
    assert marks == [line.split()[0] for line in column("left") + column("right")]
    assert text.startswith("A line that runs over")


def test_lines_drawn_out_of_order_are_read_from_the_top(registry):
    pdf = Pdf()
    pdf.page([(72, 300 + 20 * ((7 * n) % 12), f"word{(7 * n) % 12:02}") for n in range(12)])
    assert body(read(registry, pdf)).split() == [f"word{n:02}" for n in range(11, -1, -1)]


def test_rows_of_a_table_stay_rows(registry):
    pdf = Pdf()
    pdf.page([(72 + 150 * col, 600 - 20 * row, f"r{row}c{col}") for row in range(3) for col in range(3)])
    assert body(read(registry, pdf)) == "\n".join(f"r{row}c0  r{row}c1  r{row}c2" for row in range(3))


def test_hyphens_that_break_a_line_go_and_others_stay(registry):
    pdf = Pdf()
    lines = ["a self-made word, and then the in-", "formation that a self-", "made reader has about the PDF-", "Reader"]
    pdf.page([(72, 700 - 14 * n, text) for n, text in enumerate(lines)])
    text = body(read(registry, pdf))
    assert text == "a self-made word, and then the information that a self-made reader has about the PDF-Reader"


def test_words_broken_by_the_end_of_a_page_stand_on_the_first(registry):
    pdf = Pdf()
    pdf.page([(72, 100, "this page ends in the mid-"), (72, 86, "dle of some infor-")])
    pdf.page([(72, 700, "mation that goes on")])
    assert [section.text for section in read(registry, pdf).sections] == [
        "this page ends in the middle of some information",
        "that goes on",
    ]


def test_ligatures_become_letters(registry):
    pdf = Pdf()
    font = pdf.add(
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/fi/fl]>>/FirstChar 0/LastChar 0>>"
    )
    pdf.page(b"BT /L 12 Tf 72 700 Td (\x01sh and \x02ow) Tj ET", resources=b"")
    pdf.objects[pdf.kids[0] - 1] = pdf.objects[pdf.kids[0] - 1].replace(b"/F 3 0 R", b"/F 3 0 R/L %d 0 R" % font)
    assert body(read(registry, pdf)) == "fish and flow"


def test_heads_and_feet_are_furniture_once(registry):
    pdf = Pdf()
    for n in range(1, 6):
        pdf.page(
            [(72, 760, "HEADTOKEN" if n % 2 else "OTHERHEAD"), (72, 400, f"bodytoken{n}"), (300, 30, f"Page {n} of 5")]
        )
    document = read(registry, pdf)
    furniture = [(s.kind, s.text) for s in document.sections if s.layer == "furniture"]
    assert furniture == [("header", "HEADTOKEN\n\nPage 1 of 5"), ("header", "OTHERHEAD")]
    assert body(document).split() == [f"bodytoken{n}" for n in range(1, 6)]


def test_running_heads_that_count_pages_are_furniture(registry):
    pdf = Pdf()
    for n in range(6):
        pdf.page(
            [(72, 760, f"Part {n // 2 + 1}, named {['one', 'two', 'three'][n // 2]}   {n + 9}"), (72, 400, "text")]
        )
    assert "named" not in body(read(registry, pdf))


def form(pdf, fields):
    numbers = [pdf.add(field) for field in fields]
    refs = b" ".join(b"%d 0 R" % number for number in numbers)
    pdf.catalog += b"/AcroForm<</Fields[%b]/DA(/F 12 Tf)/DR<</Font<</F 3 0 R>>>>>>" % refs
    return b"/Annots[%b]" % refs


def test_form_fields_have_names_and_values(registry):
    pdf = Pdf()
    widget = b"<</Type/Annot/Subtype/Widget/Rect[72 %d 172 %d]"
    look = pdf.stream(b"", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]")
    states = b"/AP<</N<</Yes %d 0 R/Off %d 0 R>>>>" % (look, look)
    extra = form(
        pdf,
        [
            widget % (600, 620) + b"/FT/Tx/T(city)/V(PARISTOKEN)>>",
            widget % (570, 590) + b"/FT/Tx/T(n)/TU(Full name)/V(ADATOKEN)>>",
            widget % (540, 560) + b"/FT/Btn/T(agree)/V/Yes/AS/Yes" + states + b">>",
            widget % (510, 530) + b"/FT/Ch/T(pick)/Opt[(a)(PICKTOKEN)]/V(PICKTOKEN)>>",
        ],
    )
    pdf.page([(72, 700, "Fill this in")], extra=extra)
    document = read(registry, pdf)
    assert pieces(document)[-1][1:] == (
        "form",
        "body",
        "page 1",
        "city: PARISTOKEN\nFull name: ADATOKEN\npick: PICKTOKEN\nagree: ☒",
    )


def test_comments_have_authors_and_dates_and_links_addresses(registry):
    pdf = Pdf()
    extra = (
        b"/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 20 20]/Contents(NOTETOKEN)/T(Ada)/M(D:20240203101112Z)>>"
        b"<</Type/Annot/Subtype/Popup/Rect[0 0 20 20]/Contents(NOTETOKEN)>>"
        b"<</Type/Annot/Subtype/Highlight/Rect[0 0 20 20]/Contents(\xfe\xff\x00\xfc\x00n\x00i)>>"
        b"<</Type/Annot/Subtype/Link/Rect[72 696 140 712]/A<</S/URI/URI(https://example.org/a)>>>>"
        b"<</Type/Annot/Subtype/Link/Rect[400 20 410 30]/A<</S/URI/URI(https://example.org/lost)>>>>"
        b"<</Type/Annot/Subtype/Link/Rect[72 696 140 712]/A<</S/URI/URI(javascript:alert)>>>>]"
    )
    pdf.page([(72, 700, "the manual"), (140, 700, "tells more than this")], extra=extra)
    document = read(registry, pdf)
    assert ("comment", "annotation", "page 1", "Ada, 2024-02-03: NOTETOKEN\n\nüni") in [
        piece[1:] for piece in pieces(document)
    ]
    text = body(document)
    assert "](https://example.org/a)" in text
    assert "[the manual" in text
    assert "- <https://example.org/lost>" in text
    assert "javascript" not in text


def test_metadata(registry):
    pdf = Pdf()
    info = pdf.add(
        b"<</Title(A Title)/Author(Ada L.)/Subject(About it)/Keywords(one, two)/CreationDate(D:20240102030405+02'00')"
        b"/ModDate(D:2024)/Producer(by hand)>>"
    )
    pdf.trailer = b"/Info %d 0 R" % info
    pdf.catalog = b"/Lang(de-AT)"
    pdf.page([(72, 700, "text")])
    metadata = read(registry, pdf).metadata
    assert (metadata.title, metadata.authors, metadata.description) == ("A Title", ("Ada L.",), "About it")
    assert (metadata.created, metadata.modified) == ("2024-01-02T03:04:05+02:00", "2024")
    assert (metadata.tags, metadata.language) == (("one", "two"), "de-AT")
    assert metadata.extra == {"producer": "by hand", "pages": 1}


def test_metadata_in_xml_fills_the_gaps(registry):
    pdf = Pdf()
    info = pdf.add(b"<</Author(Ada)/Subject(the older one)>>")
    pdf.trailer = b"/Info %d 0 R" % info
    packet = (
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        b'<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" '
        b'xmp:CreateDate="2020-02-02"><dc:title><rdf:Alt><rdf:li>X &amp; Y</rdf:li></rdf:Alt></dc:title>'
        b"<dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>"
        b"<dc:description>the newer one</dc:description></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    pdf.catalog = b"/Metadata %d 0 R" % pdf.stream(packet, b"/Type/Metadata/Subtype/XML")
    pdf.page([(72, 700, "text")])
    metadata = read(registry, pdf).metadata
    assert (metadata.title, metadata.authors, metadata.created) == ("X & Y", ("Ada", "Bob"), "2020-02-02")
    assert metadata.description == "the older one"


def test_attached_files_are_listed_and_read(registry):
    pdf = Pdf()
    file = pdf.stream(b"INNERTOKEN")
    spec = pdf.add(b"<</Type/Filespec/F(notes.txt)/UF(notes.txt)/EF<</F %d 0 R>>>>" % file)
    pdf.catalog = b"/Names<</EmbeddedFiles<</Names[(notes.txt)%d 0 R]>>>>" % spec
    pdf.page([(72, 700, "outer text")])
    assert [(piece[0], piece[4]) for piece in pieces(read(registry, pdf))] == [
        ((), "outer text"),
        (("Attachments",), "- notes.txt"),
        (("Attachments", "notes.txt"), "INNERTOKEN"),
    ]


def test_words_for_pictures_are_kept(registry):
    pdf = Pdf()
    n = len(pdf.objects)
    pdf.catalog = b"/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R" % (n + 1)
    pdf.add(b"<</Type/StructTreeRoot/K %d 0 R/ParentTree<</Nums[0[%d 0 R]]>>>>" % (n + 2, n + 2))
    pdf.add(b"<</Type/StructElem/S/Figure/P %d 0 R/Alt(ALTTOKEN)/Pg %d 0 R/K 0>>" % (n + 1, n + 4))
    pdf.page(b"/Figure<</MCID 0>>BDC\n" + draw(72, 700, "drawn") + b"\nEMC", extra=b"/StructParents 0")
    assert ("alt", "body", "page 1", "ALTTOKEN") in [piece[1:] for piece in pieces(read(registry, pdf))]


@pytest.mark.parametrize(
    "drawn",
    [
        b"1 1 1 rg " + draw(72, 500, "SECRETTOKEN") + b" 0 g",
        b"3 Tr " + draw(72, 500, "SECRETTOKEN") + b" 0 Tr",
        draw(72, 500, "SECRETTOKEN", 0.5),
        draw(-400, 500, "SECRETTOKEN"),
    ],
)
def test_text_that_nobody_sees_is_hidden(registry, drawn):
    pdf = Pdf()
    pdf.page(draw(72, 700, "shown text") + b"\n" + drawn)
    document = read(registry, pdf)
    assert [(s.layer, s.text) for s in document.sections] == [("body", "shown text"), ("hidden", "SECRETTOKEN")]
    assert codes(document) == ["hidden_text"]


def test_white_text_on_a_dark_ground_and_text_behind_a_scan_are_seen(registry):
    pdf = Pdf()
    pdf.page(b"0 g 0 0 600 700 re f 1 1 1 rg " + draw(72, 500, "WHITETOKEN"))
    picture(pdf, b"3 Tr " + draw(72, 500, "SCANTOKEN"))
    assert body(read(registry, pdf)).split() == ["WHITETOKEN", "SCANTOKEN"]


@pytest.mark.parametrize("matrix", [b"0 1 -1 0 300 100", b"-1 0 0 -1 500 700", b"0 -1 1 0 200 700"])
def test_text_on_turned_pages_is_read_upright(registry, matrix):
    lines = ["FIRSTTOKEN comes before", "SECONDTOKEN and then", "THIRDTOKEN"]
    drawn = b" ".join(b"(%b) Tj 0 -14 Td" % line.encode() for line in lines)
    pdf = Pdf()
    pdf.page(b"q %b cm BT /F 12 Tf %b ET Q" % (matrix, drawn), extra=b"/Rotate 90")
    assert [word for word in body(read(registry, pdf)).split() if word.isupper()] == [line.split()[0] for line in lines]


def test_text_from_right_to_left_is_read_in_its_own_order(registry):
    letters = "שלום עולם"
    pdf = Pdf()
    pairs = b"".join(b"<%02x> <%04x>\n" % (number, ord(char)) for number, char in enumerate(letters, 33))
    unicode = pdf.stream(
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
        b"%d beginbfchar\n%bendbfchar endcmap end" % (len(letters), pairs)
    )
    pdf.objects[2] = HELVETICA.replace(b">>", b"/ToUnicode %d 0 R>>" % unicode)
    drawn = "".join(chr(33 + at) for at in reversed(range(len(letters))))
    pdf.page([(72, 700, drawn)])
    assert body(read(registry, pdf)) == letters


def test_contents_with_leaders_are_a_table_of_contents(registry):
    pdf = Pdf()
    pdf.page([(72, 700 - 20 * n, f"Part {n} . . . . . . . . . . {n + 3}") for n in range(4)])
    (section,) = read(registry, pdf).sections
    assert (section.kind, section.text) == ("toc", "\n".join(f"Part {n} … {n + 3}" for n in range(4)))


PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def rc4(key, data):
    box, j, out = list(range(256)), 0, bytearray()
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def locked(password):
    """Return a PDF whose text is encrypted with 40 bits."""
    padded = (password + PAD)[:32]
    owner = rc4(hashlib.md5((b"owner" + PAD)[:32]).digest()[:5], padded)
    key = hashlib.md5(padded + owner + b"\xfc\xff\xff\xff" + b"ID").digest()[:5]
    pdf = Pdf()

    def encrypt(data, number):
        return rc4(hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data)

    pdf.encrypt = encrypt
    pdf.page([(72, 700, "LOCKEDTOKEN")])
    user = rc4(key, PAD)
    pdf.trailer = b"/ID[<4944><4944>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<%b>/U<%b>>>" % (
        owner.hex().encode(),
        user.hex().encode(),
    )
    return pdf


def test_an_empty_password_opens(registry):
    document = read(registry, locked(b""))
    assert (document.state, body(document)) == ("read", "LOCKEDTOKEN")


def test_a_password_is_named(registry):
    document = read(registry, locked(b"secret"))
    assert (document.state, codes(document), document.sections) == ("unreadable", ["password_protected"], ())


def picture(pdf, above=b""):
    image = pdf.stream(b"\0", b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8")
    return pdf.page(b"q 600 0 0 700 0 0 cm /I Do Q " + above, resources=b"/XObject<</I %d 0 R>>" % image)


def test_pages_that_hold_pictures_only_are_named_in_ranges(registry):
    pdf = Pdf()
    pdf.page([(72, 700, "text")])
    picture(pdf)
    picture(pdf)
    pdf.page([(72, 700, "more")])
    picture(pdf)
    pdf.page()
    document = read(registry, pdf)
    assert document.state == "partial"
    assert [(p.code, p.locator.label) for p in document.problems] == [("no_text", "pages 2–3"), ("no_text", "page 5")]


def test_a_scan_is_unreadable_and_says_so(registry):
    pdf = Pdf()
    picture(pdf)
    document = read(registry, pdf)
    assert (document.state, codes(document)) == ("unreadable", ["no_text"])


def test_an_empty_document_says_so(registry):
    pdf = Pdf()
    pdf.page()
    assert codes(read(registry, pdf)) == ["empty"]
    assert codes(read(registry, b" \n")) == ["empty"]


def simple(pages=1):
    pdf = Pdf()
    for number in range(pages):
        pdf.page([(72, 400, f"PAGETOKEN{number}")])
    return pdf


def test_a_broken_table_of_objects_is_rebuilt(registry):
    data = simple().build().replace(b"startxref\n", b"startxref\n99")
    assert body(read(registry, data)) == "PAGETOKEN0"


def test_pages_are_found_without_their_tree(registry):
    data = simple(3).build()
    cut = data.replace(b"/Type/Catalog", b"/Type/Catalug")[: data.index(b"xref\n")]
    for broken in (cut, simple(3).build().replace(b"/Kids[", b"/Kids[2 0 R] /Nothing[")):
        document = read(registry, broken)
        assert document.state == "partial"
        assert body(document).split() == ["PAGETOKEN0", "PAGETOKEN1", "PAGETOKEN2"]


def test_a_page_tree_that_contains_itself_ends(registry):
    pdf = simple(2)
    assert "PAGETOKEN0" in body(read(registry, pdf.build([2, *pdf.kids, 2])))


def test_bookmarks_that_point_at_each_other_end(registry):
    pdf = simple(1)
    n = len(pdf.objects)
    pdf.catalog = b"/Outlines %d 0 R" % (n + 1)
    pdf.add(b"<</First %d 0 R>>" % (n + 2))
    pdf.add(b"<</Title(A)/Dest[%d 0 R/Fit]/Next %d 0 R/First %d 0 R>>" % (pdf.kids[0], n + 3, n + 3))
    pdf.add(b"<</Title(B)/Dest[%d 0 R/Fit]/Next %d 0 R/First %d 0 R>>" % (pdf.kids[0], n + 2, n + 2))
    assert body(read(registry, pdf)).strip() == "PAGETOKEN0"


def test_thousands_of_references_to_one_page_are_bounded(registry):
    pdf = simple()
    document = read(registry, pdf.build(pdf.kids * 60_000))
    assert document.state == "partial"
    assert len(document.sections) < 200
    assert set(body(document).split()) == {"PAGETOKEN0"}


def test_streams_that_unpack_to_too_much_are_left_out(registry, monkeypatch):
    monkeypatch.setattr(streams, "_LARGEST", 4 << 20)
    monkeypatch.setattr(streams, "_SHORT", 1_000)
    pdf = simple()
    bomb = zlib.compress(b" " * (8 << 20) + draw(72, 300, "BOMBTOKEN"), 9)
    pdf.objects.append(b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(bomb), bomb))
    pdf.kids.append(pdf.add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents %d 0 R>>" % len(pdf.objects)))
    document = read(registry, pdf)
    assert "too_large" in codes(document)
    assert body(document) == "PAGETOKEN0"


def test_the_text_of_a_document_is_bounded(registry):
    document = read(registry, simple(5), limits=Limits(text_chars=25))
    assert "too_large" in codes(document)
    assert "PAGETOKEN0" in body(document)


@pytest.mark.parametrize("data", [b"%PDF-1.7", b"%PDF-1.7\n%%EOF", b"%PDF-" + bytes(range(256)) * 4])
def test_what_only_begins_like_a_pdf_is_corrupt(registry, data):
    assert codes(read(registry, data)) == ["corrupt"]


def test_a_pdf_is_known_by_its_content(registry):
    document = read(registry, simple(), name="letter.md")
    assert (document.handler, document.format, codes(document)) == ("pdf", "pdf", ["wrong_extension"])


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 1_400), at=st.integers(0, 1_400), byte=st.integers(0, 255))
def test_damage_never_raises(registry, cut, at, byte):
    data = bytearray(simple(2).build())
    data[at % len(data)] = byte
    for damaged in (bytes(data), bytes(data[:cut])):
        document = read(registry, damaged)
        assert document.state in ("read", "partial", "unreadable", "unsupported")
        assert "handler_failed" not in codes(document)
