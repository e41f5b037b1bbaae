import pytest

from gatherum import Source
from gatherum.registry import load_registry

REGISTRY = load_registry()
RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>River News</title><description>All about &amp; around</description><language>en</language>
<item><title>High water</title><link>http://example.org/1</link><pubDate>Tue, 02 Jun 2020</pubDate>
<category>water</category>
<description>Short.</description>
<content:encoded><![CDATA[<p>Long <b>story</b> of water.</p>]]></content:encoded></item>
<item><description>No title here.</description></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Berg</title><author><name>Ana</name></author>
<entry><title type="html">Gipfel &amp;amp; Tal</title>
<link rel="alternate" href="http://x.org/a"/>
<updated>2020-06-02</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Worte <em>hier</em>.</p></div></content>
</entry></feed>"""
OPML = """<opml version="2.0"><head><title>Reading</title><ownerName>Bo</ownerName></head><body>
<outline text="Science"><outline text="Stars" xmlUrl="http://x.org/stars"/>
<outline text="Deep"><outline text="Sea"/></outline></outline>
<outline text="Alone" _note="a remark"/></body></opml>"""


def read(text, name):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def test_rss():
    document = read(RSS, "news.rss")
    body = [(section.heading, section.text) for section in document.sections if section.layer == "body"]
    assert body == [
        (("River News",), "All about & around"),
        (("River News", "High water"), "Short.\n\nLong story of water."),
        (("River News", "Entry 2"), "No title here."),
    ]
    facts = next(section.text for section in document.sections if section.layer == "metadata")
    assert facts == "Date: Tue, 02 Jun 2020\nLink: http://example.org/1\nTags: water"
    assert (document.metadata.title, document.metadata.language) == ("River News", "en")


def test_atom():
    document = read(ATOM, "berg.atom")
    assert document.sections[-1].heading == ("Berg", "Gipfel & Tal")
    assert "Worte" in document.sections[-1].text
    assert "hier" in document.sections[-1].text
    assert document.metadata.authors == ("Ana",)


def test_opml():
    document = read(OPML, "list.opml")
    assert [(section.heading, section.text) for section in document.sections] == [
        (("Science",), "- [Stars](http://x.org/stars)"),
        (("Science", "Deep"), "- Sea"),
        (("Alone",), "a remark"),
    ]


@pytest.mark.parametrize(("text", "kind"), [(RSS, "rss"), (ATOM, "atom"), (OPML, "opml")])
def test_they_are_known_by_their_roots(text, kind):
    assert read(text, "thing.xml").format == kind


@pytest.mark.parametrize(("raw", "code"), [(b"", "empty"), (b"words", "corrupt")])
def test_what_is_no_xml_is_refused(raw, code):
    document = read(raw, "news.rss")
    assert document.state == "unreadable"
    assert document.problems[-1].code == code


def test_damage_and_depth_are_borne():
    assert read(RSS[:500], "news.rss").state == "partial"
    deep = "<opml><body>" + '<outline text="x">' * 240 + "</outline>" * 240 + "</body></opml>"
    assert read(deep, "deep.opml").state == "read"
