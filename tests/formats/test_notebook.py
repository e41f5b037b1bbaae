import json

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Source
from gatherum.registry import load_registry

REGISTRY = load_registry()


def code(source="", *outputs, **more):
    return {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": source, "outputs": [*outputs], **more}


def markdown(source, **more):
    return {"cell_type": "markdown", "metadata": {}, "source": source, **more}


def data(**bundle):
    names = {"plain": "text/plain", "html": "text/html", "latex": "text/latex", "markdown": "text/markdown"}
    names |= {
        "png": "image/png",
        "svg": "image/svg+xml",
        "json": "application/json",
        "plotly": "application/vnd.plotly.v1+json",
    }
    return {"output_type": "display_data", "metadata": {}, "data": {names[key]: value for key, value in bundle.items()}}


def notebook(*cells, metadata=None, **more):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata or {}, "cells": [*cells], **more}


def read(content, name="work.ipynb"):
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return REGISTRY.read(Source(name, raw))


def text_of(document):
    return "\n".join(section.text for section in document.sections)


PYTHON = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}
TABLE = "<table><tr><th>TKCELLA</th><th>TKCELLB</th></tr><tr><td>TKCELLC</td><td>1</td></tr></table>"
FRAMES = ["---", "\x1b[0;31mTKFRAMEA\x1b[0m", "\x1b[1mTKFRAMEB\x1b[0m", "TKENAME: TKEVALUE"]
TORTURE = notebook(
    markdown("# TKHEADONE\n\nTKBODY ![TKALT](attachment:pic.png)\n\n```\n# TKNOTHEAD\n```\n", id="first",
             attachments={"pic.png": {"image/png": "TKATTACHED"}}),
    code(
        "x = 1  # TKCODE\n# TKCOMMENT",
        {"output_type": "stream", "name": "stdout", "text": ["TKSTDOUT\n", "line\n"]},
        {"output_type": "stream", "name": "stderr", "text": "TKSTDERR"},
        data(plain="TKREPR", html=TABLE),
        data(plain="<Figure TKFIGURE>", png="TKPICTURE" * 90),
        data(markdown="**TKMARKDOWN**", plain="TKLOST"),
        data(json={"key": "TKJSON"}),
        data(latex="$TKLATEX$", plain="TKLATEXPLAIN"),
        data(plotly={"data": "TKPLOTLY"}, plain=""),
        data(svg="<svg>TKSVG</svg>"),
        {"output_type": "error", "ename": "TKENAME", "evalue": "TKEVALUE", "traceback": FRAMES},
        id="second",
        metadata={"tags": ["TKTAG"]},
    ),
    {"cell_type": "raw", "metadata": {}, "source": "TKRAW"},
    markdown("## TKHEADTWO\n\nTKLAST"),
    metadata=PYTHON,
)  # fmt: skip
SEEN = [
    "TKBODY",
    "TKALT",
    "TKNOTHEAD",
    "TKCODE",
    "TKCOMMENT",
    "TKSTDOUT",
    "TKSTDERR",
    "TKCELLA",
    "TKCELLB",
    "TKCELLC",
    "TKFIGURE",
    "TKMARKDOWN",
    "TKJSON",
    "TKLATEX",
    "TKENAME",
    "TKEVALUE",
    "TKFRAMEB",
    "TKRAW",
    "TKLAST",
]
UNSEEN = ["TKATTACHED", "TKPICTURE", "TKPLOTLY", "TKSVG", "TKFRAMEA", "\x1b", "TKLOST"]


def test_every_text_once_and_in_order():
    text = text_of(read(TORTURE))
    places = [text.find(token) for token in SEEN]
    assert -1 not in places
    assert places == sorted(places)
    assert [token for token in SEEN if text.count(token) != 1] == []


@pytest.mark.parametrize("token", UNSEEN)
def test_what_nobody_reads_is_left_out(token):
    assert token not in text_of(read(TORTURE))


def test_headings_hold_across_cells():
    sections = read(TORTURE).sections
    paths = list(dict.fromkeys(section.heading for section in sections))
    assert paths == [("TKHEADONE",), ("TKHEADONE", "TKHEADTWO")]
    assert all("TKRAW" not in section.text or section.heading == ("TKHEADONE",) for section in sections)


