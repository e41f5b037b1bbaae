"""Gather documents of every format into one searchable shelf."""

from typing import TYPE_CHECKING

from gatherum.document import Document, Metadata, Section
from gatherum.errors import GatherumError, UnreadableError
from gatherum.handler import Glimpse, Handler, Report, Source
from gatherum.hookspecs import hookimpl
from gatherum.locator import Locator
from gatherum.model import EmbeddingModel
from gatherum.problems import Problem
from gatherum.registry import Registry, load_registry
from gatherum.sections import SectionBuilder

if TYPE_CHECKING:
    from gatherum.shelf import Shelf

__version__ = "0.1.0"

__all__ = [
    "Document",
    "EmbeddingModel",
    "GatherumError",
    "Glimpse",
    "Handler",
    "Locator",
    "Metadata",
    "Problem",
    "Registry",
    "Report",
    "Section",
    "SectionBuilder",
    "Shelf",
    "Source",
    "UnreadableError",
    "__version__",
    "hookimpl",
    "load_registry",
]


def __getattr__(name: str) -> object:
    """Load the shelf on first use: plugins and the command's help do without it."""
    if name == "Shelf":
        from gatherum.shelf import Shelf

        return Shelf
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
