"""The directives of reStructuredText and Sphinx; those nobody knows keep their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum.tables import pipe_table
from gatherum_formats.shared.lines import Block, dedent, fenced, indent, separated

if TYPE_CHECKING:
    from gatherum.document import Kind, Layer
    from gatherum_formats.restructuredtext.context import Context
    from gatherum_formats.restructuredtext.inline import RstInline

_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]+\| +)?([A-Za-z][\w:.+-]*?) ?::(?: +|$)")
_SUBSTITUTION = re.compile(r"\.\. +\|[^|]+\| ")
_OPTION = re.compile(r":([\w-]+):(?: +(.*)|$)")
_ADMONITIONS: Final = frozenset(
    [
        "attention",
        "caution",
        "danger",
        "error",
        "hint",
        "important",
        "note",
        "tip",
        "warning",
        "seealso",
        "todo",
        "admonition",
        "versionadded",
        "versionchanged",
        "deprecated",
        "versionremoved",
        "deprecated-removed",
    ]
)
_VERSIONS: Final = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
_LITERAL: Final = frozenset(
    [
        "code",
        "code-block",
        "sourcecode",
        "parsed-literal",
        "highlight-block",
        "testcode",
        "testoutput",
        "testsetup",
        "testcleanup",
        "doctest",
        "prompt",
        "graphviz",
        "digraph",
        "graph",
        "mermaid",
        "uml",
        "plantuml",
        "raw",
        "productionlist",
        "ipython",
        "jupyter-execute",
        "plot",
        "command-output",
    ]
)
_SILENT: Final = frozenset(
    [
        "index",
        "highlight",
        "currentmodule",
        "default-role",
        "role",
        "contents",
        "sectnum",
        "section-numbering",
        "target-notes",
        "tabularcolumns",
        "default-domain",
        "py:currentmodule",
        "sectionauthor",
        "title",
        "localtoc",
    ]
)
_PLAIN: Final = frozenset(["container", "only", "ifconfig", "class", "rst-class", "hlist", "glossary", "tabs"])
_WRAPS: Final = frozenset({"header", "footer", "epigraph", "pull-quote", "highlights", "compound"})
_FILES: Final = frozenset({"include", "literalinclude"})


class Directives:
    """The part of a parser that reads directives."""

    _lines: list[str]
    _at: int
    _contexts: list[Context]
    _mark: str
    _inline: RstInline
    fields: dict[str, list[str]]

    if TYPE_CHECKING:

        def _block(
            self, text: str, first: int, *, kind: Kind = "prose", layer: Layer = "body", level: int = 0, last: int = -1
        ) -> Block: ...
        def _push(self, column: int, *, kind: Kind, listed: bool = False, layer: Layer | None = None) -> None: ...
        def _rewrite(self, text: str, column: int) -> bool: ...
        def _inner(self, column: int, start: int) -> int: ...
        def _cell(self, text: str) -> str: ...

    def _directive(self, text: str, column: int) -> list[Block] | None:
        """Read a directive, or its head when its content is to be read in place; None if *text* is none."""
        match = _DIRECTIVE.match(text) if len(text) < 100_000 else None
        if match is None:
            return None
        at, name, argument = self._at, match[1].casefold(), text[match.end() :].strip()
        end = self._inner(column, at + 1)
        if _SUBSTITUTION.match(text) or name in _SILENT:
            self._at = end
            return []
        name = name.rpartition(":")[2] if name.startswith(("rst:", "std:")) else name
        if name in _ADMONITIONS:
            return self._admonition(name, argument, column, end)
        if name in _WRAPS:
            return self._wrap(name, argument, column, end)
        start, more, options = self._head(end)
        if name in _LITERAL:
            return self._code(name, argument, options, at + 1 if more else start, end)
        argument = " ".join([argument, *more])
        if name in ("math", "math:numref"):
            self._at = end
            content = dedent(self._lines[start:end])
            parts = [part for part in (argument, content) if part.strip()]
            return [self._block("\n\n".join(f"$${part}$$" for part in parts), at, kind="math")]
        if name in _FILES:
            self._at = end
            caption = self._said(options, "caption", at)
            return [*caption, self._block(f"[{argument}]({argument})", at)]
        if name == "toctree":
            return self._contents(options, start, end)
        if name in ("csv-table", "table", "list-table"):
            return self._titled_table(name, argument, options, start, end)
        if name == "meta":
            self._at = end
            for key, value in options.items():
                self.fields.setdefault(key.split()[0], []).append(value)
            return []
        return self._open(name, argument, options, start, end)

    def _head(self, end: int) -> tuple[int, list[str], dict[str, str]]:
        """Read arguments that go on, and options; return where the content starts, too."""
        at, more, options = self._at + 1, [], {}
        key, margin = "", 0
        while at < end and (line := self._lines[at].strip()):
            match = _OPTION.match(line)
            if match:
                key, margin = match[1], indent(self._lines[at])
                options[key] = match[2] or ""
            elif key and indent(self._lines[at]) > margin:
                options[key] += " " + line
            elif key:
                break
            else:
                more.append(line)
            at += 1
        return at, more, options

    def _said(self, options: dict[str, str], name: str, at: int) -> list[Block]:
        text = options.get(name, "")
        return [self._block(self._inline.render(text), at, kind="caption", last=at)] if text else []

    def _admonition(self, name: str, argument: str, column: int, end: int) -> list[Block]:
        """Name an admonition; its content is read in place."""
        at = self._at
        start = at + 1
        label = _VERSIONS.get(name, name.capitalize().replace("Seealso", "See also"))
        if name in _VERSIONS or name in ("deprecated-removed", "admonition"):
            version, _, argument = argument.partition(" ") if name in _VERSIONS else (argument, "", "")
            label = self._inline.render(version) if name == "admonition" else f"{label} {version}"
        while start < end and _OPTION.match(self._lines[start].strip()):
            start += 1
        inner = next((indent(line) for line in self._lines[start:end] if line), column + 3)
        self._at = at
        block = self._block(f"**{label}**", at, kind="note", last=at)
        self._push(inner, kind="note")
        self._mark = ""
        if argument:
            self._rewrite(argument, inner)
            for line in range(at + 1, start):
                self._lines[line] = ""
        else:
            self._at = start
        return [block]

    def _wrap(self, name: str, argument: str, column: int, end: int) -> list[Block]:
        """Let the content of a directive without arguments be read in place."""
        at = self._at
        inner = next((indent(line) for line in self._lines[at + 1 : end] if line), column + 3)
        if name in ("header", "footer"):
            self._push(inner, kind="header", layer="furniture")
        else:
            self._push(inner, kind="prose" if name == "compound" else "quote")
        if argument:
            self._rewrite(argument, inner)
        else:
            self._at += 1
        return []

    def _code(self, name: str, argument: str, options: dict[str, str], start: int, end: int) -> list[Block]:
        at = self._at
        lines = self._lines[start:end]
        self._at = end
        if name == "raw" and ("file" in options or "url" in options):
            address = options.get("file") or options.get("url") or ""
            return [self._block(f"[{address}]({address})", at)]
        language = argument.split()[0] if argument.split() else ""
        if name in ("digraph", "graph", "graphviz", "plot", "testcode", "testoutput", "doctest"):
            language = name
        if name == "parsed-literal":
            language, lines = "", [self._inline.render(line) for line in lines]
        return [*self._said(options, "caption", at), self._block(fenced(lines, language), at, kind="code")]

    def _contents(self, options: dict[str, str], start: int, end: int) -> list[Block]:
        at, entries = self._at, []
        for line in self._lines[start:end]:
            text = line.strip()
            if text.endswith(">") and " <" in text:
                said, _, target = text[:-1].rpartition(" <")
                entries.append(f"- [{said.strip()}]({target})")
            elif text:
                entries.append(f"- {text}")
        self._at = end
        return [*self._said(options, "caption", at), self._block("\n".join(entries), at, kind="toc")]

    def _titled_table(self, name: str, title: str, options: dict[str, str], start: int, end: int) -> list[Block]:
        at = self._at
        out = [self._block(self._inline.render(title), at, kind="caption", last=at)] if title else []
        if name == "table":
            self._at = start
            return out
        self._at = end
        rows: list[list[str | None]] = []
        content = dedent(self._lines[start:end])
        if name == "csv-table":
            delimiter = {"tab": "\t", "space": " "}.get(options.get("delim", ","), options.get("delim", ",")[:1] or ",")
            header = separated(options.get("header", ""), delimiter)
            rows = [*header, *separated(content, delimiter)]
            address = options.get("file") or options.get("url") or ""
            if address:
                out.append(self._block(f"[{address}]({address})", at))
        else:
            for line in content.split("\n"):
                row = line.startswith(("* ", "- ", "+ ")) or line in ("*", "-", "+")
                inner = line[2:] if row else line[min(indent(line), 2) :]
                if row:
                    rows.append([])
                if inner.startswith(("- ", "* ", "+ ")) or inner in ("-", "*", "+"):
                    rows = rows or [[]]
                    rows[-1].append(inner[2:])
                elif rows and rows[-1]:
                    rows[-1][-1] = f"{rows[-1][-1]}\n{inner[2:] if inner[:2].isspace() else inner}"
        cells = [[self._cell(dedent((cell or "").split("\n"))) for cell in row] for row in rows]
        out.append(self._block(pipe_table([list(row) for row in cells]), at, kind="table"))
        return out

    def _open(self, name: str, argument: str, options: dict[str, str], start: int, end: int) -> list[Block]:
        """Read the head of any other directive, whose content is read in place."""
        at = self._at
        out: list[Block] = []
        inner = next((indent(line) for line in self._lines[start:end] if line), 0)
        kind: Kind = "prose"
        if name in ("figure", "image"):
            out.append(self._block(options.get("alt", ""), at, kind="alt", last=start - 1))
            kind = "caption"
        elif name in ("topic", "sidebar", "rubric", "centered", "tab", "dropdown", "tab-item", "card"):
            words = f"**{self._inline.render(argument)}**" if argument else ""
            out.append(self._block(words, at, last=start - 1))
            out += self._said(options, "subtitle", at)
            kind = "note" if name in ("topic", "sidebar") else "prose"
        elif name in _PLAIN:
            pass
        elif argument:
            signatures = [argument] if ":" not in name and not name.startswith("auto") else argument.split("\\\n")
            out.append(self._block("\n".join(f"`{text}`" for text in signatures), at, last=start - 1))
        self._at = start
        if inner:
            self._push(inner, kind=kind)
        return out
