"""DITA: topics under their titles, and maps as outlines of what they put in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Handler, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Glimpse, Report, Section, Source

_ROOT: Final = re.compile(r"topic|concept|task|reference|dita|glossentry|glossgroup|troubleshooting")
_MAP: Final = re.compile(r"map|bookmap|subjectScheme")
_MARK: Final = re.compile(r"DTD DITA|ditaarch:|dita\.oasis-open\.org|\btopic/topic\b|\bmap/map\b")
_BODY: Final = re.compile(rb"<(?:body|conbody|taskbody|refbody|topicref|bookmeta|keydef)[\s>/]")


class DitaHandler(Handler):
    """Read topics by their titles and sections, maps by their entries."""

    name = "dita"
    title = "DITA topics and maps"
    extensions = (".dita", ".ditamap", ".bookmap")
    also = (".xml",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the text of *source*; what it takes over from other files is named, not fetched.

        Raises:
            UnreadableError: It is empty, or no XML.
        """
        from gatherum_formats.dita.map import is_map
        from gatherum_formats.dita.rules import DEFAULT, RULES, TOPIC_RULES
        from gatherum_formats.xmldoc.reading import read_tree
        from gatherum_formats.xmldoc.source import load_tree

        tree = load_tree(source.data, source.name, report)
        yield from read_tree(tree, RULES if is_map(tree.root) else TOPIC_RULES, DEFAULT, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know DITA by its document types, or by the attributes of its roots."""
        from gatherum_formats.xmldoc.source import glimpse_root

        root, beside = glimpse_root(glimpse.head)
        if _MAP.fullmatch(root):
            return ".ditamap" if _MARK.search(beside) or _BODY.search(glimpse.head) else None
        if _ROOT.fullmatch(root):
            return ".dita" if _MARK.search(beside) or _BODY.search(glimpse.head) else None
        return ".dita" if root and _MARK.search(beside) else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [DitaHandler()]
