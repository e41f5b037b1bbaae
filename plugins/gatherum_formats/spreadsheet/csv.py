"""Comma separated values, whatever separates them."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEPARATORS: Final = ",;\t|"
_SAMPLE_ROWS: Final = 60
_SAMPLE_CHARS: Final = 60_000
_MOST_LINES: Final = 200
"""A quoted value that spans more lines is taken for a stray quotation mark."""
_DECLARED = re.compile(r"\ufeff?sep=(.)\r?\n", re.IGNORECASE)


def read_values(text: str, *, tabs: bool = False) -> Iterator[tuple[int, list[str | None]]]:
    """Yield the rows of a file, each with the number of its first line.

    Args:
        text: The file; a first line such as ``sep=;`` is obeyed and left out.
        tabs: Whether the file's name says that tabs separate its values.
    """
    csv.field_size_limit((1 << 31) - 1)  # the whole process shares it; the file's own size bounds a value here
    declared = _DECLARED.match(text)
    skipped = 1 if declared else 0
    if declared:
        text, separator = text[declared.end() :], declared[1]
    else:
        separator = "\t" if tabs and "\t" in text[:_SAMPLE_CHARS] else _separator(text)
    lines = io.StringIO(text, newline="")
    if _has_stray_quote(text, separator):
        reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=separator)
    line = 1 + skipped
    for row in reader:
        yield line, [value.strip() for value in row]
        line = reader.line_num + 1 + skipped


def _separator(text: str) -> str:
    """Return the separator that gives most rows the same number of values, more than one."""
    sample = text[:_SAMPLE_CHARS]
    best, most = ",", 0.0
    for separator in _SEPARATORS:
        if separator not in sample:
            continue
        rows = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
        widths = Counter(len(row) for row in islice(rows, _SAMPLE_ROWS) if any(row))
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        score = count / max(1, widths.total()) + min(width, 10) / 100 if width > 1 else 0.0
        if score > most:
            best, most = separator, score
    return best


def _has_stray_quote(text: str, separator: str) -> bool:
    """Tell whether a quotation mark that is never closed would swallow the rest of the file."""
    if '"' not in text:
        return False
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    before = 0
    for _ in reader:
        if reader.line_num - before > _MOST_LINES:
            return True
        before = reader.line_num
    return False
