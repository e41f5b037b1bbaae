"""Office Math becomes TeX, whatever its shape."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from gatherum_formats.shared import omml
from gatherum_formats.shared.omml import omml_to_tex

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
NAMESPACES = (
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
)


def tex(inner, root="oMath"):
    return omml_to_tex(etree.fromstring(f"<m:{root} {NAMESPACES}>{inner}</m:{root}>"))


def run(text, properties=""):
    return f"<m:r>{f'<m:rPr>{properties}</m:rPr>' if properties else ''}<m:t>{text}</m:t></m:r>"


def part(name, *pieces):
    return f"<m:{name}>{''.join(pieces)}</m:{name}>"


def value(name, text):
    return f'<m:{name} m:val="{text}"/>'


A, B, C, D, N, X = map(run, "abcdnx")
MATRIX = part("m", part("mr", part("e", A), part("e", B)), part("mr", part("e", C), part("e", D)))
EQUATIONS = part("eqArr", part("e", run("x&amp;=1")), part("e", run("y&amp;=2")))


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (run("E=m"), "E=m"),
        (part("f", part("num", A), part("den", B)), r"\frac{a}{b}"),
        (part("f", part("fPr", value("type", "lin")), part("num", A), part("den", B)), "a/b"),
        (part("sSup", part("e", X), part("sup", run("2"))), "x^{2}"),
        (part("sSub", part("e", run("ab")), part("sub", N)), "{ab}_{n}"),
        (part("sSubSup", part("e", X), part("sub", A), part("sup", B)), "x_{a}^{b}"),
        (part("sPre", part("sub", A), part("sup", B), part("e", X)), "{}_{a}^{b}x"),
        (part("rad", part("deg", run("3")), part("e", X)), r"\sqrt[3]{x}"),
        (part("rad", part("radPr", value("degHide", "1")), part("deg"), part("e", X)), r"\sqrt{x}"),
        (
            part("nary", part("naryPr", value("chr", "∑")), part("sub", A), part("sup", N), part("e", X)),
            r"\sum_{a}^{n} x",
        ),
        (part("nary", part("sub"), part("sup"), part("e", X)), r"\int x"),
        (part("d", part("e", A)), "(a)"),
        (part("d", part("dPr", value("begChr", "["), value("endChr", "")), part("e", A)), r"\left[ a \right."),
        (part("d", part("e", A), part("e", B)), "(a|b)"),
        (part("d", part("e", part("f", part("num", A), part("den", B)))), r"\left( \frac{a}{b} \right)"),
        (part("d", part("e", MATRIX)), r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"),
        (MATRIX, r"\begin{matrix} a & b \\ c & d \end{matrix}"),
        (
            part("d", part("dPr", value("begChr", "{"), value("endChr", "")), part("e", EQUATIONS)),
            r"\begin{cases} x&=1 \\ y&=2 \end{cases}",
        ),
        (EQUATIONS, r"\begin{aligned} x&=1 \\ y&=2 \end{aligned}"),
        (
            part("d", part("e", part("f", part("fPr", value("type", "noBar")), part("num", N), part("den", A)))),
            r"\binom{n}{a}",
        ),
        (part("acc", part("e", A)), r"\hat{a}"),
        (part("acc", part("accPr", value("chr", "\u20d7")), part("e", A)), r"\vec{a}"),
        (part("bar", part("barPr", value("pos", "top")), part("e", A)), r"\overline{a}"),
        (part("groupChr", part("e", A)), r"\underbrace{a}"),
        (part("func", part("fName", run("sin", value("sty", "p"))), part("e", X)), r"\sin x"),
        (part("func", part("fName", run("rank")), part("e", X)), r"\operatorname{rank} x"),
        (
            part("func", part("fName", part("limLow", part("e", run("lim")), part("lim", run("n→∞")))), part("e", X)),
            r"\lim_{n→∞} x",
        ),
        (part("limUpp", part("e", run("=")), part("lim", run("def"))), r"\overset{def}{=}"),
        (part("borderBox", part("e", A)), r"\boxed{a}"),
        (part("phant", part("phantPr", value("show", "0")), part("e", A)), ""),
        (run("if ", "<m:nor/>") + A, r"\text{if }a"),
        (run("R", value("scr", "double-struck")), r"\mathbb{R}"),
        (run("v", value("sty", "b")), r"\mathbf{v}"),
        (run("50% {x}_1"), r"50\% \{x\}\_1"),
        ("<w:ins><m:r><m:t>new</m:t></m:r></w:ins><w:del><m:r><m:t>old</m:t></m:r></w:del>", "new"),
        ("<m:future><m:e><m:r><m:t>kept</m:t></m:r></m:e></m:future>", "kept"),
        ("", ""),
    ],
)
def test_formula_becomes_tex(inner, expected):
    assert tex(inner) == expected


def test_paragraph_of_formulas_gives_a_line_each():
    assert tex(part("oMath", A) + part("oMath", B), root="oMathPara") == r"a \\ b"


def test_formula_nested_beyond_reason_keeps_its_text():
    formula = etree.Element(f"{MATH}oMath")
    inner = formula
    for _ in range(2000):
        inner = etree.SubElement(etree.SubElement(inner, f"{MATH}d"), f"{MATH}e")
    etree.SubElement(etree.SubElement(inner, f"{MATH}r"), f"{MATH}t").text = "deep"
    assert "deep" in omml_to_tex(formula)


NAMES = st.sampled_from(
    sorted({*omml._RULES, "num", "den", "e", "sub", "sup", "deg", "mr", "fName", "lim", "t", "box"})
)
TREES = st.recursive(
    st.text("ab{}\\%&<", max_size=3).map(lambda text: ("t", text)),
    lambda children: st.tuples(NAMES, st.lists(children, max_size=4)),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(TREES)
def test_any_tree_gives_one_line(tree):
    element = etree.Element(f"{MATH}oMath")
    stack = [(element, tree)]
    while stack:
        parent, (name, inner) = stack.pop()
        child = etree.SubElement(parent, MATH + name)
        if isinstance(inner, str):
            child.text = inner
        else:
            stack += [(child, branch) for branch in inner]
    assert "\n" not in omml_to_tex(element)
