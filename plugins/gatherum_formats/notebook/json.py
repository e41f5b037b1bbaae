"""Notebook files as plain values, however damaged: whole JSON where it is whole, else the cells that can be saved."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from gatherum import UnreadableError

if TYPE_CHECKING:
    from gatherum import Report

_CELL_START: Final = re.compile(
    r'\{\s*"(?:cell_type|attachments|execution_count|id|metadata|outputs|source|collapsed|input|language|level)"\s*:'
)
_CELLS: Final = re.compile(r'"cells"\s*:\s*\[')
_TYPE: Final = re.compile(r'"cell_type"\s*:\s*"(\w{1,20})"')
_SOURCE: Final = re.compile(r'"(?:source|input)"\s*:\s*(\[?)\s*')
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*+)("?)\s*,?\s*', re.DOTALL)
_TRIES: Final = 500
_REACH: Final = 2_000_000
_HUGE_DIGITS: Final = 4_000


def parse_notebook(text: str, name: str, report: Report) -> dict[str, Any]:
    """Return a notebook's JSON object.

    Args:
        text: The file.
        name: Its name, for messages.
        report: Told when only a part of the cells could be saved.

    Raises:
        UnreadableError: It is no notebook, or nothing of it can be saved.
    """
    start = len(text) - len(text.lstrip(" \t\r\n\ufeff\x00"))
    try:
        found, end = _decoder().raw_decode(text, start)
    except RecursionError:
        raise UnreadableError("too_deep", f"{name} is nested deeper than any notebook") from None
    except ValueError as error:
        if "digits" in str(error):
            return _whole(json.JSONDecoder(strict=False, parse_int=_number).raw_decode(text, start)[0], name)
        return _saved(text, name, report, error)
    if text[end : end + 1000].strip("\x00 \t\r\n\x1a"):
        report.problem("partial", f"{name} goes on after the notebook's end; that was left out")
    return _whole(found, name)


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(strict=False)


def _number(digits: str) -> int | str:
    return int(digits) if len(digits) < _HUGE_DIGITS else digits


def _whole(found: object, name: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise UnreadableError("corrupt", f"{name} is not a notebook: its JSON is no object")
    return found


def _saved(text: str, name: str, report: Report, error: ValueError) -> dict[str, Any]:
    """Return a notebook of the cells that still parse, and of the source of those cut short."""
    message = getattr(error, "msg", str(error))
    line = getattr(error, "lineno", 0)
    match = _CELLS.search(text)
    if match is None:
        raise UnreadableError("corrupt", f"{name} is not valid JSON: {message} in line {line}")
    cells: list[Any] = []
    decoder, at = _decoder(), match.end()
    for _ in range(_TRIES):
        start = _CELL_START.search(text, at)
        if start is None:
            break
        try:
            while True:
                cell, at = decoder.raw_decode(text, start.start())
                cells.append(cell)
                start = _CELL_START.match(text, _after_comma(text, at))
                if start is None:
                    break
        except RecursionError:
            break
        except ValueError:
            if start is None:
                break
            torn = _torn(text, start.start())
            at = start.end()
            if torn:
                cells.append(torn[0])
                at = max(at, torn[1])
    if not cells:
        raise UnreadableError("corrupt", f"{name} is not valid JSON: {message} in line {line}")
    report.problem("partial", f"{name} is not valid JSON ({message} in line {line}); the cells that can be read were")
    return {"cells": cells, "metadata": {}, "nbformat": 4}


def _after_comma(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at


def _torn(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    """Return what can be had of a cell that is cut or spoilt, and where that ends."""
    following = _CELL_START.search(text, start + 1, start + _REACH)
    end = following.start() if following else min(len(text), start + _REACH)
    source = _SOURCE.search(text, start, end)
    if source is None:
        return None
    lines: list[str] = []
    at = source.end()
    while at < end and (match := _STRING.match(text, at, end)):
        lines.append(_unescaped(match[1]))
        at = match.end()
        if not source[1] or not match[2]:
            break
    if not lines:
        return None
    kind = _TYPE.search(text, start, end)
    return {"cell_type": kind[1] if kind else "markdown", "source": lines, "metadata": {}, "outputs": []}, at


def _unescaped(text: str) -> str:
    for cut in range(min(7, len(text) + 1)):
        try:
            return str(json.loads(f'"{text[: len(text) - cut]}"', strict=False))
        except ValueError:
            continue
    return text
