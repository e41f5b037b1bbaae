"""Plain text by its paragraphs.

Headings are recognised where they are unmistakable: underlined, numbered in a row that counts on, chapters, lone
lines in capitals. Everything else stays as it is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Locator, Section, SectionBuilder, UnreadableError
from gatherum_formats.shared.terminal import plain_output
from gatherum_formats.text.headings import Paragraph, find_headings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatherum import Report
    from gatherum.document import Kind

_ITEM: Final = re.compile(r"\s{0,8}(?:[-*+•‣▪◦–]|\d{1,3}[.)])\s+\S")
_PIPE_RULE: Final = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*$")
_TAGS: Final = re.compile("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0020-\U000e007e]+")
_LONG: Final = 2_000
_DEEPEST: Final = 9


def read_text(text: str, name: str, report: Report) -> Iterator[Section]:
    """Yield the sections of a text in reading order.

    Args:
        text: The text, as it is in the file.
        name: What it is called in problems.
        report: Told of problems.

    Raises:
        UnreadableError: There is nothing in it.
    """
    text = plain_output(text)
    if not text.strip().strip("\x00\u200b\u2060 \n"):
        raise UnreadableError("empty", f"{name} has no text")
    paragraphs = _paragraphs(text)
    headings = find_headings(paragraphs)
    builder = SectionBuilder()
    if tags := "".join(_TAGS.findall(text)):
        report.problem("hidden_text", "the text has invisible tag characters")
        secret = "".join(chr(ord(tag) - 0xE0000) for tag in tags)
        yield Section(text=secret, layer="hidden", kind="note")
    levels: dict[str, int] = {}
    for index, paragraph in enumerate(paragraphs):
        lines, first = paragraph.lines, paragraph.first
        heading = headings.get(index)
        if heading:
            level = levels.setdefault(heading.style, min(len(levels) + 1, _DEEPEST))
            place = Locator.lines(first, first + heading.lines - 1)
            yield from builder.enter(level, heading.title, locator=place)
            lines, first = lines[heading.lines :], first + heading.lines
        if lines:
            yield from builder.add(
                "\n".join(lines), kind=_kind(lines), locator=Locator.lines(first, first + len(lines) - 1)
            )
    yield from builder.close()


def _paragraphs(text: str) -> list[Paragraph]:
    """Part a text at blank lines and form feeds."""
    found: list[Paragraph] = []
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip("\f\v \t\r\x00") and not line.isspace():
            if "\f" in line and lines:
                found.append(Paragraph(first=number - len(lines), lines=lines))
                lines = []
            lines.append(line.strip("\f").rstrip())
        elif lines:
            found.append(Paragraph(first=number - len(lines), lines=lines))
            lines = []
    if lines:
        found.append(Paragraph(first=number - len(lines) + 1, lines=lines))
    return found


def _kind(lines: Sequence[str]) -> Kind:
    """Tell lists and pipe tables where every line bears it out; all else is prose."""
    if len(lines) < 2 or len(lines) > _LONG:
        return "prose"
    if _PIPE_RULE.match(lines[1][:_LONG]) and all("|" in line for line in lines):
        return "table"
    items = sum(bool(_ITEM.match(line)) for line in lines)
    depth = len(lines[0]) - len(lines[0].lstrip())
    if items >= 2 and _ITEM.match(lines[0]) and all(_ITEM.match(line) or _indented(line, depth) for line in lines):
        return "list"
    return "prose"


def _indented(line: str, depth: int) -> bool:
    return len(line) - len(line.lstrip()) > depth
