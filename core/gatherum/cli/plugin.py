"""``plugin new``: write a plugin to start from."""

from __future__ import annotations

import re
from pathlib import Path

import click

from gatherum.cli.common import Run, common
from gatherum.errors import ConfigError

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_EXTENSION = re.compile(r"\.[a-z0-9_+-]+")


@click.group("plugin")
def plugin_command() -> None:
    """Write plugins."""


@plugin_command.command("new")
@click.argument("name")
@click.option("--extension", default="", help="What its files end in; by default a dot and NAME.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where; by default gatherum-NAME.")
@common
def new_command(run: Run, name: str, extension: str, folder: Path | None) -> int:
    """Write a plugin that reads a format, to start from.

    NAME is a word in lower case, such as shout.
    The plugin works and passes its tests as it is written; what it reads is then up to you.
    """
    name = name.removeprefix("gatherum-")
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is no name for a plugin", hint="Use small letters, digits and single hyphens.")
    extension = f".{(extension or name).lstrip('.')}"
    if not _EXTENSION.fullmatch(extension):
        raise ConfigError(f"{extension!r} is no extension", hint="Use small letters and digits after one dot.")
    folder = folder or Path(f"gatherum-{name}")
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is there already", hint="Name another with --folder.")
    files = plugin_files(name, extension)
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    if run.json:
        run.emit({"folder": folder.absolute(), "files": list(files)})
        return 0
    run.say(f"Wrote {', '.join(files)} in {folder}.")
    run.say(f'Next: pip install --editable "{folder}[test]" && pytest {folder}')
    return 0


def plugin_files(name: str, extension: str) -> dict[str, str]:
    """Return the texts of a new plugin's files by their names."""
    from string import Template

    from gatherum import __version__
    from gatherum.cli import template

    words = name.split("-")
    module = f"gatherum_{'_'.join(words)}"
    major, minor, *_ = map(int, re.findall(r"\d+", __version__))
    values = {
        "name": name,
        "distribution": f"gatherum-{name}",
        "module": module,
        "class_name": f"{''.join(word.title() for word in words)}Handler",
        "title": " ".join(words).capitalize(),
        "extension": extension,
        "versions": f">={major}.{minor},<{major + 1}",
    }
    texts = {
        "pyproject.toml": template.PYPROJECT,
        f"{module}.py": template.MODULE,
        f"sample{extension}": template.SAMPLE,
        f"test_{module}.py": template.TESTS,
        "README.md": template.README,
    }
    return {file: Template(text).substitute(values) for file, text in texts.items()}
