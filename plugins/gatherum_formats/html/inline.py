"""Elements that stand inside a line: pictures, formulas, drawings, form controls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.html.blocks import BREAK
from gatherum_formats.html.links import UNSAFE, longer
from gatherum_formats.html.math import MathGatherer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum_formats.html.walk import Walk

    Attrs = Mapping[str, str]
    Undo = Callable[[], None]

_LONGEST_VALUE: Final = 2000
_LONGEST_CODE: Final = 1000
_LONGEST_EXPONENT: Final = 5
_LONGEST_ADDRESS: Final = 300
_MOST_PICTURES: Final = 200
_EXPONENT: Final = re.compile(r"[-+−–]?\d{1,4}")
_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|brush:\s*)([\w+#.-]+)", re.I)
_UNSEEN_INPUTS: Final = frozenset(("hidden", "password", "file", "image", "color", "range"))


def picture(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Say what a picture shows, and remember where it is."""
    source = attrs.get("src", "").strip()
    if source and not UNSAFE.match(source) and len(source) <= _LONGEST_ADDRESS and len(walk.pictures) < _MOST_PICTURES:
        walk.pictures[source] = None
    say_alt(walk, attrs.get("alt") or attrs.get("title") or attrs.get("aria-label") or "")


def say_alt(walk: Walk, text: str) -> None:
    """Put alternative text among the pieces of the paragraph."""
    text = " ".join(text.split())
    if text:
        walk.inline.append(f" {text} ")
        walk.flow.alts.append(text)


def line_break(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Break the line."""
    walk.inline.append(BREAK)


def raised(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Keep exponents apart from what they stand upon."""
    parts, start = walk.inline, len(walk.inline)
    if not start or not parts[-1][-1:].isalnum():
        return None

    def undo() -> None:
        if walk.inline is not parts or longer(parts, start, _LONGEST_EXPONENT):
            return
        if _EXPONENT.fullmatch("".join(parts[start:])):
            parts.insert(start, "^")

    return undo


def quoted(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Write quotation marks."""
    return surround(walk, "“", "”")


def apart(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Keep what looks like a box of its own apart from its neighbours."""
    return surround(walk, " ", " ")


def reading(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Write a ruby text in parentheses."""
    return surround(walk, "(", ")")


def surround(walk: Walk, before: str, after: str) -> Undo:
    """Put marks around what follows."""
    walk.inline.append(before)
    return lambda: walk.inline.append(after)


def spoken(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Keep code inside a line recognisable, and its language where it is a block."""
    if walk.flow.solid:
        if walk.flow.solid == "pre":
            walk.code = code_language(attrs) or walk.code
        return None
    parts, start, flow = walk.inline, len(walk.inline), walk.flow
    turn = flow.turn

    def undo() -> None:
        if flow.turn == turn and walk.inline is parts and not longer(parts, start, _LONGEST_CODE):
            text = "".join(parts[start:])
            if text.strip() == text != "" and "`" not in text and BREAK not in text and "](" not in text:
                parts[start:] = [f"`{text}`"]

    return undo


def code_language(attrs: Attrs) -> str:
    """Return the language that a block of code is marked with."""
    given = attrs.get("data-lang") or attrs.get("data-language")
    if given and re.fullmatch(r"[\w+#.-]{1,40}", given):
        return given
    names = attrs.get("class", "")
    match = _LANGUAGE.search(names[:400])
    if match:
        return match[1] if match[1] not in ("default", "none", "text") else ""
    kinds = names.split()
    return next((kind for kind in kinds if kind.lower() != "sourcecode"), "") if "sourceCode" in kinds else ""


def formula(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Begin a formula."""
    walk.math = MathGatherer(attrs)


def drawing(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Enter a drawing: its texts are kept apart, its titles describe it."""
    walk.drawing += 1
    say_alt(walk, attrs.get("aria-label", ""))

    def undo() -> None:
        walk.drawing -= 1

    return undo


def drawn_text(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Part the texts of a drawing."""
    if not walk.drawing or (tag == "tspan" and "x" not in attrs and "y" not in attrs):
        return None
    walk.inline.append(BREAK)
    return lambda: walk.inline.append(BREAK)


def description(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Describe a drawing."""
    if walk.drawing:
        walk.mute(lambda text: say_alt(walk, text))


def drawn_metadata(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Pass over what a drawing program notes for itself."""
    if walk.drawing:
        walk.mute()


def alternative(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Read one branch of a switch: the one in MathML, else the one for everybody."""
    if tag == "case" and "mathml" in attrs.get("required-namespace", "").lower():
        walk.switched = True
    elif tag == "case" or walk.switched:
        walk.mute()
        walk.switched = False


def control(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Say what a form control shows."""
    kind = attrs.get("type", "text").lower()
    if kind in ("checkbox", "radio"):
        walk.inline.append("☒ " if "checked" in attrs else "☐ ")
        return
    if kind == "image":
        picture(walk, tag, attrs)
    if kind not in _UNSEEN_INPUTS:
        text = attrs.get("value") or attrs.get("placeholder") or ""
        if text.strip() and len(text) <= _LONGEST_VALUE:
            walk.inline.append(f" {text} ")
            walk.flow.controls = True


def option(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Say a choice of a form."""
    if attrs.get("label") and tag == "optgroup":
        walk.inline.append(f"{attrs['label']}: ")
    walk.flow.controls = True
    parts = walk.inline
    return lambda: parts.append(", ") if "".join(parts[-1:]).strip() not in ("", ",") else None


def choice(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """End a choice without a comma."""
    walk.flow.controls = True

    def undo() -> None:
        while walk.inline and walk.inline[-1].strip() in ("", ","):
            walk.inline.pop()
        walk.inline.append(" ")

    return undo


def written(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Say what is filled in."""
    walk.flow.controls = True
