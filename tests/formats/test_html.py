"""HTML: every kind of text once, in its place, in its layer, under its heading; and no input breaks it."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Report, Section, SectionBuilder, Source
from gatherum.handler import Glimpse
from gatherum.plugins import PluginInfo, Plugins
from gatherum_formats.html import HtmlHandler
from gatherum_formats.html.decode import decode_html, plain_markup
from gatherum_formats.html.sections import html_sections, html_text
from gatherum_formats.shared.mathml import mathml_to_tex

PAGE = """<!DOCTYPE html>
<html lang="en"><head>
<title>TKTITLE</title>
<meta name="description" content="TKDESCRIPTION">
<meta name="author" content="TKAUTHOR">
<meta name="keywords" content="TKTAGONE, TKTAGTWO">
<style>.gone { display: none } TKCSS @media print { .shown { display: none } }</style>
<script>var TKSCRIPT = 1;</script>
</head><body>
<header><p>TKBANNER</p><nav><ul><li><a href="/">TKNAVIGATION</a></li></ul></nav></header>
<main>
TKPREAMBLE
<h1>TKHEADONE <em>TKHEADEMPHASIS</em><br>TKHEADLINE <a class="headerlink" href="#x">¶</a></h1>
<div>TKDIV<p>TKINNER</p>TKTAIL <span>TKSPAN</span></div>
<!-- TKCOMMENT --><template><p>TKTEMPLATE</p></template><noscript>TKNOSCRIPT</noscript>
<details><summary>TKSUMMARY</summary>TKDETAILS</details>
<address>TKADDRESS</address>
<h2>TKLISTS</h2>
<ul><li>TKITEM<ul><li>TKNESTED</li></ul></li><li><p>TKPARAGRAPHITEM</p><p>TKSECONDPARAGRAPH</p></li></ul>
<ol start="3"><li>TKTHREE</li><li>TKFOUR</li></ol>
<dl><dt>TKTERM</dt><dd>TKDEFINITION</dd></dl>
<h2>TKTABLES</h2>
<table><caption>TKCAPTION</caption><thead><tr><th>TKTHONE</th><th colspan="2">TKTHTWO</th></tr></thead>
<tr><td rowspan="2">TKTALL</td><td>TKCELL<ul><li>TKCELLITEM</li></ul></td><td>TKPIPE|x</td></tr>
<tr><td><table><tr><td>TKINNERONE</td><td>TKINNERTWO</td></tr></table></td><td>TKLAST</td></tr></table>
<h3>TKCODES</h3>
<pre><code class="language-python">def TKFUNCTION():
    return 1
