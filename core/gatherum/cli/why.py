"""``why``: one file and what stands in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gatherum.cli.common import Run, common, show_problems
from gatherum.collection import qualified

if TYPE_CHECKING:
    from gatherum.results import Explanation, Match


@click.command("why")
@click.argument("file")
@click.argument("query", default="")
@common
def why_command(run: Run, file: str, query: str) -> int:
    """Explain why a file is found, or is not.

    FILE is a file on the disk, or a document as hits name it.
    With a QUERY, the places of its best passages are shown, and what keeps it from being found by that query.
    """
    explanation = run.open().why(file, query)
    if run.json:
        run.emit(explanation)
    else:
        _show(explanation)
    return 0


def _show(found: Explanation) -> None:
    name = qualified(found.collection, found.path)
    verdict = found.verdict.replace("_", " ")
    colour = "green" if found.verdict == "searchable" else "yellow"
    click.echo(f"{click.style(name, bold=True)}  {click.style(verdict, fg=colour)}")
    click.echo(f"    {found.reason}.")
    if found.advice:
        click.echo(f"    {found.advice}")
    if found.state in ("read", "partial"):
        layers = ", ".join(f"{number:,} {layer}" for layer, number in found.words.items())
        click.echo(f"read by    {found.handler} as {found.format}")
        click.echo(f"words      {layers or 'none'}")
        lost = found.searchable - found.reached
        click.echo(f"reached    {found.reached:,} of {found.searchable:,}{f', {lost:,} are lost' if lost else ''}")
        click.echo(f"passages   {found.passages:,}, {found.vectors:,} with a vector")
    show_problems(found.problems)
    if found.query:
        click.echo(f"\nfor {found.query!r}:")
        for match in found.matches:
            click.echo(f"    {_place(match)}")
        for obstacle in found.obstacles:
            click.echo(f"    {click.style('Note:', fg='yellow')} {obstacle}")


def _place(match: Match) -> str:
    ranks = match.ranks
    parts = [f"place {match.place}" if match.place else "not placed"]
    if ranks.bm25 is not None:
        parts.append(f"keyword {f'#{ranks.keyword} ' if ranks.keyword else ''}(BM25 {ranks.bm25})")
    if ranks.cosine is not None:
        parts.append(f"semantic {f'#{ranks.semantic} ' if ranks.semantic else ''}(cosine {ranks.cosine})")
    where = " › ".join((*match.heading, str(match.locator)))
    return f"{', '.join(parts)}: {click.style(where, dim=True)}"
