"""``formats`` and ``plugins``: what can be read, and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gatherum.cli.common import Run, common

if TYPE_CHECKING:
    from gatherum.registry import Registry


_SLOW = 0.3


def _registry(run: Run) -> Registry:
    from gatherum.registry import load_registry

    reader = run.settings().reader
    return load_registry(blocked=reader.block, preferred=reader.handlers)


@click.command("formats")
@common
def formats_command(run: Run) -> int:
    """List the formats that can be read."""
    formats = _registry(run).formats
    if run.json:
        for each in formats:
            run.emit(each)
        return 0
    families: dict[str, list[str]] = {}
    for each in formats:
        shadowed = f" (instead of {', '.join(each.shadowed)})" if each.shadowed else ""
        families.setdefault(f"{each.title}  [{each.distribution}]", []).append(f"{each.extension}{shadowed}")
    for family, extensions in sorted(families.items()):
        click.echo(f"{click.style(family, bold=True)}\n    {' '.join(extensions)}")
    return 0


@click.command("plugins")
@common
def plugins_command(run: Run) -> int:
    """List the installed plugins."""
    for info in _registry(run).infos:
        if run.json:
            run.emit(info)
            continue
        refines = ("changes documents",) if "gatherum_refine" in info.hooks else ()
        brought = ", ".join((*info.handlers, *info.models, *refines)) or "nothing"
        colour = {"active": "green", "blocked": "yellow", "failed": "red"}[info.state]
        state = click.style(info.state, fg=colour)
        click.echo(f"{click.style(info.name, bold=True)}  {state}  {info.distribution} {info.version}: {brought}")
        if info.error:
            click.echo(f"    {info.error}")
        if info.seconds >= _SLOW:
            click.echo(
                f"    takes {info.seconds:.1f} s to load, at every start: it should import its parser when it reads"
            )
        if info.shadowed:
            click.echo(f"    read by another plugin: {' '.join(info.shadowed)}")
    return 0
