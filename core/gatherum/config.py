"""Settings: defaults, then gatherum.toml, then the environment, then flags."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, get_origin, get_type_hints

from gatherum.errors import ConfigError

FILE: Final = "gatherum.toml"
SHELF: Final = ".gatherum"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfSettings:
    """Where the shelf is.

    Attributes:
        path: Its folder, relative to the file that says so.
    """

    path: str = SHELF


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings:
    """What is gathered.

    Attributes:
        include: Glob patterns of the files to read, as in .gitignore; empty for all.
        exclude: Glob patterns of files and folders to leave out.
        hidden: Whether to read files and folders whose name starts with a dot.
        gitignore: Whether to leave out what .gitignore and .gatherumignore files name.
        follow_links: Whether to follow symbolic links that stay inside the folder.
        max_file_mb: Files larger than this are skipped.
        archives: Whether files in .zip and .tar archives are documents of their own.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False
    gitignore: bool = True
    follow_links: bool = False
    max_file_mb: int = 256
    archives: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSettings:
    """How files are read.

    Attributes:
        isolation: ``always`` reads files in worker processes within time and memory, ``never`` in this process,
            ``auto`` in worker processes unless this system lets none be started.
        workers: How many; 0 for one per processor, at most 4.
        seconds: The time for one file, one second more for each MB.
        memory_mb: The address space of a worker.
        handlers: Extension to the name of the handler that must read it.
        block: Plugins or distributions that are not loaded.
    """

    isolation: str = "auto"
    workers: int = 0
    seconds: int = 30
    memory_mb: int = 2048
    handlers: Mapping[str, str] = field(default_factory=dict)
    block: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkingSettings:
    """How sections become passages, in tokens of the embedding model.

    Attributes:
        target: The length that passages are kept to.
        whole: Code, tables and formulas up to this length are not cut.
        merge: Sections shorter than this join the next one.
    """

    target: int = 200
    whole: int = 400
    merge: int = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """How passages get their vectors.

    Attributes:
        model: The name of a bundled, plugged-in or fastembed model; "none" for keyword search only.
        threads: Processor threads; 0 to choose.
    """

    model: str = "multilingual-e5-small"
    threads: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How queries are answered.

    Attributes:
        mode: ``hybrid``, ``keyword`` or ``semantic``.
        limit: How many hits.
        per_file: How many hits of one document; 0 for any number.
    """

    mode: str = "hybrid"
    limit: int = 10
    per_file: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How editors and other clients are served.

    Attributes:
        daemon: Whether all editors that serve over stdin and stdout share one process, which starts and ends by itself.
        idle_seconds: After how long without any editor that process ends; 0 for never.
        watch: Whether that process gathers files as they change.
        read_only: Whether assistants are offered no tool that indexes.
        host: The address that HTTP is served on.
        port: Its port; 0 for any that is free.
        allowed_hosts: Names under which clients may also reach the server, as their Host header gives them; with a port
            if it is another one.
        allowed_origins: Web pages that may ask, as their Origin header gives them: ``https://docs.example.com``.
        require_token: Whether clients over HTTP must show the token; may be switched off on this machine's own
            addresses only.
        token_file: The file with the token, which is made if it is not there; by default in the shelf's folder.
    """

    daemon: bool = True
    idle_seconds: int = 600
    watch: bool = True
    read_only: bool = False
    host: str = "127.0.0.1"
    port: int = 7342
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    require_token: bool = True
    token_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSettings:
    """A role, and when it is meant.

    Attributes:
        file: Its Markdown file, relative to the settings file.
        description: What it is for, in a sentence.
        when_files: Glob patterns of the files it is for, as in .gitignore.
        when_task: Kinds of task it is for, for example "edit" or "review".
        when_query: Words or phrases that speak for it.
    """

    file: str
    description: str = ""
    when_files: tuple[str, ...] = ()
    when_task: tuple[str, ...] = ()
    when_query: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings:
    """Which role's context an assistant is given.

    Attributes:
        default: The role that holds when no other does; "" for none.
        min_query_score: How many of a role's words a query must hold to count.
        word_boundaries: Whether such words must be whole words.
        roles: The roles by name.
    """

    default: str = ""
    min_query_score: int = 1
    word_boundaries: bool = True
    roles: Mapping[str, RoleSettings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSettings:
    """When passages are put beside a prompt; `gatherum prompt-hook --calibrate` finds the first two.

    Attributes:
        threshold: The relevance from which they are.
        margin: How far behind the best passage's cosine further ones may be.
        passages: How many at most.
        max_tokens: How long they may be together.
    """

    threshold: float = 0.175
    margin: float = 0.02
    passages: int = 3
    max_tokens: int = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSettings:
    """What is noted, in the shelf's folder only, of what was served.

    Attributes:
        enabled: Whether anything is.
        retention_days: After how many days it is deleted.
    """

    enabled: bool = True
    retention_days: int = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of one shelf.

    Attributes:
        shelf: Where it is.
        collections: Named folders to gather, relative to the file that names them.
        index: What is gathered.
        reader: How files are read.
        chunking: How text is cut.
        embedding: How vectors are made.
        search: How queries are answered.
        server: How editors and other clients are served.
        context: Which role's context an assistant is given.
        hook: When passages are put beside a prompt.
        usage: What is noted of what was served.
        origins: Dotted setting to where its value comes from; what is not listed is a default.
    """

    shelf: ShelfSettings = field(default_factory=ShelfSettings)
    collections: Mapping[str, str] = field(default_factory=dict)
    index: IndexSettings = field(default_factory=IndexSettings)
    reader: ReaderSettings = field(default_factory=ReaderSettings)
    chunking: ChunkingSettings = field(default_factory=ChunkingSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    server: ServerSettings = field(default_factory=ServerSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    hook: HookSettings = field(default_factory=HookSettings)
    usage: UsageSettings = field(default_factory=UsageSettings)
    origins: Mapping[str, str] = field(default_factory=dict)


_GROUPS: Final = ("shelf", "index", "reader", "chunking", "embedding", "search", "server", "context", "hook", "usage")
_CHOICES: Final = {
    "reader.isolation": ("auto", "always", "never"),
    "search.mode": ("hybrid", "keyword", "semantic"),
}
_PATHS: Final = {"shelf": {"path"}, "server": {"token_file"}}
_LEAST: Final = {
    "chunking.target": 16,
    "chunking.whole": 16,
    "context.min_query_score": 1,
    "hook.max_tokens": 100,
    "hook.passages": 1,
    "index.max_file_mb": 1,
    "reader.memory_mb": 256,
    "reader.seconds": 1,
    "search.limit": 1,
    "usage.retention_days": 1,
}


def find_config(start: Path) -> Path | None:
    """Return the nearest gatherum.toml, or pyproject.toml with [tool.gatherum], at or above *start*."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return folder / FILE
        project = folder / "pyproject.toml"
        if project.is_file() and _ours(project) is not None:
            return project
    return None


def _ours(project: Path) -> dict[str, Any] | None:
    """Return what a pyproject.toml sets for us; one that is broken, but does not name us, is not our matter."""
    try:
        if "gatherum" not in project.read_text(encoding="utf-8", errors="replace"):
            return None
    except OSError:
        return None
    tools = _toml(project).get("tool", {})
    settings = tools.get("gatherum") if isinstance(tools, dict) else None
    if settings is not None and not isinstance(settings, dict):
        raise ConfigError(f"{project}: [tool.gatherum] must be a table of settings")
    return settings


def load_settings(file: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of *file* under those of the environment.

    Args:
        file: A gatherum.toml or pyproject.toml; None for defaults.
        environ: The environment; by default the process's own.

    Raises:
        ConfigError: A setting is unknown or has a wrong value.
    """
    settings = Settings()
    if file is not None:
        data = _ours(file) or {} if file.name == "pyproject.toml" else _toml(file)
        settings = override(settings, data, origin=str(file), base=file.parent)
    environ = os.environ if environ is None else environ
    given: dict[str, dict[str, str]] = {}
    for name, value in environ.items():
        group, _, key = name.removeprefix("GATHERUM_").lower().partition("_")
        if name.startswith("GATHERUM_") and group in _GROUPS and key:
            given.setdefault(group, {})[key] = value
    return override(settings, given, origin="environment", base=Path.cwd())


def override(settings: Settings, data: Mapping[str, Any], *, origin: str, base: Path) -> Settings:
    """Return *settings* with the values of *data* in their place.

    Args:
        settings: What holds so far.
        data: Group to key to value, as in gatherum.toml.
        origin: Where *data* comes from, for `config show` and error messages.
        base: The folder that paths are relative to.
    """
    origins = dict(settings.origins)
    changes: dict[str, Any] = {}
    for group, values in data.items():
        if group == "collections":
            changes[group] = _collections(values, origin=origin, base=base)
            origins[group] = origin
            continue
        if group not in _GROUPS:
            raise _unknown(group, (*_GROUPS, "collections"), origin)
        if not isinstance(values, dict):
            raise ConfigError(f"{origin}: [{group}] must be a table of settings")
        current = getattr(settings, group)
        hints = get_type_hints(type(current))
        given: dict[str, Any] = {}
        for key, value in values.items():
            if key not in hints:
                raise _unknown(f"{group}.{key}", tuple(f"{group}.{name}" for name in hints), origin)
            given[key] = _convert(f"{group}.{key}", value, hints[key], origin)
            origins[f"{group}.{key}"] = origin
        for key in given.keys() & _PATHS.get(group, set()):
            given[key] = str((base / Path(given[key]).expanduser()).absolute()) if given[key] else ""
        changes[group] = replace(current, **given)
    return replace(settings, **changes, origins=origins)


def setting_rows(settings: Settings) -> list[tuple[str, object, str]]:
    """Return every setting as (dotted name, value, origin)."""
    rows: list[tuple[str, object, str]] = []
    for group in _GROUPS:
        values = getattr(settings, group)
        for entry in fields(values):
            name = f"{group}.{entry.name}"
            rows.append((name, getattr(values, entry.name), settings.origins.get(name, "default")))
    origin = settings.origins.get("collections", "default")
    return rows + [(f"collections.{name}", root, origin) for name, root in settings.collections.items()]


def _toml(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not valid TOML: {error}") from None


def _unknown(name: str, known: tuple[str, ...], origin: str) -> ConfigError:
    from difflib import get_close_matches

    nearest = get_close_matches(name, known, n=1, cutoff=0.4)
    return ConfigError(
        f"{origin}: there is no setting {name!r}",
        hint=f"Did you mean {nearest[0]!r}?" if nearest else f"Known: {', '.join(known)}.",
    )


def _collections(values: object, *, origin: str, base: Path) -> dict[str, str]:
    if not isinstance(values, dict) or not all(isinstance(root, str) for root in values.values()):
        raise ConfigError(f"{origin}: [collections] maps names to folders", hint='For example: notes = "notes"')
    return {name: os.path.abspath(base / Path(root).expanduser()) for name, root in values.items()}  # noqa: PTH100 - "a/../b" is b


def _convert(name: str, value: Any, hint: Any, origin: str) -> Any:
    """Return *value* as the type of its setting; text, from the environment, is parsed."""
    if name == "context.roles":
        return _roles(value, origin)
    choices = _CHOICES.get(name)
    if choices and value not in choices:
        raise ConfigError(f"{origin}: {name} is {value!r}", hint=f"It must be one of {', '.join(choices)}.")
    kind = get_origin(hint) or hint
    if kind is tuple:
        items = [item.strip() for item in value.split(",")] if isinstance(value, str) else value
        if isinstance(items, list) and all(isinstance(item, str) for item in items):
            return tuple(item for item in items if item)
    elif kind is bool:
        if isinstance(value, bool):
            return value
        if str(value).lower() in ("1", "true", "yes", "on", "0", "false", "no", "off"):
            return str(value).lower() in ("1", "true", "yes", "on")
    elif kind is int:
        number = int(value) if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value) else value
        least = _LEAST.get(name, 0)
        if isinstance(number, int) and not isinstance(number, bool) and number >= least:
            return number
        raise ConfigError(f"{origin}: {name} is {value!r}", hint=f"It must be a number from {least}.")
    elif kind is float:
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", value):
            return float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
        raise ConfigError(f"{origin}: {name} is {value!r}", hint="It must be a number.")
    elif kind is str:
        if isinstance(value, str):
            return value
    elif isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
        return {str(key): item for key, item in value.items()}
    wanted = {tuple: "a list of strings", bool: "true or false", str: "a string"}
    raise ConfigError(f"{origin}: {name} is {value!r}", hint=f"It must be {wanted.get(kind, 'a table of strings')}.")


def _roles(value: Any, origin: str) -> dict[str, RoleSettings]:
    """Return roles given as [context.roles.NAME] tables, or as [[context.roles]] with a name in each."""
    if isinstance(value, list) and all(isinstance(row, dict) and isinstance(row.get("name"), str) for row in value):
        rows = [(row["name"], {key: item for key, item in row.items() if key != "name"}) for row in value]
    elif isinstance(value, dict) and all(isinstance(row, dict) for row in value.values()):
        rows = list(value.items())
    else:
        raise ConfigError(f"{origin}: context.roles is no table of roles", hint="Write [context.roles.NAME] tables.")
    hints = get_type_hints(RoleSettings)
    roles: dict[str, RoleSettings] = {}
    for name, row in rows:
        at = f"context.roles.{name}"
        for key in row:
            if key not in hints:
                raise _unknown(f"{at}.{key}", tuple(f"{at}.{each}" for each in hints), origin)
        if not row.get("file"):
            raise ConfigError(f"{origin}: {at} has no file", hint='For example: file = "roles/backend.md"')
        if name in roles:
            raise ConfigError(f"{origin}: there are two roles {name!r}", hint="Give each a name of its own.")
        given = {key: _convert(f"{at}.{key}", item, hints[key], origin) for key, item in row.items()}
        roles[name] = RoleSettings(**given)
    return roles
