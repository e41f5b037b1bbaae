"""Markdown as blocks: what CommonMark's block structure says each run of lines is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gatherum.tables import pipe_table
from gatherum_formats.markdown.code import code_block, fenced_block, spoken
from gatherum_formats.markdown.dialects import prepare
from gatherum_formats.markdown.html import html_parts, open_container, open_heading
from gatherum_formats.markdown.inline import Inline, without_payload
from gatherum_formats.markdown.order import Block, in_order
from gatherum_formats.markdown.parser import CELLS, block_parser
from gatherum_formats.markdown.tags import known_tag, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from markdown_it.token import Token

    from gatherum.document import Kind, Layer

_IMAGE_ALONE = re.compile(
    r"!\[(?:[^\[\]]|\[[^\[\]]*\])*+\]\([^()]*+(?:\([^()]*\)[^()]*)*+\)(?:\{[^{}\n]*\})?|!\[\[[^\[\]\n]*\]\]"
)
_TEX_ALONE = re.compile(r"\\begin\{(\w+\*?)\}.*\\end\{\1\}$|\\\[(?:(?!\\\[).)*\\\]$", re.DOTALL)
_CAPTION = re.compile(r"(?:Table)?:[ \t]+\S")
_COMPONENT = re.compile(r"""</?[A-Z][\w.]*(?P<attributes>(?:[^<>"'{}]++|"[^"]*"|'[^']*'|\{[^{}]*\}){0,400}+)>""")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w.-]*)")
_REACH = 2_000
_CELLS = 100_000


def markdown_blocks(lines: list[str], *, mdx: bool = False) -> list[Block]:
    """Return the blocks of a Markdown text in reading order, each footnote after the block that refers to it.

    Args:
        lines: The text without front matter and without NUL characters.
        mdx: Whether tags of components and module statements belong to the language.

    Raises:
        RecursionError: The caller is so deep in the stack that there is no room to parse.
    """
    reader = _Reader(lines, mdx=mdx)
    return in_order(reader.read(), reader.used)


class _Reader:
    """Reads one document."""

    def __init__(self, lines: list[str], *, mdx: bool) -> None:
        from markdown_it.common.utils import normalizeReference

        self._prepared = prepare(lines, mdx=mdx)
        self._text = self._prepared.text
        self._mdx = mdx
        self._parser = block_parser(mdx)
        self._env: dict[str, Any] = {}
        self._tokens: list[Token] = []
        self._parser.block.parse("\n".join(self._prepared.parse), self._parser, self._env, self._tokens)
        found = self._env.get("references", {})
        self._inline = Inline(
            {label: (entry["href"], entry["title"]) for label, entry in found.items()},
            normalizeReference,
            components=mdx,
        )
        repeated = ((entry["label"], entry) for entry in self._env.get("duplicate_refs", ()))
        self._definitions = sorted((*entry["map"], label) for label, entry in (*found.items(), *repeated))
        self._next_definition = 0
        self._unseen = sorted(self._prepared.unseen)
        self._heading = 0
        self._barriers: dict[str, int] = {}
        self._blocks: list[Block] = []

    @property
    def used(self) -> set[str]:
        """The link references that were resolved."""
        return self._inline.used

    def read(self) -> list[Block]:
        tokens, at, line = self._tokens, 0, 0
        while at < len(tokens):
            first = tokens[at]
            last = at
            if first.nesting > 0:
                last += 1
                while tokens[last].level:
                    last += 1
            start, end = first.map or (line, line)
            if start < line:
                at = last + 1
                continue
            self._gap(line, start)
            line = self._rules[first.type](self, tokens[at : last + 1], start, end) or end
            self._told(start, line)
            at = last + 1
        self._gap(line, len(self._text))
        return self._blocks

    def _add(
        self,
        text: str,
        start: int,
        end: int,
        *,
        kind: Kind = "prose",
        layer: Layer = "body",
        level: int = 0,
        label: str = "",
    ) -> None:
        if not text.strip():
            return
        while end > start + 1 and not self._text[end - 1].strip():
            end -= 1
        self._blocks.append(
            Block(start=start + 1, end=end, text=text, kind=kind, layer=layer, level=level, label=label)
        )

    def _told(self, start: int, end: int) -> None:
        """Add the hidden text that was found in the lines just read."""
        for text in self._inline.take_unseen():
            self._add(text, start, end, kind="comment", layer="hidden")

    def _gap(self, start: int, end: int) -> None:
        """Read the lines that no block covers: blank ones, link references, comments taken out beforehand."""
        while self._unseen and self._unseen[0][0] < end:
            line, text = self._unseen.pop(0)
            self._add(text.strip(), line, line + 1, kind="comment", layer="hidden")
        while self._next_definition < len(self._definitions) and self._definitions[self._next_definition][0] < end:
            first, after, label = self._definitions[self._next_definition]
            self._next_definition += 1
            if first < start:
                continue
            raw = "\n".join(self._text[first:after]).strip()
            remark = re.match(r"\[[^\]]*\]:\s*(?:#|<>|<#>)\s+[\"'(](.*)[\"')]$", raw, re.DOTALL)
            if remark:
                self._add(remark[1], first, after, kind="comment", layer="hidden")
            else:
                self._add(raw, first, after, label=label)

    def _source(self, start: int, end: int) -> str:
        return "\n".join(self._text[start:end])

    def _title(self, tokens: list[Token], start: int, end: int) -> None:
        if start in self._prepared.aside:
            self._add(self._inline.clean(self._source(start, end)), start, end)
            return
        title = self._inline.title(tokens[1].content, self._plain)
        self._add(title, start, end, level=int(tokens[0].tag[1:]))
        self._note_marks(tokens[1].content)

    def _note_marks(self, content: str) -> None:
        """A heading that refers to a footnote hands it to the text: titles carry no marks."""
        marks = re.findall(r"\[\^[^\]\s]+\]", content) if "[^" in content else []
        known = self._env.get("footnotes", {}).get("refs", {})
        if self._blocks and any(f":{mark[2:-1]}" in known for mark in marks):
            last = self._blocks[-1]
            self._add(" ".join(marks), last.start - 1, last.end)

    def _plain(self, text: str) -> str:
        parsed: list[Token] = []
        self._parser.inline.parse(text, self._parser, self._env, parsed)
        return " ".join("".join(spoken(parsed)).split())

    def _paragraph(self, _tokens: list[Token], start: int, end: int) -> None:
        raw = self._source(start, end)
        stripped = raw.strip()
        if self._heading:
            level, self._heading = self._heading, 0
            self._add(self._inline.title(" ".join(stripped.split("\n")), self._plain), start, end, level=level)
            return
        dollars = stripped.startswith("$$") and stripped.endswith("$$") and "$$" not in stripped[2:-2]
        if (dollars and len(stripped) > 4) or (stripped.startswith("\\") and _TEX_ALONE.match(stripped)):
            self._add(stripped, start, end, kind="math")
            return
        kind: Kind = "prose"
        if stripped.startswith("![") and _IMAGE_ALONE.fullmatch(stripped):
            kind = "alt"
        elif self._blocks and self._blocks[-1].kind == "table" and _CAPTION.match(stripped):
            kind = "caption"
        self._add(self._inline.clean(raw), start, end, kind=kind)

    def _fence(self, tokens: list[Token], start: int, end: int) -> None:
        if start in self._prepared.math:
            self._add(self._source(start, end).strip(), start, end, kind="math")
            return
        kind, text = fenced_block(self._text[start:end], tokens[0].content)
        self._add(text, start, end, kind=kind)

    def _indented(self, tokens: list[Token], start: int, end: int) -> None:
        self._add(code_block(tokens[0].content), start, end, kind="code")

    def _list(self, tokens: list[Token], start: int, end: int) -> None:
        self._add(self._container(tokens, start, end), start, end, kind="list")

    def _quote(self, tokens: list[Token], start: int, end: int) -> None:
        self._add(self._container(tokens, start, end), start, end, kind="quote")

    def _note(self, tokens: list[Token], start: int, end: int) -> None:
        text = self._container(tokens, start, end).strip()
        text = re.sub(r"\n(?: {4}|\t)", "\n", text)
        self._add(text, start, end, kind="footnote", layer="notes", label=tokens[0].meta["label"])

    def _container(self, tokens: Iterable[Token], start: int, end: int) -> str:
        """Return the lines of a list or quotation, those of its code as they are."""
        text = self._source(start, end).rstrip()
        if not self._inline.touches(text):
            return text
        lines: list[str] = []
        done = start
        for token in tokens:
            if token.map is None or token.type not in ("inline", "html_block", "table") or token.map[0] < done:
                continue
            first, after = token.map
            lines += self._text[done:first]
            lines.append(self._inline.clean(self._source(first, after)))
            done = after
        lines += self._text[done:end]
        return without_payload("\n".join(lines)).rstrip()

    def _table(self, _tokens: list[Token], start: int, end: int) -> None:
        rows: list[list[str]] = []
        for index in range(start, end):
            if index == start + 1:
                continue
            line = self._text[index].strip()
            cells = CELLS.split(line.removeprefix("|"))
            if len(cells) > 1 and not cells[-1].strip():
                cells.pop()
            cleaned = [self._inline.clean(cell) for cell in cells] if self._inline.touches(line) else cells
            rows.append([cell.replace("\\|", "|") for cell in cleaned])
        wide = max(map(len, rows)) * len(rows)
        padded = wide > _CELLS and wide > 4 * sum(map(len, rows))
        self._add(self._source(start, end) if padded else pipe_table(rows), start, end, kind="table")

    def _rule(self, _tokens: list[Token], _start: int, _end: int) -> None:
        """A thematic break says nothing."""

    def _html(self, _tokens: list[Token], start: int, end: int) -> int | None:
        if start in self._prepared.titles:
            self._add(self._inline.clean(self._text[start]), start, end)
            return None
        raw = self._source(start, end)
        body = raw.lstrip()
        if body.startswith("<!--"):
            if "-->" in body:
                self._add(self._inline.clean(body), start, end)
            else:
                self._inline.unseen.append(body[4:])
            return None
        name = _TAG_NAME.match(body)
        if name and not known_tag(name[1].lower()):
            self._add(self._inline.clean(raw), start, end)
            return None
        container = open_container(raw)
        if container:
            end = self._closing(container, end)
            raw = self._source(start, end)
        raw = self._inline.without_comments(raw)
        if self._mdx:
            raw = _COMPONENT.sub(lambda match: said(match["attributes"]), raw)
        for part in html_parts(raw):
            first, last = min(start + part.first, end), min(start + part.last, end)
            self._add(part.text, first - 1, last, kind=part.kind, layer=part.layer, level=part.level)
        self._heading = open_heading(raw)
        return end

    def _closing(self, name: str, end: int) -> int:
        """Return where the element *name* ends that is still open at *end*; *end* itself if it never does."""
        closing = re.compile(rf"</{name}\s*>", re.IGNORECASE)
        reach = min(len(self._text), end + _REACH)
        for index in range(max(end, self._barriers.get(name, 0)), reach):
            if closing.search(self._text[index]):
                return index + 1
        self._barriers[name] = reach
        return end

    _rules: Final[dict[str, Callable[[_Reader, list[Token], int, int], int | None]]] = {
        "heading_open": _title,
        "paragraph_open": _paragraph,
        "fence": _fence,
        "code_block": _indented,
        "bullet_list_open": _list,
        "ordered_list_open": _list,
        "dl_open": _list,
        "blockquote_open": _quote,
        "footnote_reference_open": _note,
        "table": _table,
        "hr": _rule,
        "html_block": _html,
    }
