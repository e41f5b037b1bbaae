"""The pages that are made from the code: what the code says and what they say is the same."""

from __future__ import annotations

import inspect
import json
import os
import re
from dataclasses import fields, is_dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, get_args

import click
import pytest

from gatherum import Document, Locator, Metadata, Problem, Registry, Section, Shelf, hookspecs, results
from gatherum.cli import gatherum
from gatherum.hookspecs import NAME
from gatherum.plugins import PluginInfo, collect
from gatherum.problems import Code
from gatherum.query import _ALIASES
from gatherum.registry import Format
from gatherum.results import Progress
from gatherum.server.toolbox import Toolbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ANSWERS = [each for each in vars(results).values() if is_dataclass(each) and each.__module__ == results.__name__]
VALUES = [Document, Section, Metadata, Locator, Problem]
JSON = [*(each for each in ANSWERS if each is not Progress), *VALUES, Format, PluginInfo]

_COMMON = {"--json", "--quiet", "--shelf", "--config"}
_BEGIN, _END = "<!-- formats: made by tests/docs/test_reference.py -->", "<!-- end of formats -->"

_ON_EVERY_PAGE = ("Read", "Left out", "Damaged and odd files", "Places")
_FEW = 20
"""The extensions of a format that has more than so many are listed by the page of all formats alone."""
_NO_CODES = {"hidden_slides"}

# What a family's reader keeps, and what it does not; a handler without a line here is described by its docstring.
_KEEPS = {
    "asciidoc": "headings, lists, tables, blocks, notes; included files are named, never read",
    "data": "a line a value, with its key path; a section for each key at the top",
    "dbase": "records as tables; memo files are not read",
    "dita": "topics with their sections, tables and notes; maps as outlines",
    "docbook": "parts, chapters and sections, tables, listings, notes",
    "epub": "chapters in reading order under the table of contents, notes; locked books are named",
    "feeds": "an entry, or a branch of an outline, at a time",
    "fictionbook": "sections, verse, notes",
    "html": "headings, tables, lists, code; navigation and hidden text are kept apart, scripts left out",
    "jats": "articles with their sections, tables, references and notes",
    "latex": "sections, lists, tables, notes, mathematics as TeX; nothing is run or included",
    "legacy": "text of the old binary formats, with the extra `legacy`; without it, such files are named as unread",
    "mail": "messages with their quotations, and attachments by their own readers",
    "manual": "the man and mdoc macros",
    "markdown": "front matter, headings, tables, code, mathematics, notes, callouts, the common dialects",
    "mediawiki": "headings, lists, tables, references; templates by what they say",
    "notebook": "a cell at a time: text, code, printed outputs and errors; pictures are left out",
    "opendocument": "headings, lists, tables, frames, notes, comments, slides with speaker notes",
    "org": "headings with keywords and tags, lists, blocks, tables, notes",
    "outlook": "messages with their people, text and attachments; contacts",
    "pdf": "text in reading order by page, headings from the outline or the type; scanned pages are named as unread",
    "powerpoint": "slides in order with tables, charts, diagrams, speaker notes, comments",
    "rst": "headings, lists, tables, directives, notes; included files are named, never read",
    "rtf": "headings, lists, tables, notes",
    "sourcecode": "a section for each class, function and type, with its comments",
    "spreadsheet": "sheets as tables in groups of rows; values, not formulas",
    "subtitles": "what is said, in stretches of about a minute",
    "text": "any encoding; headings where they are unmistakable",
    "textile": "headings, lists, tables, code, notes",
    "typst": "headings, lists, tables, figures, notes, mathematics as Typst; nothing is run or included",
    "xml": "other vocabularies: prose by its titles and paragraphs, data by key paths",
    "word": "headings, numbered lists, tables, text boxes, notes, comments, equations, changes as accepted",
}


def registry() -> Registry:
    """The built-in handlers, whatever else is installed."""
    return Registry(collect(each for each in entry_points(group=NAME) if each.dist and each.dist.name == NAME))


