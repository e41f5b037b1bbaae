"""How source code is parted into its symbols."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatherum import Registry, Source
from gatherum.plugins import load_plugins
from gatherum_formats.sourcecode.languages import LANGUAGES


@pytest.fixture(scope="module")
def registry():
    return Registry(load_plugins())


def read(registry, name, text):
    return registry.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def outline(document):
    return [("/".join(s.heading), s.locator.start, s.locator.end) for s in document.sections]


MODULE = '''"""What the module is for.

More of it.
"""
import os

LIMIT = 1

# about load
@cached
def load(path):
    """Load it."""
    def inner(): ...
    return path


class Shelf(Base):
    """A shelf."""

    size = 1

    @property
    def full(self):
        return True

    class Row:
        def add(self): ...

    end = 2


if LIMIT:
    async def later(): ...
'''


def test_python_modules_are_parted_by_their_syntax(registry):
    document = read(registry, "shelf.py", MODULE)
    assert document.state == "read"
    assert outline(document) == [
        ("", 1, 4),
        ("", 5, 7),
        ("load", 9, 14),
        ("Shelf", 17, 20),
        ("Shelf/full", 22, 24),
        ("Shelf/Row", 26, 26),
        ("Shelf/Row/add", 27, 27),
        ("Shelf", 29, 29),
        ("", 32, 32),
        ("later", 33, 33),
    ]
    first, second, third = document.sections[:3]
    assert (first.kind, first.text, first.level) == ("prose", "What the module is for.\n\nMore of it.", 0)
    assert (second.kind, second.text) == ("code", "```python\nimport os\n\nLIMIT = 1\n```")
    assert third.text.startswith('```python\n# about load\n@cached\ndef load(path):\n    """Load it."""\n')
    assert document.sections[6].level == 3


def test_what_stands_above_a_docstring_is_kept(registry):
    document = read(registry, "a.py", '#!/usr/bin/python\n# Licence\n\n"""Doc."""\nx = 1\n')
    assert [(s.kind, s.locator.label) for s in document.sections] == [
        ("code", "lines 1–2"),
        ("prose", "line 4"),
        ("code", "line 5"),
    ]


def test_python_that_cannot_be_parsed_is_parted_by_its_lines(registry):
    document = read(registry, "old.py", MODULE + "print 'an old statement'\n")
    assert outline(document)[1:] == [
        ("load", 9, 14),
        ("Shelf", 17, 20),
        ("Shelf/full", 22, 24),
        ("Shelf/Row", 26, 26),
        ("Shelf/Row/add", 27, 27),
        ("Shelf", 29, 29),
        ("", 32, 32),
        ("later", 33, 33),
        ("", 34, 34),
    ]


SAMPLES = {
    "a.ts": (
        """import x from "y";

/** Adds.
class of numbers
*/
export function add(a: number,
  b: number): number {
  if (a) {
    return a;
  }
  return b;
}

export class Foo extends Bar {
  private x = 1;
  // runs
  @once()
  async run(y: string): Promise<void> {
    for (const a of y) { }
  }
}

const arrow = async (x) => {
  return 1;
};
type T = string;
interface I {
  a(): void;
}
""",
        [
            ("", 1, 1),
            ("add", 3, 12),
            ("Foo", 14, 15),
            ("Foo/run", 16, 21),
            ("arrow", 23, 25),
            ("T", 26, 26),
            ("I", 27, 29),
        ],
    ),
    "Main.java": (
        """package a;

/** Doc. */
public class Main extends X {
    private int x = 4;

    @Override
    public static void main(String[] args) throws Exception {
        if (x) { }
    }
    static class Inner {
        void z()
        {
            foo();
        }
    }
}
""",
        [("", 1, 1), ("Main", 3, 5), ("Main/main", 7, 10), ("Main/Inner", 11, 11), ("Main/Inner/z", 12, 17)],
    ),
    "a.c": (
        """#include <stdio.h>
/* doc */
int add(int a,
        int b)
{
  return a;
}

