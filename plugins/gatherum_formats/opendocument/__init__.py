"""OpenDocument text, presentations and drawings: zipped and flat, documents, templates and masters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Report, Section, Source, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

_ZIPPED: Final = {
    "text": ".odt",
    "text-template": ".ott",
    "text-master": ".odm",
    "presentation": ".odp",
    "presentation-template": ".otp",
    "graphics": ".odg",
    "graphics-template": ".otg",
}
_FLAT: Final = {"text": ".fodt", "presentation": ".fodp", "graphics": ".fodg"}


class OpenDocumentHandler(Handler):
    """Read OpenDocument text, presentations and drawings."""

    name = "opendocument"
    title = "OpenDocument text and presentations"
    extensions = (".odt", ".ott", ".fodt", ".odm", ".odp", ".otp", ".fodp", ".odg", ".otg", ".fodg")
    also = (".xml",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield text in reading order, then headers and footers.

        Args:
            source: The file.
            report: Told of metadata and problems.

        Raises:
            UnreadableError: It is no OpenDocument file, or is locked by a password.
        """
        from gatherum_formats.opendocument.document import read_document

        yield from read_document(source, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Recognise the package's media type, or the root of a flat file."""
        from gatherum_formats.opendocument.type import MIMETYPE, flat_type

        if glimpse.mimetype.startswith(MIMETYPE):
            return _ZIPPED.get(glimpse.mimetype.removeprefix(MIMETYPE))
        kind = flat_type(glimpse.head)
        return None if kind is None else _FLAT.get(kind.removesuffix("-template"))


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Give the handler of OpenDocument files."""
    return [OpenDocumentHandler()]
