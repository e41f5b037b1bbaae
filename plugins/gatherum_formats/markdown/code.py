"""Code in Markdown, and the words of inline markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum_formats.markdown.inline import without_payload
from gatherum_formats.markdown.tags import known_tag, said
from gatherum_formats.shared.fence import fenced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token

    from gatherum.document import Kind

_RULE = re.compile(r"(?:`{3,}|~{3,})[ \t]*$")
_INFO = re.compile(r"\{[ \t]*(?:\.|=)?([\w+#./-]*)[, \t]*([^{}]*)\}[ \t]*(.*)$")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w.-]*)")


def fenced_block(lines: list[str], content: str) -> tuple[Kind, str]:
    """Return the kind and the text of a fenced block: code with its language, or TeX; "" if it is empty.

    Args:
        lines: Its lines, fences included.
        content: What the parser took for its content.
    """
    first = lines[0].lstrip()
    closed = len(lines) > 1 and bool(_RULE.match(lines[-1].lstrip("> \t")))
    body = content.rstrip("\n") if lines[0][:1] in (" ", "\t") else "\n".join(lines[1 : -1 if closed else None])
    if not body.strip():
        return "code", ""
    mark = first[: len(first) - len(first.lstrip(first[0]))]
    info = _language_first(first[len(mark) :].strip())
    if info in ("math", "latexmath"):
        return "math", f"$$\n{body.strip()}\n$$"
    return "code", without_payload(f"{mark}{info}\n{body}\n{mark}")


def code_block(content: str) -> str:
    """Return indented code with fences around it."""
    return without_payload(fenced(content.rstrip("\n")))


def _language_first(info: str) -> str:
    """Write the info string of a fence with the language first: ``{r, echo=FALSE}``, ``{.python #id}``."""
    match = _INFO.match(info)
    if not match:
        return info
    name, options, rest = match[1], match[2].strip(), match[3].strip()
    if name in ("code-cell", "code-block", "code", "sourcecode"):
        return f"{rest} {{{name}}}".strip() if name == "code-cell" else rest
    return " ".join(part for part in (name, f"{{{options}}}" if options else "", rest) if part)


def spoken(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the words of inline tokens: links by their text, images by their alternative text, no tags of HTML."""
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield from spoken(token.children or ())
        elif token.type == "html_inline":
            name = _TAG_NAME.match(token.content)
            if name and name[1].lower() == "img":
                yield said(token.content)
            elif name and not known_tag(name[1].lower()):
                yield token.content
            elif name and name[1].lower() == "br":
                yield " "
        else:
            yield token.content
