"""``context``: the role that holds for a piece of work."""

from __future__ import annotations

import click

from gatherum.cli.common import Run, common


@click.command("context")
@click.option("--files", multiple=True, metavar="FILE", help="A file that the work is about; may be given again.")
@click.option("--task", default="", help="The kind of work, as roles name it.")
@click.option("--query", default="", help="The work in words.")
@click.option("--hook-stdin", is_flag=True, help="Answer an editor's PreToolUse payload on stdin; silent on failure.")
@common
def context_command(run: Run, files: tuple[str, ...], task: str, query: str, *, hook_stdin: bool) -> int:
    """Show the role that holds for a piece of work, and why."""
    if hook_stdin:
        from gatherum.cli.hooks import serve_hook

        return serve_hook("context", run.place)
    from pathlib import Path

    from gatherum.context.roles import Work, choose
    from gatherum.journal import note

    shelf = run.open()
    chosen = choose(shelf, Work(files=tuple(str(Path(file).absolute()) for file in files), task=task, query=query))
    note(shelf, "cli", "context", query=query)
    if run.json:
        run.emit(chosen)
        return 0
    if not chosen.role:
        run.say("No role holds here." if shelf.settings.context.roles else "The settings name no roles.")
    if chosen.role:
        run.say(f"{click.style(chosen.role, bold=True)}: by {chosen.reason}, {chosen.confidence} confidence")
    run.warn(chosen.problems)
    if chosen.content:
        click.echo(chosen.content)
    return 0