</code></pre>
<h2>TKPICTURES</h2>
<figure><img src="data:image/png;base64,TKBASE64" alt="TKALT"><figcaption>TKFIGCAPTION</figcaption></figure>
<p>TKBEFORE <img alt="TKINLINEALT"> TKAFTER</p>
<svg><title>TKSVGTITLE</title><style>TKSVGCSS</style><text>TKSVGTEXT</text></svg>
<h2>TKMORE</h2>
<p>TKLINKING <a href="https://example.org/TKURL">TKLINK</a>, <a href="#x">TKINPAGE</a></p>
<form><label>TKLABEL <input value="TKVALUE" type="text"><input type="hidden" value="TKUNSEEN"></label>
<select><option>TKOPTION</option><option>TKCHOICE</option></select><textarea>TKTEXTAREA</textarea></form>
<p><math><mfrac><mi>TKUPPER</mi><mi>TKLOWER</mi></mfrac></math></p>
<p><ruby>TKRUBY<rp>(</rp><rt>TKREADING</rt><rp>)</rp></ruby></p>
<blockquote><p>TKQUOTE</p></blockquote>
<iframe srcdoc="&lt;p&gt;TKFRAMED&lt;/p&gt;">TKFRAMEFALLBACK</iframe>
<div role="heading" aria-level="2">TKROLEHEADING</div>
<p>TKUNDERROLE</p>
<p hidden>TKHIDDENATTRIBUTE</p><p>TKSEEN <span style="display: none">TKHIDDENSTYLE</span> TKSEENTOO</p>
<p class="gone">TKHIDDENCLASS</p><p class="shown">TKSHOWNCLASS</p><p style="font-size:0">TKHIDDENSIZE</p>
<p>TKNOTED<a role="doc-noteref" href="#n1">1</a></p><p>TKAFTERNOTE</p>
<section role="doc-endnotes"><ol><li id="n1">TKNOTE <a role="doc-backlink" href="#r1">↩</a></li></ol></section>
</main><aside>TKASIDE</aside><footer>TKFOOTER</footer>
</body></html>"""

ABSENT = (
    "TKCSS TKSCRIPT TKCOMMENT TKTEMPLATE TKNOSCRIPT TKBASE64 TKSVGCSS TKUNSEEN TKFRAMEFALLBACK TKTITLE TKDESCRIPTION"
)
FURNITURE = "TKBANNER TKNAVIGATION TKASIDE TKFOOTER"
HIDDEN = "TKHIDDENATTRIBUTE TKHIDDENSTYLE TKHIDDENCLASS TKHIDDENSIZE"
HEADINGS = "TKHEADONE TKHEADEMPHASIS TKHEADLINE TKLISTS TKTABLES TKCODES TKPICTURES TKMORE TKROLEHEADING"


INFO = PluginInfo(name="html", distribution="gatherum", version="0", state="active")
REGISTRY = Registry(Plugins(infos=(INFO,), handlers=((INFO, HtmlHandler()),), models=()))


def sections(html: str) -> list[Section]:
    return list(html_sections(html))


def texts(html: str, layer: str = "body") -> str:
    return "\n\n".join(section.text for section in sections(html) if section.layer == layer)


def outline(html: str) -> list[tuple[str, ...]]:
    seen: list[tuple[str, ...]] = []
    for section in sections(html):
        if section.heading and (not seen or seen[-1] != section.heading):
            seen.append(section.heading)
    return seen


class TestMustExtract:
    document = REGISTRY.read(Source("page.html", PAGE.encode()))

    def where(self, token: str) -> list[Section]:
        return [section for section in self.document.sections if re.search(rf"\b{token}\b", section.text)]

    def test_it_is_read_without_loss(self) -> None:
        assert self.document.state == "read"
        assert {problem.code for problem in self.document.problems} == {"hidden_text"}

    @pytest.mark.parametrize("token", ABSENT.split())
    def test_what_nobody_reads_is_absent(self, token: str) -> None:
        assert not self.where(token)

    @pytest.mark.parametrize(
        ("layer", "tokens"), [("furniture", FURNITURE), ("hidden", HIDDEN), ("notes", "TKNOTE")], ids=lambda x: x[:9]
    )
    def test_layers_hold_their_text_only(self, layer: str, tokens: str) -> None:
        for token in tokens.split():
            assert [section.layer for section in self.where(token)] == [layer], token

    def test_every_other_word_is_there_once_in_order(self) -> None:
        apart = set(f"{ABSENT} {FURNITURE} {HIDDEN} {HEADINGS} TKNOTE TKAUTHOR TKTAGONE TKTAGTWO".split())
        wanted = [token for token in re.findall(r"\bTK[A-Z0-9]+", PAGE) if token not in apart]
        body = " ".join(section.text for section in self.document.sections if section.layer == "body")
        found = re.findall(r"\bTK[A-Z0-9]+", body)
        assert Counter(found) == Counter(wanted)
        swapped = {"TKURL", "TKLINK"}
        assert [token for token in found if token not in swapped] == [t for t in wanted if t not in swapped]

    @pytest.mark.parametrize(
        ("token", "heading"),
        [
            ("TKPREAMBLE", ()),
            ("TKINNER", ("TKHEADONE TKHEADEMPHASIS TKHEADLINE",)),
            ("TKNESTED", ("TKHEADONE TKHEADEMPHASIS TKHEADLINE", "TKLISTS")),
            ("TKLAST", ("TKHEADONE TKHEADEMPHASIS TKHEADLINE", "TKTABLES")),
            ("TKFUNCTION", ("TKHEADONE TKHEADEMPHASIS TKHEADLINE", "TKTABLES", "TKCODES")),
            ("TKUNDERROLE", ("TKHEADONE TKHEADEMPHASIS TKHEADLINE", "TKROLEHEADING")),
        ],
    )
    def test_text_stands_under_its_heading(self, token: str, heading: tuple[str, ...]) -> None:
        assert [section.heading for section in self.where(token)] == [heading]

    @pytest.mark.parametrize(
        ("token", "kind"),
        [
            ("TKITEM", "list"),
            ("TKCELL", "table"),
            ("TKCAPTION", "caption"),
            ("TKFIGCAPTION", "caption"),
            ("TKFUNCTION", "code"),
            ("TKALT", "alt"),
            ("TKUPPER", "math"),
            ("TKVALUE", "form"),
            ("TKQUOTE", "quote"),
            ("TKNOTE", "endnote"),
        ],
    )
    def test_kinds(self, token: str, kind: str) -> None:
        assert [section.kind for section in self.where(token)] == [kind]

    def test_a_note_follows_the_paragraph_that_refers_to_it(self) -> None:
        found = [
            section.text for section in self.document.sections if re.search("TKNOTED|TKNOTE|TKAFTERNOTE", section.text)
        ]
        assert found[0].endswith("TKNOTED[^1]")
        assert found[1] == "[^1]: TKNOTE"
        assert found[2].startswith("TKAFTERNOTE")

    def test_metadata(self) -> None:
        told = self.document.metadata
        assert (told.title, told.description, told.language) == ("TKTITLE", "TKDESCRIPTION", "en")
        assert (told.authors, told.tags) == (("TKAUTHOR",), ("TKTAGONE", "TKTAGTWO"))

    def test_addresses_of_pictures_are_metadata(self) -> None:
        page = b"<p>a<img src=b/c.png alt=d><img src=b/c.png><img src='data:image/png;base64,x'>"
        assert REGISTRY.read(Source("x.html", page)).metadata.extra == {"images": ["b/c.png"]}

    def test_lines(self) -> None:
        lines = PAGE.split("\n")
        for token in ("TKADDRESS", "TKFUNCTION", "TKQUOTE"):
            (section,) = self.where(token)
            line = next(number for number, text in enumerate(lines, 1) if token in text)
            assert section.locator.unit == "line"
            assert section.locator.start <= line <= section.locator.end


class TestMarkdown:
    @pytest.mark.parametrize(
        ("html", "markdown"),
        [
            ("<p>a <b>b</b><i>c</i>", "a bc"),
            ("<p>one<br>two</p>", "one\ntwo"),
            ("a&nbsp;b&shy;c &amp; &lt;d&gt;", "a bc & <d>"),
            ("<p>x<sup>2</sup> 4<sup>th</sup> H<sub>2</sub>O", "x^2 4th H2O"),
            ("<p>use <code>x = 1</code> now", "use `x = 1` now"),
            ("<q>said</q>", "“said”"),
            ("<a href='u v'>t</a>", "[t](u%20v)"),
            ("<a href='a(b)'>t</a>", "[t](<a(b)>)"),
            ("<a href='u' title='More on it'>t</a>", '[t](u "More on it")'),
            ("<a href='#s' title='Close'>×</a>", "× Close"),
            ("<a href='javascript:x()'>t</a>", "t"),
            ("<a href='https://x.y'>https://x.y</a>", "https://x.y"),
            ("<base href='https://x.y/d/e'><a href='f'>t</a>", "[t](https://x.y/d/f)"),
            ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
            ("<ol start=9 reversed><li>a<li>b</ol>", "9. a\n8. b"),
            ("<ol type=a start=27><li>x</ol><ol type=I start=4><li>y</ol>", "aa. x\n\nIV. y"),
            ("<ol><li value=7>a<li>b</ol>", "7. a\n8. b"),
            ("<ol start=99999999999999999999><li>a</ol>", "999999999. a"),
            ("<dl><dt>t<dd>a<dd>b</dl>", "t\n: a\n: b"),
            ("<blockquote>a<p>b<br>c</blockquote>", "> a\n\n> b\n> c"),
            ("<pre>a\n  b ```</pre>", "````\na\n  b ```\n````"),
            ("<div class='highlight-ruby'><pre>x</pre></div>", "```ruby\nx\n```"),
            ("<pre>a<span>b</span><br>c</pre>", "```\nab\nc\n```"),
            ("<table><tr><th>a<th>b<tr><td colspan=2>c</table>", "| a | b |\n| --- | --- |\n| c |  |"),
            (
                "<table><tr><th>a<th>b<tr><td rowspan=0>c<td>d<tr><td>e</table>",
                "| a | b |\n| --- | --- |\n| c | d |\n| ^^ | e |",
            ),
            ("<table><tr><td>alone</table>", "alone"),
            ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
            ("<input type=checkbox checked> done", "☒ done"),
            ("<ruby>字<rt>zi</rt></ruby>", "字(zi)"),
            ("<math><msup><mi>x</mi><mn>2</mn></msup></math>", "$x^{2}$"),
            ("<script type='math/tex'>a_b</script>", "$a_b$"),
            ("<html:body><html:p>prefixed</html:p></html:body>", "prefixed"),
            ("<p>a<p/>b", "a\n\nb"),
            ("<noscript>only this</noscript>", "only this"),
            ("<button>a</button><button>b</button>", "a b"),
            ("<x-title>a</x-title><x-body>b</x-body>", "a b"),
            ("<span class=katex-html aria-hidden=true>x2</span><math><mi>x</mi></math>", "$x$"),
            ("plain", "plain"),
        ],
    )
    def test_fragments(self, html: str, markdown: str) -> None:
        assert html_text(html) == markdown

    def test_headings_in_a_layout_table_open_sections(self) -> None:
        html = "<table><tr><td>menu<td>lead<h2>Title</h2>text<table><tr><td>a<td>b</table><tr><td>end</table>"
        assert [(s.heading, s.text) for s in sections(html)] == [
            ((), "menu\n\nlead"),
            (("Title",), "text"),
            (("Title",), "| a | b |\n| --- | --- |"),
            (("Title",), "end"),
        ]

    def test_headings_in_the_head_of_a_table_stay_cells(self) -> None:
        assert html_text("<table><tr><th><h3>a</h3><th>b<tr><td>c<td>d</table>").startswith("| a | b |")

    def test_an_unclosed_heading_does_not_swallow_the_page(self) -> None:
        found = sections("<h1>Title<ul><li>a</ul><p>b")
        assert [(s.heading, s.text) for s in found] == [(("Title",), "- a"), (("Title",), "b")]

    def test_an_unclosed_formula_does_not_swallow_the_page(self) -> None:
        assert html_text("<p>a <math><mi>x</mi><p>b<h2>c</h2>d") == "a $x$\n\nb\n\nc\n\nd"

    def test_a_heading_without_text_of_its_own_is_kept(self) -> None:
        assert outline("<h1>a</h1><h2>b</h2><h2>c</h2>") == [("a",), ("a", "b"), ("a", "c")]

    def test_languages_of_parts(self) -> None:
        found = sections("<html lang=en><p>a<p lang=fr>b<p lang=en>c")
        assert [(s.text, s.language) for s in found] == [("a", None), ("b", "fr"), ("c", None)]


class TestNotes:
    @pytest.mark.parametrize(
        ("reference", "notes"),
        [
            (
                "<a href='#fn1' class=footnote-ref role=doc-noteref><sup>1</sup></a>",
                "<section class=footnotes role=doc-endnotes><ol><li id=fn1><p>note<a href='#r' role=doc-backlink>↩",
            ),
            (
                "<sup class=footnote-ref><a href='#fn1' rel=footnote>[1]</a></sup>",
                "<section class=footnotes><ol><li id=fn1><p>note <a href='#r' class=footnote-backref>↩",
            ),
            (
                "<sup><a href='#u-fn1' data-footnote-ref>1</a></sup>",
                "<section class=footnotes><ol><li id=u-fn1><p>note <a href='#r' class=data-footnote-backref>↩",
            ),
            (
                "<a class='footnote-reference brackets' href='#f' role=doc-noteref>1</a>",
                "<aside id=f role=doc-footnote><span>[<a role=doc-backlink href='#r'>1</a>]</span><p>note",
            ),
        ],
    )
    def test_notes_as_converters_write_them(self, reference: str, notes: str) -> None:
        found = sections(f"<p>text{reference}.</p><p>more</p>{notes}")
        assert [s.text for s in found] == ["text[^1].", "[^1]: note", "more"]
        assert [s.layer for s in found] == ["body", "notes", "body"]

    def test_notes_that_nothing_refers_to_stay_where_they_are(self) -> None:
        found = sections("<p>a</p><aside role=doc-footnote id=x>b</aside><p>c</p>")
        assert [(s.layer, s.text) for s in found] == [("body", "a"), ("notes", "b"), ("body", "c")]

    def test_a_reference_that_was_never_closed_keeps_the_text(self) -> None:
        assert "all of the text that follows" in texts(
            "a<a role=doc-noteref href='#x'>1 and all of the text that follows it"
        )


class TestFurniture:
    def test_a_page_that_is_all_furniture_is_body(self) -> None:
        assert {s.layer for s in sections("<header><h1>a</h1>b</header><nav>c</nav><footer>d</footer>")} == {"body"}

    def test_headers_of_the_content_belong_to_it(self) -> None:
        assert texts("<article><header>a</header>b<aside>c</aside><footer>d</footer></article>") == "a\n\nb\n\nc\n\nd"

    def test_headings_of_the_footer_stand_at_their_level(self) -> None:
        found = sections("<h1>a</h1><h3>x</h3>y<footer><h2>About</h2>b<h3>More</h3>c</footer>")
        assert [s.heading for s in found] == [("a",), ("a", "x"), ("a", "About"), ("a", "About", "More")]

    def test_headings_of_navigation_do_not_rule_the_text(self) -> None:
        found = sections("<h1>a</h1><h3>x</h3>y<nav><h2>Menu</h2>b</nav><p>c")
        assert [(s.heading, s.layer, s.text) for s in found] == [
            (("a",), "body", ""),
            (("a", "x"), "body", "y"),
            (("a", "x", "Menu"), "furniture", "b"),
            (("a", "x"), "body", "c"),
        ]


class TestHidden:
    @pytest.mark.parametrize(
        "hiding",
        [
            "hidden",
            "style='display:none'",
            "style='color:red;VISIBILITY : hidden'",
            "style='font-size:0px'",
            "class='a secret b'",
            "id=cover",
        ],
    )
    @pytest.mark.parametrize("tag", ["div", "span", "td", "h2", "li", "a"])
    def test_hidden_text_is_in_its_layer_only(self, tag: str, hiding: str) -> None:
        css = "<style>p, .secret{display:none!important} #cover { visibility:hidden }</style>"
        row = ("<table><tr><td>x</td>", "</tr></table>") if tag == "td" else ("", "")
        html = f"{css}<div>before {row[0]}<{tag} {hiding}>order<em>s</em></{tag}>{row[1]} after</div>"
        assert texts(html, "hidden").removeprefix("- ") == "orders"
        assert "order" not in texts(html)
        assert {"before", "after"} <= set(re.findall(r"\w+", texts(html)))

    @pytest.mark.parametrize("style", ["font-size:0.9em", "opacity:0", "display:block", "font-size:10px"])
    def test_visible_text_is_not(self, style: str) -> None:
        assert texts(f"<p style='{style}'>a") == "a"

    def test_hidden_notes_are_notes(self) -> None:
        html = "<p>a<a epub:type=noteref href='#n'>*</a></p><aside epub:type=footnote id=n hidden>b</aside>"
        assert [(s.layer, s.text) for s in sections(html)] == [("body", "a[^n]"), ("notes", "[^n]: b")]


class TestDecoding:
    @pytest.mark.parametrize(
        ("text", "encoding", "head"),
        [
            ("Привет, мир", "cp1251", '<meta charset="windows-1251">'),
            ("Привет, мир", "koi8-r", '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'),
            ("日本語の文書", "shift_jis", "<meta charset=x-sjis>"),
            ("日本語の文書", "iso2022_jp", "<meta charset=iso-2022-jp>"),
            ("中文文件", "gb18030", "<meta charset=gb2312>"),
            ("naïve “quotes”", "cp1252", "<meta charset=iso-8859-1>"),
            ("naïve “quotes”", "utf-8", "<meta charset=iso-8859-1>"),
            ("naïve “quotes”", "utf-8-sig", ""),
            ("naïve “quotes”", "utf-16", "<meta charset=utf-16>"),
            ("naïve “quotes”", "utf-16-le", "<meta charset=utf-16>"),
            ("naïve", "latin-1", '<?xml version="1.0" encoding="iso-8859-1"?>'),
        ],
    )
    def test_declared_and_marked_encodings(self, text: str, encoding: str, head: str) -> None:
        page = f"{head}<html><body><p>{text}</p></body></html>"
        page = page if head.startswith("<?") else f"<html><head>{head}</head><body><p>{text}</p></body></html>"
        report = Report()
        assert text in decode_html(page.encode(encoding), report)
        assert report.problems == []

    def test_a_false_declaration_is_seen_through(self) -> None:
        report = Report()
        assert "café “au lait”" in decode_html("<meta charset=utf-8>café “au lait”".encode("cp1252"), report)
        assert [problem.code for problem in report.problems] == ["encoding_guessed"]

    def test_damage_in_utf8_is_told(self) -> None:
        report = Report()
        assert decode_html("ééééééééééé".encode() + b"\xff", report).startswith("ééé")
        assert [problem.code for problem in report.problems] == ["partial"]

    def test_cdata_and_own_entities_are_opened(self) -> None:
        page = '<!DOCTYPE html [<!ENTITY me "Ada"><!ENTITY x SYSTEM "file:///etc/passwd">]><p>&me; &x;<![CDATA[a<b]]>'
        assert html_text(plain_markup(page)) == "Ada &x;a<b"

    def test_entities_do_not_explode(self) -> None:
        page = '<!DOCTYPE html [<!ENTITY a "' + "x" * 900 + '">]><p>' + "&a;" * 50_000
        assert len(plain_markup(page)) < 400_000


class TestSavedPages:
    MESSAGE = (
        b"From: <Saved by a browser>\r\nSubject: Kept\r\nDate: Fri, 10 Mar 2006 13:40:00 +0100\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related; boundary="B"; type="text/html"\r\n\r\n--B\r\nContent-Type: text/html; '
        b"charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<h1>T=C3=A9</h1><p>te=\r\nxt\r\n--B\r\n"
        b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0K\r\n--B--\r\n"
    )

    @pytest.mark.parametrize("name", ["a.mhtml", "a.mht", "a.html"])
    def test_the_page_inside_is_read(self, name: str) -> None:
        document = REGISTRY.read(Source(name, self.MESSAGE))
        assert [(s.heading, s.text) for s in document.sections] == [(("Té",), "text")]
        assert (document.metadata.title, document.metadata.created[:10]) == ("Kept", "2006-03-10")

    def test_a_page_of_that_name_is_a_page(self) -> None:
        assert REGISTRY.read(Source("a.mht", b"<p>a: b")).sections[0].text == "a: b"


class TestOtherHandlersUse:
    def test_headings_and_text_go_to_the_builder_given(self) -> None:
        builder = SectionBuilder()
        done = list(builder.enter(1, "Outer"))
        done += html_sections("<h2>Inner</h2><p>a", builder=builder, locator=lambda a, b: Locator.lines(a + 10, b + 10))
        done += builder.close()
        assert [(s.heading, s.text) for s in done] == [(("Outer",), ""), (("Outer", "Inner"), "a")]
        assert done[1].locator == Locator.lines(11)

    def test_one_place_for_all(self) -> None:
        assert {s.locator for s in html_sections("a<h1>b</h1>c", locator=Locator.cell(4))} == {Locator.cell(4)}

    @pytest.mark.parametrize("text", ["", " ", "no markup", "<", "&amp;", "<p"])
    def test_fragments_without_markup(self, text: str) -> None:
        assert isinstance(html_text(text), str)


class TestRecognition:
    @pytest.mark.parametrize(
        ("head", "extension"),
        [
            (b"<!DOCTYPE html><p>", ".html"),
            (b"\xef\xbb\xbf\n<!-- a --><!-- b -->\n<HTML lang=en>", ".html"),
            (b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "x">', ".xhtml"),
            (b"<p>a fragment", None),
            (b"<!---->" * 500, None),
            (b"# Markdown <html>", None),
        ],
    )
    def test_marks(self, head: bytes, extension: str | None) -> None:
        assert HtmlHandler().recognise(Glimpse(head=head)) == extension


HOSTILE = {
    "deep": "<div>" * 50_000 + "end" + "</div>" * 50_000,
    "deep lists": "<ul><li>" * 20_000 + "end",
    "deep quotes": "<blockquote>" * 20_000 + "end",
    "deep tables": "<table><tr><td>" * 5_000 + "end",
    "deep formulas": "<math>" + "<mrow>" * 20_000 + "<mi>end",
    "deep links": "<a href=x>" * 20_000 + "end",
    "deep hiding": "<span hidden>" * 20_000 + "</span>" * 20_000 + "end",
    "unclosed": "<b><p>" * 30_000 + "end",
    "attributes": "<p " + " ".join(f"a{n}=x" for n in range(100_000)) + ">end",
    "unfinished tags": "end" + "<a " * 100_000,
    "unfinished comments": "end" + "<!--" * 100_000,
    "unfinished cdata": "end" + "<![CDATA[" * 100_000,
    "siblings": "<p>" * 100_000 + "end",
    "spans": "<table>" + "<tr><td colspan=1000 rowspan=65000>x" * 2000 + "</table>end",
    "numbers": "<p>end&#0;&#xD800;&#x110000;&#99999999999999999999;",
    "style": "<style>" + "@media{" * 20_000 + "</style>end",
    "frames": '<iframe srcdoc="' + "&lt;iframe srcdoc=" * 1000 + '"></iframe>end',
    "heading of paragraphs": "<h1>" + "<p>x" * 20_000 + "</h1>end",
    "heading of nothing": "<h1>" + "<p>" * 100_000 + "</h1>end",
    "code of divisions": "<pre>" + "<div>x</div>" * 50_000 + "</pre>end",
    "code in code": "<code>" * 5_000 + "x" * 200_000 + "</code>" * 5_000 + " end",
    "tables of two": "<table><tr><td>x<td>" * 5_000 + "x" * 200_000 + "</table>" * 5_000 + "end",
    "backticks": "<pre>" + "`" * 200_000 + "</pre>end",
    "style without rules": "<style>" + "none " * 90_000 + "</style>end",
    "style of groups": "<style>" + "@media{}" * 60_000 + "@import x;" * 30_000 + "</style>end",
    "style of zeros": "<p style='font-size:" + "0" * 500_000 + "x'>end",
    "options": "<select>" + "<option>x" * 20_000 + "</select>end",
    "exponents": "x<sup>" * 20_000 + "end",
}


class TestHostility:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_the_text_survives(self, name: str) -> None:
        document = REGISTRY.read(Source("x.html", HOSTILE[name].encode()))
        said = " ".join(f"{' '.join(section.heading)} {section.text}" for section in document.sections)
        assert "end" in said
        assert {problem.code for problem in document.problems} <= {"hidden_text"}

    @pytest.mark.parametrize(
        ("data", "state"),
        [
            (b"", "unreadable"),
            (b" \n", "unreadable"),
            (b"\0\1\2\xff\xfe" * 500, None),
            (b"<p></p>", "unreadable"),
            (b"<img src=x>", "unreadable"),
            (b"<!-- all of it", "unreadable"),
            (PAGE.encode()[: len(PAGE) // 2], "read"),
            (PAGE.encode("utf-16")[:999], None),
        ],
    )
    def test_damage_is_borne(self, data: bytes, state: str | None) -> None:
        document = REGISTRY.read(Source("x.html", data))
        assert document.state == state or state is None
        assert "handler_failed" not in {problem.code for problem in document.problems}

    @settings(deadline=None, max_examples=150)
    @given(st.integers(0, len(PAGE)), st.integers(0, len(PAGE)), st.text("<>/&\"'=; \n\0ax", max_size=9))
    def test_no_damage_fails(self, start: int, end: int, put: str) -> None:
        document = REGISTRY.read(Source("x.html", (PAGE[:start] + put + PAGE[max(start, end) :]).encode()))
        assert "handler_failed" not in {problem.code for problem in document.problems}


TAGS = re.findall(
    r"\S+",
    """
