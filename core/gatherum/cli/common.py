"""The options that every command takes, and how results are printed."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gatherum.collection import qualified
from gatherum.jsonable import dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gatherum.config import Settings
    from gatherum.place import Place
    from gatherum.results import FileProblem
    from gatherum.shelf import Shelf

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a command.

    Attributes:
        json: Whether results are printed as JSON.
        quiet: Whether only results and errors are printed.
        shelf: The shelf's folder, if it was named.
        config: The settings file, if it was named.
    """

    json: bool
    quiet: bool
    shelf: Path | None
    config: Path | None

    def place(self, start: Path | None = None) -> Place:
        """Return the shelf that holds for a folder, by default the working directory."""
        from gatherum.place import find_place

        return find_place((start or Path.cwd()).absolute(), shelf=self.shelf, config=self.config)

    def open(self, start: Path | None = None) -> Shelf:
        """Return the shelf that holds for a folder, by default the working directory."""
        import logging

        from gatherum.shelf import Shelf

        logging.basicConfig(level=logging.ERROR if self.quiet else logging.WARNING, format="%(message)s")
        return Shelf(self.place(start))

    def settings(self) -> Settings:
        """Return the settings that hold in the working directory."""
        return self.place().settings

    def emit(self, value: object) -> None:
        """Print one JSON object on a line of its own."""
        click.echo(dumps(value))

    def say(self, text: str = "") -> None:
        """Tell the user something that is no result."""
        if not self.quiet:
            click.echo(text, err=True)

    def warn(self, warnings: Iterable[str]) -> None:
        """Tell the user what the result's reader should know; under --json the result itself says it."""
        for warning in () if self.json else warnings:
            self.say(f"{click.style('Note:', fg='yellow')} {warning}")


def common(function: Callable[..., R]) -> Callable[..., R]:
    """Add the options that every command takes and hand them over as one `Run`."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON: one object, or one a line.")
    @click.option("--quiet", "-q", is_flag=True, help="Print results and errors only.")
    @click.option("--shelf", type=click.Path(path_type=Path), help="The shelf's folder.")
    @click.option("--config", type=click.Path(path_type=Path), help="The settings file.")
    @functools.wraps(function)
    def command(*args: Any, as_json: bool, quiet: bool, shelf: Path | None, config: Path | None, **options: Any) -> R:
        return function(Run(json=as_json, quiet=quiet, shelf=shelf, config=config), *args, **options)

    return command


def show_problems(problems: Iterable[FileProblem], *, err: bool = False) -> None:
    """Print problems, one file a paragraph, with what can be done."""
    for problem in problems:
        place = qualified(problem.collection, problem.path)
        where = f" ({problem.locator})" if problem.locator else ""
        click.echo(f"{click.style(place or '.', bold=True)}{where}: {problem.message}  [{problem.code}]", err=err)
        click.echo(f"    {problem.advice}", err=err)


def count(number: int, noun: str) -> str:
    """Return "1 file" or "2 files"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
