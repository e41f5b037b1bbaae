"""What an Excel package says beside its cells: comments, links, charts, text boxes, headers, names and tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.drawing import chart_text, diagram_text, rich_text

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum.document import Kind
    from gatherum_formats.shared.opc import Package, Relationship

MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_THREADED: Final = "{http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments}"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_XDR: Final = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_TAIL: Final = 1 << 16
_CELL: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_LINK = re.compile(rb"<(?:\w+:)?hyperlink\s[^<>]{1,4000}>")
_REF = re.compile(rb"""\sref\s*=\s*["']([A-Z]{1,3}[0-9]{1,7})""")
_ID = re.compile(rb"""\s\w+:id\s*=\s*["']([^"']{1,64})""")
_FURNITURE = re.compile(rb"<(?:\w+:)?(?:odd|even|first)(?:Header|Footer)>([^<]*)<")
_CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-F]{6}|[0-9]{1,3}|[A-Z])', re.IGNORECASE)
_COLUMN = re.compile(rb"""<(?:\w+:)?c\s[^<>]{0,200}?\br\s*=\s*["']([A-Z]{1,3})[0-9]""")
_LATER = re.compile(rb"""\br=["']([A-Z]{2,3})[0-9]""")  # columns from AA on
_ROW = re.compile(rb"""<(?:\w+:)?row\s[^<>]{0,400}?\br\s*=\s*["']([0-9]{1,7})["']""")


@dataclass(slots=True)
class SheetParts:
    """What belongs to one sheet.

    Attributes:
        links: URLs by row and column, counted from 0.
        comments: Cell and text of each comment.
        drawn: Text of charts, diagrams and boxes, and alternative text of pictures, each with its kind.
        furniture: Headers and footers.
        tables: The names of its tables, and the range of each.
        area: At most how many cells the sheet spans.
    """

    links: dict[tuple[int, int], str] = field(default_factory=dict)
    comments: list[tuple[str, str]] = field(default_factory=list)
    drawn: list[tuple[str, Kind]] = field(default_factory=list)
    furniture: list[str] = field(default_factory=list)
    tables: dict[str, str] = field(default_factory=dict)
    area: int = 0


