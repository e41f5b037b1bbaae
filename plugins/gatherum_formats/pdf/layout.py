"""Put the lines of a page in reading order, and part them into paragraphs.

Most programs draw a page in the order in which it is read, and then nothing is moved. Where rows run across two
columns, or lines jump back up the page, the white gutter between columns decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

from gatherum_formats.pdf.lines import LEADER, SOFT, Line, upright

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BINS: Final = 200
_COLUMNS: Final = 3
"""Columns are split in two this often: up to eight stand side by side."""
_PROSE: Final = 14
_LONGEST: Final = 80
"""No word is longer that a hyphen at the end of a line breaks."""
_GAP: Final = "  "
"""Stands between the pieces of a row, as in a table."""
_MARK: Final = re.compile(r"(?:[•▪‣◦●○■□–—*\-·]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])\s+\S")
_OPEN: Final = re.compile(r"[^.!?:;。！？]$")
_JOINING: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines that belong together.

    Attributes:
        lines: The lines, in reading order.
        text: What they say as one text.
    """

    lines: tuple[Line, ...]
    text: str


def arrange(rows: Sequence[Sequence[Line]]) -> list[Line]:
    """Return the lines of a page in reading order, the page turned so that most of its text stands upright."""
    turns = Counter(line.turn for row in rows for line in row)
    turn = turns.most_common(1)[0][0] if turns else 0
    if turn:
        rows = [[upright(line, turn) for line in row] for row in rows]
    straight = [row for row in rows if row[0].turn == turn]
    askew = [_row(row) for row in rows if row[0].turn != turn]
    pieces = [line for row in straight for line in row]
    broken = sum(len(row) > 1 for row in straight) > 2
    jumps = _jumps([row[0] for row in straight])
    if jumps or (broken and _gutter(pieces) is not None):
        return _columns(pieces, 0) + askew
    return [_row(row) for row in straight] + askew


def paragraphs(lines: Sequence[Line], is_compound: Callable[[str], bool]) -> list[Paragraph]:
    """Part lines in reading order where white space, indents, sizes or list marks part them.

    Args:
        lines: The lines.
        is_compound: Whether a word is one that the document writes with a hyphen in other places too.
    """
    steps = [above.bottom - line.bottom for above, line in pairwise(lines) if _under(above, line)]
    pitch = median(steps) if steps else 0.0
    found: list[list[Line]] = []
    for line in lines:
        if found and not _parts(found[-1], line, pitch):
            found[-1].append(line)
        else:
            found.append([line])
    return [Paragraph(lines=tuple(group), text=_joined(group, is_compound)) for group in found]


def _under(above: Line, line: Line) -> bool:
    return line.middle < above.middle and line.left < above.right and line.right > above.left


def _parts(group: Sequence[Line], line: Line, pitch: float) -> bool:
    """Whether a line begins a paragraph."""
    last, first = group[-1], group[0]
    if last.text.endswith(SOFT) and line.text[:1].islower():
        return False
    if _MARK.match(line.text) or last.turn != line.turn:
        return True
    if max(last.size, line.size) > 1.1 * min(last.size, line.size) or last.bold is not line.bold:
        return True
    if not _under(last, line):
        return not (_OPEN.search(last.text) and line.text[:1].islower())
    if last.bottom - line.bottom > max(1.35 * pitch if len(group) > 1 else 1.5 * pitch, 1.2 * line.size):
        return True
    edge = min(other.left for other in group[-3:])
    listed = bool(_MARK.match(first.text))
    return not listed and len(group) > 1 and 0.8 * line.size < line.left - edge < 5 * line.size


def _joined(group: Sequence[Line], is_compound: Callable[[str], bool]) -> str:
    """Return the text of a paragraph: lines that end early keep their break, hyphens that only break a line go."""
    edge = max(line.right for line in group)
    width = edge - min(line.left for line in group)
    text = ""
    for line, following in zip(group, [*group[1:], None], strict=True):
        text += line.text.removesuffix(SOFT)
        if line.text.endswith(SOFT):
            head = (text[-_LONGEST:].split() or [""])[-1]
            tail = (following.text[:_LONGEST].split() or [""])[0] if following else ""
            word = f"{head}-{tail}".strip(".,;:()[]\"'“”‘’!?").casefold()
            broken = head[-1:].isalpha() and tail[:1].islower() and not is_compound(word)
            text += "" if broken else "-"
        elif following is not None:
            early = line.right < edge - 0.15 * width and not (_OPEN.search(line.text) and following.text[:1].islower())
            apart = early or any(mark in other.text for mark in (_GAP, LEADER) for other in (line, following))
            text += "\n" if apart else "" if _JOINING.search(line.text) else " "
    return text