struct point {
  int x;
};
static char *name(void) {
  return "}";
}
""",
        [("", 1, 1), ("add", 2, 7), ("point", 9, 11), ("name", 12, 14)],
    ),
    "a.cpp": (
        """namespace a {
template <typename T>
class V : public W {
 public:
  int f(int a) const {
    return a;
  }
};
void V::g(int x) {
  return;
}
}
""",
        [("a", 1, 1), ("V", 2, 4), ("V/f", 5, 8), ("V::g", 9, 12)],
    ),
    "a.cs": (
        """namespace A.B
{
    /// <summary>Doc</summary>
    [Serializable]
    public class C
    {
        public void M(int a)
        {
        }
    }
}
""",
        [("A.B", 1, 2), ("A.B/C", 3, 6), ("A.B/C/M", 7, 11)],
    ),
    "a.go": (
        "package main\n\n// Add adds.\nfunc (s *Stack) Add(a int) {\n\tx()\n}\ntype Stack struct {\n\ta int\n}\n",
        [("", 1, 1), ("Stack.Add", 3, 6), ("Stack", 7, 9)],
    ),
    "a.rs": (
        """use a::b;
#[derive(Debug)]
pub struct P<'a> {
    x: &'a str,
}
impl<'a> P<'a> {
    /// doc
    pub fn new() -> Self {
        P {}
    }
}
fn main() {}
""",
        [("", 1, 1), ("P", 2, 5), ("P", 6, 6), ("P/new", 7, 11), ("main", 12, 12)],
    ),
    "a.rb": (
        """module M
  # doc
  class A < B
    def x
      if y
        1
      end
    end
    def self.z; 1; end
  end
