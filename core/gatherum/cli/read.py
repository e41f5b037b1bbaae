"""``read`` and ``outline``: one document."""

from __future__ import annotations

import click

from gatherum.cli.common import Run, common, count
from gatherum.collection import qualified
from gatherum.journal import note


@click.command("read")
@click.argument("document")
@click.option("--line", type=click.IntRange(1), help="The first line to show.")
@click.option("--lines", type=click.IntRange(1), help="How many lines to show.")
@common
def read_command(run: Run, document: str, line: int | None, lines: int | None) -> int:
    """Show a document as readable text.

    DOCUMENT is a path, a path with "#line", or the id of a document or of a hit.
    """
    shelf = run.open()
    reading = shelf.read(document, line=line, lines=lines)
    note(shelf, "cli", "fetch", documents=[qualified(reading.collection, reading.path)])
    if run.json:
        run.emit(reading)
        return 0
    click.echo(reading.text)
    left = reading.lines - reading.end
    if left > 0:
        run.say(f"... {count(left, 'more line')}: gatherum read '{reading.path}#{reading.end + 1}'")
    if reading.stale:
        run.warn(["the file has changed since it was gathered; `gatherum index` brings it up to date."])
    return 0


@click.command("outline")
@click.argument("document")
@common
def outline_command(run: Run, document: str) -> int:
    """Show a document's headings."""
    outline = run.open().outline(document)
    if run.json:
        run.emit(outline)
        return 0
    click.echo(f"{click.style(outline.title, bold=True)}  {outline.path}, {count(outline.lines, 'line')}")
    for entry in outline.sections:
        depth = len(entry.heading) - 1
        click.echo(f"{'  ' * depth}{entry.title}  {click.style(f'{entry.locator}, line {entry.line}', dim=True)}")
    return 0
