"""The ``gatherum`` command."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Final

import click

from gatherum import __version__
from gatherum.errors import GatherumError
from gatherum.jsonable import dumps

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS: Final = {
    "index": ("gather", "Gather files and folders, or bring the shelf up to date."),
    "search": ("find", "Find passages by keyword, by meaning, or both."),
    "read": ("read", "Show a document as readable text."),
    "outline": ("read", "Show a document's headings."),
    "list": ("shelf", "List the documents on the shelf."),
    "status": ("shelf", "Show what the shelf holds and what could not be read."),
    "why": ("why", "Explain why a file is found, or is not."),
    "remove": ("gather", "Take documents or collections off the shelf."),
    "extract": ("extract", "Read files and print their sections; no shelf is needed."),
    "serve": ("serve", "Serve the shelf to editors over MCP."),
    "daemon": ("daemon", "See and end the process that answers all editors."),
    "install": ("install", "Put gatherum into an editor as an MCP server."),
    "uninstall": ("install", "Take gatherum out of an editor's settings."),
    "context": ("context", "Show the role that holds for a piece of work."),
    "prompt-hook": ("prompt_hook", "Give an editor passages that bear on a prompt."),
    "usage": ("usage", "Show what was searched for and served."),
    "init": ("setup", "Write a settings file for a project."),
    "config": ("setup", "Show the settings and where each comes from."),
    "formats": ("plugins", "List the formats that can be read."),
    "plugins": ("plugins", "List the installed plugins."),
    "plugin": ("plugin", "Write a plugin to start from."),
}


class _Commands(click.Group):
    """Loads a command's module when the command is run, so that help and completion stay instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"gatherum.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="gatherum", message="gatherum %(version)s")
def gatherum() -> None:
    """Gather documents of every format into one searchable shelf.

    \b
    gatherum index ~/notes          gather a folder
    gatherum search "retry policy"  find the passage
    gatherum serve                  let an editor ask
    """  # noqa: D301 - the escape keeps click from joining the lines


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code: 0 done, 1 nothing could be done, 2 wrong usage, 130 interrupted."""
    argv = list(sys.argv[1:] if args is None else args)
    try:
        code = gatherum.main(args=argv, standalone_mode=False, prog_name="gatherum")
        if sys.stdout is not None:  # it was closed before the start
            sys.stdout.flush()
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except GatherumError as error:
        _complain(error, as_json="--json" in argv)
        return 1
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted. What was done is kept; the next run goes on from there.", err=True)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0


def _complain(error: GatherumError, *, as_json: bool) -> None:
    if as_json:
        body = {"code": error.code, "message": error.message, "hint": error.hint}
        click.echo(dumps({"error": body}), err=True)
        return
    click.echo(f"{click.style('Error:', fg='red')} {error.message}", err=True)
    if error.hint:
        click.echo(error.hint, err=True)
