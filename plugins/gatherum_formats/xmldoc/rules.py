"""Rules that the XML vocabularies share: blocks, lists, code, tables, notes, pictures, formulas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.xmldoc.frame import SKIP, STAY, Leave
from gatherum_formats.xmldoc.source import attribute, short_name
from gatherum_formats.xmldoc.walk import BREAK

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum.document import Kind, Layer
    from gatherum_formats.xmldoc.walk import Rule, Walk

_TICKS: Final = re.compile("`{3,}")
_LONGEST_CODE: Final = 1000
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,40}")
_XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"


def skip(walk: Walk, element: _Element) -> Leave:
    """Leave an element out."""
    return SKIP


def inline(walk: Walk, element: _Element) -> Leave:
    """Read an element as a part of the line."""
    return STAY


def block(walk: Walk, element: _Element) -> Leave:
    """Begin a paragraph, and end it."""
    walk.flush()
    walk.line = walk.place(element)
    return Leave(undo=walk.flush)


def loose(walk: Walk, element: _Element) -> Leave:
    """Read an element that is unknown: as a block if it and its surroundings hold only elements, else in the line."""
    if not len(element) or (element.text or "").strip() or (element.tail or "").strip():
        return STAY
    return STAY if any(map(str.strip, reversed(walk.frame.inline))) else block(walk, element)


def around(before: str, after: str) -> Rule:
    """Return a rule that puts marks around an element in a line."""

    def rule(walk: Walk, element: _Element) -> Leave:
        walk.say(before)
        return Leave(undo=lambda: walk.say(after))

    return rule


def unless_heading(walk: Walk, element: _Element) -> Leave:
    """Leave out what is a heading already."""
    return SKIP if element in walk.done else STAY


def line_break(walk: Walk, element: _Element) -> Leave:
    """Break the line."""
    walk.say(BREAK)
    return STAY


def named(label: str) -> Rule:
    """Return a rule for a block that is introduced by what it is."""

    def rule(walk: Walk, element: _Element) -> Leave:
        walk.flush()
        walk.line = walk.place(element)
        walk.frame.lead = f"{label}: "

        def undo() -> None:
            walk.flush()
            walk.frame.lead = ""

        return Leave(undo=undo)

    return rule


def of_kind(kind: Kind) -> Rule:
    """Return a rule for a block of a kind."""

    def rule(walk: Walk, element: _Element) -> Leave:
        walk.flush()
        walk.line = walk.place(element)
        outer, walk.kind = walk.kind, kind

        def undo() -> None:
            walk.flush()
            walk.kind = outer

        return Leave(undo=undo)

    return rule


def apart(kind: Kind, layer: Layer) -> Rule:
    """Return a rule for text of another layer: what it says does not join the paragraph around it."""

    def rule(walk: Walk, element: _Element) -> Leave:
        line = walk.place(element)
        end = walk.open_frame()

        def undo() -> None:
            text = "\n\n".join(end())
            if text:
                walk.aside(text, kind, layer, line)

        return Leave(undo=undo)

    return rule


def raised(walk: Walk, element: _Element) -> Leave:
    """Keep exponents apart from what they stand upon."""
    text = element.text or ""
    if not len(element) and re.fullmatch(r"[-+−–]?\d{1,4}", text) and "".join(walk.frame.inline[-1:])[-1:].isalnum():
        walk.say("^")
    return STAY


def code_inline(walk: Walk, element: _Element) -> Leave:
    """Keep code inside a line recognisable."""
    if walk.bare:
        return STAY
    frame, parts, start = walk.frame, walk.frame.inline, len(walk.frame.inline)

    def undo() -> None:
        if walk.frame is not frame or len(parts) <= start:
            return
        text = "".join(parts[start:])
        if len(text) < _LONGEST_CODE and text.strip() == text and "`" not in text and "](" not in text:
            parts[start:] = [f"`{text}`"]

    return Leave(undo=undo)


def quote(walk: Walk, element: _Element) -> Leave:
    """Read a quotation that stands by itself."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    frame.quotes += 1

    def undo() -> None:
        walk.flush()
        frame.quotes -= 1

    return Leave(undo=undo)


