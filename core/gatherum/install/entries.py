"""What is put into a settings file, and how it is told from what others put there."""

from __future__ import annotations

import json
import re
import shlex
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any, Final, Protocol

from gatherum.install import jsonedit, tomledit
from gatherum.install.jsonc import Node, parse
from gatherum.install.text import Edit, UneditableError

HOOKS: Final = {"UserPromptSubmit": ("prompt-hook",), "PreToolUse": ("context", "--hook-stdin")}
"""Claude Code's events and the commands that answer them."""

_HOOK_MATCHER: Final = "Read|Edit|MultiEdit|Write|NotebookEdit"
_HOOK_SECONDS: Final = 10

_UV_CACHE: Final = re.compile(r"(?:archive|environments|builds)-v\d+")
_PIPX_CACHE: Final = {(".cache", "pipx"), ("pipx", ".cache"), ("caches", "pipx"), ("pipx", "cache")}


def launcher() -> list[str]:
    """Return how gatherum is started from anywhere: by its script beside the interpreter, else as a module."""
    folder = Path(sys.executable).parent
    for name in ("gatherum", "gatherum.exe"):
        if (folder / name).is_file():
            return [str(folder / name)]
    return [sys.executable, "-m", "gatherum"]


def passing(prefix: str) -> str:
    """Return what made the environment in the folder *prefix* for one run, if it will be cleared away: else "".

    ``uvx`` runs from ``archive-v0`` or the like in uv's cache, ``pipx run`` from pipx's cache.
    """
    parts = PurePath(prefix.replace("\\", "/")).parts
    if any(_UV_CACHE.fullmatch(part) for part in parts):
        return "uvx"
    pairs = {(first.casefold(), second.casefold()) for first, second in pairwise(parts)}
    return "pipx run" if pairs & _PIPX_CACHE else ""