class WorkbookParts:
    """The parts of an Excel package.

    Args:
        package: The file.

    Attributes:
        sheets: The names of the sheets in their order, and whether each is hidden.
        twice: The names of those whose part belongs to an earlier one.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main("xl/workbook.xml")
        binary = self._main.endswith(".bin")
        self._root = None if binary else package.xml(self._main) if self._main in package.archive else None
        self._persons: dict[str, str] | None = None
        edges = package.relationships(self._main)
        self._targets: dict[str, str] = {}
        self.sheets: dict[str, bool] = {}
        self.twice: set[str] = set()
        targets: set[str] = set()
        for sheet in self._root.iter(f"{MAIN}sheet") if self._root is not None else ():
            edge = edges.get(sheet.get(f"{_R}id", ""))
            if edge is not None and not edge.external:
                name = sheet.get("name", "")
                if edge.target in targets:
                    self.twice.add(name)
                targets.add(edge.target)
                self._targets[name] = edge.target
                self.sheets[name] = sheet.get("state", "visible") != "visible"

    def names(self) -> dict[str, str]:
        """Return named ranges: name to range or formula."""
        found: dict[str, str] = {}
        for name in self._root.iter(f"{MAIN}definedName") if self._root is not None else ():
            called = name.get("name", "")
            if not called.startswith("_xlnm") and name.get("hidden") not in ("1", "true"):
                found[called] = (name.text or "").strip()
        return found

    def part(self, name: str) -> str | None:
        """Return the part of the sheet of this name."""
        return self._targets.get(name)

    def sheet(self, name: str) -> SheetParts:
        """Return what belongs to the sheet of this name."""
        parts = SheetParts()
        part = self._targets.get(name)
        if part is None:
            return parts
        edges = self._package.relationships(part)
        data = self._package.archive.read(part) or b""
        parts.area = _area(data)
        links = data.find(b"hyperlinks")
        for tag in _LINK.findall(data, links) if links >= 0 else ():
            where, named = _REF.search(tag), _ID.search(tag)
            edge = edges.get(named[1].decode()) if named else None
            if where is not None and edge is not None and edge.external:
                parts.links[position(where[1].decode())] = edge.target
        for found in _FURNITURE.findall(data, max(0, len(data) - _TAIL)):
            if text := _furniture(found.decode("utf-8", errors="replace")):
                parts.furniture.append(text)
        for edge in edges.values():
            if not edge.external and edge.target in self._package.archive:
                self._attached(edge, edges, parts)
        return parts

    def _attached(self, edge: Relationship, edges: dict[str, Relationship], parts: SheetParts) -> None:
        if edge.kind == "comments" and not any(other.kind == "threadedComment" for other in edges.values()):
            parts.comments += _notes(self._package.xml(edge.target))
        elif edge.kind == "threadedComment":
            parts.comments += self._threads(self._package.xml(edge.target))
        elif edge.kind == "table" and (root := self._package.xml(edge.target)) is not None:
            parts.tables[root.get("displayName") or root.get("name") or ""] = root.get("ref", "")
        elif edge.kind == "drawing":
            self._drawing(edge.target, parts)

    def _drawing(self, part: str, parts: SheetParts) -> None:
        root = self._package.xml(part)
        for edge in self._package.relationships(part).values():
            if edge.kind in ("chart", "chartEx", "diagramData") and not edge.external:
                inner = self._package.xml(edge.target)
                if inner is not None:
                    parts.drawn.append(
                        (diagram_text(inner) if edge.kind == "diagramData" else chart_text(inner), "prose")
                    )
        for shape in root.iter(f"{_XDR}sp", f"{_XDR}pic") if root is not None else ():
            body = shape.find(f"{_XDR}txBody")
            if body is not None:
                parts.drawn.append((rich_text(body), "prose"))
            for named in shape.iter(f"{_XDR}cNvPr"):
                parts.drawn.append((named.get("descr", "").strip(), "alt"))

    def _threads(self, root: _Element | None) -> list[tuple[str, str]]:
        if self._persons is None:
            self._persons = {}
            for edge in self._package.relationships(self._main).values():
                people = self._package.xml(edge.target) if edge.kind == "person" and not edge.external else None
                for person in people if people is not None else ():
                    self._persons[person.get("id", "")] = person.get("displayName", "")
        found = []
        for comment in root.iter(f"{_THREADED}threadedComment") if root is not None else ():
            by = ", ".join(filter(None, (self._persons.get(comment.get("personId", "")), comment.get("dT", "")[:10])))
            text = "".join(part.text or "" for part in comment.iter(f"{_THREADED}text")).strip()
            found.append((comment.get("ref", ""), f"{by}: {text}" if by else text))
        return found


def position(cell: str) -> tuple[int, int]:
    """Return the row and column, counted from 0, of a cell such as "B7"; the first cell if it is none."""
    match = _CELL.match(cell)
    if match is None:
        return 0, 0
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return max(int(match[2]) - 1, 0), column - 1


def _area(data: bytes) -> int:
    """Return at most how many cells lie between the first one and the farthest.

    In a large sheet the rows are taken to be in order; what is built to mislead is small.
    """
    small = len(data) < 1 << 22
    rows = max(map(int, _ROW.findall(data, 0 if small else len(data) - _TAIL)), default=0)
    if small:
        columns = max((position(f"{letters.decode()}1")[1] + 1 for letters in set(_COLUMN.findall(data))), default=0)
    else:
        columns = max((position(f"{letters.decode()}1")[1] + 1 for letters in set(_LATER.findall(data))), default=26)
    return rows * columns


def _notes(root: _Element | None) -> list[tuple[str, str]]:
    authors = [author.text or "" for author in root.iter(f"{MAIN}author")] if root is not None else []
    found = []
    for comment in root.iter(f"{MAIN}comment") if root is not None else ():
        given = comment.get("authorId", "")
        at = int(given) if given.isascii() and given.isdigit() and len(given) < 6 else len(authors)
        author = authors[at].strip() if at < len(authors) else ""
        text = "".join(part.text or "" for part in comment.iter(f"{MAIN}t")).strip()
        text = text.removeprefix(f"{author}:").strip() if author else text
        found.append((comment.get("ref", ""), f"{author}: {text}" if author else text))
    return found


def _furniture(coded: str) -> str:
    """Return a header or footer without its codes for fonts, page numbers and the like."""
    parts = re.split(r"&[LCR]", unescape(coded).replace("&&", "\x00"))
    return " ".join(text for part in parts if (text := _CODE.sub("", part).replace("\x00", "&").strip()))
