"""The blocks of a text in Textile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum import Locator, SectionBuilder
from gatherum.tables import ABOVE, pipe_table
from gatherum_formats.html.sections import html_text
from gatherum_formats.shared.fence import fenced
from gatherum_formats.shared.frontmatter import read_front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind

_ATTRIBUTES = r"(?:\([^()\n]{0,200}\)|\{[^{}\n]{0,200}\}|\[[\w-]{0,20}\]|[<>=()-]){0,8}"
_BLOCK = re.compile(
    rf"(?P<name>h[1-6]|p|bq|bc|pre|notextile|fn\d+|###|table|dl){_ATTRIBUTES}(?P<extended>\.\.?)(?::\S*)?(?:[ \t]+|$)"
)
_LIST = re.compile(rf"([*#]{{1,20}}){_ATTRIBUTES}[ \t]+")
_TERM = re.compile(r"-[ \t]+([^\n]{1,400}?)[ \t]*:=[ \t]*")
_CELL = re.compile(rf"(?:_|[/\\]\d+|[<>=^~]|{_ATTRIBUTES}){{0,4}}\.[ \t]")
_SPAN = re.compile(r"([/\\])(\d{1,6})")
_MOST = 100
"""So many cells one may reach over."""
_INLINE = re.compile(
    r"@(?P<code>[^@\n]+)@|\"(?P<text>[^\"\n]+)\":(?P<url>[^\s<>\"]+[\w/#])|!(?P<image>[^\s!()]+)(?:\((?P<alt>[^()\n]*)\))?!(?::\S+)?"
    r"|(?<![\w*])\*(?P<strong>[^\s*][^*\n]*)\*(?![\w*])|(?<!\w)%(?:\{[^{}]*\})?(?P<span>[^%\n]+)%(?!\w)|\[(?P<note>\d+)\]|==(?P<raw>[^=\n]+)=="
)


def read_blocks(text: str, report: Report) -> Iterator[Section]:
    """Yield the sections of a text in reading order.

    Args:
        text: The text.
        report: Told of metadata and hidden text.
    """
    front = read_front_matter(text, report)
    lines = text.split("\n")
    builder = SectionBuilder()
    if front.unread:
        yield from builder.add(front.unread, kind="metadata", layer="metadata", locator=Locator.lines(1, front.lines))
    at = front.lines
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        start, at = at, _end(lines, at)
        yield from _paragraph(lines[start:at], builder, Locator.lines(start + 1, at))
    if any(line.startswith("###") for line in lines):
        report.problem("hidden_text", "the text has comments that its readers do not see")
    yield from builder.close()


def _end(lines: list[str], start: int) -> int:
    """Return where the block ends that begins at *start*: at a blank line, or for ``bc..`` at the next block."""
    match = _BLOCK.match(lines[start])
    extended = bool(match) and match is not None and match["extended"] == ".."
    for at in range(start + 1, len(lines)):
        if (_BLOCK.match(lines[at]) and extended) or (not extended and not lines[at].strip()):
            return at
    return len(lines)


def _paragraph(lines: list[str], builder: SectionBuilder, place: Locator) -> Iterator[Section]:
    match = _BLOCK.match(lines[0])
    name = match["name"] if match else ""
    text = "\n".join(lines)
    body = text[match.end() :] if match else text
    kind: Kind = "prose"
    if name[:1] == "h" and name[1:].isdigit():
        title, _, rest = body.partition("\n")
        yield from builder.enter(int(name[1]), re.sub(r"\*\*|`|\]\([^()]*\)|\[", "", _inline(title)), locator=place)
        yield from builder.add(_inline(rest), locator=place)
    elif name in ("bc", "pre"):
        yield from builder.add(fenced(body.strip("\n")), kind="code", locator=place)
    elif name == "###":
        yield from builder.add(body, kind="comment", layer="hidden", locator=place)
    elif name.startswith("fn"):
        yield from builder.add(f"[^{name[2:]}]: {_inline(body)}", kind="footnote", layer="notes", locator=place)
    elif (
        lines[-1].rstrip().endswith("|") and "|" in lines[0] + lines[-1] and any(line.startswith("|") for line in lines)
    ):
        yield from builder.add(pipe_table(_rows(lines)), kind="table", locator=place)
    elif _LIST.match(lines[0]):
        yield from builder.add("\n".join(_item(line) for line in lines), kind="list", locator=place)
    elif _TERM.match(lines[0]):
        yield from builder.add("\n".join(map(_definition, lines)), kind="list", locator=place)
    elif body.lstrip().startswith("<"):
        yield from builder.add(html_text(body), locator=place)
    else:
        kind = "quote" if name == "bq" else "prose"
        yield from builder.add(body if name == "notextile" else _inline(body), kind=kind, locator=place)


def _rows(lines: list[str]) -> list[list[str | None]]:
    """Return the cells of a table; a cell that reaches over others says so by numbers before its dot."""
    rows: list[list[str | None]] = []
    below: dict[int, int] = {}
    for line in (line for line in lines if "|" in line):
        row: list[str | None] = []
        for cell in line.strip().removeprefix("|").removesuffix("|").split("|"):
            while below.get(len(row), 0) > 0:
                below[len(row)] -= 1
                row.append(ABOVE)
            mark = _CELL.match(cell)
            spans = dict(_SPAN.findall(mark[0])) if mark else {}
            if "/" in spans:
                below[len(row)] = min(int(spans["/"]), _MOST) - 1
            row.append(_inline(cell[mark.end() :] if mark else cell))
            row += [None] * (min(int(spans.get("\\", 1)), _MOST) - 1)
        rows.append(row)
    return rows


def _item(line: str) -> str:
    match = _LIST.match(line)
    if match is None:
        return f"  {_inline(line.strip())}"
    return f"{'  ' * (len(match[1]) - 1)}{'1.' if match[1].endswith('#') else '-'} {_inline(line[match.end() :])}"


def _definition(line: str) -> str:
    match = _TERM.match(line)
    if match is None:
        return f"  {_inline(line.strip().removesuffix('=:').rstrip())}"
    return f"- **{_inline(match[1])}**: {_inline(line[match.end() :].removesuffix('=:').strip())}".rstrip()


def _inline(text: str) -> str:
    return _INLINE.sub(_replaced, text)


def _replaced(match: re.Match[str]) -> str:
    if match["code"]:
        return f"`{match['code']}`"
    if match["text"]:
        return f"[{match['text']}]({match['url']})"
    if match["image"]:
        return match["alt"] or ""
    if match["note"]:
        return f"[^{match['note']}]"
    if match["strong"]:
        return f"**{match['strong']}**"
    return match["span"] or match["raw"] or match[0]
