"""``extract``: read files without a shelf."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatherum.cli.common import Run, common

if TYPE_CHECKING:
    from gatherum.document import Document


@click.command("extract")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Exit with 1 if any file has a problem.")
@common
def extract_command(run: Run, files: tuple[Path, ...], strict: bool) -> int:
    """Read files and print their sections; no shelf is needed.

    Every layer of a document is printed, also those that are not searched: headers, navigation, hidden text.
    """
    from gatherum.resources import Resources

    troubled, nothing = False, True
    with Resources(run.place()).reader() as reader:
        for document in reader.read(map(str, files)):
            troubled = troubled or bool(document.problems)
            nothing = nothing and document.state not in ("read", "partial")
            if run.json:
                run.emit(document)
            else:
                _show(run, document, titled=len(files) > 1)
            sys.stdout.flush()
    return 1 if nothing or (strict and troubled) else 0


def _show(run: Run, document: Document, *, titled: bool) -> None:
    if titled:
        click.echo(click.style(f"==> {document.path} <==", bold=True))
    if document.metadata.title:
        click.echo(f"title: {document.metadata.title}")
    path: tuple[str, ...] = ()
    for section in document.sections:
        if section.heading != path:
            click.echo(f"\n{click.style(' › '.join(section.heading), fg='cyan')}")
            path = section.heading
        if section.text:
            mark = f"[{section.layer}: {section.kind}] " if section.layer != "body" else ""
            click.echo(f"{mark}{section.text}")
    for problem in document.problems:
        run.say(f"{click.style('Problem:', fg='yellow')} {problem.message}  [{problem.code}]\n    {problem.advice}")
