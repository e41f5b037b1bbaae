"""Markdown as blocks: what CommonMark's block structure says each run of lines is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from gatherum.tables import pipe_table
from gatherum_formats._markdown_dialects import prepare
from gatherum_formats._markdown_html import html_parts, open_container, open_heading
from gatherum_formats._markdown_inline import Inline, known_tag, said, without_payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from gatherum.document import Kind, Layer

_NESTING = 250
_IMAGE_ALONE = re.compile(
    r"!\[(?:[^\[\]]|\[[^\[\]]*\])*+\]\([^()]*+(?:\([^()]*\)[^()]*)*+\)(?:\{[^{}\n]*\})?|!\[\[[^\[\]\n]*\]\]"
)
_TEX_ALONE = re.compile(r"\\begin\{(\w+\*?)\}.*\\end\{\1\}$|\\\[(?:(?!\\\[).)*\\\]$", re.DOTALL)
_ROW = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"(?:`{3,}|~{3,})[ \t]*$")
_INFO = re.compile(r"\{[ \t]*(?:\.|=)?([\w+#./-]*)[, \t]*([^{}]*)\}[ \t]*(.*)$")
_CAPTION = re.compile(r"(?:Table)?:[ \t]+\S")
_COMPONENT = re.compile(r"""</?[A-Z][\w.]*(?P<attributes>(?:[^<>"'{}]++|"[^"]*"|'[^']*'|\{[^{}]*\}){0,400}+)>""")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w.-]*)")
_REACH = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Some lines of one kind.

    Attributes:
        start: The first line, counted from 1.
        end: The last line.
        text: What they say, as readable Markdown; for a heading its title.
        kind: As for sections.
        layer: As for sections.
        level: A heading's, 1 to 6; 0 for everything else.
        label: The label of a footnote, or the normalized label of a link reference that nothing may have used.
    """

    start: int
    end: int
    text: str
    kind: Kind = "prose"
    layer: Layer = "body"
    level: int = 0
    label: str = ""


def markdown_blocks(lines: list[str], *, mdx: bool = False) -> list[Block]:
    """Return the blocks of a Markdown text in reading order, each footnote after the block that refers to it.

    Args:
        lines: The text without front matter and without NUL characters.
        mdx: Whether tags of components and module statements belong to the language.

    Raises:
        RecursionError: The caller is so deep in the stack that there is no room to parse.
    """
    reader = _Reader(lines, mdx=mdx)
    return _settled(reader.read(), reader.used)


def _settled(blocks: list[Block], used: set[str]) -> list[Block]:
    """Put every footnote after the first block that refers to it, and drop link references that were resolved."""
    notes = {block.label: block for block in reversed(blocks) if block.kind == "footnote"}
    if not notes:
        return [block for block in blocks if not block.label or block.label not in used]
    wanted = [re.findall(r"\[\^([^\]\s]+)\]", block.text) if "[^" in block.text else () for block in blocks]
    asked = {
        label for block, labels in zip(blocks, wanted, strict=True) if block.kind != "footnote" for label in labels
    }
    settled: list[Block] = []
    given: set[str] = set()
    for block, labels in zip(blocks, wanted, strict=True):
        if block.kind == "footnote":
            if block.label in asked and notes[block.label] is block:
                continue
            queue = [block.label]
            settled.append(block)
            given.add(block.label)
            queue = list(labels)
        elif block.label and block.label in used:
            continue
        else:
            settled.append(block)
            queue = list(labels)
        while queue:
            label = queue.pop(0)
            note = notes.get(label)
            if note is not None and label not in given:
                given.add(label)
                settled.append(note)
                queue += re.findall(r"\[\^([^\]\s]+)\]", note.text)
    return settled


@lru_cache(maxsize=2)
def _parser(mdx: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table")
    parser.use(footnote_plugin, move_to_end=False).use(deflist_plugin)
    return parser.disable("code") if mdx else parser


class _Reader:
    """Reads one document."""

    def __init__(self, lines: list[str], *, mdx: bool) -> None:
        from markdown_it.common.utils import normalizeReference

        self._prepared = prepare(lines, mdx=mdx)
        self._text = self._prepared.text
        self._mdx = mdx
        self._parser = _parser(mdx)
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
        return " ".join("".join(_spoken(parsed)).split())

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
        lines = self._text[start:end]
        if start in self._prepared.math:
            self._add("\n".join(lines).strip(), start, end, kind="math")
            return
        first = lines[0].lstrip()
        closed = len(lines) > 1 and bool(_RULE.match(lines[-1].lstrip("> \t")))
        body = tokens[0].content.rstrip("\n") if lines[0][:1] in " \t" else "\n".join(lines[1 : -1 if closed else None])
        if not body.strip():
            return
        mark = first[: len(first) - len(first.lstrip(first[0]))]
        info = _language(first[len(mark) :].strip())
        if info in ("math", "latexmath"):
            self._add(f"$$\n{body.strip()}\n$$", start, end, kind="math")
        else:
            self._add(without_payload(f"{mark}{info}\n{body}\n{mark}"), start, end, kind="code")

    def _indented(self, tokens: list[Token], start: int, end: int) -> None:
        body = tokens[0].content.rstrip("\n")
        mark = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`{3,}", body)), default=0))
        self._add(without_payload(f"{mark}\n{body}\n{mark}"), start, end, kind="code")

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
            if token.map is None or token.type not in ("inline", "html_block") or token.map[0] < done:
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
            cells = _ROW.split(line.removeprefix("|"))
            if len(cells) > 1 and not cells[-1].strip():
                cells.pop()
            cleaned = [self._inline.clean(cell) for cell in cells] if self._inline.touches(line) else cells
            rows.append([cell.replace("\\|", "|") for cell in cleaned])
        self._add(pipe_table(rows), start, end, kind="table")

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
        for index in range(end, min(len(self._text), end + _REACH)):
            if closing.search(self._text[index]):
                return index + 1
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
        "table_open": _table,
        "hr": _rule,
        "html_block": _html,
    }


def _language(info: str) -> str:
    """Write the info string of a fence with the language first: ``{r, echo=FALSE}``, ``{.python #id}``."""
    match = _INFO.match(info)
    if not match:
        return info
    name, options, rest = match[1], match[2].strip(), match[3].strip()
    if name in ("code-cell", "code-block", "code", "sourcecode"):
        return rest
    return " ".join(part for part in (name, f"{{{options}}}" if options else "", rest) if part)


def _spoken(tokens: Iterable[Token]) -> Iterable[str]:
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield from _spoken(token.children or ())
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
