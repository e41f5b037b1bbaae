"""What the manual page handler must bring out of roff."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Locator, Registry, Source
from gatherum.plugins import load_plugins

REGISTRY = Registry(load_plugins())


def read(text, name="page.man"):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def all_text(document):
    return "\n\n".join(s.text for s in document.sections)


def test_man_macros():
    document = read(
        '.\\" TKHIDDEN\n.TH TOOL 1 2020-01-02\n.SH NAME\ntool \\- does \\fBthings\\fR\n.SH "SEE ALSO"\n.BR other (1),\n'
        ".PP\nnext\n.SS Sub\n.TP\n.B \\-x\nTKX\n.IP \\(bu\nTKY\n"
        ".nf\n  code\n.fi\n.TS\nl l.\na\tb\nc\td\n.TE\n.de XX\nTKMACRO\n..\n"
    )
    assert (document.metadata.title, document.metadata.created) == ("TOOL", "2020-01-02")
    assert [(s.heading, s.kind, s.text) for s in document.sections] == [
        (("NAME",), "prose", "tool - does things"),
        (("SEE ALSO",), "prose", "other(1),\n\nnext"),
        (("SEE ALSO", "Sub"), "list", "- **-x** TKX\n\n- TKY"),
        (("SEE ALSO", "Sub"), "code", "```\n  code\n```"),
        (("SEE ALSO", "Sub"), "table", "| a | b |\n| --- | --- |\n| c | d |"),
    ]
    assert document.sections[0].locator == Locator.lines(4)


def test_mdoc_macros():
    document = read(
        ".Dd May 1, 2020\n.Dt TOOL 1\n.Sh NAME\n.Nm tool\n.Nd does things\n.Sh SYNOPSIS\n.Nm\n.Op Fl a Ar file\n"
        ".Bl -tag\n.It Fl v\nTKV\n.El\n.Xr other 3\n"
    )
    assert all_text(document) == "tool – does things\n\ntool [-a file]\n\n- **-v** TKV\n\nother(3)"


def test_pages_are_recognised_by_their_content():
    document = read('.\\" remark\n.TH A 1\n.SH B\nc\n', "tool.1")
    assert (document.format, document.sections[0].heading) == ("man", ("B",))
    assert read("plain text", "notes.1").state == "unsupported"


@pytest.mark.parametrize(
    "text", [".SH\n" * 2000, "\\f[" * 3000, '.B "' * 3000, ".TP\n" * 3000, ".nf\n" * 3000, ".de x\n" * 3000]
)
def test_hostile_text_is_read(text):
    assert "handler_failed" not in [p.code for p in read(text).problems]


LINES = [
    ".SH A",
    ".TP",
    ".IP",
    ".nf",
    ".fi",
    ".TS",
    ".TE",
    "l.",
    ".B x",
    ".Op Fl",
    ".It",
    ".Oc",
    "\\",
    "\\f",
    "text",
    "",
    ".",
    "'",
]


@given(st.lists(st.sampled_from(LINES), max_size=20))
@settings(max_examples=100, deadline=None)
def test_broken_pages_are_read_without_failure(lines):
    assert "handler_failed" not in [p.code for p in read("\n".join(lines)).problems]
