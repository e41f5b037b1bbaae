"""Comments on slides, in the form of 2007 and in the threaded form of 2018."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum_formats.shared.drawing import rich_text

if TYPE_CHECKING:
    from lxml.etree import _Element

    from gatherum_formats.shared.opc import Package, Relationship

_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_P188: Final = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"


def comment_authors(package: Package, edges: dict[str, Relationship]) -> dict[str, str]:
    """Return the names of those who commented, by their ids in either form.

    Args:
        package: The presentation.
        edges: The relationships of its main part.
    """
    names: dict[str, str] = {}
    for edge in edges.values():
        if edge.kind in ("commentAuthors", "authors") and not edge.external:
            root = package.xml(edge.target)
            for author in root.iter(f"{_P}cmAuthor", f"{_P188}author") if root is not None else ():
                names[author.get("id", "")] = " ".join(author.get("name", "").split())
    return names


def read_comments(root: _Element, authors: dict[str, str]) -> list[str]:
    """Return the comments and replies of one comments part, each as "Author, date: text"."""
    found = []
    for comment in root.iter(f"{_P}cm", f"{_P188}cm", f"{_P188}reply"):
        if comment.tag == f"{_P}cm":
            said, day = comment.findtext(f"{_P}text", ""), comment.get("dt", "")
        else:
            body = comment.find(f"{_P188}txBody")
            said, day = rich_text(body) if body is not None else "", comment.get("created", "")
        who = ", ".join(filter(None, (authors.get(comment.get("authorId", "")), day[:10])))
        if said.strip():
            found.append(f"{who}: {said.strip()}" if who else said.strip())
    return found