def test_cells_are_the_places():
    places = {section.locator.start: section.locator.name for section in read(TORTURE).sections}
    assert places == {1: "first", 2: "second", 3: "", 4: ""}


def test_kinds_and_metadata():
    document = read(TORTURE)
    kinds = {token: section.kind for section in document.sections for token in SEEN if token in section.text}
    assert kinds["TKCODE"] == "code"
    assert kinds["TKSTDOUT"] == kinds["TKEVALUE"] == kinds["TKCELLA"] == "output"
    assert kinds["TKLAST"] == "prose"
    assert document.metadata.extra["cell_tags"] == ["TKTAG"]
    assert document.metadata.extra["kernel"] == "Python 3"
    assert document.state == "read"


def test_tables_become_pipe_tables():
    assert "| TKCELLA | TKCELLB |\n| --- | --- |\n| TKCELLC | 1 |" in text_of(read(TORTURE))


def test_data_frames_and_other_tables_come_out_alike():
    frame = (
        '<div>\n<style scoped>\n .x { vertical-align: top; }\n</style>\n<table border="1" class="dataframe">\n<thead>\n'
        '<tr style="text-align: right;">\n<th></th>\n<th>a &amp; b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<th>0</th>\n'
        "<td>1|2</td>\n</tr>\n</tbody>\n</table>\n<p>1 row</p>\n</div>"
    )
    plain, general = (
        text_of(read(notebook(code("", data(html=html))))) for html in (frame, frame.replace("1 row", "1 <i>row</i>"))
    )
    assert plain == "|  | a & b |\n| --- | --- |\n| 0 | 1\\|2 |\n\n1 row"
    assert general.replace("*", "").replace("_", "") == plain


@pytest.mark.parametrize(
    ("metadata", "source", "language"),
    [
        (PYTHON, "x", "python"),
        ({"language_info": {"name": "R"}}, "x", "r"),
        ({"kernelspec": {"name": "julia-1.9"}}, "x", "julia"),
        ({}, "x", ""),
        (PYTHON, "%%bash\nls", "bash"),
        (PYTHON, "%%javascript\nlet a", "javascript"),
        (PYTHON, "%%writefile run.sh\nls", "bash"),
        (PYTHON, "%%time\nx", "python"),
        ({"kernelspec": "odd", "language_info": [1]}, "x", ""),
        ({"language_info": {"name": "a b\n`"}}, "x", ""),
    ],
)
def test_the_language_of_code(metadata, source, language):
    assert text_of(read(notebook(code(source), metadata=metadata))).startswith(f"```{language}\n")


def test_code_with_fences_gets_longer_ones():
    assert text_of(read(notebook(code("a\n```\nb")))) == "````\na\n```\nb\n````"


def test_progress_bars_leave_their_last_writing():
    bar = {"output_type": "stream", "name": "stderr", "text": "10%\r50%\r100%\ndone\r\n"}
    assert text_of(read(notebook(code("", bar)))) == "```\n100%\ndone\n```"


def test_sources_may_be_strings_or_lists_of_lines():
    document = read(notebook(markdown(["one\n", "two"]), markdown(["three", "four"]), markdown("five")))
    assert [section.text for section in document.sections] == ["one\ntwo", "three\nfour", "five"]


def test_front_matter_in_a_raw_cell_is_metadata():
    document = read(
        notebook({"cell_type": "raw", "metadata": {}, "source": "---\ntitle: The Title\n---"}, markdown("x"))
    )
    assert document.metadata.title == "The Title"
    assert [section.layer for section in document.sections] == ["metadata", "body"]


def test_title_and_authors():
    metadata = {"title": "Tides", "authors": [{"name": "Ana"}, {"name": "Bo"}, {}, None], "keywords": ["sea"]}
    found = read(notebook(markdown("x"), metadata=metadata)).metadata
    assert (found.title, found.authors, found.tags) == ("Tides", ("Ana", "Bo"), ("sea",))


