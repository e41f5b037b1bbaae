"""Environments of LaTeX: lists, tables, mathematics, theorems, verbatim text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum.tables import pipe_table
from gatherum_formats.latex.blocks import Block, Environment, Flow, plain
from gatherum_formats.latex.names import ENVIRONMENTS, LEVELS, LISTS, MATH, PICTURES, QUOTES, TABLES
from gatherum_formats.shared.fence import fenced

if TYPE_CHECKING:
    from gatherum_formats.latex.scan import Verbatim
    from gatherum_formats.latex.walk import Walk

_DEEPEST = 100


def begin_environment(walk: Walk, name: str, start: int, at: int, end: int) -> int:
    """An environment begins."""
    bare = name.rstrip("*")
    if name in MATH:
        closing = f"\\end{{{name}}}"
        close = -1 if name in walk.absent else walk.text.find(closing, at)
        if close < 0:
            walk.absent.add(name)
        if close < 0 or close > end:
            return at
        content = walk.text[at:close]
        if bare not in ("equation", "displaymath", "math"):
            content = f"\\begin{{{name}}}{content}{closing}"
        walk.display(content, start, close)
        return close + len(closing)
    walk.flush(start)
    if len(walk.open) >= _DEEPEST:
        return at
    entry = Environment(name=name, start=start)
    walk.open.append(entry)
    if bare in TABLES or name in TABLES:
        entry.rows, entry.outer, walk.flow = [[]], walk.flow, Flow()
        return walk.skipped(at, end, TABLES.get(name, TABLES.get(bare, 1)))
    if name == "document" or bare in LISTS or bare in QUOTES:
        return walk.skipped(at, end, ENVIRONMENTS.get(bare, 0))
    if bare in walk.theorems:
        option = walk.scan.option(at, end) if walk.text[at : at + 1] == "[" else None
        about = f" ({walk.said(option[0], option[1])})" if option else ""
        walk.put(f"**{walk.theorems[bare]}{about}.** ", start)
        return option[2] if option else at
    if bare in ENVIRONMENTS:
        return walk.skipped(at, end, ENVIRONMENTS[bare])
    while walk.text[at : at + 1] == "[" and (option := walk.scan.option(at, end)):
        at = option[2]
    group = walk.scan.group(at, end) if walk.text[at : at + 1] == "{" else None
    if group:
        title = walk.said(group[0], group[1])
        if bare == "frame" and title:
            walk.flow.blocks.append(Block(text=plain(title), start=start, end=group[2], level=LEVELS["frametitle"]))
        elif re.search(r"[^\W\d_]{3}", title) and not re.search(
            r"\\(?:text|line|column)\w*", walk.text[group[0] : group[1]]
        ):
            walk.put(f"**{title}**", start)
            walk.flush(group[2])
        return group[2]
    return at


def end_environment(walk: Walk, name: str, at: int) -> None:
    """An environment ends, and those inside it that were left open."""
    if not any(entry.name == name for entry in walk.open):
        walk.flush(at)
        return
    while walk.open:
        entry = walk.open[-1]
        if entry.outer is not None:
            end_cell(walk, at)
            _table(walk, entry, at)
        else:
            walk.flush(at)
            walk.open.pop()
        if entry.name == name:
            break


def end_cell(walk: Walk, at: int) -> None:
    """A cell of the innermost table ends."""
    entry = walk.open[-1]
    _flush_cell(walk, at)
    text = "\n\n".join(block.text for block in walk.flow.blocks if block.layer != "notes")
    notes = [block for block in walk.flow.blocks if block.layer == "notes"] + walk.flow.notes
    if entry.outer is not None:
        entry.outer.notes += notes
    walk.flow = Flow()
    row = entry.rows[-1]
    row.append(text)
    if entry.number > 1:
        row += [None] * (min(entry.number, 100) - 1)
    entry.number = 0


def _flush_cell(walk: Walk, end: int) -> None:
    opened, walk.open = walk.open, []
    walk.flush(end)
    walk.open = opened


def _table(walk: Walk, entry: Environment, at: int) -> None:
    walk.open.pop()
    walk.flow = entry.outer or Flow()
    rows = [row for row in entry.rows if any(cell and cell.strip() for cell in row)]
    if any(other.rows for other in walk.open):
        flat = (" / ".join(cell for cell in row if cell) for row in rows)
        walk.put(" / ".join(flat), entry.start)
    elif rows:
        walk.place(pipe_table(rows), entry.start, at, "table")
    walk.flush(at)


def verbatim(walk: Walk, found: Verbatim, at: int) -> int:
    """Text that is taken as it is written."""
    content = walk.text[found.start : found.end]
    if found.name == "verb":
        walk.put(f"`{content}`", at)
        return found.after
    walk.flush(at)
    language = ""
    if found.name in ("lstlisting", "minted", "Verbatim", "sphinxVerbatim"):
        options = re.match(r"(?:\[([^\]]*)\])?(?:\{(\w*)\})?", content)
        if options:
            content = content[options.end() :]
            named = re.search(r"language=\{?(?:\[\w*\])?([\w+#]+)", options[1] or "")
            language = options[2] or (named[1].lower() if named else "")
    content = content.strip("\n").rstrip()
    if found.name == "comment":
        walk.flow.blocks.append(Block(text=content.strip(), start=at, end=found.end, kind="comment", layer="hidden"))
    elif found.name in PICTURES:
        for match in re.finditer(r"(?<![\w\\])\{([^{}\\$]*[A-Za-z]{2}[^{}\\$]*)\}", content):
            if not re.search(r"[=<>]", match[1]):
                walk.put(f"{match[1]} ", at)
        walk.flush(found.end, "alt")
    elif content.strip():
        walk.place(fenced(content, language), at, found.end, "code")
    return found.after
