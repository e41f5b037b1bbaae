"""``index`` and ``remove``: what changes a shelf."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatherum.cli.common import Run, common, count, show_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatherum.results import IndexReport, Progress

_SHOWN = 20
_NOTICES = frozenset(("encoding_guessed", "hidden_text"))
_STAGES = {"scan": "Looking", "read": "Reading", "embed": "Embedding", "optimize": "Tidying"}


@click.command("index")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--strict", is_flag=True, help="Exit with 1 if any file has a problem.")
@common
def index_command(run: Run, paths: tuple[Path, ...], strict: bool) -> int:
    """Gather files and folders, or bring the shelf up to date.

    Without PATHS, all that the shelf gathers is looked at again. Files that have not changed are not read again.
    """
    shelf = run.open(paths[0] if paths else None)
    with _progress(run) as progress:
        report = shelf.add(*paths, progress=progress)
    if run.json:
        run.emit(report)
    else:
        _summarize(run, report)
    run.warn(report.warnings)
    return 1 if strict and report.problems else 0


@click.command("remove")
@click.argument("names", nargs=-1, required=True)
@common
def remove_command(run: Run, names: tuple[str, ...]) -> int:
    """Take documents or collections off the shelf.

    Files on the disk stay. A document whose file is still in a gathered folder comes back with the next run.
    """
    removed = run.open().remove(*names)
    if run.json:
        run.emit({"removed": removed})
    else:
        run.say(f"{count(removed, 'document')} removed.")
    return 0


def _summarize(run: Run, report: IndexReport) -> None:
    if report.state == "busy":
        return
    done = [
        f"{number:,} {name}"
        for name in ("added", "changed", "moved", "removed", "unchanged", "skipped", "failed")
        if (number := getattr(report, name))
    ]
    embedded = f", {report.embedded:,} embedded" if report.embedded not in (0, report.chunks) else ""
    work = f"{count(report.chunks, 'passage')}{embedded}"
    run.say(f"{', '.join(done) or 'nothing to do'}; {work} in {report.seconds:.1f} s.")
    if run.quiet:
        return
    serious = [problem for problem in report.problems if problem.code not in _NOTICES]
    if serious:
        click.echo(err=True)
        show_problems(serious[:_SHOWN], err=True)
    if more := len(report.problems) - len(serious[:_SHOWN]):
        run.say(f"{'... and ' if serious else ''}{count(more, 'notice')}: gatherum status --problems")


@contextmanager
def _progress(run: Run) -> Iterator[Callable[[Progress], None]]:
    """Show a bar with the time left, on a terminal only."""
    if run.quiet or run.json or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[path]}", style="dim"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {stage: bar.add_task(text, total=None, visible=False, path="") for stage, text in _STAGES.items()}

        def show(moment: Progress) -> None:
            total = moment.total or None
            bar.update(tasks[moment.stage], completed=moment.done, total=total, path=moment.path[-50:], visible=True)

        yield show
