"""What the LaTeX handler must bring out of a source."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text, name="paper.tex"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def body(text):
    return read(f"\\documentclass{{article}}\n\\begin{{document}}\n{text}\n\\end{{document}}\n")


def all_text(document, layer=None):
    return "\n\n".join(s.text for s in document.sections if layer in (None, s.layer))


def only(document, kind):
    (section,) = [s for s in document.sections if s.kind == kind]
    return section


def test_headings_nest_from_the_highest_there_is():
    document = body(
        "before\n\\section[short]{One \\emph{x}\\label{a}}\ntext\n\\subsection*{Two}\n"
        "\\paragraph{Three} run in\n\\section{Four}\n"
    )
    assert [(s.heading, s.level) for s in document.sections] == [
        ((), 0),
        (("One x",), 1),
        (("One x", "Two"), 2),
        (("One x", "Two", "Three"), 4),
        (("Four",), 1),
    ]
    assert document.sections[1].locator == Locator.lines(5)


def test_chapters_and_parts_are_above_sections():
    document = body("\\part{P}\n\\chapter{C}\n\\section{S}\nx\n")
    assert document.sections[-1].heading == ("P", "C", "S")


def test_title_authors_and_keywords_are_metadata():
    metadata = read(
        "\\documentclass{a}\n\\title{A \\textbf{Bold} Title}\n"
        "\\author{Ada L. \\and Bob M.\\thanks{TKN}}\n\\date{2020-01-02}\n"
        "\\keywords{x, y}\n\\begin{document}\n\\maketitle\ntext\n\\end{document}\nafter\n"
    ).metadata
    assert (metadata.title, metadata.authors) == ("A Bold Title", ("Ada L.", "Bob M."))
    assert (metadata.created, metadata.tags) == ("2020-01-02", ("x", "y"))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("\\'e \\`{a} \\\"o \\^\\i{} \\c{c} \\v s \\~n \\ss{} \\o re \\aa", "é à ö î ç š ñ ß øre å"),
        ("50\\% \\& \\_ \\# \\$ \\{x\\} \\textbackslash", "50% & _ # $ {x} \\"),
        ("``quoted'' 1--2 --- \\ldots{} a~b \\LaTeX{} x\\-y", "“quoted” 1–2 — … a b LaTeX xy"),
        (
            "\\textbf{bold} \\emph{it} \\texttt{code} {\\bf old} \\unknown[o]{arg}{two}",
            "**bold** *it* `code` old arg two",
        ),
        ("a % comment\nb\n% whole line\nc", "a b c"),
        ("\\href{http://a/b\\_c}{text} \\url{http://d}", "[text](http://a/b_c) http://d"),
        ("see \\ref{sec:x} and \\citep[see][p.~3]{a,b}", "see [sec:x] and [see a, b, p. 3]"),
        ("$a_1 + b$ and \\(c\\) cost \\$5", "$a_1 + b$ and $c$ cost $5"),
        ("\\verb|x_%{y| z", "`x_%{y` z"),
        ("one\\\\two \\newline three", "one\ntwo\nthree"),
        ("\\label{x}\\vspace{2cm}\\hspace*{1em}\\index{y}\\textcolor{red}{shown}", "shown"),
        ("\\newcommand{\\me}{gatherum}\\newcommand{\\two}[2]{#2 #1}\\me{} \\two{a}{b}", "gatherum b a"),
        ("\\newcommand{\\a}[1]{<#1>}\\newcommand{\\b}[1]{\\a{#1!}}\\b{x}", "<x!>"),
        ("\\def\\x#1{[#1]}\\x{y} \\let\\foo=\\bar z", "[y] z"),
        ("x \\iffalse hidden \\fi y", "x y"),
    ],
)
def test_words_are_what_a_reader_sees(source, text):
    assert all_text(body(source)) == text


def test_lists_have_marks_and_depth():
    document = body(
        "\\begin{itemize}\n\\item one\n\\item two\n\\begin{enumerate}\n\\item a\n\\item b\n\nmore\n"
        "\\end{enumerate}\n\\end{itemize}\n"
        "\\begin{description}\\item[Term] meaning\\end{description}"
    )
    assert only(document, "list").text == "- one\n- two\n  1. a\n  2. b\n\n    more\n- **Term** meaning"


def test_tables_become_pipe_tables():
    document = body(
        "\\begin{table}\\caption{TKCAP}\\begin{tabular}{l|rr}\\hline\nA & \\multicolumn{2}{c}{B} \\\\ \\hline\n"
        "1 & $x|y$ & c\\footnote{TKNOTE} \\\\[2pt]\n"
        "\\begin{tabular}{c}in\\\\ner\\end{tabular} & & \\\\\n\\end{tabular}\\end{table}"
    )
    assert only(document, "table").text.split("\n") == [
        "| A | B |  |",
        "| --- | --- | --- |",
        "| 1 | $x\\|y$ | c[^1] |",
        "| in / ner |  |  |",
    ]
    assert only(document, "caption").text == "TKCAP"
    assert only(document, "footnote").text == "[^1]: TKNOTE"


def test_mathematics_is_kept_as_tex():
    document = body(
        "\\begin{equation}\\label{e}\na=b\n\\end{equation}\n\\[c\\]\n$$d$$\n\\begin{align*}x&=y\\\\\n\\end{align*}"
    )
    assert only(document, "math").text == (
        "$$\na=b\n$$\n\n$$\nc\n$$\n\n$$\nd\n$$\n\n$$\n\\begin{align*}x&=y\\\\\n\\end{align*}\n$$"
    )


def test_code_is_fenced_and_untouched():
    document = body(
        "\\begin{verbatim}\n% kept \\section{No}\n\\end{verbatim}\n"
        "\\begin{lstlisting}[language=Python, caption=x]\nx = {1}\n"
        "\\end{lstlisting}\n\\begin{minted}{rust}\nfn\n\\end{minted}"
    )
    assert only(document, "code").text == (
        "```\n% kept \\section{No}\n```\n\n```python\nx = {1}\n```\n\n```rust\nfn\n```"
    )
    assert document.sections[0].heading == ()


def test_theorems_are_called_by_their_name():
    text = read(
        "\\newtheorem{satz}[x]{Satz}[section]\n\\begin{document}\n\\begin{satz}[Gau\\ss]\nTK\n\\end{satz}\n\\begin{proof}\nQ\n\\end{proof}\n"
        "\\end{document}"
    )
    assert all_text(text) == "**Satz (Gauß).** TK\n\n**Proof.** Q"


def test_notes_follow_their_paragraph():
    document = body("a\\footnote{TK1} b\\endnote[7]{TK2}.\n\nnext\n\\footnotetext[9]{TK3}")
    assert [(s.kind, s.layer, s.text) for s in document.sections] == [
        ("prose", "body", "a[^1] b[^7]."),
        ("footnote", "notes", "[^1]: TK1"),
        ("endnote", "notes", "[^7]: TK2"),
        ("prose", "body", "next"),
        ("footnote", "notes", "[^9]: TK3"),
    ]


def test_quotes_slides_and_bibliography():
    document = body(
        "\\begin{frame}{TKSLIDE}\nbody\n\\end{frame}\n\\begin{quote}\nsaid\n\\end{quote}\n"
        "\\begin{thebibliography}{9}\n\\bibitem{k} TKWORK\n\\end{thebibliography}"
    )
    assert document.sections[0].heading == ("TKSLIDE",)
    assert only(document, "quote").text == "> said"
    assert only(document, "list").text == "- [k] TKWORK"


def test_included_files_are_named_and_never_read(tmp_path):
    (tmp_path / "secret.tex").write_text("TKSECRET")
    path = tmp_path / "main.tex"
    path.write_text("\\begin{document}\n\\input{secret}\\include{/etc/passwd}\n\\end{document}")
    assert all_text(REGISTRY.read(path)) == "[secret](secret)\n\n[/etc/passwd](/etc/passwd)"


def test_comment_environments_are_hidden():
    document = body("a\n\\begin{comment}\nTKHID\n\\end{comment}\nb")
    assert all_text(document, "hidden") == "TKHID"
    assert "TKHID" not in all_text(document, "body")
    assert [p.code for p in document.problems] == ["hidden_text"]


def test_a_declared_encoding_is_used():
    data = "\\usepackage[latin1]{inputenc}\n\\begin{document}\nStraße\n\\end{document}".encode("latin-1")
    assert all_text(read(data)) == "Straße"


def test_an_empty_file_says_so():
    assert [p.code for p in read(b" \n").problems] == ["empty"]


N = 2_000
HOSTILE = {
    "open groups": "{" * N + "TKEND",
    "closed groups": "}" * N + "TKEND",
    "nested commands": "\\textbf{" * N + "TKEND" + "}" * N,
    "nested unknown": "\\foo{" * N + "TKEND" + "}" * N,
    "nested notes": "\\footnote{" * N + "TKEND" + "}" * N,
    "nested sections": "\\section{" * N + "TKEND" + "}" * N,
    "options": "\\foo[" * N + "TKEND",
    "environments": "\\begin{quote}" * N + "TKEND",
    "tables": "\\begin{tabular}{c}" * N + "TKEND",
    "lists": "\\begin{itemize}\\item " * N + "TKEND",
    "ends": "\\end{quote}" * N + "TKEND",
    "mathematics": "\\begin{align}" * N + "\\[" * N + "\\(" * N + "$" * (N + 1) + " TKEND",
    "verbatim": "\\begin{verbatim}" * N + "TKEND",
    "verb": "\\verb|" * (N + 1) + "TKEND",
    "accents": "\\'{" * N + "}" * N + "TKEND",
    "macros that explode": "\\def\\a{xxxxxxxxxx}"
    + "".join(f"\\def\\{chr(98 + i)}{{{f'{chr(92)}{chr(97 + i)} ' * 9}}}" for i in range(12))
    + "\\m TKEND",
    "a macro of itself": "\\def\\x{\\x\\x y}\\x TKEND",
    "arguments that explode": "\\newcommand{\\d}[1]{#1#1}" + "\\d{" * 40 + "x" + "}" * 40 + " TKEND",
    "columns": "\\begin{tabular}{c}\\multicolumn{999999999}{c}{x} & y\\end{tabular} TKEND",
    "conditions": "\\iffalse " * N + "TKEND",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_bounds(name):
    document = body(HOSTILE[name])
    codes = {p.code for p in document.problems}
    assert not {"handler_failed", "too_deep", "memory"} & codes
    said = all_text(document) + " ".join(title for s in document.sections for title in s.heading)
    assert "TKEND" in said or "too_large" in codes
    assert len(said) < 20 * len(HOSTILE[name]) + 4_000_000


@given(st.binary(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_bytes_are_read_without_failure(data):
    assert "handler_failed" not in [p.code for p in read(data).problems]


MARKUP = (
    r"{ } [ ] $ $$ \\ & % #1 ~ a \section{ \begin{ \end{ itemize} tabular} verbatim} align} quote} \item \textbf{ "
    r"\footnote{ \newcommand{\z}[1]{ \z \def\z#1{ \verb| \' \( \) \[ \] \caption{ \multicolumn{2}{c}{ \cite["
)
PIECES = st.sampled_from(MARKUP.split(" "))


@given(st.lists(st.one_of(PIECES, st.sampled_from("\n \\")), max_size=30).map("".join))
@settings(max_examples=200, deadline=None)
def test_broken_sources_are_read_without_failure(text):
    assert "handler_failed" not in [p.code for p in read(text).problems]


def word_blocks():
    line = st.lists(st.integers(0, 9999).map("w{}w".format), min_size=1, max_size=4).map(" ".join)
    forms = (
        "{}\n\n",
        "\\section{{{}}}\n",
        "\\textbf{{{}}}\n",
        "\\unknown{{{}}}\n",
        "\\begin{{itemize}}\\item {}\\end{{itemize}}\n",
        "\\begin{{tabular}}{{cc}}{} & x\\\\\\end{{tabular}}\n",
        "x\\footnote{{{}}}\n",
        "${}$\n",
        "\\begin{{align}}{}\\end{{align}}\n",
        "\\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n",
        "\\begin{{odd}}{}\\end{{odd}}\n",
        "\\caption{{{}}}\n",
        "{{\\it {}}}\n",
    )
    return st.one_of(*(line.map(form.format) for form in forms))


@given(st.lists(word_blocks(), max_size=8).map("".join))
@settings(max_examples=150, deadline=None)
def test_every_word_comes_out(text):
    document = body(text)
    said = all_text(document) + " ".join(title for s in document.sections for title in s.heading)
    assert set(re.findall(r"w\d+w", text)) == set(re.findall(r"w\d+w", said))
    assert len(re.findall(r"w\d+w", all_text(document))) <= len(re.findall(r"w\d+w", text))


def test_on_which_slides_something_shows_is_not_said():
    text = r"\begin{itemize}\item<1-> a \item<2-3> \alert<+->{b} <c>\end{itemize} \only<1>{d} $x<1>y$"
    said = "\n".join(section.text for section in REGISTRY.read(Source("a.tex", text.encode())).sections)
    assert said == "- a\n- b <c>\nd $x<1>y$"
