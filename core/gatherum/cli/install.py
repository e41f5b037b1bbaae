"""``install`` and ``uninstall``: put gatherum into an editor, and take it out again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatherum.cli.common import Run, common

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatherum.install.change import Change
    from gatherum.install.clients import Client, Scope
    from gatherum.install.entries import Piece

_LONGEST_NAME = 29
"""Cursor drops tools whose name together with the server's is longer than 60; ours are at most 30."""


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--dry-run", is_flag=True, help="Show the change as a diff; write nothing."),
        click.option("--name", default="gatherum", show_default=True, help="What the client is to call the server."),
        click.option(
            "--scope",
            type=click.Choice(["project", "user"]),
            help="Whether for the project or for all; by default the project, where the client has a file for that.",
        ),
        click.option(
            "--project",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            default=".",
            help="The folder whose shelf is served; by default the working directory.",
        ),
    ):
        function = option(function)
    return function


@click.command("install")
@click.argument("client", required=False)
@_options
@click.option("--hooks", is_flag=True, help="Add Claude Code's hooks too: passages for prompts, context for files.")
@click.option("--force", is_flag=True, help="Replace another server of the same name.")
@click.option("--list", "listed", is_flag=True, help="List the clients and their files.")
@common
def install_command(
    run: Run,
    client: str | None,
    project: Path,
    scope: Scope | None,
    name: str,
    *,
    dry_run: bool,
    hooks: bool,
    force: bool,
    listed: bool,
) -> int:
    """Put gatherum into CLIENT's settings as an MCP server.

    The rest of the settings stays as it is, comments included.
    Once more changes nothing; with another version of gatherum it brings the entry up to date.
    """
    from gatherum.install.change import install, snippet
    from gatherum.install.clients import Layout

    if listed:
        return _list(run, project)
    found = _client(client)
    _warn(run)
    if not found.scopes:
        server = found.entry(_command(run, project))
        text = snippet(found.path, _name(name), server)
        if run.json:
            run.emit({"client": found.name, "file": None, "state": "to paste", "snippet": text, "note": found.note})
        else:
            click.echo(text)
            run.say(found.note)
        return 0
    layout = Layout.here()
    changes = [
        install(path, pieces, receipts_in=layout.receipts, force=force)
        for path, pieces in _pieces(run, found, project, scope, name, hooks=hooks)
    ]
    return _finish(run, found, changes, dry_run=dry_run)


@click.command("uninstall")
@click.argument("client")
@_options
@common
def uninstall_command(run: Run, client: str, project: Path, scope: Scope | None, name: str, *, dry_run: bool) -> int:
    """Take gatherum out of CLIENT's settings, with its hooks.

    What was there before comes back to the byte; what you changed since elsewhere in the file stays.
    """
    from gatherum.errors import ConfigError
    from gatherum.install.change import uninstall
    from gatherum.install.clients import Layout

    found = _client(client)
    if not found.scopes:
        raise ConfigError(
            f"{found.title} keeps no file that gatherum writes", hint="Remove the server in its settings."
        )
    layout = Layout.here()
    changes = [
        uninstall(path, pieces, receipts_in=layout.receipts)
        for path, pieces in _pieces(run, found, project, scope, name, hooks=found.hooks)
    ]
    return _finish(run, found, changes, dry_run=dry_run)


def _warn(run: Run) -> None:
    """Say so when what is about to be named in settings will be cleared away."""
    import sys

    from gatherum.install.entries import passing

    if runner := passing(sys.prefix):
        run.say(
            f"{click.style('Note:', fg='yellow')} {runner} made this installation for one run, and will clear it away: "
            "the editor will then find nothing. To stay: `uv tool install gatherum` or `pipx install gatherum`."
        )


def _client(name: str | None) -> Client:
    from gatherum.install.clients import CLIENTS

    if name is None or name not in CLIENTS:
        problem = f"there is no client {name!r}" if name else "name a client"
        raise click.UsageError(f"{problem}; known are {', '.join(CLIENTS)}")
    return CLIENTS[name]


def _name(name: str) -> str:
    if not re.fullmatch(rf"[A-Za-z0-9][A-Za-z0-9-]{{0,{_LONGEST_NAME - 1}}}", name):
        raise click.BadParameter(
            f"{name!r}: take at most {_LONGEST_NAME} letters, digits and hyphens; some clients know no others.",
            param_hint="--name",
        )
    return name


def _command(run: Run, project: Path) -> list[str]:
    from gatherum.install.entries import launcher

    named = [("--project", project), ("--shelf", run.shelf), ("--config", run.config)]
    return [*launcher(), "serve", *(word for option, at in named if at for word in (option, str(at.absolute())))]


def _pieces(
    run: Run, client: Client, project: Path, scope: Scope | None, name: str, *, hooks: bool
) -> list[tuple[Path, list[Piece]]]:
    """Return what goes into which file."""
    from gatherum.install.clients import Layout
    from gatherum.install.entries import HOOKS, Hook, JsonServer, TomlServer, launcher

    scope = scope or client.scopes[0]
    if scope not in client.scopes:
        raise click.UsageError(f"{client.title} has no file for {scope} scope; leave --scope out")
    if hooks and not client.hooks:
        raise click.UsageError(f"{client.title} runs no hooks of this kind; leave --hooks out")
    layout = Layout.here()
    project = project.absolute()
    entry = client.entry(_command(run, project))
    server: Piece
    if client.format == "toml":
        server = TomlServer(table=client.path[0], name=_name(name), entry=entry)
    else:
        server = JsonServer(path=client.path, name=_name(name), entry=entry, comments=client.format == "jsonc")
    files: list[tuple[Path, list[Piece]]] = [(client.file(scope, project, layout), [server])]
    if hooks:
        settings = project / ".claude/settings.json" if scope == "project" else layout.path("{claude}/settings.json")
        files.append((settings, [Hook.of(event, launcher()) for event in HOOKS]))
    return files


def _finish(run: Run, client: Client, changes: list[Change], *, dry_run: bool) -> int:
    from gatherum.install.clients import Layout

    for change in changes:
        if not dry_run:
            change.apply(Layout.here().receipts)
        if run.json:
            row = {"client": client.name, "file": change.file.path, "state": change.what, "written": not dry_run}
            run.emit({**row, "diff": change.diff()})
        elif dry_run:
            click.echo(change.diff() or f"{change.file.path}: nothing to do\n", nl=False)
        else:
            run.say(f"{change.file.path}: {change.what}")
    if not dry_run and not run.json and any(change.what in ("added", "updated") for change in changes):
        run.say(client.note)
    return 0


def _list(run: Run, project: Path) -> int:
    from gatherum.install.clients import CLIENTS, Layout

    layout = Layout.here()
    for client in CLIENTS.values():
        files = {scope: client.file(scope, project.absolute(), layout) for scope in client.scopes}
        if run.json:
            run.emit({"client": client.name, "title": client.title, "files": files})
            continue
        click.echo(f"{click.style(client.name, bold=True):<16}  {client.title}")
        for scope, file in files.items():
            click.echo(f"    {scope:<8}  {file}")
        if not files:
            click.echo("    prints what to paste into its settings")
    return 0