end
puts 1
""",
        [
            ("M", 1, 1),
            ("M/A", 2, 3),
            ("M/A/x", 4, 8),
            ("M/A/self.z", 9, 9),
            ("M/A", 10, 10),
            ("M", 11, 11),
            ("", 12, 12),
        ],
    ),
    "a.php": (
        "<?php\n/** doc */\nclass A\n{\n    public function b($c)\n    {\n        return 1;\n    }\n}\n"
        "function d() {\n}\n",
        [("", 1, 1), ("A", 2, 4), ("A/b", 5, 9), ("d", 10, 11)],
    ),
    "a.swift": (
        "struct A {\n    func b() -> Int {\n        1\n    }\n}\nfunc c() {\n}\n",
        [("A", 1, 1), ("A/b", 2, 5), ("c", 6, 7)],
    ),
    "a.kt": (
        "package a\ndata class P(val x: Int)\nclass Q {\n    fun b() {\n        x()\n    }\n}\nfun top() = 1\n",
        [("", 1, 1), ("P", 2, 2), ("Q", 3, 3), ("Q/b", 4, 7), ("top", 8, 8)],
    ),
    "a.scala": (
        "object A {\n  def b(x: Int): Int = {\n    x\n  }\n}\n",
        [("A", 1, 1), ("A/b", 2, 5)],
    ),
    "a.sh": (
        "#!/bin/sh\nset -e\n# do it\ndo_it() {\n  echo 1\n}\ndo_it\n",
        [("", 1, 2), ("do_it", 3, 6), ("", 7, 7)],
    ),
    "a.sql": (
        "-- users\nCREATE TABLE users (\n  id int\n);\nINSERT INTO users VALUES (1);\ncreate view v as\nselect 1;\n",
        [("users", 1, 4), ("", 5, 5), ("v", 6, 7)],
    ),
    "a.r": ("x <- 1\n# doc\nadd <- function(a, b) {\n  a + b\n}\n", [("", 1, 1), ("add", 2, 5)]),
    "a.lua": (
        "local M = {}\nfunction M.x(a)\n  if a then\n    return 1\n  end\nend\nreturn M\n",
        [("", 1, 1), ("M.x", 2, 6), ("", 7, 7)],
    ),
    "a.pl": ("use strict;\n# doc\nsub add {\n  return 1;\n}\nadd();\n", [("", 1, 1), ("add", 2, 5), ("", 6, 6)]),
    "a.hs": (
        "module M where\n\n-- doc\nadd :: Int -> Int\nadd x = x\n\ndata T = A | B\n",
        [("", 1, 1), ("add", 3, 5), ("T ", 7, 7)],
    ),
    "a.ex": (
        "defmodule A do\n  def b(x) do\n    x\n  end\nend\n",
        [("A", 1, 1), ("A/b", 2, 4), ("A", 5, 5)],
    ),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_symbols_are_found_by_their_lines(registry, name):
    text, expected = SAMPLES[name]
    document = read(registry, name, text)
    assert outline(document) == [(path.strip(), start, end) for path, start, end in expected]
    assert all(section.kind == "code" for section in document.sections)


@pytest.mark.parametrize("name", ["a.py", *SAMPLES])
def test_no_line_is_lost_or_told_twice(registry, name):
    text = MODULE.partition("import")[2] if name == "a.py" else SAMPLES[name][0]
    document = read(registry, name, text)
    lines = [line for s in document.sections for line in s.text.split("\n") if line.strip() and "```" not in line]
    assert lines == [line for line in text.split("\n") if line.strip()]


def test_code_is_fenced_by_more_marks_than_it_has(registry):
    (section,) = read(registry, "a.sh", "cat <<'E'\n````\nE\n").sections
    assert section.text == "`````bash\ncat <<'E'\n````\nE\n`````"


def test_minified_files_come_in_pieces_without_symbols(registry):
    text = "function a(){return 1}" * 20_000
    document = read(registry, "lib.min.js", text)
    assert document.state == "read"
    assert {section.heading for section in document.sections} == {()}
    assert max(len(section.text) for section in document.sections) < 20_000
    assert sum(section.text.count("function a") for section in document.sections) > 19_900


def test_giant_symbols_come_in_pieces(registry):
    text = "def giant():\n" + "    x = 1\n" * 3_000
    document = read(registry, "giant.py", text)
    assert {section.heading for section in document.sections} == {("giant",)}
    assert len(document.sections) > 5
    assert [s.locator.start for s in document.sections[1:]] == [s.locator.end + 1 for s in document.sections[:-1]]


@pytest.mark.parametrize("data", [b"", b" \n\n", bytes(range(256)) * 20])
def test_what_is_no_text_is_refused(registry, data):
    assert read(registry, "a.go", data).state == "unreadable"


def test_other_encodings_and_line_ends_are_read(registry):
    document = read(registry, "a.py", "\ufeff# größe\r\ndef a():\r\n    pass\r\n".encode("utf-16"))
    assert outline(document) == [("a", 1, 3)]
    assert "größe" in document.sections[0].text


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5_000,
        "def f():\n" * 5_000,
        "class A:\n" + "".join(" " * n + "class A:\n" for n in range(300)),
        "int " + "* & " * 20_000,
        "impl " + " " * 20_000 + "\n",
        "/*\n" * 20_000,
        '"""\n' * 9_999,
        "public " * 20_000,
    ],
)
@pytest.mark.parametrize("name", ["a.py", "a.c", "a.rs", "a.java", "a.ts"])
def test_hostile_code_is_read(registry, name, text):
    document = read(registry, name, text)
    assert document.state == "read"
    assert document.problems == ()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    extension=st.sampled_from(sorted(LANGUAGES)),
    lines=st.lists(
        st.sampled_from(
            [
                "",
                "}",
                "end",
                "{",
                "class A {",
                "  def b(c)",
                "\tfunc d() {",
                "fn e() {}",
                "create table t(",
                ");",
                "# x",
                '"""',
            ]
        ),
        min_size=1,
        max_size=30,
    ),
)
def test_every_line_is_kept_whatever_the_nesting(registry, extension, lines):
    text = "start\n" + "\n".join(lines)
    document = read(registry, f"a{extension}", text)
    assert document.state == "read"
    if any(section.kind == "prose" for section in document.sections):
        return
    kept = [line for s in document.sections for line in s.text.split("\n")[1:-1] if line.strip()]
    assert kept == [line.rstrip() for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("name", "language"), [("Makefile", "makefile"), ("Dockerfile", "dockerfile"), ("Gemfile", "ruby")]
)
def test_files_are_known_by_their_whole_names(registry, name, language):
    document = read(registry, name, "# note\nrun\n")
    assert [section.text for section in document.sections] == [f"```{language}\n# note\nrun\n```"]


@pytest.mark.parametrize(
    ("name", "text", "headings"),
    [
        (
            "a.c",
            "static inline int two(void) { return 2; }\n\nint three(int a)\n{\n    f(a); g(a);\n}\n",
            ["two", "three"],
        ),
        ("a.java", "class A {\n  int x() { return 1; }\n  void y() {\n    if (a) { b(); }\n  }\n}\n", ["A", "x", "y"]),
        ("a.ts", "class S {\n  row(n = 1) { return n; }\n  get x() { return 1; }\n}\n", ["S", "row", "x"]),
    ],
)
def test_functions_on_one_line_are_symbols_and_calls_are_none(name, text, headings):
    document = Registry(load_plugins()).read(Source(name, text.encode()))
    assert [section.heading[-1] for section in document.sections] == headings
