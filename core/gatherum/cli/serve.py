"""``serve``: let editors ask."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatherum.cli.common import Run, common

if TYPE_CHECKING:
    from gatherum.place import Place
    from gatherum.server.mcp import ShelfServer
    from gatherum.shelf import Shelf


@click.command("serve")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder whose shelf is served; by default $CLAUDE_PROJECT_DIR, else the working directory.",
)
@click.option(
    "--http",
    "http",
    is_flag=False,
    flag_value="",
    metavar="[HOST:]PORT",
    help="Serve over HTTP instead, by default on 127.0.0.1:7342; port 0 takes any that is free.",
)
@click.option("--no-token", is_flag=True, help="Let any program on this machine ask over HTTP; other machines cannot.")
@click.option("--no-daemon", is_flag=True, help="Serve from this process, which no other editor shares.")
@click.option("--read-only", is_flag=True, help="Offer no tool that indexes; implies --no-daemon.")
@common
def serve_command(
    run: Run, project: Path | None, http: str | None, *, no_token: bool, no_daemon: bool, read_only: bool
) -> int:
    """Serve the shelf to editors over MCP, on stdin and stdout or over HTTP."""
    start = project or Path(os.environ.get("CLAUDE_PROJECT_DIR") or ".")
    place = run.place(start)
    shared = not (no_daemon or read_only)
    if http is None and shared and place.settings.server.daemon and place.exists:
        _serve_by_daemon(run, place, start.absolute())
    from gatherum.server.apart import Apart
    from gatherum.server.jobs import Jobs
    from gatherum.server.mcp import ShelfServer

    shelf = run.open(start)
    if not shelf.place.exists:
        run.say(f"There is no shelf for {start.absolute()} yet; run `gatherum index` there.")
    server = ShelfServer(shelf, jobs=Jobs(Apart(shelf.place)), read_only=read_only)
    if http is None:
        server.serve_stdio()
        return 0
    return _serve_http(run, shelf, server, http, token=not no_token)


def _serve_by_daemon(run: Run, place: Place, start: Path) -> None:
    """Become the small program that passes everything on to the daemon; return only where there can be none."""
    from gatherum.daemon.address import AddressError, address_of
    from gatherum.daemon.client import daemon_command
    from gatherum.daemon.proxy import become

    try:
        address = address_of(str(place.folder))
    except AddressError as error:
        run.say(f"Serving without the daemon: {error}.")
        return
    named = [f"--shelf={place.folder}", *([f"--config={place.config}"] if place.config else [])]
    alone = [sys.executable, "-P", "-m", "gatherum", "serve", "--no-daemon", f"--project={start}", *named]
    config = str(place.config) if place.config else ""
    become(address, daemon=daemon_command(str(place.folder), start=str(start), config=config), fall_back=alone)


def _serve_http(run: Run, shelf: Shelf, server: ShelfServer, where: str, *, token: bool) -> int:
    from gatherum.server import http
    from gatherum.server.http_address import Address

    settings = shelf.settings.server
    needed = settings.require_token and token
    try:
        address = Address.parse(where, Address(host=settings.host, port=settings.port))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--http") from None

    def started(url: str) -> None:
        run.say(f"Serving {shelf.place.folder} at {url}")
        if needed:
            run.say(f"Clients show the token in {http.token_file(shelf)}: Authorization: Bearer TOKEN")

    if not run.quiet:
        http.log_requests()
    http.run(server, shelf, address=address, token=needed, started=started)
    sys.stderr.flush()
    os._exit(0)  # searches may go on in threads that nobody waits for