p div span b a h1 h3 ul ol li dl dt dd table tr td th caption
pre code blockquote section article nav header footer aside details summary form label select option button
figure figcaption ruby rt sup sub svg text math mi mfrac br img hr q address fieldset object
""",
)
ATTRIBUTES = (
    *("", "", "", " hidden", " style='display:none'", " colspan=3", " rowspan=2", " href='http://e.x/'", " lang=de"),
    *(" role=doc-footnote id=f", " role=heading aria-level=3", " epub:type=footnotes", " role=presentation", " alt=A"),
)


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Tags in any order, with words between them."""
    parts, words = [], []
    for _ in range(draw(st.integers(1, 40))):
        what = draw(st.integers(0, 9))
        if what < 4:
            parts.append(f"<{draw(st.sampled_from(TAGS))}{draw(st.sampled_from(ATTRIBUTES))}>")
        elif what < 6:
            parts.append(f"</{draw(st.sampled_from(TAGS))}>")
        else:
            words.append(f"w{len(words)}x")
            parts.append(f" {words[-1]} ")
    return "".join(parts), words


@settings(deadline=None, max_examples=200)
@given(pages())
def test_words_in_are_words_out(page: tuple[str, list[str]]) -> None:
    html, words = page
    found = sections(html)
    said = Counter(re.findall(r"w\d+x", " ".join(section.text for section in found)))
    titles = {word for section in found for title in section.heading for word in re.findall(r"w\d+x", title)}
    assert {word for word in words if word not in titles} == set(said)
    assert not {word for word, count in said.items() if count > 1 or word in titles}