def test_pictures_without_words_are_named():
    cell = markdown("look: ![](attachment:map.png)", attachments={"map.png": {"image/png": "AAAA"}})
    assert "[image map.png]" in text_of(read(notebook(cell)))


def old(version, *cells):
    return {
        "nbformat": version,
        "nbformat_minor": 0,
        "metadata": {"name": "Old Name"},
        "worksheets": [{"cells": [*cells]}],
    }


def test_version_three():
    document = read(
        old(
            3,
            {"cell_type": "heading", "level": 2, "source": ["Old ", "head"], "metadata": {}},
            {"cell_type": "code", "language": "python", "input": ["a = 1\n", "b"], "prompt_number": 1,
             "metadata": {}, "outputs": [
                 {"output_type": "pyout", "prompt_number": 1, "text": ["outtext"], "metadata": {}},
                 {"output_type": "pyerr", "ename": "E", "evalue": "message", "traceback": ["t"]},
             ]},
            {"cell_type": "markdown", "source": "words", "metadata": {}},
        )
    )  # fmt: skip
    assert {section.heading for section in document.sections} == {("Old head",)}
    text = text_of(document)
    assert all(word in text for word in ("a = 1\nb", "outtext", "E: message", "words"))
    assert document.metadata.title == "Old Name"


def test_version_two_lines_have_no_ends():
    document = read(
        old(
            2,
            {"cell_type": "markdown", "source": ["# Top", "", "one", "two"]},
            {"cell_type": "code", "input": ["a", "b"], "outputs": [], "language": "python"},
        )
    )
    assert document.sections[0].heading == ("Top",)
    assert document.sections[0].text == "one\ntwo"
    assert "a\nb" in document.sections[1].text


def test_version_one():
    document = read(
        {
            "nbformat": 1,
            "cells": [
                {"cell_type": "code", "code": "x = 1", "prompt_number": 1},
                {"cell_type": "text", "text": "words"},
            ],
        }
    )
    assert "x = 1" in text_of(document)
    assert "words" in text_of(document)


def test_odd_version_three_is_read_without_conversion():
    document = read(
        old(
            3,
            {"cell_type": "heading", "level": "x", "source": None},
            {"cell_type": "code", "input": 5},
            {"cell_type": "markdown", "source": "kept"},
            7,
        )
    )
    assert "kept" in text_of(document)


def test_what_nbformat_accepts_is_read_alike():
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("# Top\n\nwords"), nbformat.v4.new_code_cell("x = 1")]
    )
    nbformat.validate(made)
    document = read(nbformat.writes(made).encode())
    assert document.state == "read"
    for cell in made.cells:
        assert cell.source.splitlines()[-1] in text_of(document)


@pytest.mark.parametrize(
    "change",
    [
        lambda cell: cell.pop("metadata"),
        lambda cell: cell.pop("outputs"),
        lambda cell: cell.pop("execution_count"),
        lambda cell: cell.update(id=None),
        lambda cell: cell.update(id=["x"]),
        lambda cell: cell.update(metadata=[]),
        lambda cell: cell.update(metadata={"tags": "x"}),
        lambda cell: cell.update(outputs="x"),
        lambda cell: cell.update(outputs=[None, 1, [], {}, {"output_type": "stream"}, {"output_type": "error"}]),
        lambda cell: cell.update(outputs=[{"output_type": "display_data", "data": ["x"]}]),
        lambda cell: cell.update(attachments="x"),
        lambda cell: cell.update(cell_type="strange"),
        lambda cell: cell.pop("cell_type"),
    ],
)
def test_cells_that_break_the_schema_are_read(change):
    cell = code("kept words")
    change(cell)
    document = read(notebook(cell, cell))
    assert text_of(document).count("kept words") == 2


@pytest.mark.parametrize("key", ["metadata", "nbformat", "nbformat_minor"])
def test_missing_keys_of_the_notebook_are_borne(key):
    content = notebook(markdown("kept"))
    del content[key]
    assert text_of(read(content)) == "kept"


