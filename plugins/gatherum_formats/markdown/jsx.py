"""MDX: module statements and the tags of components, which stand between paragraphs of Markdown."""

from __future__ import annotations

import re

from gatherum_formats.markdown.tags import said

_STATEMENT = re.compile(
    r"import\s*(?:[\"'{*]|[\w$]+\s*(?:,|from\b))|export\s+(?:(?:const|let|var|function|default|async|class)\b|[{*])"
)
_BRACKET = re.compile(r"[\[\](){}]")
_COMPONENT = re.compile(
    r"""</?(?:[A-Z][\w.]*)?(?P<attributes>(?:[^<>"'{}]++|"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*+\}){0,400}+)>"""
)
_START = re.compile(r"</?(?:[A-Z]|>)")
_TOKEN = re.compile(r"""=>|["'`{}<>]""")
_LINES = 100


def module_end(lines: list[str], at: int, reach: int) -> tuple[int, bool]:
    """Return the index after the module statement at *at* (*at* itself if there is none) and whether that is certain.

    A statement ends at the first blank line that is outside all brackets. If there is none within *reach* lines, it is
    taken to end at the first blank line.
    """
    if not _STATEMENT.match(lines[at]):
        return at, True
    depth, first = 0, 0
    end = min(len(lines), at + reach)
    for index in range(at, end):
        line = lines[index]
        if not line.strip():
            if depth <= 0:
                return index, True
            first = first or index
        depth += sum(1 if bracket in "[({" else -1 for bracket in _BRACKET.findall(line))
    return (end, True) if depth <= 0 else (first or end, False)


def spoken_tags(lines: list[str], at: int, barrier: int) -> tuple[list[str], int] | None:
    """Replace the component tags that begin at *at* by what they say.

    Args:
        lines: The document.
        at: A line that begins with "<".
        barrier: Up to where it is known that tags over several lines do not end.

    Returns:
        The lines that stand for lines *at* and following, and the index of the next; None if there is no such tag.
        The lines are the same when the tag does not end nearby.
    """
    line = lines[at]
    body = line.lstrip()
    if not _START.match(body):
        return None
    spoken = _COMPONENT.sub(lambda match: f" {said(match['attributes'])} ", body).strip()
    if not _START.match(spoken):
        return [spoken], at + 1
    if at < barrier:
        return None
    depth, quote, inside = 0, "", [body]
    for index in range(at, min(len(lines), at + _LINES)):
        text = body if index == at else lines[index]
        if index > at:
            inside.append(text)
        for token in _TOKEN.finditer(text, 1 if index == at else 0):
            mark = token[0]
            if quote:
                quote = "" if mark == quote else quote
            elif mark in "\"'`":
                quote = mark
            elif mark in "{}":
                depth += 1 if mark == "{" else -1
            elif mark == ">" and depth <= 0:
                inside[-1] = text[: token.end()]
                texts = [said("\n".join(inside)), *[""] * (index - at)]
                texts[-1] = f"{texts[-1]} {text[token.end() :]}".strip()
                return texts, index + 1
    return lines[at : at + _LINES], min(len(lines), at + _LINES)