class TestMathml:
    @pytest.mark.parametrize(
        ("xml", "tex"),
        [
            ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
            ("<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", r"\binom{n}{k}"),
            ("<msub><mi>x</mi><mi>i</mi></msub>", "x_{i}"),
            ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^{2}"),
            ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x_{1}^{2}"),
            ("<msqrt><mn>2</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt{2}\sqrt[3]{x}"),
            ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>", "∑_{i}^{n}i"),
            ("<munder><mi>lim</mi><mi>x</mi></munder>", r"\lim_{x}"),
            ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
            ("<mi>sin</mi><mo>\u2061</mo><mi>x</mi>", r"\sin x"),
            ("<mi>rate</mi><mo>=</mo><mtext>if any</mtext>", r"\mathrm{rate}=\text{if any}"),
            ("<mfenced open='['><mi>a</mi><mi>b</mi></mfenced>", "[a,b)"),
            (
                "<mtable><mtr><mtd>a</mtd><mtd>b</mtd></mtr><mtr><mtd>c</mtd></mtr></mtable>",
                r"\begin{matrix}a & b \\ c\end{matrix}",
            ),
            (
                "<mmultiscripts><mi>X</mi><mn>1</mn><none/><mprescripts/><mn>2</mn><none/></mmultiscripts>",
                "{}_{2}X_{1}",
            ),
            (
                "<semantics><mi>q</mi><annotation encoding='LaTeX'>{\\displaystyle E}</annotation></semantics>",
                "E",
            ),
            ("<semantics><mi>q</mi><annotation encoding='other'>z</annotation></semantics>", "q"),
            ("<mo>{</mo><mi>a</mi><mo>%</mo>", r"\{a\%"),
            ("<mphantom><mi>x</mi></mphantom>", ""),
            ("<mfrac>loose</mfrac><msup/><mroot/>", r"\frac{}{loose}^{}"),
            ("", ""),
        ],
    )
    def test_tex(self, xml: str, tex: str) -> None:
        from lxml import etree

        assert mathml_to_tex(etree.fromstring(f"<math>{xml}</math>")).replace(r"\sqrt[]{}", "").replace(
            "^{}", ""
        ) == tex.replace("^{}", "")

    def test_depth_is_bounded(self) -> None:
        from lxml import etree

        deep = etree.fromstring(
            "<math>" + "<msup>" * 1500 + "<mi>x</mi>" + "</msup>" * 1500 + "</math>", etree.XMLParser(huge_tree=True)
        )
        assert "x" in mathml_to_tex(deep)
