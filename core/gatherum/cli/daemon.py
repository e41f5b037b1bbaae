"""``daemon``: see, end and run the process that answers all editors of a shelf."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from gatherum.cli.common import Run, common, count
from gatherum.errors import GatherumError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatherum.daemon.address import Address


_SECONDS: Final = 10.0
_WATCHING: Final = {
    "events": "Files are gathered as they change.",
    "polling": "Files are looked at every few seconds, for not all folders tell of changes; the log says why.",
    "off": "Files are not watched.",
}


@click.group("daemon")
def daemon_command() -> None:
    """See and end the process that answers all editors of a shelf."""


@daemon_command.command("status")
@common
def status_command(run: Run) -> int:
    """Show whether a daemon runs for this shelf."""
    from gatherum.daemon.client import DaemonError, NoDaemonError, ask

    try:
        found = ask(str(run.place().folder), "status", {}, seconds=_SECONDS)
    except NoDaemonError:
        found = None
    except DaemonError as error:
        raise GatherumError(error.message, hint=error.hint) from None
    if run.json:
        run.emit({"running": found is not None, **(found or {})})
    elif found is None:
        click.echo(f"No daemon runs for {run.place().folder}.")
    else:
        click.echo(
            f"Process {found['pid']} (version {found['version']}) serves {found['shelf']} to "
            f"{count(found['connections'], 'editor')}, since {found['seconds']:,} s, "
            f"with {found['memory_bytes'] / 1e6:,.0f} MB of memory."
        )
        for line in _state(found):
            click.echo(line)
        click.echo(f"Its log: {found['log']}")
    return 0 if found is not None else 1


def _state(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a daemon says of its shelf, for people."""
    ready, job = found["readiness"], found["job"]
    yield "Searches are answered." if ready["ready"] else f"Searches are not answered: {ready['trouble']}."
    yield _WATCHING[ready["watching"]]
    if job is not None:
        at = job["progress"]
        how_far = f": {at['stage']}, {at['done']:,} of {at['total']:,}" if at and at["total"] else ""
        yield f"An index run is {job['state']}{how_far}."


@daemon_command.command("stop")
@common
def stop_command(run: Run) -> int:
    """End the daemon of this shelf; an editor that asks again starts another."""
    from gatherum.daemon.ending import end

    pid = end(_address(run))
    if run.json:
        run.emit({"stopped": pid is not None, "pid": pid})
    elif pid is None:
        click.echo(f"No daemon runs for {run.place().folder}.")
    else:
        click.echo(f"Ended process {pid}.")
    return 0


@daemon_command.command("run")
@common
def run_command(run: Run) -> int:
    """Run the daemon of this shelf here, for a service manager; it is ended with Ctrl-C."""
    import subprocess

    from gatherum.daemon.client import daemon_command as command_of

    place = run.place()
    command = command_of(str(place.folder), start=str(Path.cwd()), config=str(place.config or ""))
    environment = {"MALLOC_ARENA_MAX": "2", **os.environ}
    if os.name != "nt":
        os.execve(command[0], command, environment)  # noqa: S606 - the service manager sees one process
    return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - our own command


def _address(run: Run) -> Address:
    from gatherum.daemon.address import AddressError, address_of

    try:
        return address_of(str(run.place().folder))
    except AddressError as error:
        raise GatherumError(str(error)) from None