def commands(group: Any = gatherum, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


def option_rows(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not _COMMON & set(parameter.opts):
            yield _row(command, parameter)


def _row(command: click.Command, option: click.Option) -> str:
    usage, text = option.get_help_record(click.Context(command)) or ("", "")
    return f"| `{usage.replace('|', ' or ')}` | {text} |"


def command_line() -> str:
    """docs/reference/command-line.md."""
    every = list(commands())
    shared = [
        _row(every[0][1], option)
        for option in every[0][1].params
        if isinstance(option, click.Option) and _COMMON & set(option.opts)
    ]
    lines = [
        "# Command line",
        "",
        "This page is made from the commands' own help: `gatherum COMMAND --help` says the same.",
        "",
        "Results go to standard output, everything else to standard error.",
        "",
        "| Exit code | Meaning |",
        "| --- | --- |",
        "| 0 | Done. Files with problems are listed, and are no failure unless `--strict` is given. |",
        "| 1 | Nothing could be done; with `--json`, standard error has one object: see [JSON](json.md#errors). "
        "Or: with `--strict`, a file has a problem. |",
        "| 2 | Wrong usage. |",
        "| 130 | Interrupted. What was done is kept. |",
        "",
        "## Options of every command",
        "",
        "| Option | Meaning |",
        "| --- | --- |",
        *shared,
        "",
        "`gatherum --version` shows the version, and `--help` (or `-h`) works after every command.",
        "An argument that begins with a dash goes after `--`: `gatherum search -- '-draft plan'`.",
    ]
    for path, command in every:
        context = click.Context(command, info_name=f"gatherum {' '.join(path)}")
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        lines += ["", f"## {' '.join(path)}", "", "```text", usage, "```", "", *_prose(command.help or "")]
        if rows := list(option_rows(command)):
            lines += ["", "| Option | Meaning |", "| --- | --- |", *rows]
    return "\n".join(lines) + "\n"


def _prose(text: str) -> Iterator[str]:
    """Paragraphs a sentence a line; those that click must not wrap as they are."""
    for number, part in enumerate(inspect.cleandoc(text).split("\n\n")):
        if number:
            yield ""
        if part.startswith("\b"):
            yield from ("```text", *part.split("\n")[1:], "```")
        else:
            yield from re.split(r"(?<=[.!?]) (?=[A-Z])", " ".join(part.split()))


def by_title(item: tuple[tuple[str, str], list[str]]) -> str:
    return item[0][0].casefold()


def families() -> list[tuple[str, str, list[str]]]:
    """(title, handler, extensions) of the built-in formats."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in registry().formats:
        found.setdefault((each.title, each.handler), []).append(each.extension)
    return [(title, handler, extensions) for (title, handler), extensions in sorted(found.items(), key=by_title)]


def formats_table(most: int = 1000, *, pages: str = "formats") -> list[str]:
    """Markdown of the families; *pages* is where the page of each lies, seen from the table."""
    about = {handler.name: type(handler).__doc__ or "" for _, handler in registry().plugins.handlers}
    rows = [
        f"| [{title}]({pages}/{handler}.md) | {_some(extensions, most)} "
        f"| {_KEEPS.get(handler) or about[handler].partition('.')[0]} |"
        for title, handler, extensions in families()
    ]
    return ["| Family | Extensions and whole names | What is kept |", "| --- | --- | --- |", *rows]


def _some(extensions: list[str], most: int) -> str:
    rest = len(extensions) - most
    shown = " ".join(f"`{extension}`" for extension in extensions[:most])
    return f"{shown} and {rest} more" if rest > 0 else shown


def formats_page() -> str:
    """docs/reference/formats.md."""
    handlers = {each.name: each for _, each in registry().plugins.handlers}
    lines = [
        "# Formats",
        "",
        "This page is made from the handlers that come with gatherum.",
        "`gatherum formats` lists those that are installed with you, plugins included.",
        "",
        "A file is first judged by its extension, then by its content.",
        "A file whose name is wrong is read for what it is, with the problem `wrong_extension`.",
        "A file without an extension is read if its whole name is known, such as `readme`.",
        "Pictures, sound and scanned pages are not read: there is no text recognition.",
        "",
        *formats_table(),
    ]
    for title, name, extensions in families():
        about = [" ".join(part.split()) for part in inspect.cleandoc(type(handlers[name]).__doc__ or "").split("\n\n")]
        lines += ["", f"## {title}", ""]
        for part in about:
            lines += [*re.split(r"(?<=[.!?]) (?=[A-Z])", part), ""]
        lines.append(f"Handler `{name}`, version {handlers[name].version}: {', '.join(f'`{e}`' for e in extensions)}.")
        lines += ["", f"[What is read of it, and what is not](formats/{name}.md)."]
    return "\n".join(lines) + "\n"


def test_the_page_of_commands_is_in_step(project: Path, in_step: Callable[[Path, str], None]) -> None:
    in_step(project / "docs/reference/command-line.md", command_line())


def test_the_page_of_formats_is_in_step(project: Path, in_step: Callable[[Path, str], None]) -> None:
    in_step(project / "docs/reference/formats.md", formats_page())


@pytest.mark.parametrize(("title", "handler", "extensions"), families(), ids=lambda value: str(value)[:40])
def test_every_format_has_a_page(project: Path, title: str, handler: str, extensions: list[str]) -> None:
    page = (project / f"docs/reference/formats/{handler}.md").read_text(encoding="utf-8")
    assert re.findall(r"^#+ .*$", page, re.MULTILINE) == [f"# {title}", *(f"## {name}" for name in _ON_EVERY_PAGE)]
    assert set(re.findall(r"`([a-z]+_[a-z_]+)`", page)) <= {*get_args(Code), *_NO_CODES}
    if len(extensions) <= _FEW:
        assert not {each for each in extensions if f"`{each}`" not in page}


def test_every_page_belongs_to_a_format(project: Path) -> None:
    pages = {page.stem for page in (project / "docs/reference/formats").iterdir()}
    assert pages == {handler for _, handler, _ in families()}


def test_the_readme_lists_the_formats(project: Path, in_step: Callable[[Path, str], None]) -> None:
    page = project / "README.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(_BEGIN)
    _, _, after = rest.partition(_END)
    assert after, f"README.md has no {_BEGIN} … {_END}"
    table = formats_table(most=14, pages="docs/reference/formats")
    in_step(page, "\n".join([f"{before}{_BEGIN}", "", *table, "", f"{_END}{after}"]))


def test_ci_compares_pages_and_never_writes_them(project: Path, regenerate: bool) -> None:
    assert not (regenerate and os.environ.get("CI"))
    for name in (".ci/run", "Makefile"):
        assert "GATHERUM_REGENERATE" not in (project / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [path for path, _ in commands()], ids=" ".join)
def test_every_option_of_every_command_is_in_the_reference(project: Path, path: tuple[str, ...]) -> None:
    page = (project / "docs/reference/command-line.md").read_text(encoding="utf-8")
    assert f"\n## {' '.join(path)}\n" in page
    command = dict(commands())[path]
    names = {name for parameter in command.params if isinstance(parameter, click.Option) for name in parameter.opts}
    assert not {name for name in names if f"`{name}" not in page and f", {name}" not in page}


def test_every_hook_is_documented_with_its_arguments(project: Path) -> None:
    page = (project / "docs/reference/hooks.md").read_text(encoding="utf-8")
    hooks = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("gatherum_")}
    documented = re.findall(r"^## `(\w+)(\(.*)`$", page, re.MULTILINE)
    assert documented == [(name, str(inspect.signature(hook)).replace("'", "")) for name, hook in hooks.items()]


def test_every_field_of_queries_is_documented(project: Path) -> None:
    page = (project / "docs/reference/query-language.md").read_text(encoding="utf-8")
    assert not {name for name in _ALIASES if f"`{name}:" not in page}


def test_every_tool_and_argument_is_documented(project: Path) -> None:
    page = (project / "docs/reference/mcp.md").read_text(encoding="utf-8")
    for tool in Toolbox(Shelf.open(project)).tools:
        assert f"## `{tool.name}`" in page
        for name, field in tool.takes.model_fields.items():
            default = "required" if field.is_required() else f"`{json.dumps(field.default)}`"
            assert re.search(rf"^\| `{name}` \| .* \| {re.escape(default)} \|", page, re.MULTILINE), name


def test_every_public_name_is_documented(project: Path) -> None:
    import gatherum as package

    page = (project / "docs/reference/python.md").read_text(encoding="utf-8")
    assert not {name for name in package.__all__ if f"`{name}" not in page}


def test_every_method_of_the_shelf_is_documented_with_its_arguments(project: Path) -> None:
    page = (project / "docs/reference/python.md").read_text(encoding="utf-8")
    for name, method in inspect.getmembers(Shelf, callable):
        if not name.startswith("_"):
            arguments = [each for each in inspect.signature(method).parameters if each != "self"]
            shown = re.search(rf"`(?:Shelf|shelf)\.{name}\((.*?)\)`", page)
            assert shown, name
            assert re.findall(r"\w+(?==|,|$|\))", re.sub(r"=[^,]*", "", shown[1])) == arguments, name


@pytest.mark.parametrize("made", [*ANSWERS, *VALUES], ids=lambda made: made.__name__)
def test_every_field_is_documented_in_order(project: Path, made: type) -> None:
    page = (project / "docs/reference/python.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{made.__name__}` \| ([^|]*) \|$", page, re.MULTILINE)
    assert row
    names = [name for name in re.findall(r"`(\w+)`", row[1]) if name in {each.name for each in fields(made)}]
    assert names == [each.name for each in fields(made)]


@pytest.mark.parametrize("made", JSON, ids=lambda made: made.__name__)
def test_every_field_of_json_is_documented(project: Path, made: type) -> None:
    page = (project / "docs/reference/json.md").read_text(encoding="utf-8")
    assert not {each.name for each in fields(made) if f'"{each.name}"' not in page and f"`{each.name}`" not in page}


def test_every_dependency_is_explained(project: Path) -> None:
    import tomllib

    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    names = {re.split(r"[<>=]", each)[0] for each in settings["project"]["dependencies"]}
    page = (project / "docs/dependencies.md").read_text(encoding="utf-8").casefold()
    assert not {name for name in names if f"`{name}`" not in page}
