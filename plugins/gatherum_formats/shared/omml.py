"""Office Math (ECMA-376 part 1, §22.1) as TeX, for Word and PowerPoint alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DEEPEST: Final = 48
"""No formula that people write is nested deeper; below it only the plain text is kept."""

_SKIPPED: Final = frozenset(("del", "moveFrom", "delText", "instrText", "ctrlPr", "rPr", "Fallback", "sdtPr"))
_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\backslash ",
        "{": r"\{",
        "}": r"\}",
        "%": r"\%",
        "#": r"\#",
        "$": r"\$",
        "&": r"\&",
        "_": r"\_",
        "^": r"\hat{}",
        "~": r"\sim ",
        "\u00a0": " ",
        **dict.fromkeys("\u2061\u2062\u2063\u2064\u200b"),
    }
)
_ALIGNED: Final = {**_ESCAPES, ord("&"): "&"}
_FUNCTION: Final = re.compile(
    "arccos|arcsin|arctan|arg|cos|cosh|cot|coth|csc|deg|det|dim|exp|gcd|hom|inf|"
    "ker|lg|lim|liminf|limsup|ln|log|max|min|Pr|sec|sin|sinh|sup|tan|tanh"
)
_BIG: Final = {
    "∑": r"\sum",
    "∏": r"\prod",
    "∐": r"\coprod",
    "∫": r"\int",
    "∬": r"\iint",
    "∭": r"\iiint",
    "∮": r"\oint",
    "∯": r"\oiint",
    "⋃": r"\bigcup",
    "⋂": r"\bigcap",
    "⋁": r"\bigvee",
    "⋀": r"\bigwedge",
    "⨁": r"\bigoplus",
    "⨂": r"\bigotimes",
}
_ACCENTS: Final = {
    "\u0300": "grave",
    "\u0301": "acute",
    "\u0302": "hat",
    "^": "hat",
    "\u0303": "tilde",
    "~": "tilde",
    "\u0304": "bar",
    "\u0305": "overline",
    "¯": "bar",
    "\u0306": "breve",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u20db": "dddot",
    "\u030a": "mathring",
    "\u030c": "check",
    "\u20d6": "overleftarrow",
    "\u20d7": "vec",
    "\u20e1": "overleftrightarrow",
    "\u0332": "underline",
}
_SCRIPTS: Final = {
    "double-struck": "mathbb",
    "fraktur": "mathfrak",
    "script": "mathcal",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}
_FENCED: Final = {"()": "pmatrix", "[]": "bmatrix", "||": "vmatrix", "‖‖": "Vmatrix", "{}": "Bmatrix"}
_FENCES: Final = {"{": r"\{", "}": r"\}", "": ".", "‖": r"\|", "〈": r"\langle ", "〉": r"\rangle "}
_TALL: Final = re.compile(r"\\(?:frac|begin|binom|sum|prod|i*int|big\w+|genfrac|sqrt|under|over)")
_ATOM: Final = re.compile(r"\\?\w|\\[A-Za-z]+(?:\{[^{}]*\})?|\([^()]*\)")


def omml_to_tex(element: _Element) -> str:
    """Return an ``m:oMath`` or ``m:oMathPara`` as TeX without dollar signs.

    Letters and operators keep their Unicode characters, so that they are found as they are read. Unknown parts give
    their text. Never raises; a formula nested beyond reason is cut down to its text.
    """
    lines = [_inside(part, 0) for part in element.iterchildren(f"{_M}oMath")] if _name(element) == "oMathPara" else []
    tex = r" \\ ".join(line for line in lines if line.strip()) or _convert(element, 0)
    return re.sub(r"\s+", " ", tex).strip()


def _name(element: _Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _inside(element: _Element | None, depth: int) -> str:
    """Return what stands in an element, piece after piece."""
    return "" if element is None else "".join([_convert(child, depth + 1) for child in element])


def _convert(element: _Element, depth: int) -> str:
    name = _name(element)
    if not name or name in _SKIPPED or name.endswith("Pr"):
        return ""
    if depth > _DEEPEST:
        return "".join(str(text.text or "") for text in element.iter(f"{_M}t")).translate(_ESCAPES)
    rule = _RULES.get(name)
    return rule(element, depth) if rule else _inside(element, depth)


def _child(element: _Element, name: str, depth: int) -> str:
    return _inside(element.find(_M + name), depth).strip()


def _property(element: _Element, path: str, default: str) -> str:
    """Return the value of a property; *default* when it is not stated."""
    found = element.find("/".join(_M + step for step in path.split("/")))
    if found is None:
        return default
    value = found.get(f"{_M}val")
    return found.get("val", "") if value is None else value


def _is_on(element: _Element, path: str) -> bool:
    return _property(element, path, "off") not in ("off", "0", "false")


def _base(text: str) -> str:
    return text if _ATOM.fullmatch(text) else f"{{{text}}}"


def _run(element: _Element, depth: int) -> str:
    text = "".join([part.text or "" for part in element if _name(part) == "t"])
    if not text:
        return ""
    parent = element.getparent()
    row = parent.getparent() if parent is not None else None
    aligned = row is not None and _name(row) == "eqArr"
    escaped = text.translate(_ALIGNED if aligned else _ESCAPES)
    if _is_on(element, "rPr/nor"):
        return rf"\text{{{escaped}}}" if text.strip() else escaped
    style, script = _property(element, "rPr/sty", "i"), _property(element, "rPr/scr", "")
    if style == "p" and _FUNCTION.fullmatch(text.strip()):
        return rf"\{text.strip()} "
    command = _SCRIPTS.get(script) or ("mathbf" if style in ("b", "bi") else "")
    return rf"\{command}{{{escaped}}}" if command and text.strip() and "&" not in text else escaped


def _fraction(element: _Element, depth: int) -> str:
    above, below = _child(element, "num", depth), _child(element, "den", depth)
    kind = _property(element, "fPr/type", "bar")
    if kind in ("lin", "skw"):
        return f"{_base(above)}/{_base(below)}"
    return rf"\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}" if kind == "noBar" else rf"\frac{{{above}}}{{{below}}}"


def _scripts(element: _Element, depth: int) -> str:
    below, above = _child(element, "sub", depth), _child(element, "sup", depth)
    marks = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    base = _base(_child(element, "e", depth))
    return f"{{}}{marks}{base}" if _name(element) == "sPre" else f"{base}{marks}"


def _radical(element: _Element, depth: int) -> str:
    degree = "" if _is_on(element, "radPr/degHide") else _child(element, "deg", depth)
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_child(element, 'e', depth)}}}"


def _nary(element: _Element, depth: int) -> str:
    sign = _property(element, "naryPr/chr", "∫")
    below = "" if _is_on(element, "naryPr/subHide") else _child(element, "sub", depth)
    above = "" if _is_on(element, "naryPr/supHide") else _child(element, "sup", depth)
    marks = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    return f"{_BIG.get(sign, sign)}{marks} {_child(element, 'e', depth)}"


def _delimited(element: _Element, depth: int) -> str:
    opening, closing = _property(element, "dPr/begChr", "("), _property(element, "dPr/endChr", ")")
    parts = list(element.iterchildren(f"{_M}e"))
    if len(parts) == 1:
        inner = [child for child in parts[0] if _name(child) != "ctrlPr"]
        only = _name(inner[0]) if len(inner) == 1 else ""
        if only == "m" and (fenced := _FENCED.get(opening + closing)):
            return _rows(fenced, _matrix_rows(inner[0], depth + 1))
        if only == "eqArr" and (opening, closing) == ("{", ""):
            return _rows("cases", _equation_rows(inner[0], depth + 1))
        if only == "f" and (opening, closing) == ("(", ")") and _property(inner[0], "fPr/type", "") == "noBar":
            return rf"\binom{{{_child(inner[0], 'num', depth)}}}{{{_child(inner[0], 'den', depth)}}}"
    separator = _FENCES.get(mark, mark) if (mark := _property(element, "dPr/sepChr", "|")) else ""
    text = separator.join([_inside(part, depth) for part in parts])
    left, right = _FENCES.get(opening, opening), _FENCES.get(closing, closing)
    if opening and closing and not _TALL.search(text):
        return f"{left}{text}{right}"
    return rf"\left{left} {text} \right{right}"


def _rows(environment: str, rows: list[str]) -> str:
    body = r" \\ ".join(rows)
    return rf"\begin{{{environment}}} {body} \end{{{environment}}}"


def _matrix_rows(element: _Element, depth: int) -> list[str]:
    return [
        " & ".join([_inside(cell, depth).strip() for cell in row.iterchildren(f"{_M}e")])
        for row in element.iterchildren(f"{_M}mr")
    ]


def _equation_rows(element: _Element, depth: int) -> list[str]:
    return [_inside(row, depth).strip() for row in element.iterchildren(f"{_M}e")]


def _matrix(element: _Element, depth: int) -> str:
    return _rows("matrix", _matrix_rows(element, depth))


def _equations(element: _Element, depth: int) -> str:
    return _rows("aligned", _equation_rows(element, depth))


def _accent(element: _Element, depth: int) -> str:
    sign, inner = _property(element, "accPr/chr", "\u0302"), _child(element, "e", depth)
    command = _ACCENTS.get(sign)
    return rf"\{command}{{{inner}}}" if command else rf"\overset{{{sign}}}{{{inner}}}"


def _bar(element: _Element, depth: int) -> str:
    side = "overline" if _property(element, "barPr/pos", "bot") == "top" else "underline"
    return rf"\{side}{{{_child(element, 'e', depth)}}}"


def _group(element: _Element, depth: int) -> str:
    sign, side = _property(element, "groupChrPr/chr", "⏟"), _property(element, "groupChrPr/pos", "bot")
    inner = _child(element, "e", depth)
    if sign in "⏟⏞":
        return rf"\{'overbrace' if side == 'top' else 'underbrace'}{{{inner}}}"
    return rf"\{'overset' if side == 'top' else 'underset'}{{{sign}}}{{{inner}}}"


def _limit(element: _Element, depth: int) -> str:
    base, limit = _child(element, "e", depth), _child(element, "lim", depth)
    low = _name(element) == "limLow"
    name = base.removeprefix("\\")
    if _FUNCTION.fullmatch(name):
        return rf"\{name}{'_' if low else '^'}{{{limit}}}"
    if base.startswith((r"\underbrace", r"\overbrace")):
        return f"{base}{'_' if low else '^'}{{{limit}}}"
    return rf"\{'underset' if low else 'overset'}{{{limit}}}{{{base}}}"


def _function(element: _Element, depth: int) -> str:
    name, argument = _child(element, "fName", depth), _child(element, "e", depth)
    if _FUNCTION.fullmatch(name):
        name = f"\\{name}"
    elif name.isalpha() and len(name) > 1:
        name = rf"\operatorname{{{name}}}"
    return f"{name} {argument}"


def _boxed(element: _Element, depth: int) -> str:
    return rf"\boxed{{{_child(element, 'e', depth)}}}"


def _phantom(element: _Element, depth: int) -> str:
    shown = _property(element, "phantPr/show", "on") not in ("off", "0", "false")
    return _child(element, "e", depth) if shown else ""


_RULES: Final[dict[str, Callable[[_Element, int], str]]] = {
    "r": _run,
    "f": _fraction,
    "sSub": _scripts,
    "sSup": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "rad": _radical,
    "nary": _nary,
    "d": _delimited,
    "m": _matrix,
    "eqArr": _equations,
    "acc": _accent,
    "bar": _bar,
    "groupChr": _group,
    "limLow": _limit,
    "limUpp": _limit,
    "func": _function,
    "borderBox": _boxed,
    "phant": _phantom,
}
