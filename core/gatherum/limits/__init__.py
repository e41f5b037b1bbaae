"""Guards for reading what others wrote: sizes, zip archives, XML, memory."""

from typing import TYPE_CHECKING

from gatherum.limits.budget import Limits
from gatherum.limits.markup import html_parser, local_name, parse_xml, xml_parser
from gatherum.limits.memory import within_memory

if TYPE_CHECKING:
    from gatherum.limits.archive import Archive

__all__ = ["Archive", "Limits", "html_parser", "local_name", "parse_xml", "within_memory", "xml_parser"]


def __getattr__(name: str) -> object:
    """Load the guard of archives on first use: commands that read no file do without it."""
    if name == "Archive":
        from gatherum.limits.archive import Archive

        return Archive
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
