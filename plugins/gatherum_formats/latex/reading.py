"""The sections of a LaTeX source.

Commands are read for what they say; simple macros of the document's own are followed. Files that it includes are
named, not read: they are documents of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum import Locator, SectionBuilder, UnreadableError
from gatherum_formats.latex.blocks import least_rank
from gatherum_formats.latex.scan import Scan
from gatherum_formats.latex.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source

_BEGIN = re.compile(r"^[^%\n]*?\\begin\{document\}", re.MULTILINE)
_END = re.compile(r"^[^%\n]*?\\end\{document\}", re.MULTILINE)
_DECLARED = re.compile(rb"\\usepackage\s*\[([\w-]+)\]\s*\{inputenc\}")
_CODECS = {"latin1": "latin-1", "latin9": "iso8859-15", "ansinew": "cp1252", "applemac": "mac-roman", "utf8x": "utf-8"}
_ITEM = re.compile(r"\s*(?:-|\d+\.) ")
_PDF = re.compile(r"\bpdf(title|author|keywords|subject)\s*=\s*\{([^{}]*)\}")


def read_source(source: Source, report: Report) -> Iterator[Section]:
    """Yield the sections of a LaTeX document or a part of one.

    Args:
        source: The file.
        report: Told of metadata and problems.

    Raises:
        UnreadableError: There is no text in it.
    """
    match = _DECLARED.search(source.head(1 << 16))
    declared = match[1].decode("ascii") if match else None
    text = source.text(report, declared=_CODECS.get(declared or "", declared)).replace("\x00", " ").replace("\x01", " ")
    if not text.strip():
        raise UnreadableError("empty", f"{source.name} has no text")
    scan = Scan(text)
    fields: dict[str, list[str]] = {}
    walk = Walk(scan, lambda name, value: fields.setdefault(name, []).append(value))
    begin, end = _BEGIN.search(text), None
    if begin:
        walk.said(0, begin.end() - len("\\begin{document}"))
        end = _END.search(text, begin.end())
    start = begin.end() if begin else 0
    stop = end.end() - len("\\end{document}") if end else len(text)
    blocks = walk.blocks(start, stop)
    _describe(fields, text[: start or 20_000], report)
    if any(block.layer == "hidden" for block in blocks):
        report.problem("hidden_text", "the document has comments that its readers do not see")
    least = least_rank(text[start:stop])
    builder = SectionBuilder()
    for block in blocks:
        place = Locator.lines(scan.line(block.start), scan.line(max(block.start, block.end - 1)))
        if block.level >= 0:
            yield from builder.enter(max(1, block.level - least + 1), block.text, locator=place)
        else:
            separator = "\n" if block.kind == "list" and _ITEM.match(block.text) else "\n\n"
            yield from builder.add(block.text, kind=block.kind, layer=block.layer, locator=place, separator=separator)
    yield from builder.close()


def _describe(fields: dict[str, list[str]], preamble: str, report: Report) -> None:
    said = {name: value.strip() for name, value in _PDF.findall(preamble)}
    authors = [name for text in fields.get("author", []) for name in re.split(r";|\s+and\s+|\n", text)]
    report.metadata(
        title=" ".join(fields.get("title", [])) or said.get("title"),
        authors=[name.strip(" ,") for name in authors if name.strip(" ,")] or said.get("author", "").split(", "),
        created=next(iter(fields.get("date", [])), ""),
        tags=[
            word.strip()
            for text in (*fields.get("keywords", []), said.get("keywords", ""))
            for word in re.split(r"[,;]", text)
            if word.strip()
        ],
        description=said.get("subject"),
    )
