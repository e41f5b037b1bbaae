"""What the JATS handler must bring out of articles."""

from __future__ import annotations

import pytest

from gatherum import Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2 20190208//EN" "x.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" xml:lang="en"><front>
<journal-meta><journal-title-group><journal-title>TKJOURNAL</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">TKDOI</article-id>
<title-group><article-title>TKTITLE of <italic>X</italic></article-title></title-group>
<contrib-group><contrib contrib-type="author">
<name><surname>Lee</surname><given-names>Ann</given-names></name></contrib>
</contrib-group><pub-date><day>3</day><month>2</month><year>2020</year></pub-date>
<abstract><title>Abstract</title><p>TKABSTRACT</p></abstract>
<kwd-group><kwd>TKKEY</kwd></kwd-group></article-meta></front>
<body><sec><label>1</label><title>Intro</title><p>TKINTRO <xref ref-type="bibr" rid="b1">[1]</xref> and
<inline-formula><alternatives><tex-math>\\begin{document}$$x^2$$\\end{document}</tex-math><graphic xlink:href="a.png"/>
</alternatives></inline-formula></p>
<sec><title>Deep</title><list list-type="order">
<list-item><p>TKITEM</p></list-item>
</list><fig><label>Figure 1</label><caption><title>TKFIG</title><p>TKCAP</p></caption>
<graphic xlink:href="TKFILE.png"/>
</fig><table-wrap>
<label>Table 1</label><table><tr><th>h</th></tr><tr><td>TKCELL</td></tr></table></table-wrap></sec></sec>
</body><back><ref-list><title>References</title><ref id="b1"><label>1</label><mixed-citation><name><surname>Oe</surname>
<given-names>Al</given-names></name>. TKREF. <ext-link xlink:href="http://a">http://a</ext-link></mixed-citation></ref>
</ref-list></back></article>"""


def read(text, name="article.nxml"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


@pytest.mark.parametrize("name", ["article.nxml", "article.xml"])
def test_an_article_is_read_by_its_sections(name):
    document = read(ARTICLE, name)
    assert (document.handler, document.state) == ("jats", "read")
    text = {s.heading: "" for s in document.sections}
    for section in document.sections:
        text[section.heading] += section.text + "\n"
    assert text[("Abstract",)] == "TKABSTRACT\n"
    assert text[("1 Intro",)] == "TKINTRO [1] and $x^2$\n"
    assert "1. TKITEM\n" in text[("1 Intro", "Deep")]
    assert "| h |\n| --- |\n| TKCELL |" in text[("1 Intro", "Deep")]
    assert all(token in text[("1 Intro", "Deep")] for token in ("Figure 1", "TKFIG", "TKCAP", "Table 1"))
    assert text[("References",)].startswith("1 Oe")
    assert "TKREF. http://a" in text[("References",)]


def test_the_front_is_metadata():
    known = read(ARTICLE).metadata
    assert (known.title, known.authors, known.tags) == ("TKTITLE of X", ("Ann Lee",), ("TKKEY",))
    assert (known.created, known.language) == ("2020-02-03", "en")
    assert "TKABSTRACT" in known.description
    assert known.extra["journal-title"] == "TKJOURNAL"
    assert known.extra["article-id"] == "TKDOI"


def test_an_article_that_was_cut_gives_what_it_has():
    for at in range(0, len(ARTICLE), 61):
        assert "handler_failed" not in [p.code for p in read(ARTICLE[:at]).problems]
