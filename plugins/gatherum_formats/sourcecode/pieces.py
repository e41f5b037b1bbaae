"""Source code in its own order, each piece under the symbol that it belongs to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Locator, Section
from gatherum_formats.shared.fence import fenced
from gatherum_formats.sourcecode.grammars import GRAMMARS
from gatherum_formats.sourcecode.symbols import python_symbols, scan_symbols, with_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gatherum_formats.sourcecode.symbols import Symbol

_Stretch = tuple[tuple[str, ...], int, int]

_WORD: Final = re.compile(r"\w")
_SYMBOLS: Final = 20_000
_LINES: Final = 400
_CHARS: Final = 16_000
_MINIFIED: Final = 1_000


def read_code(text: str, language: str, family: str) -> Iterator[Section]:
    """Yield code as fenced blocks.

    Args:
        text: The code.
        language: What fences call its language.
        family: The name of its grammar; "" if its symbols are not told.
    """
    grammar = GRAMMARS.get(family)
    lines = text.split("\n")
    symbols: list[Symbol] = []
    first = 1
    minified = len(text) >= _MINIFIED * len(lines)
    parsed = python_symbols(text) if family == "python" and not minified else None
    if parsed:
        symbols, docstring = parsed
        if docstring and lines[docstring[1] - 1].rstrip().endswith(('"', "'")):
            yield from _pieces(lines, (), 1, docstring[0] - 1, language)
            yield Section(text=docstring[2], locator=Locator.lines(docstring[0], docstring[1]))
            first = docstring[1] + 1
    elif grammar and not minified:
        symbols = scan_symbols(lines, grammar)
    symbols = with_comments(symbols, lines, grammar.comment) if grammar and len(symbols) <= _SYMBOLS else []
    for path, start, end in _joined(lines, _stretches(symbols, first, len(lines))):
        yield from _pieces(lines, path, start, end, language)


def _stretches(symbols: Sequence[Symbol], first: int, last: int) -> Iterator[_Stretch]:
    """Yield stretches of lines, each with the names of the symbols around it."""
    open_: list[Symbol] = []
    at = first
    for symbol in [*symbols, None]:
        begin = symbol.start if symbol else last + 1
        while open_ and (open_[-1].end < begin or (symbol and symbol.depth <= open_[-1].depth)):
            end = min(open_[-1].end, begin - 1)
            if at <= end:
                yield _path(open_), at, end
                at = end + 1
            open_.pop()
        if at < begin:
            yield _path(open_), at, begin - 1
            at = begin
        if symbol:
            open_.append(symbol)


def _joined(lines: Sequence[str], stretches: Iterable[_Stretch]) -> Iterator[_Stretch]:
    """Add stretches without a word in them, such as closing brackets, to the one before."""
    held: _Stretch | None = None
    for path, start, end in stretches:
        if held and not any(_WORD.search(line) for line in lines[start - 1 : end]):
            held = held[0], held[1], end
            continue
        if held:
            yield held
        held = path, start, end
    if held:
        yield held


def _path(symbols: Sequence[Symbol]) -> tuple[str, ...]:
    return tuple(symbol.name for symbol in symbols)


def _pieces(lines: Sequence[str], path: tuple[str, ...], start: int, end: int, language: str) -> Iterator[Section]:
    """Yield a stretch of lines as fenced code, in pieces of bearable length; blank edges go."""
    while start <= end and not lines[start - 1].strip():
        start += 1
    while end >= start and not lines[end - 1].strip():
        end -= 1
    batch: list[str] = []
    first, chars = start, 0
    for number in range(start, end + 1):
        line = lines[number - 1].rstrip()
        for at in range(0, len(line) or 1, _CHARS):
            part = line[at : at + _CHARS]
            if batch and (chars + len(part) > _CHARS or len(batch) >= _LINES):
                yield _section(batch, path, first, number - (not at), language)
                batch, first, chars = [], number, 0
            batch.append(part)
            chars += len(part)
    if batch:
        yield _section(batch, path, first, end, language)


def _section(batch: Sequence[str], path: tuple[str, ...], first: int, last: int, language: str) -> Section:
    text = fenced("\n".join(batch), language)
    return Section(text=text, heading=path, level=len(path), kind="code", locator=Locator.lines(first, last))
