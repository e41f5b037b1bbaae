"""What the Markdown handler must bring out of a text and its dialects, and under which headings."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins
from gatherum_formats.markdown.blocks import markdown_blocks
from gatherum_formats.markdown.code import spoken

REGISTRY = Registry(load_plugins())


def read(text, name="note.md"):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return REGISTRY.read(Source(name, data))


def all_text(document, layer=None):
    return "\n\n".join(s.text for s in document.sections if layer in (None, s.layer))


def kinds(document):
    return [(s.kind, s.layer) for s in document.sections]


def headings(document):
    return list(dict.fromkeys(s.heading for s in document.sections if s.heading))


def only(document, kind):
    (section,) = [s for s in document.sections if s.kind == kind]
    return section


# Headings


def test_headings_of_all_levels_open_sections():
    document = read("".join(f"{'#' * level} TK{level}\n" for level in range(1, 7)))
    assert headings(document)[-1] == ("TK1", "TK2", "TK3", "TK4", "TK5", "TK6")
    assert [s.level for s in document.sections] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# One #", "One"),
        ("   ## Two ##   ", "Two"),
        ("#\tThree", "Three"),
        ("# A # B", "A # B"),
        ("# C#", "C#"),
        ("Under\n===", "Under"),
        ("Over\ntwo lines\n---", "Over two lines"),
        ("# With `code*` and *emphasis*", "With code* and emphasis"),
        ("# [Link](http://example.org) text", "Link text"),
        ("# ![Picture](a.png)", "Picture"),
        ("# Id {#custom-id .class}", "Id"),
        ("# Block ^anchor", "Block"),
        ("# [[Page|Alias]] ==mark==", "Alias mark"),
        ("# Note[^1]", "Note"),
        ("# snake_case_name", "snake_case_name"),
        ("# AT&amp;T \\# &copy;", "AT&T # ©"),
        ("# $a*b*c$ costs", "$a*b*c$ costs"),
        ("# <a name='x'></a>Anchored<br>twice", "Anchored twice"),
        ("# Vec<T> and Map<K>", "Vec<T> and Map<K>"),
        ("# [ref]\n\n[ref]: http://example.org", "ref"),
        ("# **Bold** __strong__ ~tilde~", "Bold strong ~tilde~"),
    ],
)
def test_a_heading_is_plain_text(line, title):
    assert read(f"{line}\n\nTKBODY\n").sections[0].heading == (title,)


@pytest.mark.parametrize(
    "text",
    [
        "#tag",
        "####### seven",
        "    # code",
        "\\# escaped",
        "```\n# fenced\n```",
        "~~~\nx\n# fenced",
        "| a |\n|---|\n| b |",
    ],
)
def test_what_is_no_heading_opens_no_section(text):
    assert headings(read(f"TKTEXT\n\n{text}\n")) == []


def test_front_matter_end_is_no_setext_heading():
    assert headings(read("---\ntitle: T\n---\nTKTEXT\n")) == []


def test_headings_in_lists_quotes_and_boxes_are_text():
    text = "# Top\n\n> # TKQUOTE\n\n- # TKLIST\n\n!!! note\n    # TKBOX\n\n::: tip\n## TKTIP\n:::\n\n"
    text += "```{note}\n# TKMYST\n```\n"
    document = read(text)
    assert headings(document) == [("Top",)]
    for token in ("TKQUOTE", "TKLIST", "TKBOX", "TKTIP", "TKMYST"):
        assert all_text(document).count(token) == 1


def test_headings_in_html_blocks_open_sections():
    document = read('<h1 align="center">\n  TKA <b>TKB</b>\n</h1>\n\ntext\n\n<h2>\n\nTKC\n\n</h2>\n\nTKD\n')
    assert headings(document) == [("TKA TKB",), ("TKA TKB", "TKC")]
    assert document.sections[-1].text == "TKD"


def test_text_before_the_first_heading_stands_alone():
    document = read("TKBEFORE\n\n# H\n\nTKAFTER\n")
    assert [(s.heading, s.text) for s in document.sections] == [((), "TKBEFORE"), (("H",), "TKAFTER")]


def test_a_heading_without_text_is_kept():
    assert [(s.heading, s.text) for s in read("# A\n## B\n# C\n").sections] == [
        (("A",), ""),
        (("A", "B"), ""),
        (("C",), ""),
    ]


# Front matter


def test_yaml_front_matter_becomes_metadata():
    document = read(
        "---\ntitle: No\nauthor:\n  - Ada L.\n  - name: Bob M.\ntags: [x, '#y']\nkeywords: z\ndate: 2024-02-03\n"
        "lastmod: 2024-03-04T05:06:07\nlang: de\nsummary: TKSUM\ndraft: true\nnested: {a: [1, TKDEEP]}\n---\n\n# H\n"
    )
    metadata = document.metadata
    assert (metadata.title, metadata.authors, metadata.tags) == ("No", ("Ada L.", "Bob M."), ("x", "y", "z"))
    assert (metadata.created, metadata.modified, metadata.language) == ("2024-02-03", "2024-03-04T05:06:07", "de")
    assert metadata.description == "TKSUM"
    assert metadata.extra == {"draft": True, "nested": {"a": [1, "TKDEEP"]}}
    assert document.sections[0].locator == Locator.lines(16)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('+++\ntitle = "TKT"\ntags = ["a"]\n+++\nbody\n', "a.md"),
        ('{\n"title": "TKT", "tags": ["a"]\n}\n\nbody\n', "a.md"),
        (';;;\n{"title": "TKT", "tags": "a"}\n;;;\nbody\n', "a.md"),
        ("Title: TKT\nTags: a\n\nbody\n", "a.mmd"),
    ],
)
def test_other_front_matter_becomes_metadata(text, name):
    document = read(text, name)
    assert (document.metadata.title, document.metadata.tags) == ("TKT", ("a",))
    assert all_text(document) == "body"


def test_pandoc_title_block_becomes_metadata():
    metadata = read("% TKT\n% A; B\n% 2020-01-02\n\nbody\n").metadata
    assert (metadata.title, metadata.authors, metadata.created) == ("TKT", ("A", "B"), "2020-01-02")


def test_invalid_front_matter_is_kept_as_text():
    document = read("---\ntitle: a: b: [TKBAD\nfoo: }\n---\n\nTKBODY\n")
    assert [p.code for p in document.problems] == ["partial"]
    assert kinds(document) == [("metadata", "metadata"), ("prose", "body")]
    assert "TKBAD" in document.sections[0].text
    assert document.sections[1].locator == Locator.lines(6)


def test_rules_around_text_are_no_front_matter():
    document = read("---\nJust TKTEXT here\n---\n")
    assert document.metadata.title == ""
    assert [s.heading for s in document.sections] == [("Just TKTEXT here",)]


@pytest.mark.parametrize(
    "yaml",
    [
        "date: 2024-13-45",
        "time: 99:99:99",
        "a: !!python/object/apply:os.getcwd []",
        "n: " + "9" * 6000,
        "? [a, b]\n: c",
        "self: x\n1: y\nnull: z\ntrue: w",
        "f: .nan\ng: .inf",
        "title: {a: b}\nauthor: {x: 1}\ntags: {q: 1}",
    ],
)
def test_odd_yaml_does_no_harm(yaml):
    document = read(f"---\n{yaml}\n---\n\nTKBODY\n")
    assert "TKBODY" in all_text(document)
    assert "handler_failed" not in [p.code for p in document.problems]


@pytest.mark.parametrize(
    "yaml",
    [
        "a: " + "[" * 5000,
        "- " * 5000 + "x",
        "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"a{i + 1}: &a{i + 1} [{','.join([f'*a{i}'] * 9)}]\n" for i in range(9)),
        "a0: &a0 {k: v}\n" + "".join(f"a{i + 1}: &a{i + 1} {{<<: [{','.join([f'*a{i}'] * 9)}]}}\n" for i in range(9)),
        "a: &a [*a]",
    ],
    ids=["deep flow", "deep blocks", "aliases", "merges", "circle"],
)
def test_hostile_yaml_is_bounded(yaml):
    document = read(f"---\n{yaml}\n---\n\nTKBODY\n")
    assert "TKBODY" in all_text(document)
    assert len(repr(document.metadata)) < 200_000


# Blocks


def test_blocks_have_their_kinds_and_lines():
    document = read(
        "para\n\n- item\n- item\n\n> quote\n\n```py title=x\ncode\n```\n\n"
        "| a |\n|---|\n| b |\n\n$$\nx\n=\ny\n$$\n\n![alt](a.png)\n"
    )
    assert [(s.kind, s.locator.start, s.locator.end) for s in document.sections] == [
        ("prose", 1, 1),
        ("list", 3, 4),
        ("quote", 6, 6),
        ("code", 8, 10),
        ("table", 12, 14),
        ("math", 16, 20),
        ("alt", 22, 22),
    ]
    assert document.sections[3].text == "```py title=x\ncode\n```"
    assert document.sections[6].text == "alt"


def test_fences_are_whole_and_closed():
    document = read("````md\n```py\n# TKIN\n```\n````\n\n~~~\nTKOPEN\n# no heading\n")
    text = all_text(document)
    assert "````md\n```py\n# TKIN\n```\n````" in text
    assert text.endswith("~~~\nTKOPEN\n# no heading\n~~~")
    assert headings(document) == []


def test_nothing_inside_code_is_changed():
    code = "[[a|b]] ==x== &amp; <br> %%c%% <!-- c --> ![i](u) {#id}"
    document = read(
        f"`{code}` TK [[p|q]]\n\n```\n{code}\n```\n\n- [[p|q]]\n  ```\n  {code}\n  ```\n\nend\n\n    {code}\n"
    )
    assert all_text(document).count(code) == 4
    assert all_text(document).count("[q](p)") == 2
    assert "hidden" not in [s.layer for s in document.sections]


def test_indented_code_is_fenced():
    assert only(read("a\n\n    x = 1\n\n        y\n"), "code").text == "```\nx = 1\n\n    y\n```"


def test_lists_keep_their_marks():
    text = "- a\n  * b\n    1. c\n- [ ] todo\n- [x] done\n"
    assert only(read(text), "list").text == text.strip()
    assert only(read("7) seven\n8) eight\n"), "list").text == "7) seven\n8) eight"


def test_tables_become_pipe_tables():
    document = read("a | b\n:-|-:\nx \\| y | `c`\nlong | row | TKEXTRA\n\n: TKCAPTION\n")
    assert only(document, "table").text.split("\n") == [
        "| a | b |  |",
        "| --- | --- | --- |",
        "| x \\| y | `c` |  |",
        "| long | row | TKEXTRA |",
    ]
    assert only(document, "caption").text == ": TKCAPTION"


def test_definition_lists_are_lists():
    assert only(read("Term\n: TKONE\n\n  TKTWO\n"), "list").text == "Term\n: TKONE\n\n  TKTWO"


def test_footnotes_follow_the_paragraph_that_refers_to_them():
    document = read("A[^x].\n\nB[^y].\n\n[^y]: TKY\n\n[^x]: TKX\n\n    TKMORE\n\n[^z]: TKZ\n\nEnd\n")
    assert [s.text for s in document.sections] == [
        "A[^x].",
        "[^x]: TKX\n\nTKMORE",
        "B[^y].",
        "[^y]: TKY\n\n[^z]: TKZ",
        "End",
    ]
    assert [s.layer for s in document.sections] == ["body", "notes", "body", "notes", "body"]


def test_a_note_on_a_heading_stands_under_it():
    document = read("# H[^1]\n\ntext\n\n[^1]: TKN\n")
    note = only(document, "footnote")
    assert (note.heading, note.text) == (("H",), "[^1]: TKN")


# Inline


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("[[Page]] [[Page#Part]] [[My Page|alias]]", "Page Page#Part [alias](<My Page>)"),
        ("![[embedded]] ![[pic.png|300]]", "embedded pic.png"),
        ("==marked== a == b == c", "marked a == b == c"),
        ("x ![alt](i.png 'Title') y", "x alt 'Title' y"),
        ("[![badge](i.svg)](http://example.org)", "[badge](http://example.org)"),
        (
            "[t][r] [r][] [r] [none][no]\n\n[r]: http://example.org",
            "[t](http://example.org) [r](http://example.org) [r](http://example.org) [none][no]",
        ),
        ("<https://example.org/?a==b==c> [x](http://a/==b==)", "<https://example.org/?a==b==c> [x](http://a/==b==)"),
        ("H<sub>2</sub>O<br>AT&amp;T &nbsp;&#65;", "H2O\nAT&T  A"),
        ("<a href='u v'>link</a> <img alt='pic' src=x> <kbd>K</kbd>", "[link](u%20v) pic K"),
        ("Vec<String> and <your-name>", "Vec<String> and <your-name>"),
        ("[span]{.class} [l](u){target=_blank} text ^block-id", "[span] [l](u){target=_blank} text"),
        ("#tag stays, \\[r] stays", "#tag stays, \\[r] stays"),
        ('$a_1 < b$ and {{< ref "x" >}}', '$a_1 < b$ and {{< ref "x" >}}'),
        ("![x](data:image/png;base64,AAAA+/=) tail", "x tail"),
    ],
)
def test_inline_text_is_what_a_reader_sees(source, text):
    assert all_text(read(source)) == text


def test_comments_are_hidden_and_reported():
    document = read(
        "a <!-- TK1 --> b %%TK2%% c\n\n<!--\nTK3\n\nTK4\n-->\n\n%%\nTK5\n%%\n\n- x <!-- TK6 -->\n\n[//]: # (TK7)\n\n"
        "<span style='display:none'>TK8</span>d\n"
    )
    hidden, body = all_text(document, "hidden"), all_text(document, "body")
    for token in ("TK1", "TK2", "TK3", "TK4", "TK5", "TK6", "TK7", "TK8"):
        assert token in hidden
        assert token not in body
    assert [p.code for p in document.problems] == ["hidden_text"]
    assert document.state == "read"


def test_hidden_html_is_hidden():
    document = read('<div style="display: none">TKSECRET</div>\n\nTKBODY\n')
    assert all_text(document, "body") == "TKBODY"


def test_link_references_that_nothing_uses_are_kept():
    assert all_text(read("text\n\n[spare]: http://example.org 'TKT'\n")) == "text\n\n[spare]: http://example.org 'TKT'"


def test_html_blocks_become_text():
    document = read(
        "<details>\n<summary>TKSUM</summary>\n\nTKIN **bold**\n\n</details>\n\n"
        "<table>\n\n<tr><td>TKA</td>\n\n    <td>TKB</td></tr>\n\n</table>\n\nTKEND\n"
    )
    assert only(document, "table").text.split("\n")[0] == "| TKA | TKB |"
    assert re.findall("TK[A-Z]+", all_text(document)) == ["TKSUM", "TKIN", "TKA", "TKB", "TKEND"]
    assert "<" not in all_text(document)


# Dialects


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("!!! note\n    TKIN", "**Note**"),
        ('!!! warning "TKT"\n    TKIN', "**Warning: TKT**"),
        ('??? tip "TKT"\n\n    TKIN', "**Tip: TKT**"),
        ('=== "TKT"\n\n    TKIN', "**TKT**"),
        (":::note\nTKIN\n:::", "**Note**"),
        ("::: warning TKT\nTKIN\n:::", "**Warning: TKT**"),
        (":::tip[TKT]\nTKIN\n:::", "**Tip: TKT**"),
        (':::{.callout-tip title="TKT" collapse=true}\nTKIN\n:::', "**Tip: TKT**"),
        (":::{admonition} TKT\n:class: tip\nTKIN\n:::", "**TKT**"),
        ("```{note} TKT\n:class: x\nTKIN\n```", "**Note: TKT**"),
        ("```{warning}\n---\nname: x\n---\nTKIN\n```", "**Warning**"),
    ],
)
def test_boxes_are_prose_under_their_title(source, title):
    (section,) = read(f"{source}\n").sections
    assert (section.kind, section.text) == ("prose", f"{title}\n\nTKIN")


def test_nested_boxes_keep_their_content():
    text = '!!! note "A"\n    TK1\n\n    ??? tip "B"\n'
    text += "        TK2\n\n        ```py\n        TK3\n        ```\n\n    TK4\n\nTK5\n"
    document = read(text)
    assert re.findall("TK[0-9]", all_text(document)) == ["TK1", "TK2", "TK3", "TK4", "TK5"]
    assert only(document, "code").text == "```py\nTK3\n```"


def test_callouts_keep_their_title():
    assert only(read("> [!tip]- TKTITLE\n> TKBODY\n"), "quote").text == "> [!tip]- TKTITLE\n> TKBODY"


def test_figure_directives_give_their_alternative_text():
    document = read("```{figure} img.png\n:alt: TKALT\n:width: 3\n\nTKCAP\n```\n")
    assert re.findall("TK[A-Z]+", all_text(document)) == ["TKALT", "TKCAP"]
    assert "width" not in all_text(document)


def test_chunks_keep_code_and_language():
    document = read(
        '```{r, echo=FALSE, fig.cap="TKCAP"}\nplot(1)\n```\n\n```{python}\n#| label: fig\nx\n```\n', "a.Rmd"
    )
    assert document.sections[0].text.startswith('```r {echo=FALSE, fig.cap="TKCAP"}\nplot(1)\n```')
    assert "```python\n#| label: fig\nx\n```" in document.sections[0].text


def test_colon_code_and_math():
    document = read(":::{code-block} python\n# TKCODE\n:::\n\n```{math}\nTKMATH\n```\n\n```math\nTKM2\n```\n")
    assert only(document, "code").text == "```python\n# TKCODE\n```"
    assert only(document, "math").text == "$$\nTKMATH\n$$\n\n$$\nTKM2\n$$"
    assert headings(document) == []


def test_display_math_is_one_block():
    document = read("\\begin{align}\na &= b \\\\\n- c\n\\end{align}\n\n$$ x $$\n\n\\[\ny\n\\]\n\ncost $$ and $$ no\n")
    assert [s.kind for s in document.sections] == ["math", "prose"]


def test_an_unclosed_box_does_not_swallow_headings():
    assert headings(read(":::note\nx\n\n# A\n\n```{tip}\ny\n\n# B\n")) == [("A",), ("B",)]


def test_mdx_components_say_their_titles_and_children():
    document = read(
        "import Tabs from '@theme/Tabs'\nexport const meta = {\n  a: 1,\n\n  b: 2\n}\n\n# TKH\n\n<Tabs>\n"
        '  <TabItem value="x" label="TKLABEL">\n    TKCHILD **bold**\n\n    - TKITEM\n  </TabItem>\n</Tabs>\n\n'
        '<Card\n  title="TKTITLE"\n  style={{ a: "b" }}\n/>\n\nText <Badge label="TKBADGE">TKIN</Badge>\n\n'
        "{/* TKSECRET */}\n\n{/*\nTKSECRET2\n*/}\n",
        "a.mdx",
    )
    body = all_text(document, "body")
    assert re.findall("TK[A-Z]+", body) == ["TKLABEL", "TKCHILD", "TKITEM", "TKTITLE", "TKBADGE", "TKIN"]
    assert "import" not in body
    assert "meta" not in body
    assert "<" not in body
    assert re.findall("TK[A-Z]+2?", all_text(document, "hidden")) == ["TKSECRET", "TKSECRET2"]
    assert headings(document) == [("TKH",)]
    assert "code" not in [s.kind for s in document.sections]


def test_components_outside_mdx_are_text():
    assert "<Tabs>" in all_text(read("<Tabs>\n\nTKIN\n"))


# Bytes


@pytest.mark.parametrize(
    "data",
    [
        b"# A\r\n\r\nTKB\r\n",
        b"# A\r\rTKB\r",
        b"\xef\xbb\xbf# A\n\nTKB\n",
        "# A\n\nTKB\n".encode("utf-16"),
    ],
    ids=["crlf", "cr", "bom", "utf-16"],
)
def test_line_ends_and_marks_do_not_matter(data):
    (section,) = read(data).sections
    assert (section.heading, section.text, section.locator) == (("A",), "TKB", Locator.lines(3))


def test_nul_and_decomposed_letters_are_kept_apart_and_whole():
    document = read("# e\u0301\x00x\n\na\x00b\n")
    assert headings(document) == [("e\u0301 x",)]
    assert all_text(document) == "a b"


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_an_empty_file_says_so(data):
    document = read(data)
    assert (document.state, [p.code for p in document.problems]) == ("unreadable", ["empty"])


# Hostile

N = 3_000
HOSTILE = {
    "cdata": "<![CDATA[" * N,
    "emphasis": "*a_ " * N,
    "links": "[a](" * N,
    "brackets": "[" * N + "a" + "]" * N,
    "images": "![" * N,
    "wikilinks": "[[" * N,
    "quotes": "> " * N + "TKEND",
    "quotes without spaces": ">" * N,
    "lists": "\n".join(f"{'  ' * i}- x{i}" for i in range(1000)),
    "lists on a line": "- " * N + "TKEND",
    "backticks": "".join("e" + "`" * i for i in range(200)),
    "long line": "word " * 100_000,
    "references": "[a]: u\n" * N,
    "open references": "[a\n" * N,
    "pipes": "|" * N + "\n" + "|-" * N + "|\n",
    "tables": "a|b\n-|-\n" * N,
    "html": "<div>\n\n" * N,
    "html headings": "<h1>\n" * N,
    "html tables": "<table>\n\n" * N,
    "html comments": "<!-- " * N,
    "fences": "```\n" * N,
    "directives": ":::note\n" * N + ":::\n" * N,
    "admonitions": "\n".join("    " * i + "!!! note" for i in range(200)),
    "percent": "%%x\n" * N,
    "math": "$$\nx\n" * N + "\\begin{align}\n" * N + "\\[\n" * N,
    "notes": "[^a]: " * N,
    "note chain": "[^0]\n\n" + "".join(f"[^{i}]: [^{i + 1}]\n\n" for i in range(N)),
    "definitions": "a\n: b\n" * N,
    "entities": "&" * N + "&#x110000;&#0;",
    "title": "# " + "[" * N,
    "tags": "<a href='x' " * N,
    "nul": "\x00" * N,
    "components": "<A\n" * N + "<A b={{{\n" * N,
    "statements": "export const a = {\n\n" * N,
    "expressions": "{/* a\n" * N,
    "surrogates": "\ud800 text",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("extension", ["md", "mdx"])
def test_hostile_text_is_read_in_bounds(name, extension):
    text = HOSTILE[name]
    document = read(text, f"a.{extension}")
    assert not {"handler_failed", "too_deep", "memory"} & {p.code for p in document.problems}
    assert sum(len(s.text) for s in document.sections) < 10 * len(text) + 1000
    if "TKEND" in text:
        assert "TKEND" in all_text(document)


def test_deep_lists_lose_nothing():
    text = "\n".join(f"{'  ' * i}- x{i}" for i in range(1000)) + "\n\n# After\n"
    document = read(text)
    assert re.findall(r"x\d+", all_text(document)) == [f"x{i}" for i in range(1000)]
    assert headings(document) == [("After",)]


def test_long_references_are_spelled_out_once():
    document = read("[a] " * 1000 + f"\n\n[a]: http://example.org/{'x' * 5000}\n")
    assert all_text(document).count("http") == 1


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_read_without_failure(data):
    for name in ("a.md", "a.mdx"):
        assert "handler_failed" not in [p.code for p in read(data, name).problems]


# Properties

ORACLE = MarkdownIt("commonmark").enable("table").use(footnote_plugin, move_to_end=False).use(deflist_plugin)


def oracle_headings(text):
    tokens = ORACLE.parse(text)
    found = [
        (int(opening.tag[1:]), " ".join("".join(spoken(inline.children or [])).split()))
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.level == 0
    ]
    return [(level, title) for level, title in found if title]


MARKUP = "# ¦## ¦### ¦####### ¦#¦===\n¦---\n¦- ¦  - ¦* ¦1. ¦> ¦```\n¦~~~\n¦    ¦\t¦\n¦\n\n¦|¦|--|--|\n¦ a ¦ b¦*¦_¦`¦\\"
PIECES = st.sampled_from([*MARKUP.split("¦"), "[c](d)", "[c]", "[c]: d\n", "![e](f)", "~", ": "])


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_headings_are_those_of_a_full_commonmark_parse(text):
    mine = [(block.level, " ".join(block.text.split())) for block in markdown_blocks(text.split("\n")) if block.level]
    assert mine == oracle_headings(text)


def word_blocks():
    word = st.integers(0, 9999).map(lambda n: f"w{n}w")
    line = st.lists(word, min_size=1, max_size=4).map(" ".join)
    inline = st.one_of(
        line,
        line.map("**{}**".format),
        line.map("`{}`".format),
        line.map("[{}](http://u)".format),
        line.map("=={}==".format),
        line.map("[[{}]]".format),
        line.map("<b>{}</b>".format),
        line.map("![{}](i.png)".format),
        line.map("%%{}%%".format),
        line.map("<!-- {} -->".format),
        line.map("${}$".format),
    )
    text = st.lists(inline, min_size=1, max_size=3).map(" and ".join)
    return st.one_of(
        text.map("{}\n\n".format),
        text.map("# {}\n\n".format),
        text.map("- {}\n\n".format),
        text.map("- x\n  - {}\n\n".format),
        text.map("> {}\n\n".format),
        line.map("{}\n---\n\n".format),
        line.map("```py\n{}\n```\n\n".format),
        line.map("    {}\n\n".format),
        line.map("$$\n{}\n$$\n\n".format),
        text.map("| a | {} |\n|---|---|\n| b | c |\n\n".format),
        text.map("!!! note\n    {}\n\n".format),
        text.map("::: tip\n{}\n:::\n\n".format),
        line.map("<div>{}</div>\n\n".format),
        line.map("[^n]: {}\n\n".format),
        line.map("<!--\n{}\n-->\n\n".format),
    )


@given(st.lists(word_blocks(), max_size=8).map("".join), st.sampled_from(["md", "mdx"]))
@settings(max_examples=200, deadline=None)
def test_every_word_comes_out_once(text, extension):
    document = read(text, f"a.{extension}")
    titles, last = [], ()
    for section in document.sections:
        if section.heading != last or not section.text:
            titles += section.heading[-1:]
        last = section.heading
    words = re.findall(r"w\d+w", all_text(document))
    assert set(re.findall(r"w\d+w", text)) == set(words) | set(re.findall(r"w\d+w", " ".join(titles)))
    assert len(words) <= len(re.findall(r"w\d+w", text))
