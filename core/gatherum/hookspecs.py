"""The hooks that a plugin may implement.

A plugin is a module named by an entry point of the group ``gatherum``. Hooks only collect: reading a document is
never done inside a hook call, so one plugin's failure cannot take another's work with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable

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