def _jumps(lines: Sequence[Line]) -> bool:
    """Whether lines are drawn out of order: above the one before them, with no other column to begin there."""
    back = sum(
        line.bottom > above.top - 0.2 * line.size and line.left < above.right and line.right > above.left
        for above, line in pairwise(lines)
    )
    return back > max(2, len(lines) // 12)


def _gutter(pieces: Sequence[Line]) -> float | None:
    """Return the middle of the white strip between two columns of prose, or None if there is none."""
    low, high = min(line.left for line in pieces), max(line.right for line in pieces)
    if not 0 < high - low < 1e7 or len(pieces) < 6:
        return None
    scale = _BINS / (high - low)
    change, starts, ends = [0] * (_BINS + 2), [0] * (_BINS + 2), [0] * (_BINS + 2)
    for line in pieces:
        first, last = int((line.left - low) * scale), int((line.right - low) * scale)
        change[first + 1] += 1
        change[last] -= 1
        starts[first] += 1
        ends[last] += 1
    covered, cover, before, after = 0, [0] * _BINS, 0, len(pieces)
    best: tuple[float, int, int] | None = None
    run = 0
    for at in range(_BINS):
        covered += change[at]
        cover[at] = covered
        before, after = before + (ends[at - 1] if at else 0), after - (starts[at - 1] if at else 0)
        run = run + 1 if at and cover[at] == cover[at - 1] else 1
        if not 0.15 * _BINS < at < 0.85 * _BINS or min(before, after) < 3 or covered > 0.6 * min(before, after):
            continue
        if best is None or (covered, -run) < (best[0], -best[2]):
            best = covered, at, run
    if best is None:
        return None
    middle = low + (best[1] - (best[2] - 1) / 2 + 0.5) / scale
    left = [len(line.text) for line in pieces if line.right <= middle]
    right = [len(line.text) for line in pieces if line.left >= middle]
    return middle if left and right and min(median(left), median(right)) >= _PROSE else None


def _columns(pieces: Sequence[Line], depth: int) -> list[Line]:
    """Return lines top down, column after column wherever a gutter parts them."""
    middle = _gutter(pieces) if depth < _COLUMNS and pieces else None
    ordered = sorted(pieces, key=lambda line: -line.middle)
    if middle is None:
        return _stacked(ordered)
    done: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in [*ordered, None]:
        if line is not None and (line.right <= middle or line.left >= middle):
            (left if line.right <= middle else right).append(line)
            continue
        if len(left) > 1 and len(right) > 1:
            done += _columns(left, depth + 1) + _columns(right, depth + 1)
        else:
            done += _stacked(sorted(left + right, key=lambda line: -line.middle))
        left, right = [], []
        if line is not None:
            done.append(line)
    return done


def _stacked(ordered: Sequence[Line]) -> list[Line]:
    """Join pieces of one height into lines."""
    rows: list[list[Line]] = []
    for line in ordered:
        if rows and abs(rows[-1][0].middle - line.middle) < 0.4 * min(rows[-1][0].size, line.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [_row(sorted(row, key=lambda line: line.left)) for row in rows]


def _row(row: Sequence[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    if all(unicodedata.bidirectional(line.text[0]) in ("R", "AL") for line in row):
        row = list(reversed(row))
    return replace(
        row[0],
        text=_GAP.join(line.text.removesuffix(SOFT) + "-" * line.text.endswith(SOFT) for line in row[:-1])
        + _GAP
        + row[-1].text,
        left=min(line.left for line in row),
        right=max(line.right for line in row),
        bold=all(line.bold for line in row),
        size=max(line.size for line in row),
    )
