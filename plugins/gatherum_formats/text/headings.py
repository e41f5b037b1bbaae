"""Find the headings of plain text, cautiously: a heading that is none does more harm than one that is missed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST: Final = 90
_RULE: Final = re.compile(r"([=\-~^*#_+\"'`.:])\1{2,}$")
_NUMBERED: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})(?:\.|\)|:)?\s+(?=\D*[^\W\d_])(\S.*)$")
_CHAPTER: Final = re.compile(
    r"(?:(part|book|volume|teil|partie|parte|часть)|chapter|section|appendix|annex|act|scene|letter|kapitel|abschnitt|"
    r"anhang|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdzia[łl]|kapitola|глава|раздел|приложение|bölüm|κεφάλαιο)\s+"
    r"(?:\d{1,3}|[ivxlc]{1,7}|[a-z])\b[.:]?(?:\s|$|\s*[-–—:])",
    re.IGNORECASE,
)
_EASTERN: Final = re.compile(
    r"第[0-9０-９〇零一二三四五六七八九十百]{1,5}([章回節节部卷編编篇話话])(?:\s|$|[:：\u3000])"
)
_COLUMNS: Final = re.compile(r"\S(?: {3,}|\t+)\S")
_LEADER: Final = re.compile(r"(?:\.{3,}|(?:\. ){3,}|…{2,})\s*\d*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines without a blank one among them.

    Attributes:
        first: The number of its first line.
        lines: The lines.
    """

    first: int
    lines: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading and the paragraph it stands at the head of.

    Attributes:
        title: Its text.
        style: What it looks like; headings of one style are of one level.
        lines: How many lines of the paragraph it takes.
    """

    title: str
    style: str
    lines: int = 1


def find_headings(paragraphs: Sequence[Paragraph]) -> dict[int, Heading]:
    """Return the headings by the index of their paragraph."""
    found: dict[int, Heading] = {}
    for index, paragraph in enumerate(paragraphs):
        heading = _underlined(paragraph.lines)
        if heading:
            found[index] = heading
    lone = [index for index, paragraph in enumerate(paragraphs) if _lone(paragraph) and index not in found]
    for finder in (_numbered, _chapters, _capitals):
        for index, heading in finder(paragraphs, lone, found).items():
            found.setdefault(index, heading)
    return found


def _lone(paragraph: Paragraph) -> bool:
    return len(paragraph.lines) == 1 and len(paragraph.lines[0]) <= _LONGEST + 20


def _titlelike(line: str) -> bool:
    """Tell whether a line may be a title: short, with letters, in one piece, no end of a sentence's part."""
    text = line.strip()
    return (
        0 < len(text) <= _LONGEST
        and any(char.isalpha() for char in text)
        and text[-1] not in ",;"
        and not _COLUMNS.search(text)
        and not _LEADER.search(text)
    )


def _underlined(lines: Sequence[str]) -> Heading | None:
    if len(lines) < 2 or len(lines[0]) > 400 or len(lines[1]) > 400:
        return None
    over = _RULE.match(lines[0].strip())
    if over and len(lines) >= 3 and lines[2].strip()[:3] == over[1] * 3:
        under = _RULE.match(lines[2].strip())
        if under and _titlelike(lines[1]):
            return Heading(title=lines[1].strip(), style=f"between {over[1]}", lines=3)
        return None
    rule = _RULE.match(lines[1].strip())
    title = lines[0].strip()
    if not rule or rule[1] in "*#.:" or not _titlelike(title) or title[-1] in "." or title[0] in "-*•|+#>":
        return None
    length = len(rule[0])
    if not len(title) * 0.6 <= length <= len(title) * 1.6 + 4:
        return None
    return Heading(title=title, style=f"under {rule[1]}", lines=2)


def _numbered(paragraphs: Sequence[Paragraph], lone: Sequence[int], found: dict[int, Heading]) -> dict[int, Heading]:
    """Return headings whose numbers count on: 1, 1.1, 1.2, 2 …, each but a parent with text below it."""
    candidates: list[tuple[int, tuple[int, ...], str]] = []
    for index in lone:
        line = paragraphs[index].lines[0]
        match = _NUMBERED.match(line)
        if match and _titlelike(line) and line.rstrip(" *_")[-1] not in ".:!。：！；，" and not match[2][0].islower():
            candidates.append((index, tuple(int(part) for part in match[1].split(".")), line.strip()))
    chain: list[tuple[int, tuple[int, ...], str]] = []
    for place, (index, number, title) in enumerate(candidates):
        following = candidates[place + 1] if place + 1 < len(candidates) else None
        has_text = index + 1 < len(paragraphs) and not (following and following[0] == index + 1)
        if not has_text and not (following and following[1][: len(number)] == number):
            continue
        if _follows(number, chain[-1][1] if chain else None):
            chain.append((index, number, title))
    if len(chain) < 2:
        return {}
    return {index: Heading(title=title, style=f"number {len(number)}") for index, number, title in chain}


def _follows(number: tuple[int, ...], last: tuple[int, ...] | None) -> bool:
    if last is None:
        return number in ((1,), (0,), (1, 0), (1, 1))
    if number in ((*last, 1), (*last, 0)):
        return True
    depth = len(number)
    return depth <= len(last) and number[:-1] == last[: depth - 1] and number[-1] == last[depth - 1] + 1


def _chapters(paragraphs: Sequence[Paragraph], lone: Sequence[int], found: dict[int, Heading]) -> dict[int, Heading]:
    chosen: dict[int, Heading] = {}
    for index in lone:
        title = paragraphs[index].lines[0].strip()
        match = _CHAPTER.match(title) or _EASTERN.match(title)
        if match and _titlelike(title) and not title.endswith((".", "。")):
            chosen[index] = Heading(
                title=title, style="part" if match[1] and match[1] not in "章回節节話话" else "chapter"
            )
    for index in list(chosen):
        alone = index + 1 in chosen and chosen[index + 1].style == chosen[index].style
        if alone or index + 1 >= len(paragraphs):
            del chosen[index]
    return chosen if len(chosen) > 1 else {}


def _capitals(paragraphs: Sequence[Paragraph], lone: Sequence[int], found: dict[int, Heading]) -> dict[int, Heading]:
    """Return lone lines in capitals, in a text that is not in capitals itself, with ordinary text below each."""
    chosen: dict[int, Heading] = {}
    capital = {index for index in lone if _in_capitals(paragraphs[index].lines[0])}
    for index in capital:
        below = paragraphs[index + 1] if index + 1 < len(paragraphs) else None
        if below is None or index + 1 in capital or index + 1 in found or index - 1 in capital:
            continue
        text = " ".join(below.lines)[:400]
        if sum(char.islower() for char in text) >= 20:
            chosen[index] = Heading(title=paragraphs[index].lines[0].strip(), style="capitals")
    titles = Counter(heading.title for heading in chosen.values())
    repeated = sum(count - 1 for count in titles.values())
    if len(chosen) < 2 or len(chosen) * 2 > len(paragraphs) or repeated * 3 > len(chosen):
        return {}
    return chosen


def _in_capitals(line: str) -> bool:
    text = line.strip()
    letters = sum(char.isalpha() for char in text)
    return (
        letters >= 4
        and len(text) <= 70
        and text.isupper()
        and letters >= len(text) * 0.6
        and text[-1] not in ".!,;:"
        and text[0].isalnum()
        and _titlelike(text)
    )