def code_block(walk: Walk, element: _Element) -> Leave:
    """Read an element as it is written."""
    put_code(walk, element, attribute(element, "language", "outputclass"))
    return SKIP


def put_code(walk: Walk, element: _Element, language: str = "") -> None:
    """Put a block of code in a fence."""
    walk.flush()
    walk.line = walk.place(element)
    text = "".join(map(str, element.itertext())).expandtabs(4)
    text = "\n".join(line.rstrip() for line in text.strip("\n").split("\n")).strip("\n")
    if not text.strip():
        return
    language = language.removeprefix("language-").partition(" ")[0]
    language = language if _LANGUAGE.fullmatch(language) else ""
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=2) + 1)
    walk.put(f"{fence}{language}\n{text}\n{fence}", kind="code", flat=text, end=walk.line + text.count("\n"))


def lines(walk: Walk, element: _Element) -> Leave:
    """Read text whose line breaks count."""
    walk.flush()
    walk.line = walk.place(element)
    blocks = walk.collect_lines(element)
    walk.say(blocks)
    walk.flush()
    return SKIP


def note(kind: Kind) -> Rule:
    """Return a rule for notes that stand where they are referred to."""

    def rule(walk: Walk, element: _Element) -> Leave:
        line = walk.place(element)
        end = walk.open_frame()

        def undo() -> None:
            blocks = end()
            if blocks:
                walk.say(walk.note(blocks, kind, line))

        return Leave(undo=undo)

    return rule


def formula(walk: Walk, element: _Element) -> Leave:
    """Write a formula in MathML as TeX."""
    from gatherum_formats.shared.mathml import mathml_to_tex

    text = mathml_to_tex(element)
    if text:
        walk.say(f"${text}$")
    return SKIP


def tex(walk: Walk, element: _Element) -> Leave:
    """Read a formula that is written in TeX."""
    text = "".join(map(str, element.itertext())).strip()
    inner = text.strip("$").strip()
    if inner:
        walk.say(f"${' '.join(inner.split())}$")
    return SKIP


def say_alt(walk: Walk, text: str) -> None:
    """Say what a picture shows."""
    text = " ".join(text.split())
    if text:
        walk.say(f" {text} ")
        walk.frame.alts.append(text)


def alternative(walk: Walk, element: _Element) -> Leave:
    """Read an alternative text."""
    say_alt(walk, walk.render(element))
    return SKIP


def linked(walk: Walk, element: _Element, target: str) -> Leave:
    """Read a link; one without a text shows where it leads."""
    if not target or walk.bare:
        return STAY
    frame, parts, start = walk.frame, walk.frame.inline, len(walk.frame.inline)

    def undo() -> None:
        if walk.frame is not frame or len(parts) < start:
            return
        text = " ".join("".join(parts[start:]).split())
        if text == target or "](" in text or len(target) > 500:
            return
        parts[start:] = [f"[{text or target}]({target})"] if text else [target]

    return Leave(undo=undo)


def remember(name: str) -> Rule:
    """Return a rule for what belongs to the metadata and to no text."""

    def rule(walk: Walk, element: _Element) -> Leave:
        walk.fact(name, walk.render(element))
        return SKIP

    return rule


def every(rule: Rule, names: str) -> dict[str, Rule]:
    """Give many elements one rule."""
    return dict.fromkeys(names.split(), rule)


def child(element: _Element | None, *names: str) -> _Element | None:
    """Return the first child that has one of these names."""
    if element is None:
        return None
    return next((one for one in element if short_name(one) in names), None)


def language_of(element: _Element) -> str:
    """Return the language that an element names."""
    return element.get(_XML_LANG) or element.get("lang") or ""


def captioned(walk: Walk, element: _Element, label: str = "") -> Leave:
    """Say the title of a figure, a table, an example or a note."""
    if element in walk.done:
        return SKIP
    walk.flush()
    walk.line = walk.place(element)
    text = walk.render(element)
    if text:
        walk.put(text, kind="caption", flat=text)
    return SKIP
