"""XML of no vocabulary that has a handler of its own: prose by its paragraphs and titles, data by key paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


class XmlHandler(Handler):
    """Read XML whose vocabulary is unknown."""

    name = "xml"
    title = "XML documents and data"
    extensions = (".xml", ".tei")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the text of *source*, or its values.

        Raises:
            UnreadableError: It is empty, or no XML.
        """
        from gatherum_formats.xml.plain import PLAIN_DEFAULT, PLAIN_RULES, data_sections, is_prose
        from gatherum_formats.xmldoc.meta import describe
        from gatherum_formats.xmldoc.rules import language_of
        from gatherum_formats.xmldoc.source import load_tree
        from gatherum_formats.xmldoc.walk import Walk

        tree = load_tree(source.data, source.name, report)
        if not is_prose(tree.root):
            yield from data_sections(tree.root, report, tree.before)
            return
        walk = Walk(PLAIN_RULES, PLAIN_DEFAULT, before=tree.before)
        try:
            yield from walk.read(tree.root)
        finally:
            describe(walk, report, language=language_of(tree.root))


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [XmlHandler()]
