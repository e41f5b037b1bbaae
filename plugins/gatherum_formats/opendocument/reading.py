"""What the readers of OpenDocument text, presentations and spreadsheets share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import SectionBuilder
from gatherum_formats.opendocument.drawings import Drawings
from gatherum_formats.opendocument.inline import Inline
from gatherum_formats.opendocument.names import clark
from gatherum_formats.opendocument.slides import master_shapes
from gatherum_formats.opendocument.structure import Structure
from gatherum_formats.opendocument.styles import Styles
from gatherum_formats.opendocument.walk import Walker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind, Layer
    from gatherum_formats.opendocument.package import OpenDocument


def new_walker(package: OpenDocument, report: Report, layout: bool = False) -> Walker:
    """Return a walker that knows all of the markup.

    Args:
        package: The file.
        report: Told of hidden text and of parts that cannot be read.
        layout: Whether it is to read page layouts, which have styles of their own, instead of the body.
    """
    common = package.find(package.styles, "office:styles")
    own = package.find(package.styles if layout else package.content, "office:automatic-styles")
    walker = Walker(Styles(common, own), report)
    Structure(walker)
    Drawings(walker, Inline(walker), package)
    return walker


def furniture(package: OpenDocument, report: Report) -> Iterator[Section]:
    """Yield headers, footers and what master slides repeat, each text once."""
    walker = new_walker(package, report, layout=True)
    masters = package.find(package.styles, "office:master-styles")
    builder = SectionBuilder()
    seen: set[str] = set()
    for master in masters if masters is not None else ():
        if master.tag != clark("style:master-page"):
            continue
        for part in master_shapes(master):
            for block in walker.blocks(part):
                if block.text not in seen:
                    seen.add(block.text)
                    shown = block.layer == "body"
                    kind: Kind = "header" if shown else block.kind
                    layer: Layer = "furniture" if shown else block.layer
                    yield from builder.add(block.text, kind=kind, layer=layer)
    yield from builder.close()
