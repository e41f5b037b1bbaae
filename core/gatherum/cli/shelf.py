"""``list`` and ``status``: the shelf as a whole."""

from __future__ import annotations

import click

from gatherum.cli.common import Run, common, count, show_problems
from gatherum.collection import qualified


@click.command("list")
@click.argument("pattern", default="")
@click.option("--format", default="", help="Only this format, for example docx.")
@common
def list_command(run: Run, pattern: str, format: str) -> int:  # noqa: A002 - the option's name
    """List the documents on the shelf.

    PATTERN is a folder, or a glob for their paths.
    """
    documents = run.open().list_documents(pattern, format=format)
    for document in documents:
        if run.json:
            run.emit(document)
            continue
        name = qualified(document.collection, document.path)
        click.echo(f"{name}  {click.style(document.title, dim=True)}")
    run.say(count(len(documents), "document"))
    return 0


@click.command("status")
@click.option("--problems", is_flag=True, help="List everything that could not be read, and what can be done.")
@common
def status_command(run: Run, problems: bool) -> int:
    """Show what the shelf holds and what could not be read."""
    status = run.open().status(problems=problems)
    if run.json:
        run.emit(status)
        return 0
    click.echo(f"shelf      {status.shelf} ({status.bytes / 1e6:,.1f} MB)")
    for collection in status.collections:
        click.echo(f"gathers    {collection.root} ({count(collection.documents, 'document')})")
    formats = ", ".join(f"{number:,} {name}" for name, number in status.formats.items())
    click.echo(f"documents  {status.documents:,}{f' ({formats})' if formats else ''}")
    click.echo(f"passages   {status.chunks:,}, {status.embedded:,} with a vector")
    click.echo(f"model      {status.model or 'none: keyword search only'}")
    click.echo(f"indexed    {status.indexed or 'never'}")
    click.echo(f"problems   {count(status.problem_files, 'file')}")
    if problems:
        show_problems(status.problems)
        for loss in status.losses:
            name = qualified(loss.collection, loss.path)
            click.echo(
                f"{click.style(name, bold=True)}: {count(loss.searchable - loss.reached, 'word')} not searchable"
            )
    run.warn(status.warnings)
    return 0
