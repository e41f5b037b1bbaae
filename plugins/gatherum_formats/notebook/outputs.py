"""What notebook cells put out, as text: no pictures, no terminal colours, bounded."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any, Final

from gatherum.tables import pipe_table
from gatherum_formats.shared.fence import fenced
from gatherum_formats.shared.terminal import plain_output

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEAD: Final = 48_000
_TAIL: Final = 16_000
_RAW: Final = 4_000_000
_TRACE: Final = 4_000
_PAYLOAD: Final = re.compile(r"[A-Za-z0-9+/]{512,}={0,2}")
_TAG: Final = re.compile(r"<[/!]?([A-Za-z][\w-]*|--)")
_FRAME_TAGS: Final = frozenset(("table", "thead", "tbody", "tr", "th", "td", "div", "style", "p"))
_SPAN: Final = re.compile(r"(?:row|col)span|display\s*:|hidden|<(?:p|div)\b[^>]*>[^<]*</(?:p|div)>\s*</t[dh]>")
_STYLE: Final = re.compile(r"<style\b[^>]*>[^<]*</style>")
_ANY_TAG: Final = re.compile(r"<[^<>]*>")
_TABLE_CELL: Final = re.compile(r"<t[hd]\b[^>]*>([^<]*)</t[hd]>")
_BARE_OBJECT: Final = re.compile(r"<[\w.]+(?: [\w.]+)? at 0x[0-9a-fA-F]+>$|<IPython\.core\.display\.\w+ object>$")


def joined(value: object) -> str:
    """Return text that a notebook stores as a string or as a list of lines; "" for anything else.

    The lines of notebooks before version 3 come without their line ends.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    if all(isinstance(item, str) for item in value):
        return "".join(value) if any("\n" in line for line in value) else "\n".join(value)
    parts: list[str] = []
    stack: list[Any] = [*reversed(value)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
        elif isinstance(item, list):
            stack.extend(reversed(item))
    return "".join(parts)


def capped(text: str) -> str:
    """Return the beginning and the end of a text that is too long to be read by anyone."""
    if len(text) <= _HEAD + _TAIL:
        return text
    left_out = len(text) - _HEAD - _TAIL
    return f"{text[:_HEAD]}\n[… {left_out} characters left out …]\n{text[-_TAIL:]}"


def output_texts(outputs: Iterable[object]) -> Iterator[tuple[str, bool]]:
    """Yield the text of each output, and whether something of it was left out for its length."""
    stream: list[str] = []
    for output in outputs:
        if not isinstance(output, dict):
            continue
        if output.get("output_type") == "stream":
            stream.append(joined(output.get("text")))
            continue
        if stream:
            yield _preformatted("".join(stream))
            stream = []
        yield _output(output)
    if stream:
        yield _preformatted("".join(stream))


def _output(output: dict[str, Any]) -> tuple[str, bool]:
    if output.get("output_type") in ("error", "pyerr") or ("ename" in output and "data" not in output):
        return _error(output), False
    data = output.get("data")
    if not isinstance(data, dict):
        data = _old_names(output)
    return _richest(data)


def _old_names(output: dict[str, Any]) -> dict[str, Any]:
    """Return the data of an output of a notebook before version 4, which names it by short words."""
    names = {"text": "text/plain", "html": "text/html", "latex": "text/latex", "json": "application/json"}
    names |= {"png": "image/png", "jpeg": "image/jpeg", "svg": "image/svg+xml", "markdown": "text/markdown"}
    return {mime: output[name] for name, mime in names.items() if name in output}


def _richest(data: dict[str, Any]) -> tuple[str, bool]:
    """Return the form of an output that says the most."""
    plain = joined(data.get("text/plain"))
    image = any(mime.startswith(("image/", "video/", "audio/")) for mime in data)
    markdown = joined(data.get("text/markdown"))
    if markdown.strip():
        return _bounded(markdown)
    html = joined(data.get("text/html"))
    if html.strip():
        text = _html(html)
        if text.strip():
            return _bounded(text)
    latex = joined(data.get("text/latex"))
    if latex.strip() and not image:
        return _bounded(latex.strip())
    if image:
        shown = plain.strip()
        return ("[image]" if not shown or _BARE_OBJECT.match(shown[:200]) else f"[image] {capped(shown)}"), False
    if plain.strip():
        return ("", False) if _BARE_OBJECT.match(plain.strip()[:200]) and len(data) > 1 else _preformatted(plain)
    if "application/json" in data:
        return _preformatted(_json(data["application/json"]), "json")
    return _bounded(
        "\n\n".join(joined(data[mime]) for mime in data if mime.startswith("text/") and "script" not in mime)
    )


def _html(html: str) -> str:
    from gatherum_formats.html.sections import html_text

    html = html[:_RAW]
    return _data_frame(html) or html_text(html)


def _data_frame(html: str) -> str:
    """Return a table that is nothing but rows of plain cells, as libraries for data print them; "" for all else.

    Notebooks hold hundreds of these; the general way costs ten times as much.
    """
    if html.count("<table") != 1 or not _FRAME_TAGS.issuperset(_TAG.findall(html)) or _SPAN.search(html):
        return ""
    before, _, rest = html.partition("<table")
    table, _, after = rest.partition("</table>")
    before, after = (_ANY_TAG.sub(" ", _STYLE.sub("", text)).strip() for text in (before, after))
    if before:
        return ""
    rows = [[unescape(cell) for cell in _TABLE_CELL.findall(row)] for row in table.split("<tr")[1:]]
    return "\n\n".join(part for part in (pipe_table(rows), unescape(after)) if part)


def _json(value: object) -> str:
    if isinstance(value, str | list) and (text := joined(value)):
        return text
    try:
        return json.dumps(value, ensure_ascii=False, indent=1)
    except (RecursionError, ValueError, TypeError):
        return ""


def _preformatted(text: str, language: str = "") -> tuple[str, bool]:
    text = text if len(text) <= _RAW else f"{text[: _RAW // 2]}\n{text[-_RAW // 2 :]}"
    text, cut = _bounded(plain_output(text))
    text = text.strip("\n").rstrip()
    return fenced(text, language), cut


def _bounded(text: str) -> tuple[str, bool]:
    if len(text) > 512:
        text = _PAYLOAD.sub("[data]", text)
    short = capped(text)
    return short, short is not text


def _error(output: dict[str, Any]) -> str:
    """Return an error's name, message and the frame it was raised in."""
    name, message = joined(output.get("ename")), joined(output.get("evalue"))
    title = ": ".join(part for part in (name, plain_output(message).strip()) if part)
    frames = output.get("traceback")
    frames = [plain_output(joined(frame)).strip("\n") for frame in frames] if isinstance(frames, list) else []
    last = next((frame for frame in reversed(frames) if frame.strip() and not frame.startswith(name or "\0")), "")
    if set(last.strip()) <= {"-"} or last.startswith("Traceback"):
        last = ""
    text = f"{title}\n{last[-_TRACE:]}" if last else title
    return fenced(text.strip())
