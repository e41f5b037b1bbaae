"""Rules that the XML vocabularies share: blocks, lists, code, tables, notes, pictures, formulas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum_formats._numerals import numeral
from gatherum_formats._xmldoc_source import attribute, short_name
from gatherum_formats._xmldoc_tables import Table
from gatherum_formats._xmldoc_walk import BREAK, SKIP, STAY, Leave, OpenList

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from gatherum.document import Kind, Layer
    from gatherum_formats._xmldoc_walk import Rule, Walk

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


def bullets(walk: Walk, element: _Element) -> Leave:
    """Read a list without numbers."""
    return open_list(walk, element, lambda count: "- ")


def numbers(form: str = "decimal", start: int = 1) -> Callable[[int], str]:
    """Return how the items of a numbered list are marked, in a form of `numeral`."""
    return lambda count: f"{numeral(start + count, form)}. "


def open_list(walk: Walk, element: _Element, mark: Callable[[int], str] | None) -> Leave:
    """Begin a list."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    outer, frame.mark = frame.mark, None
    if outer:
        frame.mark = outer
        walk.put("", kind="list")
    frame.lists.append(OpenList(mark=mark))

    def undo() -> None:
        walk.flush()
        if frame.lists:
            frame.lists.pop()
        frame.mark = None
        if frame.lists:
            frame.lists[-1].begun = True

    return Leave(undo=undo)


def item(walk: Walk, element: _Element) -> Leave:
    """Read an item of a list."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    if not frame.lists:
        return Leave(undo=walk.flush)
    opened = frame.lists[-1]
    frame.mark = opened.mark(opened.count) if opened.mark else "- "
    opened.count += 1

    def undo() -> None:
        walk.flush()
        frame.mark = None

    return Leave(undo=undo)


def term(walk: Walk, element: _Element) -> Leave:
    """Read a term of a list of definitions."""
    return marked(walk, element, "")


def definition(walk: Walk, element: _Element) -> Leave:
    """Read what a term means."""
    return marked(walk, element, ": ")


def marked(walk: Walk, element: _Element, mark: str) -> Leave:
    """Read an item that has a mark of its own."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    if not frame.lists:
        return Leave(undo=walk.flush)
    frame.mark = mark

    def undo() -> None:
        walk.flush()
        frame.mark = None

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


def table(walk: Walk, element: _Element) -> Leave:
    """Read a table."""
    walk.flush()
    walk.line = walk.place(element)
    frame = walk.frame
    outer, frame.table = frame.table, Table(line=walk.line)

    def undo() -> None:
        walk.flush()
        put_table(walk)
        frame.table = outer

    return Leave(undo=undo)


def put_table(walk: Walk) -> None:
    """Put the table at hand, if it has rows."""
    gathered = walk.frame.table
    if gathered is None or not (gathered.rows or gathered.foot):
        return
    last, walk.line = walk.line, gathered.line
    text = gathered.text
    if text:
        walk.put(text, kind="table", flat=gathered.flat, end=last)
    walk.line = last
    gathered.rows, gathered.foot, gathered.columns = [], [], {}


def table_group(walk: Walk, element: _Element) -> Leave:
    """Read one of the groups of a table."""
    if walk.frame.table is None:
        return table(walk, element)
    walk.flush()
    put_table(walk)
    walk.frame.table.line = walk.place(element)
    return STAY


def column(walk: Walk, element: _Element) -> Leave:
    """Learn about a column."""
    if walk.frame.table is not None:
        walk.frame.table.column(element)
    return SKIP


def foot(walk: Walk, element: _Element) -> Leave:
    """Read rows that are shown last."""
    gathered = walk.frame.table
    if gathered is None:
        return STAY
    gathered.footing = True

    def undo() -> None:
        gathered.footing = False

    return Leave(undo=undo)


def row(walk: Walk, element: _Element) -> Leave:
    """Read a row."""
    walk.flush()
    walk.line = walk.place(element)
    if walk.frame.table is None:
        return Leave(undo=walk.flush)
    walk.frame.table.open_row()
    return STAY


def cell(walk: Walk, element: _Element) -> Leave:
    """Read a cell."""
    gathered = walk.frame.table
    if gathered is None:
        return block(walk, element)
    walk.flush()
    walk.line = walk.place(element)
    end = walk.open_frame()

    def undo() -> None:
        text = "\n\n".join(part.replace("\n", "\n\n") for part in end())
        gathered.add(gathered.cell(element, text))

    return Leave(undo=undo)


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
    from gatherum_formats._mathml import mathml_to_tex

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
