"""The clients that gatherum can be put into: where each keeps its servers, and what an entry looks like.

The paths and shapes are those of the clients' own documentation, as of November 2026.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Scope = Literal["project", "user"]
System = Literal["linux", "macos", "windows"]
SYSTEMS: Final[tuple[System, ...]] = ("linux", "macos", "windows")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A program that starts MCP servers.

    Attributes:
        name: What `gatherum install` calls it.
        title: What people call it.
        format: How its file is written; `jsonc` is JSON with comments and trailing commas.
        path: The keys under which its servers are.
        project: Its file in a project, if it has one.
        user: Its file for all projects, on each system; empty if it has none that may be written.
        extra: What an entry holds besides command and arguments.
        hooks: Whether it runs hooks.
        note: What to do after the file is written.
    """

    name: str
    title: str
    format: Literal["json", "jsonc", "toml"]
    path: tuple[str, ...] = ("mcpServers",)
    project: str = ""
    user: Mapping[System, str] = field(default_factory=lambda: MappingProxyType({}))
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    hooks: bool = False
    note: str = ""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where it can be told of a server; the first is the default."""
        return (*(("project",) if self.project else ()), *(("user",) if self.user else ()))

    def file(self, scope: Scope, project: Path, layout: Layout) -> Path:
        """Return the file that a server is written to."""
        return project / self.project if scope == "project" else layout.path(self.user[layout.system])

    def entry(self, command: list[str]) -> dict[str, Any]:
        """Return what is written for a command."""
        return {**self.extra, "command": command[0], "args": command[1:]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where one user's settings are.

    Attributes:
        system: The operating system.
        home: The home directory.
        environ: The environment.
    """

    system: System
    home: Path
    environ: Mapping[str, str]

    def path(self, pattern: str) -> Path:
        """Return a path whose first part may be one of the folders that systems and clients have names for."""
        head, _, rest = pattern.partition("/")
        return self._base(head) / rest

    def _base(self, name: str) -> Path:
        defaults = {
            "{home}": ("", ""),
            "{config}": ("XDG_CONFIG_HOME", ".config"),
            "{state}": ("XDG_STATE_HOME", ".local/state"),
            "{support}": ("", "Library/Application Support"),
            "{appdata}": ("APPDATA", "AppData/Roaming"),
            "{localappdata}": ("LOCALAPPDATA", "AppData/Local"),
            "{claude-home}": ("CLAUDE_CONFIG_DIR", ""),
            "{claude}": ("CLAUDE_CONFIG_DIR", ".claude"),
            "{codex}": ("CODEX_HOME", ".codex"),
        }
        variable, default = defaults[name]
        given = self.environ.get(variable, "") if variable else ""
        return Path(given) if given else self.home / default

    @property
    def receipts(self) -> Path:
        """The folder in which is kept what was changed."""
        folders = {"linux": "{state}", "macos": "{support}", "windows": "{localappdata}"}
        return self.path(f"{folders[self.system]}/gatherum/installed")

    @classmethod
    def here(cls) -> Layout:
        """Return the layout of this machine and user."""
        systems: Mapping[str, System] = {"darwin": "macos", "win32": "windows"}
        return cls(system=systems.get(sys.platform, "linux"), home=Path.home(), environ=os.environ)


def _everywhere(path: str) -> Mapping[System, str]:
    return MappingProxyType(dict.fromkeys(SYSTEMS, path))


def _by_system(linux: str, macos: str, windows: str) -> Mapping[System, str]:
    return MappingProxyType({"linux": linux, "macos": macos, "windows": windows})


_ALL: Final = (
    Client(
        name="claude-code",
        title="Claude Code",
        format="json",
        project=".mcp.json",
        user=_everywhere("{claude-home}/.claude.json"),
        hooks=True,
        note="Start `claude` in the project and allow the server when asked; `/mcp` shows it.",
    ),
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        format="json",
        user=_by_system(
            "{config}/Claude/claude_desktop_config.json",
            "{support}/Claude/claude_desktop_config.json",
            "{appdata}/Claude/claude_desktop_config.json",
        ),
        note="Quit Claude Desktop and start it again.",
    ),
    Client(
        name="cursor",
        title="Cursor",
        format="jsonc",
        project=".cursor/mcp.json",
        user=_everywhere("{home}/.cursor/mcp.json"),
        note="Switch the server on in Cursor's settings, under MCP.",
    ),
    Client(
        name="vscode",
        title="VS Code",
        format="jsonc",
        path=("servers",),
        project=".vscode/mcp.json",
        user=_by_system("{config}/Code/User/mcp.json", "{support}/Code/User/mcp.json", "{appdata}/Code/User/mcp.json"),
        extra=MappingProxyType({"type": "stdio"}),
        note="Run “MCP: List Servers” from the command palette, and start and trust gatherum there.",
    ),
    Client(
        name="zed",
        title="Zed",
        format="jsonc",
        path=("context_servers",),
        project=".zed/settings.json",
        user=_by_system(
            "{config}/zed/settings.json", "{home}/.config/zed/settings.json", "{appdata}/Zed/settings.json"
        ),
        extra=MappingProxyType({"source": "custom"}),
        note="The agent panel's settings show a green dot beside the server; trust the project if Zed asks.",
    ),
    Client(
        name="windsurf",
        title="Windsurf",
        format="json",
        user=_everywhere("{home}/.codeium/windsurf/mcp_config.json"),
        note="Refresh the list of MCP servers in Cascade.",
    ),
    Client(
        name="gemini-cli",
        title="Gemini CLI",
        format="jsonc",
        project=".gemini/settings.json",
        user=_everywhere("{home}/.gemini/settings.json"),
        note="`gemini mcp list` shows the server; Gemini starts it in trusted folders only.",
    ),
    Client(
        name="codex",
        title="Codex",
        format="toml",
        path=("mcp_servers",),
        project=".codex/config.toml",
        user=_everywhere("{codex}/config.toml"),
        extra=MappingProxyType({"startup_timeout_sec": 30}),
        note="`codex mcp list` shows the server; a project's file is read in trusted projects only.",
    ),
    Client(
        name="jetbrains",
        title="JetBrains AI Assistant",
        format="json",
        note="Settings → Tools → AI Assistant → Model Context Protocol (MCP) → Add → As JSON: paste the lines there. "
        "The IDEs keep them in files of their own that may not be written from outside.",
    ),
    Client(
        name="junie",
        title="JetBrains Junie",
        format="json",
        project=".junie/mcp/mcp.json",
        user=_everywhere("{home}/.junie/mcp/mcp.json"),
        note="Settings → Tools → Junie → MCP Settings shows the server.",
    ),
)
CLIENTS: Final[Mapping[str, Client]] = MappingProxyType({client.name: client for client in _ALL})
