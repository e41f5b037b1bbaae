"""Import LanceDB quickly and quietly."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any

_CLIENT = "lance_namespace_urllib3_client"


def lancedb() -> Any:
    """Return the lancedb module.

    Half of its import time goes into a REST client for remote catalogues that a local table never uses: that
    package is entered without running its ``__init__``, which happens after all should anything be looked up in it.
    """
    if "lancedb" not in sys.modules:
        os.environ.setdefault("LANCEDB_LOG", "error")
        _defer(_CLIENT)
    import lancedb

    return lancedb


def _defer(name: str) -> None:
    spec = importlib.util.find_spec(name)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    loader, module = spec.loader, importlib.util.module_from_spec(spec)

    def resolve(attribute: str) -> object:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        module.__dict__.pop("__getattr__", None)
        loader.exec_module(module)
        return getattr(module, attribute)

    module.__dict__["__getattr__"] = resolve
    sys.modules[name] = module
