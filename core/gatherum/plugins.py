"""Find, load and report plugins; a broken one never stops the others."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import pluggy

from gatherum import hookspecs
from gatherum.document import Document
from gatherum.handler import Handler
from gatherum.hookspecs import NAME
from gatherum.model import EmbeddingModel
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from importlib.metadata import EntryPoint

PluginState = Literal["active", "blocked", "failed"]
Refine = Callable[[Document], object]
"""Calls the hook ``gatherum_refine`` of one plugin; what it returns is unchecked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginInfo:
    """One installed plugin.

    Attributes:
        name: The entry point's name.
        distribution: The package that brought it.
        version: That package's version.
        state: ``active``, ``blocked`` by a setting, or ``failed``.
        hooks: The hooks it implements.
        handlers: The handlers it registered.
        models: The embedding models it registered.
        error: Why it failed; "" otherwise.
        shadowed: The extensions that it claims and another plugin reads; known to a registry only.
        seconds: How long it took to load: every start of gatherum takes so much longer for it.
    """

    name: str
    distribution: str
    version: str
    state: PluginState
    hooks: tuple[str, ...] = ()
    handlers: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    error: str = ""
    shadowed: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def built_in(self) -> bool:
        """Whether it came with gatherum."""
        return self.distribution == NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugins:
    """What the installed plugins bring.

    Attributes:
        infos: Every plugin, broken and blocked ones included; built-in ones first, then by name.
        handlers: Each handler with the plugin it came from, in the same order.
        models: Each embedding model with the plugin it came from, in the same order.
        refiners: What refines documents, with the plugin it came from, in the same order.
    """

    infos: tuple[PluginInfo, ...]
    handlers: tuple[tuple[PluginInfo, Handler], ...]
    models: tuple[tuple[PluginInfo, EmbeddingModel], ...]
    refiners: tuple[tuple[PluginInfo, Refine], ...] = ()


def load_plugins(*, blocked: Collection[str] = ()) -> Plugins:
    """Load every installed plugin, each on its own.

    Args:
        blocked: Names of plugins or of whole distributions to leave out.
    """
    from importlib.metadata import entry_points

    return collect(entry_points(group=NAME), blocked=blocked)


def collect(entries: Iterable[EntryPoint], *, blocked: Collection[str] = ()) -> Plugins:
    """Load the plugins behind *entries*, each on its own."""
    infos: list[PluginInfo] = []
    handlers: list[tuple[PluginInfo, Handler]] = []
    models: list[tuple[PluginInfo, EmbeddingModel]] = []
    refiners: list[tuple[PluginInfo, Refine]] = []
    known: dict[int, tuple[str, str]] = {}
    found = [(*_distribution(entry, known), entry) for entry in entries]
    for distribution, version, entry in sorted(found, key=lambda each: (each[0] != NAME, each[2].name)):
        about = PluginInfo(name=entry.name, distribution=distribution, version=version, state="active")
        if entry.name in blocked or _canonical(distribution) in map(_canonical, blocked):
            infos.append(replace(about, state="blocked"))
            continue
        start = time.perf_counter()
        try:
            hooks, brought_handlers, brought_models, refine = _load(entry)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a plugin raises while it is loaded, exits included
            infos.append(replace(about, state="failed", error=clean(f"{type(error).__name__}: {error}")))
            continue
        info = replace(
            about,
            hooks=hooks,
            handlers=tuple(handler.name for handler in brought_handlers),
            models=tuple(model.name for model in brought_models),
            seconds=round(time.perf_counter() - start, 3),
        )
        infos.append(info)
        handlers.extend((info, handler) for handler in brought_handlers)
        models.extend((info, model) for model in brought_models)
        if refine is not None:
            refiners.append((info, refine))
    return Plugins(infos=tuple(infos), handlers=tuple(handlers), models=tuple(models), refiners=tuple(refiners))


def _distribution(entry: EntryPoint, known: dict[int, tuple[str, str]]) -> tuple[str, str]:
    """Return the name and version of a plugin's package; each package is asked once, for it reads a file each time."""
    package = entry.dist
    if package is None:
        return "", ""
    if id(package) not in known:
        known[id(package)] = package.name, package.version
    return known[id(package)]


def _canonical(distribution: str) -> str:
    """Return a package's name as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _load(entry: EntryPoint) -> tuple[tuple[str, ...], list[Handler], list[EmbeddingModel], Refine | None]:
    """Import one plugin and call its hooks; in a manager of its own, so that its failure is its own."""
    manager = pluggy.PluginManager(NAME)
    manager.add_hookspecs(hookspecs)
    with redirect_stdout(sys.stderr):  # output belongs to results and protocols
        plugin = entry.load()
    manager.register(plugin, name=entry.name)
    manager.check_pending()
    hooks = tuple(sorted(caller.name for caller in manager.get_hookcallers(plugin) or ()))
    handlers = [_checked_handler(item) for item in _flat(manager.hook.gatherum_handlers())]
    models = [_checked_model(item) for item in _flat(manager.hook.gatherum_models())]
    hook = manager.hook.gatherum_refine
    refine = (lambda document: next(iter(hook(document=document)), None)) if hook.get_hookimpls() else None
    return hooks, handlers, models, refine


def _flat(results: list[Iterable[Any]]) -> list[Any]:
    return [item for result in results for item in result]


def _checked_handler(item: object) -> Handler:
    if not isinstance(item, Handler):
        raise TypeError(f"gatherum_handlers returned {item!r}, which is not a Handler")
    for attribute in ("name", "title", "extensions"):
        if not getattr(item, attribute, None):
            raise TypeError(f"{type(item).__name__} has no {attribute}")
    wrong = [ext for ext in item.extensions if not ext.startswith(".") or ext != ext.lower()]
    if wrong:
        raise TypeError(f"{type(item).__name__}: extensions are lower case with a leading dot, not {wrong[0]!r}")
    return item


def _checked_model(item: object) -> EmbeddingModel:
    if not isinstance(item, EmbeddingModel):
        raise TypeError(f"gatherum_models returned {item!r}, which is not an EmbeddingModel")
    return item
