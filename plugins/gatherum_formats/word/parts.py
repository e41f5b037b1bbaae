"""The parts of a Word package: read one by one, or as python-docx opens them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.opc import Package, Relationship

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum import Report, Source

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

_MAIN: Final = "word/document.xml"
_MANY: Final = 500
"""python-docx takes time that grows with the square of the number of parts."""
_UNOPENED: Final = ("customXml/", "/charts/", "/diagrams/", "/theme/", "/embeddings/", "/media/")


class Parts:
    """What the walker needs of a package: roots, relationships and bytes of its parts.

    Args:
        source: The file.
        report: Told of what is missing or damaged.
        opened: Whether python-docx opens the package, if it can.

    Raises:
        UnreadableError: The file is no usable archive.
    """

    def __init__(self, source: Source, report: Report, *, opened: bool = False) -> None:
        self.package = Package(source, report)
        self.main = self.package.main(_MAIN)
        self._roots: dict[str, _Element] = {}
        if opened and len(self.package.archive.names) <= _MANY:
            self.main, self._roots = _open(self.package) or (self.main, {})

    def __contains__(self, part: str) -> bool:
        return part in self._roots or part in self.package.archive

    def xml(self, part: str) -> _Element | None:
        """Return a part's root; None, with a problem recorded, if it cannot be had."""
        if part in self._roots:
            return self._roots[part]
        return self.package.xml(part)

    def read(self, part: str) -> bytes | None:
        """Return a part's bytes; None, with a problem recorded, if they cannot be had."""
        return self.package.archive.read(part)

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return a part's relationships by id."""
        return self.package.relationships(part)

    @cached_property
    def document(self) -> _Element | None:
        """The root of the main part; None if that is missing or no document."""
        root = self.xml(self.main) if self.main in self else None
        is_one = root is not None and (root.tag == f"{W}document" or next(root.iter(f"{W}p"), None) is not None)
        return root if is_one else None

    def related(self, kind: str) -> str | None:
        """Return the main part's first related part of a kind that is in the file."""
        edges = self.relationships(self.main).values()
        return next((edge.target for edge in edges if edge.kind == kind and edge.target in self), None)


def _open(package: Package) -> tuple[str, dict[str, _Element]] | None:
    """Return the main part's name and the parsed parts; None if python-docx cannot read the package.

    It refuses strict files, templates, files with macros, relationships that lead nowhere and damaged XML; entities it
    would leave out without a word.
    """
    try:
        import docx

        document = docx.Document(package.archive.slim(_is_wanted))
        roots: dict[str, _Element] = {}
        for part in document.part.package.iter_parts():
            root = getattr(part, "element", None)
            if root is not None:
                if root.getroottree().docinfo.doctype:
                    return None
                roots[part.partname.lstrip("/")] = root
        return document.part.partname.lstrip("/"), roots
    except Exception:  # noqa: BLE001 - it raises whatever the damage leads to; the package is then read part by part
        return None


def _is_wanted(name: str) -> bool:
    if name.endswith(".rels"):
        return True
    return name.endswith(".xml") and not any(folder in name for folder in _UNOPENED)