@pytest.mark.parametrize("version", [99, "4", None, -1])
def test_odd_versions_are_borne(version):
    assert text_of(read(notebook(markdown("kept"), nbformat=version))) == "kept"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_other_encodings(encoding):
    raw = json.dumps(notebook(markdown("größer")), ensure_ascii=False).encode(encoding)
    assert text_of(read(raw)) == "größer"


def test_a_file_cut_short_gives_its_good_cells():
    cells = [markdown(f"# Head {number}\n\nwords{number}") for number in range(9)] + [
        markdown(["last one\n", "and a torn line"])
    ]
    raw = json.dumps(notebook(*cells)).encode()
    cut = raw[: raw.rindex(b"torn") + 4]
    document = read(cut)
    assert document.state == "partial"
    assert [problem.code for problem in document.problems] == ["partial"]
    assert all(f"words{number}" in text_of(document) for number in range(9))
    assert "and a torn" in text_of(document)


def test_a_spoilt_cell_does_not_spoil_the_others():
    raw = json.dumps(notebook(markdown("one"), markdown("two"), markdown("three"))).encode()
    document = read(raw.replace(b'"two"', b'"two" <<<<<<< HEAD'))
    assert text_of(document).split() == ["one", "two", "three"]
    assert document.state == "partial"


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"[]", "corrupt"),
        (b'"text"', "corrupt"),
        (b"{}", "corrupt"),
        (b'{"cells": "text"}', "corrupt"),
        (b"no json at all", "corrupt"),
        (b'{"nbformat": 4', "corrupt"),
        (b"[" * 200_000, "too_deep"),
    ],
)
def test_what_is_no_notebook_is_refused(raw, problem):
    document = read(raw)
    assert (document.state, [found.code for found in document.problems]) == ("unreadable", [problem])


def test_deep_metadata_huge_numbers_and_lone_surrogates():
    deep = {}
    for _ in range(800):
        deep = {"inner": deep}
    assert text_of(read(notebook(markdown("kept"), metadata={"deep": deep}))) == "kept"
    raw = json.dumps(notebook(markdown("kept"), metadata={"size": 1})).replace('"size": 1', '"size": ' + "1" * 9000)
    assert text_of(read(raw.encode())) == "kept"
    assert (
        text_of(read(b'{"cells": [{"cell_type": "markdown", "id": "\\ud800", "source": "kept \\ud800"}]}'))
        == "kept \ufffd"
    )
    assert text_of(read(b'{"cells": [{"cell_type": "markdown", "source": "kept", "score": NaN}]}')) == "kept"


def test_long_outputs_keep_both_ends():
    text = "first\n" + "row of words\n" * 200_000 + "last\n"
    document = read(notebook(code("", {"output_type": "stream", "name": "stdout", "text": text})))
    found = text_of(document)
    assert "first" in found
    assert "last" in found
    assert "characters left out" in found
    assert len(found) < 100_000
    assert [problem.code for problem in document.problems] == ["too_large"]


def test_a_huge_picture_costs_nothing():
    document = read(notebook(code("kept", data(png="A" * 5_000_000))))
    assert len(text_of(document)) < 100


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 3000), st.binary(min_size=1, max_size=4))
def test_damage_never_raises(at, noise):
    raw = json.dumps(TORTURE).encode()
    at %= len(raw)
    assert read(raw[:at] + noise + raw[at + len(noise) :]).state in {"read", "partial", "unreadable"}
    assert read(raw[:at]).state in {"partial", "unreadable"}


KEYS = ["cell_type", "source", "outputs", "data", "text", "metadata", "ename", "traceback", "text/html", "x"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(JSON, max_size=4), JSON)
def test_any_json_is_borne(cells, metadata):
    document = read({"cells": cells, "metadata": metadata, "nbformat": 4})
    assert "handler_failed" not in [problem.code for problem in document.problems]


def test_cells_of_old_notebooks_are_given_no_names():
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["words"]},
        {"cell_type": "code", "language": "python", "input": ["x = 1"], "outputs": [], "metadata": {}},
    ]}]}  # fmt: skip
    assert [section.locator.name for section in read(old).sections] == ["", ""]
