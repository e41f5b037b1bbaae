"""Presentation MathML as TeX."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from gatherum.limits import local_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DEPTH: Final = 60
_CHARS: Final = 20_000
_INVISIBLE: Final = re.compile("[\u200b\u2061-\u2064\ufeff]")
_ESCAPED: Final = re.compile(r"([{}%&#$_])")
_COMMAND: Final = re.compile(r"\\[A-Za-z]+$")
_STYLED: Final = re.compile(r"\{\\(?:displaystyle|textstyle)\s*(.*)\}", re.DOTALL)
_FUNCTIONS: Final = _words(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh"
)
_LIMITS: Final = _words(r"∑ ∏ ∐ ∫ ∬ ∭ ∮ ⋃ ⋂ ⋁ ⋀ ⨁ ⨂ \lim \liminf \limsup \max \min \sup \inf \det \gcd \Pr")
_ACCENTS: Final = {
    "^": "hat",
    "ˆ": "hat",
    "~": "tilde",
    "˜": "tilde",
    "¯": "overline",
    "‾": "overline",
    "ˉ": "overline",
    "―": "overline",
    "→": "vec",
    "⃗": "vec",
    "˙": "dot",
    ".": "dot",
    "¨": "ddot",
    "ˇ": "check",
    "˘": "breve",
    "´": "acute",
    "`": "grave",
    "⏞": "overbrace",
    "⏠": "overparen",
}
_BELOW: Final = {"_": "underline", "̲": "underline", "⏟": "underbrace", "―": "underline", "¯": "underline"}


def mathml_to_tex(element: _Element) -> str:
    """Return a ``math`` element as TeX without dollar signs; "" if it says nothing.

    An annotation in TeX is taken as it is. What is nested deeper than any formula keeps its characters only. Never
    raises, whatever the element holds.
    """
    text = _tex(element, 0) or element.get("alttext") or ""
    text = " ".join(text[:_CHARS].split())
    styled = _STYLED.fullmatch(text)
    return styled[1].strip() if styled else text


def _tex(element: _Element, depth: int) -> str:
    if depth > _DEPTH:
        return _plain(element)
    name = local_name(element)
    token = _TOKENS.get(name)
    if token is not None:
        return token(_plain(element))
    if name in _SILENT:
        return ""
    special = _LAYOUTS.get(name)
    return special(element, depth) if special else _row(element, depth)


def _plain(element: _Element) -> str:
    return " ".join("".join(islice(element.itertext(), _CHARS)).split())


def _row(element: _Element, depth: int) -> str:
    """Join the children; a blank parts a command from the letter that follows."""
    parts = [(element.text or "").strip()]
    for child in element:
        parts += (_tex(child, depth + 1), (child.tail or "").strip())
    out = ""
    for part in filter(None, parts):
        out += f" {part}" if part[0].isalnum() and _COMMAND.search(out, max(0, len(out) - 40)) else part
    return out


def _identifier(text: str) -> str:
    text = _INVISIBLE.sub("", text)
    if text in _FUNCTIONS:
        return f"\\{text}"
    return rf"\mathrm{{{_escape(text)}}}" if len(text) > 1 and text.isalpha() else _escape(text)


def _operator(text: str) -> str:
    text = _INVISIBLE.sub("", text)
    if text in _FUNCTIONS:
        return f"\\{text}"
    return rf"\operatorname{{{text}}}" if len(text) > 1 and text.isalpha() else _escape(text)


def _escape(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", text)


def _text(text: str) -> str:
    return rf"\text{{{_escape(text)}}}" if text else ""


def _parts(element: _Element, depth: int, count: int) -> list[str]:
    """The first *count* children; missing ones are empty, what is left over joins the last."""
    texts = [_tex(child, depth + 1) for child in element]
    stray = " ".join(filter(str.strip, (element.text or "", *(child.tail or "" for child in element))))
    texts += [""] * (count - len(texts)) + ([stray] if stray else [])
    return [*texts[: count - 1], "".join(texts[count - 1 :])]


def _base(text: str) -> str:
    plain = len(text) <= 1 or re.fullmatch(r"\\[A-Za-z]+", text) or re.fullmatch(r"\d+|\\[a-z]+\{[^{}]*\}", text)
    return text if plain else f"{{{text}}}"


def _scripts(base: str, below: str, above: str) -> str:
    return _base(base) + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _sub(element: _Element, depth: int) -> str:
    base, below = _parts(element, depth, 2)
    return _scripts(base, below, "")


def _sup(element: _Element, depth: int) -> str:
    base, above = _parts(element, depth, 2)
    return _scripts(base, "", above)


def _subsup(element: _Element, depth: int) -> str:
    return _scripts(*_parts(element, depth, 3))


def _under(element: _Element, depth: int) -> str:
    base, below = _parts(element, depth, 2)
    if base in _LIMITS:
        return _scripts(base, below, "")
    return rf"\{_BELOW[below]}{{{base}}}" if below in _BELOW else rf"\underset{{{below}}}{{{base}}}" if below else base


def _over(element: _Element, depth: int) -> str:
    base, above = _parts(element, depth, 2)
    if base in _LIMITS:
        return _scripts(base, "", above)
    accent = _ACCENTS.get(above)
    return rf"\{accent}{{{base}}}" if accent else rf"\overset{{{above}}}{{{base}}}" if above else base


def _underover(element: _Element, depth: int) -> str:
    return _scripts(*_parts(element, depth, 3))


def _fraction(element: _Element, depth: int) -> str:
    above, below = _parts(element, depth, 2)
    command = "binom" if re.match(r"0(\D|$)", element.get("linethickness", "")) else "frac"
    return rf"\{command}{{{above}}}{{{below}}}"


def _square_root(element: _Element, depth: int) -> str:
    return rf"\sqrt{{{_row(element, depth)}}}"


def _root(element: _Element, depth: int) -> str:
    base, index = _parts(element, depth, 2)
    return rf"\sqrt[{index}]{{{base}}}"


def _fenced(element: _Element, depth: int) -> str:
    marks = "".join(element.get("separators", ",").split())
    texts = [_tex(child, depth + 1) for child in element]
    out = "".join(
        text + (marks[min(at, len(marks) - 1)] if marks and at < len(texts) - 1 else "")
        for at, text in enumerate(texts)
    )
    return f"{_escape(element.get('open', '('))}{out}{_escape(element.get('close', ')'))}"


def _table(element: _Element, depth: int) -> str:
    rows = []
    for row in element:
        cells = list(row) if local_name(row) in ("mtr", "mlabeledtr") else [row]
        if local_name(row) == "mlabeledtr":
            cells = [*cells[1:], *cells[:1]]
        rows.append(" & ".join(_tex(cell, depth + 2) for cell in cells))
    body = r" \\ ".join(rows)
    return rf"\begin{{matrix}}{body}\end{{matrix}}"


def _multiscripts(element: _Element, depth: int) -> str:
    base, sides = "", ["", ""]
    at = before = 0
    for place, child in enumerate(element):
        if local_name(child) == "mprescripts":
            before, at = 1, 0
            continue
        text = _tex(child, depth + 1)
        if place == 0:
            base = text
            continue
        sides[before] += f"{'_^'[at]}{{{text}}}" if text else ""
        at = 1 - at
    after, prescripts = sides
    return f"{{}}{prescripts}{_base(base)}{after}" if prescripts else f"{_base(base)}{after}"


def _semantics(element: _Element, depth: int) -> str:
    for child in element:
        if local_name(child) == "annotation" and "tex" in (child.get("encoding") or "").lower():
            text = _plain(child)
            if text:
                return text
    shown = next((child for child in element if local_name(child) not in ("annotation", "annotation-xml")), None)
    return "" if shown is None else _tex(shown, depth + 1)


def _action(element: _Element, depth: int) -> str:
    return next((_tex(child, depth + 1) for child in element), "")


_SILENT: Final = frozenset(("annotation", "annotation-xml", "mphantom", "none", "maligngroup", "malignmark", "mglyph"))
_TOKENS: Final[dict[str, Callable[[str], str]]] = {
    "mi": _identifier,
    "ci": _identifier,
    "mn": _escape,
    "cn": _escape,
    "mo": _operator,
    "mtext": _text,
    "ms": lambda text: _text(f'"{text}"'),
    "mspace": lambda _: " ",
}
_LAYOUTS: Final[dict[str, Callable[[_Element, int], str]]] = {
    "msub": _sub,
    "msup": _sup,
    "msubsup": _subsup,
    "munder": _under,
    "mover": _over,
    "munderover": _underover,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "mfenced": _fenced,
    "mtable": _table,
    "mmultiscripts": _multiscripts,
    "semantics": _semantics,
    "maction": _action,
}
