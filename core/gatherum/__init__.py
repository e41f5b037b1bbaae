"""Gather documents of every format into one searchable shelf."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gatherum.document import Document, Metadata, Section
    from gatherum.errors import GatherumError, UnreadableError
    from gatherum.handler import Glimpse, Handler, Report, Source
    from gatherum.hookspecs import hookimpl
    from gatherum.locator import Locator
    from gatherum.model import EmbeddingModel
    from gatherum.problems import Problem
    from gatherum.registry import Registry, load_registry
    from gatherum.sections import SectionBuilder
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

_MODULES: Final = {
    "Document": "document",
    "EmbeddingModel": "model",
    "GatherumError": "errors",
    "Glimpse": "handler",
    "Handler": "handler",
    "Locator": "locator",
    "Metadata": "document",
    "Problem": "problems",
    "Registry": "registry",
    "Report": "handler",
    "Section": "document",
    "SectionBuilder": "sections",
    "Shelf": "shelf",
    "Source": "handler",
    "UnreadableError": "errors",
    "hookimpl": "hookspecs",
    "load_registry": "registry",
}


def __getattr__(name: str) -> object:
    """Load what is asked for on first use: what an editor starts must answer at once, and needs little of it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"gatherum.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
