"""``usage``: what the shelf served."""

from __future__ import annotations

import click

from gatherum.cli.common import Run, common, count


@click.command("usage")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far to look back.")
@click.option("--documents", is_flag=True, help="List the documents that were served, most often first.")
@click.option("--unused", is_flag=True, help="List the documents that never were.")
@click.option("--misses", is_flag=True, help="List the questions without an answer.")
@click.option("--clear", is_flag=True, help="Delete all notes.")
@common
def usage_command(run: Run, days: int, *, documents: bool, unused: bool, misses: bool, clear: bool) -> int:
    """Show what was searched for and served; it is noted in the shelf's folder only."""
    from gatherum import journal

    shelf = run.open()
    if clear:
        gone = journal.clear(shelf)
        if run.json:
            run.emit({"cleared": gone})
        else:
            run.say(f"Deleted the notes of {count(gone, 'day')}.")
        return 0
    found = journal.usage(shelf, days=days)
    if run.json:
        run.emit(found)
        return 0
    if not shelf.settings.usage.enabled:
        run.say("Nothing is noted: usage.enabled is false.")
    chosen = {"documents": documents, "unused": unused, "misses": misses}
    if not any(chosen.values()):
        for name, times in found.served.items():
            click.echo(f"{times:>6}  {name}")
        click.echo(
            f"{count(len(found.documents), 'document')} served, {len(found.unused)} not; "
            f"{count(len(found.misses), 'question')} without an answer, in {count(days, 'day')}"
        )
    for name, times in (found.documents if documents else {}).items():
        click.echo(f"{times:>6}  {name}")
    for name in found.unused if unused else ():
        click.echo(name)
    for query, times in (found.misses if misses else {}).items():
        click.echo(f"{times:>6}  {query}")
    return 0
