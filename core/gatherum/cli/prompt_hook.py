"""``prompt-hook``: passages beside a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatherum.cli.common import Run, common
from gatherum.errors import ConfigError

if TYPE_CHECKING:
    from gatherum.context.calibrate import Calibration, Rates
    from gatherum.shelf import Shelf


@click.command("prompt-hook")
@click.option(
    "--calibrate",
    "questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Find threshold and margin by a JSON Lines file of questions that the documents answer.",
)
@click.option(
    "--off",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="More prompts that they do not, one a line, beside the built-in ones.",
)
@click.option("--write", is_flag=True, help="Put what was found into gatherum.toml.")
@common
def prompt_hook_command(run: Run, questions: Path | None, off: Path | None, *, write: bool) -> int:
    """Answer an editor's UserPromptSubmit payload on stdin with passages that bear on the prompt.

    Silent where none does, and on every failure.
    """
    if questions is None:
        if off or write:
            raise click.UsageError("--off and --write go with --calibrate.")
        from gatherum.cli.hooks import serve_hook

        return serve_hook("prompt_hook", run.place)
    from gatherum.context.calibrate import calibrate
    from gatherum.context.questions import questions_in

    shelf = run.open()
    asked = questions_in(questions) + (questions_in(off, on=False) if off else [])
    found = calibrate(shelf, asked)
    if run.json:
        run.emit(found)
    else:
        _show(found)
        run.warn(f"no document seems to answer: {text}" for text in found.doubtful)
    if write:
        run.say(f"Wrote {_write(shelf, found)}")
    return 0


def _show(found: Calibration) -> None:
    click.echo(f"threshold {found.threshold}  margin {found.margin}")
    click.echo(f"all questions     {_line(found.fitted)}")
    for each in found.held_out:
        click.echo(f"held-out half     {_line(each)}")


def _line(rates: Rates) -> str:
    return (
        f"fires on {rates.fired_on:.0%} of {rates.on}, off topic on {rates.fired_off:.0%} of {rates.off}; "
        f"right section {rates.answered:.0%}; {rates.passages:.1f} passages, {rates.tokens:.0f} tokens"
    )


def _write(shelf: Shelf, found: Calibration) -> Path:
    """Put the values into the settings file, whose comments and order stay; return the file."""
    import os

    import tomlkit

    file = shelf.place.config
    if file is None or file.name == "pyproject.toml":
        raise ConfigError("there is no gatherum.toml to write to", hint="`gatherum init` writes one.")
    document = tomlkit.parse(file.read_text(encoding="utf-8"))
    table = document.setdefault("hook", tomlkit.table())
    table["threshold"], table["margin"] = found.threshold, found.margin
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        fresh.write_text(tomlkit.dumps(document), encoding="utf-8")
        fresh.chmod(file.stat().st_mode & 0o777)
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
    return file
