"""What stands around OpenDocument paragraphs: lists, tables, sections and indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum_formats.opendocument.flow import Block, as_text
from gatherum_formats.opendocument.lists import ListRuns
from gatherum_formats.opendocument.names import attribute, clark, inner_text
from gatherum_formats.opendocument.tables import Allowance, Table

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.opendocument.flow import Flow
    from gatherum_formats.opendocument.walk import Walker

_NO_TEXT = (
    *("text:tracked-changes", "table:tracked-changes", "text:sequence-decls", "text:variable-decls"),
    *("text:user-field-decls", "text:dde-connection-decls", "text:alphabetical-index-auto-mark-file"),
    *("text:table-of-content-source", "text:illustration-index-source", "text:table-index-source"),
    *("text:object-index-source", "text:user-index-source", "text:alphabetical-index-source"),
    *("text:bibliography-source", "text:number", "office:scripts", "office:binary-data", "office:settings"),
    *("table:content-validations", "table:table-source", "table:dde-link", "dc:creator", "dc:date"),
    *("meta:date-string", "meta:creator-initials", "loext:sender-initials", "office:meta", "office:styles"),
    *("office:automatic-styles", "office:master-styles", "office:font-face-decls", "office:event-listeners"),
)
_INDEXES = (
    *("text:table-of-content", "text:illustration-index", "text:table-index"),
    *("text:object-index", "text:user-index", "text:alphabetical-index"),
)


class Structure:
    """Teach a walker lists, tables, sections and indexes, and what to leave out.

    Args:
        walker: Who learns.
    """

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._lists = ListRuns()
        self._allowance = Allowance()
        self._tables: list[Table] = []
        self._cells = 0
        walker.teach(
            {
                **dict.fromkeys(_NO_TEXT, lambda _: True),
                **dict.fromkeys(_INDEXES, self._index),
                "text:list": self._list,
                "text:numbered-paragraph": self._numbered,
                "text:list-item": self._item,
                "text:list-header": self._header,
                "text:section": self._section,
                "text:section-source": self._section_source,
                "table:table": self._table,
                "table:table-row": self._row,
                "table:table-cell": self._cell,
                "table:covered-table-cell": self._covered,
                "table:title": self._caption,
                "table:desc": self._caption,
            }
        )

    def _index(self, element: _Element) -> bool:
        self._walker.indexes += 1
        self._walker.at_end(element, self._end_index)
        return False

    def _end_index(self, _: _Element) -> None:
        self._walker.indexes -= 1

    # Lists

    def _list(self, element: _Element) -> bool:
        flow, inherited = self._walker.flow, ""
        if not flow.lists and not attribute(element, "text:style-name"):
            first = next(element.iter(clark("text:p")), None)
            if first is not None:
                inherited = self._walker.styles.paragraph(attribute(first, "text:style-name")).list_style or ""
        flow.lists.append(
            self._lists.open(element, self._walker.styles, flow.lists[-1] if flow.lists else None, inherited)
        )
        self._walker.at_end(element, lambda _: self._end_list(flow))
        return False

    def _end_list(self, flow: Flow) -> None:
        flow.lists.pop()

    def _numbered(self, element: _Element) -> bool:
        self._list(element)
        self._walker.flow.lists[-1].item(element)
        return False

    def _item(self, element: _Element) -> bool:
        if self._walker.flow.lists:
            self._walker.flow.lists[-1].item(element)
        return False

    def _header(self, _: _Element) -> bool:
        if self._walker.flow.lists:
            self._walker.flow.lists[-1].waiting = False
        return False

    # Sections

    def _section(self, element: _Element) -> bool:
        display = attribute(element, "text:display")
        if display == "none" or (display == "condition" and attribute(element, "text:is-hidden") == "true"):
            self._walker.push(counted=True)
            self._walker.at_end(element, lambda _: self._walker.hide(self._walker.pop()))
        return False

    def _section_source(self, element: _Element) -> bool:
        """Name the file that a section takes its text from; it is never opened."""
        parent, link = element.getparent(), attribute(element, "xlink:href")
        if link and parent is not None:
            name = attribute(parent, "text:name") or link
            self._walker.emit(Block(text=f"[{name}]({link})", place=self._walker.place))
        return True

    # Tables

    def _table(self, element: _Element) -> bool:
        walker = self._walker
        if walker.flow.counted:
            walker.place += 1
        table = Table(self._allowance)
        walker.push()
        self._tables.append(table)
        walker.at_end(element, self._end_table)
        return False

    def _end_table(self, _: _Element) -> None:
        walker = self._walker
        table, around = self._tables.pop(), walker.pop()
        if table.is_frame:
            walker.emit(*around, *table.sole)
            return
        text = table.text(nested=self._cells > 0)
        block = [Block(text=text, kind="table", place=walker.place)] if text else []
        walker.emit(*around, *block, *table.side)

    def _row(self, element: _Element) -> bool:
        if self._tables:
            table = self._tables[-1]
            table.begin_row()
            self._walker.at_end(element, table.end_row)
        return False

    def _cell(self, element: _Element) -> bool:
        if self._tables:
            self._walker.push()
            self._cells += 1
            self._walker.at_end(element, self._end_cell)
        return False

    def _end_cell(self, element: _Element) -> None:
        self._cells -= 1
        blocks = self._walker.pop()
        text, rest = as_text(blocks)
        table = self._tables[-1]
        table.side.extend(rest)
        table.cell(element, text, blocks)

    def _covered(self, element: _Element) -> bool:
        if self._tables:
            self._walker.push()
            self._walker.at_end(element, self._end_covered)
        return False

    def _end_covered(self, element: _Element) -> None:
        walker = self._walker
        blocks = walker.pop()
        self._tables[-1].cover(element)
        walker.hide(blocks)

    def _caption(self, element: _Element) -> bool:
        if text := inner_text(element):
            self._walker.emit(Block(text=text, kind="caption", place=self._walker.place))
        return True
