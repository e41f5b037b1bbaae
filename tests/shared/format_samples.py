"""Small good documents of every format: those of the demo library, and some written here for what it lacks."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from compound import compound, message

if TYPE_CHECKING:
    from gatherum import Handler
    from gatherum.registry import Registry

LIBRARY = Path(__file__).parents[2] / "fixtures" / "library"
LARGEST = 48_000
MOST = 4


def samples(registry: Registry, handler: Handler, *, damaged: bool = True) -> list[tuple[str, bytes]]:
    """Return (extension, content) of documents that *handler* reads, the smallest first."""
    unfit = {".gatherum"} if damaged else {".gatherum", "damaged"}
    found = [
        (path.suffix, path.read_bytes())
        for path in LIBRARY.rglob("*.*")
        if path.is_file() and not unfit & set(path.parts)
    ]
    found += [(extension, data) for extension, data in WRITTEN if extension in handler.extensions]
    own = {(ext, data) for ext, data in found if registry.handler(ext) is handler and 0 < len(data) <= LARGEST}
    chosen, extensions = [], set()
    for extension, data in sorted(own, key=lambda sample: (len(sample[1]), sample)):
        if extension not in extensions or len(chosen) < MOST:
            chosen.append((extension, data))
            extensions.add(extension)
    return chosen


def _zip(parts: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return file.getvalue()


def _dbase() -> bytes:
    fields = b"".join(
        struct.pack("<11scIBB14x", name, kind, 0, 8, 0) for name, kind in ((b"BOAT", b"C"), (b"SIZE", b"N"))
    )
    head = struct.pack("<B3BIHH17xB2x", 3, 24, 1, 1, 2, 97, 17, 3)
    return head + fields + b"\r" + b" Ada          12" + b"  " + b"*Eve           7" + b" " + b"\x1a"


_TYPST = """#set document(title: "Boats", author: ("Ada",))
#let port = "Harbour"
= Boats of the #port <boats>
High *water* at noon#footnote[Or later.], see @tides and $x^2$. // not shown

- one
  - two