def is_ours(entry: Any) -> bool:
    """Whether an entry starts `gatherum serve`, with whatever interpreter."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return False
    args = entry.get("args")
    words = [entry["command"], *(args if isinstance(args, list) else ())]
    if "serve" not in words[1:]:
        return False
    start = words[: words.index("serve", 1)]
    return PurePath(start[-1].replace("\\", "/")).name.casefold() in ("gatherum", "gatherum.exe")


class Piece(Protocol):
    """One thing in a settings file."""

    @property
    def key(self) -> str:
        """What it is for; receipts are kept by it."""

    def held(self, text: str) -> Any:
        """Return what is there in its place, or None."""

    def wanted(self, text: str) -> Any:
        """Return what should be there: with what the user added to an entry of ours."""

    def is_ours(self, held: Any) -> bool:
        """Whether gatherum wrote what is there."""

    def add(self, text: str) -> Edit:
        """Put it there where nothing is."""

    def replace(self, text: str) -> Edit:
        """Put it in the place of what is there."""

    def remove(self, text: str) -> Edit:
        """Take it out, whatever became of it."""

    def tidy(self, text: str, made: str) -> str:
        """Take out what was made around it, if that is empty now; *made* is what was once written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonServer:
    """A server in a JSON file."""

    path: tuple[str, ...]
    name: str
    entry: dict[str, Any]
    comments: bool

    @property
    def key(self) -> str:
        """Name it for receipts."""
        return f"server {self.name}"

    def _node(self, text: str) -> Node | None:
        root = parse(text, comments=self.comments)
        return root.find(*self.path, self.name) if root else None

    def held(self, text: str) -> Any:
        """Return what is there in its place."""
        node = self._node(text)
        return None if node is None else {} if node.plain is None else node.plain

    def wanted(self, text: str) -> Any:
        """Return what should be there."""
        held = self.held(text)
        return {**held, **self.entry} if self.is_ours(held) else self.entry

    def is_ours(self, held: Any) -> bool:
        """Whether gatherum wrote what is there."""
        return is_ours(held)

    def add(self, text: str) -> Edit:
        """Put it where nothing is."""
        return jsonedit.add(text, (*self.path, self.name), self.entry, comments=self.comments)

    def replace(self, text: str) -> Edit:
        """Put it in the place of what is there."""
        node = self._node(text)
        if node is None:
            raise UneditableError("there is no such entry")
        return jsonedit.replace(text, node, self.wanted(text), comments=self.comments)

    def remove(self, text: str) -> Edit:
        """Take it out."""
        return jsonedit.remove(text, (*self.path, self.name), comments=self.comments)

    def tidy(self, text: str, made: str) -> str:
        """Take out tables that were made for it."""
        return _tidied(text, self.path, made, comments=self.comments)


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlServer:
    """A server in a TOML file."""

    table: str
    name: str
    entry: dict[str, Any]

    @property
    def key(self) -> str:
        """Name it for receipts."""
        return f"server {self.name}"

    def held(self, text: str) -> Any:
        """Return what is there in its place."""
        servers = tomledit.parse(text).get(self.table)
        return servers.get(self.name) if isinstance(servers, dict) else None

    def wanted(self, text: str) -> Any:
        """Return what should be there."""
        held = self.held(text)
        return {**held, **self.entry} if self.is_ours(held) else self.entry

    def is_ours(self, held: Any) -> bool:
        """Whether gatherum wrote what is there."""
        return is_ours(held)

    def add(self, text: str) -> Edit:
        """Put it where nothing is."""
        return tomledit.add(text, self.table, self.name, self.entry)

    def replace(self, text: str) -> Edit:
        """Put it in the place of what is there."""
        return tomledit.replace(text, self.table, self.name, self.wanted(text))

    def remove(self, text: str) -> Edit:
        """Take it out."""
        return tomledit.remove(text, self.table, self.name)

    def tidy(self, text: str, made: str) -> str:
        """Return the text: a table of tables is gone with the last in it."""
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """A hook in Claude Code's settings: an element of the list under an event."""

    event: str
    command: str

    @property
    def key(self) -> str:
        """Name it for receipts."""
        return f"hook {self.event}"

    @classmethod
    def of(cls, event: str, start: list[str]) -> Hook:
        """Return the hook for an event; Claude Code runs its command in a shell."""
        return cls(event=event, command=shlex.join([*start, *HOOKS[event]]))

    @property
    def _made(self) -> dict[str, Any]:
        matcher = {"matcher": _HOOK_MATCHER} if self.event == "PreToolUse" else {}
        return {**matcher, "hooks": [{"type": "command", "command": self.command, "timeout": _HOOK_SECONDS}]}

    def _place(self, text: str) -> tuple[str | int, ...] | None:
        """Return where a command of ours is."""
        root = parse(text, comments=False)
        groups = root.find("hooks", self.event) if root else None
        for group in groups.items if groups else ():
            inner = group.value.find("hooks")
            for hook in inner.items if inner else ():
                plain = hook.value.plain
                if isinstance(plain, dict) and self._is_command(plain.get("command")):
                    return "hooks", self.event, group.key, "hooks", hook.key, "command"
        return None

    def _is_command(self, command: Any) -> bool:
        ending = " ".join(HOOKS[self.event])
        return isinstance(command, str) and "gatherum" in command and command.endswith(ending)

    def held(self, text: str) -> Any:
        """Return what is there in its place."""
        place = self._place(text)
        root = parse(text, comments=False)
        node = root.find(*place) if root and place else None
        return node.plain if node else None

    def wanted(self, text: str) -> Any:
        """Return what should be there."""
        return self.command

    def is_ours(self, held: Any) -> bool:
        """Whether gatherum wrote what is there."""
        return held is not None

    def add(self, text: str) -> Edit:
        """Put it where nothing is."""
        return jsonedit.add(text, ("hooks", self.event), self._made, comments=False, to_list=True)

    def replace(self, text: str) -> Edit:
        """Put it in the place of what is there."""
        root, place = parse(text, comments=False), self._place(text)
        node = root.find(*place) if root and place else None
        if node is None:
            raise UneditableError("there is no such hook")
        return jsonedit.replace(text, node, self.command, comments=False)

    def remove(self, text: str) -> Edit:
        """Take it out."""
        root, place = parse(text, comments=False), self._place(text)
        hooks = root.find(*place[:4]) if root and place else None
        if hooks is None or place is None:
            raise UneditableError("there is no such hook")
        return jsonedit.remove(text, place[:3] if len(hooks.items) == 1 else place[:5], comments=False)

    def tidy(self, text: str, made: str) -> str:
        """Take out lists and tables that were made for it."""
        return _tidied(text, ("hooks", self.event), made, comments=False)


def _tidied(text: str, path: tuple[str, ...], made: str, *, comments: bool) -> str:
    for length in range(len(path), 0, -1):
        root = parse(text, comments=comments)
        node = root.find(*path[:length]) if root else None
        if node is None or node.items or f"{json.dumps(path[length - 1])}:" not in made:
            break
        text = jsonedit.remove(text, path[:length], comments=comments).apply(text)
    return text
