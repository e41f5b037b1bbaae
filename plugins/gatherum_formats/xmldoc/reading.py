"""A document of an XML vocabulary from its tree to its sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum_formats.xmldoc.meta import describe
from gatherum_formats.xmldoc.rules import language_of, loose
from gatherum_formats.xmldoc.source import load_tree
from gatherum_formats.xmldoc.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatherum import Report, Section, Source
    from gatherum_formats.xmldoc.source import Tree
    from gatherum_formats.xmldoc.walk import Rule


def read_source(source: Source, rules: Mapping[str, Rule], report: Report) -> Iterator[Section]:
    """Yield the text of a file whose vocabulary has the shared meaning for what *rules* does not name.

    Raises:
        UnreadableError: It is empty, or no XML.
    """
    yield from read_tree(load_tree(source.data, source.name, report), rules, loose, report)


def read_tree(tree: Tree, rules: Mapping[str, Rule], default: Rule, report: Report) -> Iterator[Section]:
    """Yield the text of a document; its metadata is told even if nobody reads to the end.

    Args:
        tree: The document.
        rules: What its elements mean, by name.
        default: What others mean.
        report: Told of metadata and hidden text.
    """
    walk = Walk(rules, default, before=tree.before)
    try:
        yield from walk.read(tree.root)
    finally:
        describe(walk, report, language=language_of(tree.root))
