"""The cells of a notebook as sections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gatherum import Locator, SectionBuilder
from gatherum.text import clean
from gatherum_formats.markdown.sections import markdown_sections
from gatherum_formats.notebook.outputs import joined, output_texts
from gatherum_formats.shared.fence import fenced
from gatherum_formats.shared.frontmatter import read_front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind, Layer

_MAGIC: Final = re.compile(r"\s*%%(\w+)(?:[ \t]+(?:-a[ \t]+)?(\S+))?")
_MAGICS: Final = {
    "bash": "bash",
    "sh": "sh",
    "script": "sh",
    "cmd": "bat",
    "html": "html",
    "svg": "xml",
    "javascript": "javascript",
    "js": "javascript",
    "latex": "latex",
    "markdown": "markdown",
    "perl": "perl",
    "ruby": "ruby",
    "r": "r",
    "julia": "julia",
    "sql": "sql",
    "bigquery": "sql",
    "cython": "cython",
    "python": "python",
    "python2": "python",
    "python3": "python",
    "pypy": "python",
    "css": "css",
    "rust": "rust",
    "cpp": "cpp",
    "powershell": "powershell",
    "fsharp": "fsharp",
    "csharp": "csharp",
}
_SUFFIXES: Final = {"py": "python", "sh": "bash", "js": "javascript", "md": "markdown", "yml": "yaml", "rs": "rust"}
_KERNELS: Final = {
    "ir": "r",
    "xr": "r",
    "xcpp": "cpp",
    "xpython": "python",
    "javascript": "javascript",
    "jslab": "javascript",
    "tslab": "typescript",
    "evcxr": "rust",
    "gophernotes": "go",
    "calysto": "scheme",
    "sagemath": "sage",
    "octave": "octave",
    "matlab": "matlab",
    "bash": "bash",
    "julia": "julia",
    "python": "python",
    "ihaskell": "haskell",
    "haskell": "haskell",
    "iruby": "ruby",
    "ruby": "ruby",
    "scala": "scala",
    "almond": "scala",
    "kotlin": "kotlin",
    "lua": "lua",
    "perl": "perl",
    "sql": "sql",
    ".net": "csharp",
}
_LANGUAGE: Final = re.compile(r"[\w.+#-]{1,30}$")
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+([^*_`$#\n]*)$")
# What needs Markdown's own parser to be understood; anything else is a heading and plain paragraphs.
_MARKS: Final = ("<", "&", "|", "`", "~", "\t", "\x00", "\\", "[^", "]:", "![", "][", "%%", "==", "$$")
_BLOCK_STARTS: Final = frozenset(" =-*+>:#0123456789")
_BLOCK: Final = re.compile(r" {4}| {0,3}(?:=+|-+|[-*+>:]\s|\d+[.)]\s|#)")
_RAW_KINDS: Final = {
    "html": "html",
    "text/html": "html",
    "text/markdown": "markdown",
    "text/latex": "latex",
    "text/asciidoc": "asciidoc",
    "text/restructuredtext": "rst",
    "text/x-rst": "rst",
    "text/x-python": "python",
}
_NAME: Final = 200


class CellBuilder(SectionBuilder):
    """Joins what stands in one cell only, so that every section has its cell."""

    def add(
        self,
        text: str,
        *,
        kind: Kind = "prose",
        layer: Layer = "body",
        locator: Locator | None = None,
        language: str | None = None,
        separator: str = "\n\n",
    ) -> list[Section]:
        """Add a block under the open heading."""
        place = locator or Locator.cell(1)
        done = self._flush() if self._parts and place != self._last and text.strip() else []
        return done + super().add(text, kind=kind, layer=layer, locator=place, language=language, separator=separator)


def code_language(metadata: dict[str, Any]) -> str:
    """Return the language of a notebook's code, in lower case; "" if the notebook does not say."""
    for group, key in (("kernelspec", "language"), ("language_info", "name"), ("kernel_info", "language")):
        values = metadata.get(group)
        name = values.get(key) if isinstance(values, dict) else None
        if isinstance(name, str) and _LANGUAGE.match(name.strip()):
            return name.strip().lower().removeprefix("i" if name.lower() == "ipython" else "")
    kernel = metadata.get("kernelspec")
    name = kernel.get("name") if isinstance(kernel, dict) else None
    if isinstance(name, str):
        low = name.lower()
        return next((language for start, language in _KERNELS.items() if low.startswith(start)), "")
    return ""


def cell_sections(cells: list[Any], language: str, report: Report) -> Iterator[Section]:
    """Yield the sections of a notebook's cells; headings in Markdown cells hold for the cells below them."""
    builder = CellBuilder()
    tags: dict[str, None] = {}
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            report.problem("partial", f"cell {number} is no cell", Locator.cell(number))
            continue
        metadata = cell.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        name = cell.get("id")
        place = Locator.cell(number, name=clean(name[:_NAME]) if isinstance(name, str) else "")
        found = metadata.get("tags")
        if isinstance(found, list):
            tags.update(dict.fromkeys(clean(tag)[:_NAME] for tag in found[:_NAME] if isinstance(tag, str)))
        yield from _cell(cell, metadata, place, language, builder, report)
    yield from builder.close()
    report.metadata(cell_tags=list(tags)[:_NAME])


