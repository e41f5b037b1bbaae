"""``serve``: let editors ask."""

from __future__ import annotations

import os
from pathlib import Path

import click

from gatherum.cli.common import Run, common


@click.command("serve")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder whose shelf is served; by default $CLAUDE_PROJECT_DIR, else the working directory.",
)
@common
def serve_command(run: Run, project: Path | None) -> int:
    """Serve the shelf to editors over MCP, on stdin and stdout."""
    from gatherum.server.mcp import ShelfServer

    start = project or Path(os.environ.get("CLAUDE_PROJECT_DIR") or ".")
    shelf = run.open(start)
    if not shelf.place.exists:
        run.say(f"There is no shelf for {start.absolute()} yet; run `gatherum index` there.")
    ShelfServer(shelf).serve_stdio()
    return 0
