"""Guards for reading what others wrote: sizes, zip archives, XML."""

from gatherum.limits.archive import Archive
from gatherum.limits.budget import Limits
from gatherum.limits.markup import html_parser, local_name, parse_xml, xml_parser

__all__ = ["Archive", "Limits", "html_parser", "local_name", "parse_xml", "xml_parser"]