def _cell(
    cell: dict[str, Any],
    metadata: dict[str, Any],
    place: Locator,
    language: str,
    builder: CellBuilder,
    report: Report,
) -> Iterator[Section]:
    kind = cell.get("cell_type")
    source = next((text for key in ("source", "input", "code", "text") if (text := joined(cell.get(key)))), "")
    source = source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source
    if kind == "code":
        yield from _code(cell, metadata, source, place, language, builder, report)
    elif kind == "heading":
        level = cell.get("level")
        if source.strip():
            level = max(1, min(level, 6)) if isinstance(level, int) else 1
            yield from builder.enter(level, source, locator=place)
    elif kind == "raw":
        yield from _raw(metadata, source, place, builder, report)
    elif kind == "html":
        yield from _html(source, place, builder, report)
    else:
        yield from _markdown(source, place, builder, report)
        yield from _attachments(cell, source, place, builder)
        if isinstance(cell.get("outputs"), list):
            yield from _outputs(cell["outputs"], place, builder, report)


def _markdown(source: str, place: Locator, builder: CellBuilder, report: Report) -> Iterator[Section]:
    first, _, rest = source.partition("\n")
    heading = _HEADING.match(first)
    if heading and heading[2] and not _involved(f"{heading[2]}\n{rest}"):
        yield from builder.enter(len(heading[1]), heading[2], locator=place)
        yield from builder.add(rest.strip(), locator=place)
        return
    if not _involved(source):
        yield from builder.add(source.strip(), locator=place)
        return
    yield from markdown_sections(source, builder, report, locator=lambda first, last: place)


def _involved(source: str) -> bool:
    return any(mark in source for mark in _MARKS) or any(
        line[0] in _BLOCK_STARTS and _BLOCK.match(line) for line in source.split("\n") if line
    )


def _attachments(cell: dict[str, Any], source: str, place: Locator, builder: CellBuilder) -> Iterator[Section]:
    """Yield the names of attached pictures that have no alternative text."""
    attached = cell.get("attachments")
    if not isinstance(attached, dict):
        return
    names = [clean(name)[:_NAME] for name in attached if f"![](attachment:{name}" in source or name not in source]
    if names:
        yield from builder.add("\n".join(f"[image {name}]" for name in names), kind="alt", locator=place)


def _code(
    cell: dict[str, Any],
    metadata: dict[str, Any],
    source: str,
    place: Locator,
    language: str,
    builder: CellBuilder,
    report: Report,
) -> Iterator[Section]:
    if source.strip():
        spoken = _cell_language(cell, metadata, source) or language
        yield from builder.add(fenced(source.strip("\n"), spoken), kind="code", locator=place)
    outputs = cell.get("outputs")
    if isinstance(outputs, list):
        yield from _outputs(outputs, place, builder, report)


def _outputs(outputs: list[Any], place: Locator, builder: CellBuilder, report: Report) -> Iterator[Section]:
    for text, cut in output_texts(outputs):
        if cut:
            report.problem("too_large", f"an output of {place} is very long; its middle was left out", place)
        yield from builder.add(text, kind="output", locator=place)


def _cell_language(cell: dict[str, Any], metadata: dict[str, Any], source: str) -> str:
    """Return the language of one cell, where it is not the notebook's: by its magic, or by its own metadata."""
    match = _MAGIC.match(source)
    if match:
        if match[1] in ("writefile", "file") and match[2]:
            suffix = match[2].rpartition(".")[2].lower()
            return _SUFFIXES.get(suffix, suffix if _LANGUAGE.match(suffix) and "." in match[2] else "")
        return _MAGICS.get(match[1].lower(), "")
    editor = metadata.get("vscode")
    for name in (editor.get("languageId") if isinstance(editor, dict) else None, cell.get("language")):
        if isinstance(name, str) and _LANGUAGE.match(name):
            return name.lower()
    return ""


def _raw(
    metadata: dict[str, Any], source: str, place: Locator, builder: CellBuilder, report: Report
) -> Iterator[Section]:
    form = metadata.get("raw_mimetype") or metadata.get("format")
    language = _RAW_KINDS.get(form, "") if isinstance(form, str) else ""
    if language == "markdown":
        yield from _markdown(source, place, builder, report)
    elif language == "html":
        yield from _html(source, place, builder, report)
    elif language:
        yield from builder.add(fenced(source.strip("\n"), language), kind="code", locator=place)
    elif source.startswith(("---", "+++")) and read_front_matter(source, report).lines:
        yield from builder.add(source, kind="metadata", layer="metadata", locator=place)
    else:
        yield from builder.add(source, locator=place)


def _html(source: str, place: Locator, builder: CellBuilder, report: Report) -> Iterator[Section]:
    from gatherum_formats.html.sections import html_sections

    yield from html_sections(source, builder=builder, locator=place, report=report)
