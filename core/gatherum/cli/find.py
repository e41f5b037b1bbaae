"""``search``: find passages."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatherum.cli.common import Run, common
from gatherum.collection import qualified
from gatherum.errors import QueryError
from gatherum.journal import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum.results import Hit, SearchResult


@click.command("search")
@click.argument("query", required=False)
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--mode", type=click.Choice(["hybrid", "keyword", "semantic"]), help="What to search by.")
@click.option("--limit", "-n", type=click.IntRange(1, 1000), help="How many hits at most.")
@click.option("--per-file", type=click.IntRange(0), help="How many hits of one document at most.")
@click.option("--max-tokens", type=click.IntRange(1), default=None, help="How long all hits may be together.")
@click.option("--full", is_flag=True, help="Show whole passages.")
@click.option("--explain", is_flag=True, help="Show where each score comes from.")
@click.option(
    "--batch", type=click.File(encoding="utf-8", errors="replace"), help='Answer the {"id", "query"} lines of a file.'
)
@common
def search_command(
    run: Run, query: str | None, path: Path | None, batch: Any, full: bool, explain: bool, **options: Any
) -> int:
    """Find passages by keyword, by meaning, or both.

    \b
    QUERY is words, and also:
      "a phrase"             must occur as written
      -word  -"a phrase"     must not occur
      format:docx path:notes/ title:plan author:ada tag:draft lang:de
      kind:table heading:safety modified:>2024-05 created:2023

    PATH names a folder to search in; without it the nearest shelf is searched whole.
    """  # noqa: D301 - the escape keeps click from joining the lines
    if (query is None) == (batch is None):
        raise click.UsageError("Give a QUERY, or --batch FILE.")
    shelf = run.open(path)
    options = {name: value for name, value in options.items() if value is not None}
    if path is not None:
        options["under"] = path
    if batch is not None:
        for identity, text in _questions(batch):
            run.emit({"id": identity, "results": shelf.search(text, **options).results})
            sys.stdout.flush()
        return 0
    result = shelf.search(query or "", **options)
    note(
        shelf,
        *("cli", "search"),
        query=result.query,
        documents=[qualified(hit.collection, hit.path) for hit in result],
        strength=result.strength,
    )
    if run.json:
        run.emit(result)
    else:
        _show(run, result, full=full, explain=explain)
    run.warn(result.warnings)
    return 0


def _questions(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row = json.loads(line)
                identity, text = row["id"], row["query"]
                if not isinstance(identity, str | int) or not isinstance(text, str):
                    raise TypeError
            except (ValueError, KeyError, TypeError, RecursionError):
                raise QueryError(f'line {number} of the batch is not {{"id", "query"}}') from None
            yield str(identity), text


def _show(run: Run, result: SearchResult, *, full: bool, explain: bool) -> None:
    if not result.results:
        run.say("Nothing found. Try fewer or other words.")
        return
    for number, hit in enumerate(result, 1):
        name = qualified(hit.collection, hit.path)
        click.echo(f"{number:>2}. {click.style(name, bold=True)}  {click.style(str(hit.locator), dim=True)}")
        if hit.heading:
            click.echo(f"    {click.style(' › '.join(hit.heading), fg='cyan')}")
        body = hit.text if full else hit.snippet
        click.echo("\n".join(f"    {line}" for line in body.split("\n")))
        if explain:
            click.echo(f"    {click.style(_explain(hit), dim=True)}")
    if result.strength == "none":
        run.say(f"{click.style('Note:', fg='yellow')} nothing here answers this well; these are the nearest passages.")


def _explain(hit: Hit) -> str:
    ranks = hit.ranks
    keyword = f"keyword #{ranks.keyword} (BM25 {ranks.bm25})" if ranks.keyword else "keyword –"
    semantic = f"semantic #{ranks.semantic} (cosine {ranks.cosine})" if ranks.semantic else "semantic –"
    return f"score {hit.score:.4f} · {keyword} · {semantic} · {hit.tokens} tokens · id {hit.id}"
