"""The hooks that a plugin may implement.

A plugin is a module named by an entry point of the group ``gatherum``. Each is loaded, and each of its hooks called,
by itself, so that one plugin's failure cannot take another's work with it. Reading a document is never done inside a
hook call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatherum.document import Document
    from gatherum.handler import Handler
    from gatherum.model import EmbeddingModel

NAME = "gatherum"

hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)


@hookspec
def gatherum_handlers() -> Iterable[Handler]:
    """Return the format handlers of this plugin.

    Example::

        @hookimpl
        def gatherum_handlers():
            return [ShoutHandler()]
    """
    return ()


@hookspec
def gatherum_models() -> Iterable[EmbeddingModel]:
    """Return the embedding models that this plugin brings.

    Example::

        @hookimpl
        def gatherum_models():
            return [EmbeddingModel(name="tiny", dimensions=384, folder=Path(__file__).parent)]
    """
    return ()


@hookspec
def gatherum_refine(document: Document) -> Document | None:
    """Return a document with other metadata or sections, or None to leave it as it is.

    Called in the reader's worker for every document of which something was read, after its handler and before it is
    cut into passages, plugin by plugin: each gets what the one before has made of it. Only ``metadata`` and
    ``sections`` of what is returned are used. What raises, or returns something of a wrong type, is recorded as the
    problem ``handler_failed``, and the document stays as it was.

    A shelf reads its documents again when a plugin with this hook comes, goes, or changes its version.

    Example::

        @hookimpl
        def gatherum_refine(document):
            if "archive/" not in document.path:
                return None
            tags = (*document.metadata.tags, "archive")
            return replace(document, metadata=replace(document.metadata, tags=tags))
    """
    return None
