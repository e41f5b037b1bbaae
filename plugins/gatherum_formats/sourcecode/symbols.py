"""Find the symbols of a source file: where each begins and ends, and what it is called."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Sequence

    from gatherum_formats.sourcecode.grammars import Grammar

_DEEPEST: Final = 4
_LONG: Final = 300
_PARSED: Final = 1 << 20
"""In letters: the parser takes half a kilobyte for each of some."""
_CLOSER: Final = re.compile(r"[}\])]|end\b|\);|fi\b|done\b|esac\b", re.IGNORECASE)
_OPENER: Final = re.compile(r"[{(]|begin\b|where\b|:\s|throws\b|->|\)", re.IGNORECASE)
_WHOLE: Final[dict[str, tuple[str, ...]]] = {"closer": (";", "}", "; end"), "semicolon": (";",)}
"""How a line ends that holds a symbol whole."""
_TRIPLE: Final = re.compile(r'"""|' + "'''")


@dataclass(slots=True, kw_only=True)
class Symbol:
    """A class, function or the like.

    Attributes:
        name: What it is called.
        depth: 1 at the top.
        start: Its first line, from 1, with the comments and decorators above it.
        end: Its last line.
    """

    name: str
    depth: int
    start: int
    end: int


def python_symbols(text: str) -> tuple[list[Symbol], tuple[int, int, str] | None] | None:
    """Return the symbols of a Python module, and its docstring with its lines; None if it cannot be parsed."""
    import ast

    if len(text) > _PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: list[Symbol] = []
    stack: list[tuple[ast.AST, int]] = [(statement, 1) for statement in reversed(module.body)]
    while stack:
        statement, depth = stack.pop()
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            start = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
            end = statement.end_lineno or statement.lineno
            found.append(Symbol(name=statement.name, depth=depth, start=start, end=end))
            if isinstance(statement, ast.ClassDef) and depth < _DEEPEST:
                stack.extend((inner, depth + 1) for inner in reversed(statement.body))
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            bodies = [statement.body, getattr(statement, "orelse", []), getattr(statement, "finalbody", [])]
            stack.extend((inner, depth) for body in reversed(bodies) for inner in reversed(body))
    docstring = ast.get_docstring(module)
    first = module.body[0] if module.body else None
    if not docstring or first is None:
        return found, None
    return found, (first.lineno, first.end_lineno or first.lineno, docstring)


def scan_symbols(lines: Sequence[str], grammar: Grammar) -> list[Symbol]:
    """Return the symbols of a file by the look of its lines alone."""
    found: list[Symbol] = []
    open_: list[tuple[Symbol, int, bool]] = []
    for number, stripped, indent in _code(lines, quotes=grammar.ending == "indent"):
        closed = False
        while open_ and (ends := _ends(grammar, stripped, indent, open_[-1][1])):
            symbol, _, _ = open_.pop()
            if symbol.end < number:
                symbol.end = number if ends == "with" else number - 1
            closed = closed or ends == "with"
        if closed or len(stripped) > _LONG or (open_ and not open_[-1][2]) or len(open_) >= _DEEPEST:
            continue
        if named := _symbol(grammar, stripped, inside=bool(open_)):
            symbol = Symbol(name=named[0], depth=len(open_) + 1, start=number, end=0)
            found.append(symbol)
            open_.append((symbol, indent, named[1]))
            if stripped.endswith(_WHOLE.get(grammar.ending, ())):
                symbol.end = number
                open_.pop()
    for symbol, _, _ in open_:
        symbol.end = len(lines)
    return found


def _code(lines: Sequence[str], *, quotes: bool) -> Iterator[tuple[int, str, int]]:
    """Yield the lines that are no blank lines and no part of block comments or long strings, with their indents."""
    until = ""
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if until:
            if until in stripped:
                until = ""
            continue
        if not stripped:
            continue
        if stripped.startswith("/*"):
            until = "" if "*/" in stripped[2:] else "*/"
            continue
        match = _TRIPLE.search(stripped[:_LONG]) if quotes else None
        indent = len(line) - len(line.lstrip())
        yield number, stripped, indent
        if match and stripped.count(match[0]) % 2:
            until = match[0]


def _ends(grammar: Grammar, stripped: str, indent: int, left: int) -> str:
    """Say how a line ends the symbol that is open: "with" it, "before" it, or not at all ("")."""
    if indent > left:
        return ""
    if grammar.ending == "indent":
        return "before" if not stripped.startswith((")", "]", "}", "#")) else ""
    named = _symbol(grammar, stripped, inside=left > 0)
    if grammar.ending == "next":
        return "before" if named else ""
    if grammar.ending == "semicolon":
        return "before" if named else "with" if stripped.endswith(";") else ""
    if _CLOSER.match(stripped) and not stripped.endswith(("{", "(")):
        return "with"
    return "before" if named or not _OPENER.match(stripped) else ""


def _symbol(grammar: Grammar, stripped: str, *, inside: bool) -> tuple[str, bool] | None:
    """Return the name of the symbol that a line begins, and whether it holds others."""
    stripped = stripped[:_LONG]
    match = grammar.container.match(stripped) if grammar.container else None
    if match:
        return match["name"], True
    match = grammar.leaf.match(stripped) or (grammar.member.match(stripped) if inside and grammar.member else None)
    if not match:
        return None
    groups = match.groupdict()
    name = groups.get("name") or groups.get("type") or groups.get("value") or ""
    owner = groups.get("owner")
    return (f"{owner}.{name}" if owner else name.strip()), False


def with_comments(symbols: Sequence[Symbol], lines: Sequence[str], comment: re.Pattern[str]) -> list[Symbol]:
    """Let each symbol begin at the comments and decorators right above it."""
    symbols = sorted(symbols, key=lambda symbol: (symbol.start, symbol.depth))
    taken = 0
    for symbol in symbols:
        start = symbol.start
        while start - 1 > taken:
            above = lines[start - 2].strip()
            if above.endswith("*/"):
                begin = start - 1
                while begin > taken and not lines[begin - 1].lstrip().startswith("/*"):
                    begin -= 1
                if begin == taken:
                    break
                start = begin
            elif comment.match(above):
                start -= 1
            else:
                break
        taken = symbol.start
        symbol.start, symbol.end = start, max(symbol.start, symbol.end)
    return list(symbols)
