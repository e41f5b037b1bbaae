"""``init`` and ``config``: settings."""

from __future__ import annotations

from pathlib import Path

import click

from gatherum.cli.common import Run, common
from gatherum.config import FILE, setting_rows
from gatherum.errors import ConfigError

_TEMPLATE = """\
# Settings of gatherum for this folder. Every one is optional; `gatherum config show` lists them all.

[collections]
{name} = "."

[index]
# include = ["docs/**", "*.docx"]
# exclude = ["drafts/", "*.tmp"]

[search]
# mode = "hybrid"
# limit = 10
"""


@click.command("init")
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path))
@common
def init_command(run: Run, folder: Path) -> int:
    """Write a settings file for a project.

    The shelf of FOLDER is then found from everywhere in it.
    """
    file = folder.absolute() / FILE
    if file.exists():
        raise ConfigError(f"{file} is there already", hint="Edit it, or delete it first.")
    name = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in file.parent.name.lower())
    file.write_text(_TEMPLATE.format(name=name.strip("-") or "files"), encoding="utf-8")
    if run.json:
        run.emit({"file": str(file)})
    else:
        run.say(f"Wrote {file}. Next: gatherum index {folder}")
    return 0


@click.group("config")
def config_command() -> None:
    """Show the settings and where each comes from."""


@config_command.command("show")
@common
def show_command(run: Run) -> int:
    """Show every setting, its value, and where it comes from."""
    place = run.place()
    rows = setting_rows(place.settings)
    if run.json:
        run.emit(
            {
                "shelf": place.folder,
                "config": place.config,
                "settings": [{"name": name, "value": value, "origin": origin} for name, value, origin in rows],
            }
        )
        return 0
    click.echo(f"shelf   {place.folder}{'' if place.exists else ' (not made yet)'}")
    click.echo(f"config  {place.config or 'none'}")
    width = max(len(name) for name, *_ in rows)
    for name, value, origin in rows:
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else value
        click.echo(f"{name:<{width}}  {shown!s:<24}  {click.style(origin, dim=True)}")
    return 0