#figure(table(columns: 2, [A], [B], [c], [d]), caption: [Cells])
$ sum_i a_i $
```py
x = [1]
```
"""


def _pdf() -> bytes:
    pages = [
        "BT /F 20 Tf 72 700 Td (Harbour) Tj ET BT /F 12 Tf 72 660 Td (Boats come in at dawn.) Tj ET",
        "BT /F 20 Tf 72 700 Td (Tides) Tj ET BT /F 12 Tf 72 660 Td [(High) -300 (water)] TJ 0 -14 Td (at noon) Tj ET",
    ]
    objects = [
        "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/Lang(en)>>",
        "<</Type/Pages/Count 2/Kids[6 0 R 8 0 R]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        "<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>",
        "<</Title(Harbour)/Parent 4 0 R/Dest[6 0 R/XYZ 72 710 0]>>",
    ]
    for content in pages:
        number = len(objects) + 2
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {number} 0 R/Resources<</Font<</F 3 0 R>>>>"
            "/Annots[<</Type/Annot/Subtype/Text/Rect[9 9 20 20]/Contents(Check)/T(Ada)>>]>>"
        )
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    out, offsets = "%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{at:010} 00000 n \n" for at in offsets)
    out += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    return out.encode("latin-1")


_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_EDGES = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_WORKBOOK = _zip(
    {
        "[Content_Types].xml": f'<Types xmlns="{_TYPES}"><Default Extension="rels" ContentType="application/vnd.'
        'openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{_MAIN}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_MAIN}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_EDGES}"><Relationship Id="r1" Type="{_REL}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_REL}"><sheets><sheet name="Catch" sheetId="1" '
        'r:id="r1"/></sheets><definedNames><definedName name="All">Catch!$A$1:$B$3</definedName></definedNames>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_EDGES}"><Relationship Id="r1" '
        f'Type="{_REL}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}"><dimension ref="A1:B3"/><sheetData><row r="1">'
        '<c r="A1" t="inlineStr"><is><t>Fish</t></is></c><c r="B1" t="inlineStr"><is><t>Kilos</t></is></c></row>'
        '<row r="2"><c r="A2" t="inlineStr"><is><t>Cod</t></is></c><c r="B2"><v>12.5</v></c></row><row r="3">'
        '<c r="A3" t="str"><f>A2</f><v>Cod</v></c><c r="B3" t="b"><v>1</v></c></row></sheetData>'
        '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells></worksheet>',
    }
)

_FICTION = (
    '<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">'
    "<description><title-info><author><first-name>Ada</first-name></author><book-title>Tides</book-title>"
    "<lang>en</lang></title-info></description><body><title><p>Tides</p></title><section><title><p>One</p></title>"
    '<p>Boats <strong>come</strong> in<a l:href="#n1" type="note">1</a>.</p><poem><stanza><v>Sea</v></stanza></poem>'
    '<table><tr><th colspan="2">Fish</th></tr><tr><td>Cod</td><td>12</td></tr></table></section></body>'
    '<body name="notes"><section id="n1"><p>At dawn.</p></section></body></FictionBook>'
)

WRITTEN: tuple[tuple[str, bytes], ...] = tuple(
    (extension, data if isinstance(data, bytes) else data.encode())
    for extension, data in (
        (".pdf", _pdf()),
        (".typ", _TYPST),
        (".dbf", _dbase()),
        (".msg", compound(message({0x0037: "Tides", 0x0C1A: "Ada", 0x1000: "High water\r\nat noon."}))),
        (".xlsx", _WORKBOOK),
        (".fb2", _FICTION),
        (".fbz", _zip({"tides.fb2": _FICTION})),
        (".json", '{"boats": [{"name": "Ada", "crew": [1, 2.5e3, null, true]}], "deep": {"er": {"est": "\\u00e9"}}}'),
        (".jsonl", '{"at": 1, "text": "first"}\n{"at": 2, "text": "second"}\n'),
        (".yaml", "boats: &b\n  - name: Ada\n    built: 1999-01-02\nmore: *b\ntext: |\n  two\n  lines\n"),
        (".toml", 'title = "Boats"\n[[boat]]\nname = "Ada"\nbuilt = 1999-01-02\nsize = [1, 2]\n'),
        (".ini", "; boats\n[ada]\nsize = 12\ncrew: two\n"),
        (
            ".dita",
            '<topic id="a"><title>Mooring</title><shortdesc>Short.</shortdesc><body><p>Tie <b>up</b>.</p><ul><li>One'
            "</li></ul><simpletable><strow><stentry>A</stentry></strow></simpletable><note>Mind.</note></body></topic>",
        ),
        (
            ".ditamap",
            '<map><title>All</title><topicref href="a.dita" navtitle="Mooring"><topicref href="b.dita"/>'
            "</topicref></map>",
        ),
        (
            ".dbk",
            '<book xmlns="http://docbook.org/ns/docbook" version="5.0"><title>Sea</title><info><author><personname>Ada'
            "</personname></author></info><chapter><title>One</title><para>Text<footnote><para>Why</para></footnote>."
            '</para><informaltable><tgroup cols="2"><tbody><row><entry namest="a" nameend="b" morerows="1">A</entry>'
            "</row></tbody></tgroup></informaltable><orderedlist><listitem><para>x</para></listitem></orderedlist>"
            "<programlisting>code()</programlisting></chapter></book>",
        ),
        (
            ".nxml",
            '<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><title-group><article-title>Cod'
            "</article-title></title-group><abstract><p>Short.</p></abstract></article-meta></front><body><sec><title>"
            'Ways</title><p>We <italic>fished</italic> <xref ref-type="bibr" rid="r1">1</xref>.</p><table-wrap><table>'
            '<tr><td rowspan="2">A</td><td>B</td></tr></table></table-wrap></sec></body><back><ref-list><ref id="r1">'
            "<mixed-citation>Ada 1999</mixed-citation></ref></ref-list></back></article>",
        ),
        (
            ".xml",
            '<?xml version="1.0"?><log xmlns:x="u:x"><entry at="1"><x:who>Ada</x:who><text>Came in.</text></entry>'
            "<entry>Left &amp; sank<![CDATA[ <soon>]]></entry></log>",
        ),
        (
            ".rss",
            '<rss version="2.0"><channel><title>Port</title><item><title>Dawn</title><pubDate>Mon, 02 Jan 2023 '
            "04:05:06 GMT</pubDate><description>&lt;p&gt;Boats&lt;/p&gt;</description></item></channel></rss>",
        ),
        (
            ".atom",
            '<feed xmlns="http://www.w3.org/2005/Atom"><title>Port</title><entry><title>Noon</title><updated>2023-01-02'
            'T03:04:05Z</updated><content type="html">&lt;b&gt;Tide&lt;/b&gt;</content></entry></feed>',
        ),
        (
            ".opml",
            '<opml><head><title>All</title></head><body><outline text="A"><outline text="B"/></outline></body></opml>',
        ),
        (
            ".man",
            '.TH BOAT 1 2023-01-01\n.SH NAME\nboat \\- float\n.SH OPTIONS\n.TP\n.BI \\-a " name"\nShow \\fBit\\fR.\n',
        ),
        (
            ".mdoc",
            ".Dd January 1, 2023\n.Dt BOAT 1\n.Sh NAME\n.Nm boat\n.Nd float\n.Bl -tag\n.It Fl a Ar name\nShow.\n.El\n",
        ),
        (
            ".mediawiki",
            "== Boats ==\n'''Ada''' is [[ship|one]].<ref name=a>Why</ref>\n* a\n** b\n{| class=x\n! Fish !! Kilos\n|-\n"
            "| colspan=2 | Cod || 12\n|}\n{{Box|a={{b}}}}\n<pre>x</pre>\n",
        ),
        (
            ".textile",
            'h1. Boats\n\np(x). *Ada* is "one":http://a.example.\n\n# a\n## b\n\n'
            "|_. Fish |\\2. Kilos |\n|/2. Cod | 1 |\n",
        ),
        (
            ".py",
            '"""Boats."""\n\nimport os\n\n\nclass Boat:\n    """Floats."""\n\n'
            "    def row(self, n=1):\n        # pull\n        return n\n",
        ),
        (
            ".c",
            "/* Boats. */\n#include <a.h>\nstruct boat { int n; };\n"
            "/** Row. */\nint row(struct boat *b) { return b->n; }\n",
        ),
        (
            ".js",
            "// Boats\nexport class Boat { row(n = 1) { return `a${n}`; } }\n"
            "const f = async () => { /x/.test('y') };\n",
        ),
        (".csv", 'Fish,Kilos\n"Cod, big",12\n"two\nlines",3\n'),
        (".vtt", "WEBVTT\n\nNOTE x\n\n1\n00:00:01.000 --> 00:00:02.000 align:start\n<v Ada>Boats <b>come</b>\n"),
        (
            ".ass",
            "[Events]\nFormat: Layer, Start, End, Name, Text\n"
            "Dialogue: 0,0:00:01.00,0:00:02.00,Ada,{\\i1}Boats\\Ncome\n",
        ),
        (
            ".mbox",
            "From a@b Mon Jan  2 03:04:05 2023\nFrom: Ada <a@b>\nSubject: =?utf-8?q?Boats?=\n\nHi\n\n"
            "From b@c x\nTo: c\n\nYo\n",
        ),
        (
            ".mhtml",
            'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html\n'
            "Content-Transfer-Encoding: quoted-printable\n\n<h1>Boats</h1><p>caf=C3=A9</p>\n--x--\n",
        ),
    )
)
