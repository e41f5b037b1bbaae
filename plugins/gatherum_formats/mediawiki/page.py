"""One wiki page from its lines to its sections."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum.tables import pipe_table
from gatherum_formats.mediawiki.wikitext import FOLD, Inline
from gatherum_formats.shared.fence import fenced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind

_LIST = re.compile(r"([*#:;]+)[ \t]*(.*)$", re.DOTALL)
_RULE = re.compile(r"-{4,}")
_MARKS: Final = {"*": "-", "#": "1.", ":": "", ";": "-"}


def read_page(text: str, report: Report) -> Iterator[Section]:
    """Yield the sections of a page in reading order.

    Args:
        text: The page's markup.
        report: Told of metadata and hidden text.
    """
    inline = Inline()
    lines = inline.prepare(text).split("\n")
    numbers = list(accumulate((1 + line.count(FOLD) for line in lines), initial=1))
    builder = SectionBuilder()
    at = 0
    while at < len(lines):
        start, line = at, lines[at]
        at += 1
        level, title = _heading(line)
        if level:
            yield from builder.enter(level, inline.plain(title), locator=Locator.lines(numbers[start]))
            continue
        kind: Kind = "prose"
        if line.lstrip(": ").startswith("{|"):
            at = _table_end(lines, start)
            caption, block = _table(lines[start:at], inline)
            kind, place = "table", Locator.lines(numbers[start], numbers[at] - 1)
            yield from builder.add(caption, kind="caption", locator=place)
        elif line[:1] in _MARKS and line[:1]:
            while at < len(lines) and lines[at][:1] in ("*", "#", ":", ";"):
                at += 1
            kind, block = "list", "\n".join(_item(item, inline) for item in lines[start:at])
        elif _RULE.match(line):
            block = inline.text(line.lstrip("-"))
        elif inline.code(line):
            kind, block = "code", inline.code(line)
        elif line.startswith(" ") and line.strip():
            while at < len(lines) and lines[at].startswith(" ") and lines[at].strip():
                at += 1
            body = "\n".join(inline.text(item[1:]) for item in lines[start:at])
            kind, block = "code", fenced(body)
        else:
            while at < len(lines) and not _begins(lines[at]) and not inline.code(lines[at]):
                at += 1
            block = inline.text("\n".join(lines[start:at])).strip()
        place = Locator.lines(numbers[start], numbers[at] - 1)
        yield from builder.add(block, kind=kind, locator=place)
        for label, note in inline.take_notes():
            yield from builder.add(f"[^{label}]: {note}", kind="footnote", layer="notes", locator=place)
    yield from builder.close()
    for hidden in inline.unseen:
        yield from builder.add(hidden, kind="comment", layer="hidden")
    yield from builder.close()
    if inline.unseen:
        report.problem("hidden_text", "the page has comments that its readers do not see")
    report.metadata(tags=list(dict.fromkeys(inline.categories)))


def _begins(line: str) -> bool:
    return not line.strip() or line[0] in "*#:; " or line.startswith(("{|", "----")) or bool(_heading(line)[0])


def _heading(line: str) -> tuple[int, str]:
    """Return the level and the title of a heading; 0 if the line is none."""
    line = line.replace(FOLD, "").rstrip()
    level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6)
    title = line[level:-level].strip() if level and len(line) > 2 * level else ""
    return (level, title) if title else (0, "")


def _content(cell: str) -> str:
    """Return a cell without its attributes."""
    head, bar, rest = cell.partition("|")
    return rest if bar and len(head) < 300 and not set(head) & set("[]{}") else cell


def _item(line: str, inline: Inline) -> str:
    match = _LIST.match(line)
    if match is None:
        return inline.text(line)
    marks, text = match[1][:20], match[2]
    if marks.endswith(";"):
        term, colon, meaning = text.partition(" : ")
        text = f"**{inline.text(term).strip()}**" + (f" {inline.text(meaning)}" if colon else "")
    else:
        text = inline.text(text)
    mark = _MARKS[marks[-1]]
    return f"{'  ' * (len(marks) - 1)}{mark} {text}".rstrip() if mark else f"{'  ' * len(marks)}{text}"


def _table_end(lines: list[str], start: int) -> int:
    depth = 0
    for at in range(start, len(lines)):
        stripped = lines[at].lstrip(": ")
        depth += stripped.startswith("{|")
        depth -= stripped.startswith("|}")
        if depth <= 0:
            return at + 1
    return len(lines)


def _table(lines: list[str], inline: Inline) -> tuple[str, str]:
    """Return the caption of a wiki table, and the table as a pipe table; tables inside its cells are flattened."""
    caption = ""
    rows: list[list[str]] = []
    depth = 0
    for line in lines[1:]:
        text = line.strip()
        if text.startswith(("{|", "|}")):
            depth += 1 if text[0] == "{" else -1
        elif depth > 0:
            if rows and rows[-1] and text[:1] in ("|", "!") and not text.startswith("|-"):
                inner = [inline.text(_content(cell)).strip() for cell in re.split(r"\|\||!!", text.lstrip("|!+"))]
                rows[-1][-1] = " / ".join(filter(None, (rows[-1][-1], *inner)))
        elif text.startswith("|+"):
            caption = inline.text(_content(text[2:])).strip()
        elif text.startswith("|-"):
            rows.append([])
        elif text[:1] in ("|", "!"):
            if not rows:
                rows.append([])
            for cell in re.split(r"\|\||!!" if text[0] == "!" else r"\|\|", text[1:]):
                rows[-1].append(inline.text(_content(cell)).strip())
        elif rows and rows[-1] and text:
            rows[-1][-1] = f"{rows[-1][-1]} {inline.text(text)}".strip()
    return caption, pipe_table([row for row in rows if row])
