"""What starts with the command: little, so that light commands are instant and each reader loads what it needs."""

import json
import subprocess
import sys

HEAVY = {
    *("bs4", "charset_normalizer", "docx", "ebooklib", "fastembed", "lancedb", "lxml", "markdown_it", "mcp"),
    *("mdit_py_plugins", "nbformat", "numpy", "odf", "office_oxide", "pptx", "pyarrow", "pydantic", "pypdfium2"),
    *("python_calamine", "rich", "tokenizers", "yaml"),
}
DATA = {"gatherum_formats.sourcecode.languages"}
"""Tables that handlers need to say what they claim."""


def loaded(code: str) -> set[str]:
    """Return the modules that a fresh interpreter holds after *code*."""
    script = f"import json, sys\n{code}\nprint('\\n' + json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def heavy(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] in HEAVY}


def test_the_registry_holds_every_handler_and_the_reading_code_of_none() -> None:
    modules = loaded("from gatherum import load_registry\nassert load_registry().handler('.docx')")
    assert "gatherum_formats.word" in modules
    assert {name for name in modules if name.startswith("gatherum_formats.") and name.count(".") > 1} <= DATA
    assert heavy(modules) == set()


def test_the_registry_loads_no_decoder_and_no_archive() -> None:
    modules = loaded("from gatherum import load_registry\nload_registry()")
    assert not modules & {"gatherum.text.decoding", "gatherum.limits.archive", "gatherum.shelf", "gatherum.store"}


def test_help_loads_no_format_at_all() -> None:
    modules = loaded("from gatherum.cli import main\nmain(['--help'])")
    assert "gatherum.cli" in modules
    assert not {name for name in modules if name.startswith(("gatherum_formats", "gatherum_models"))}
    assert not modules & {"importlib.metadata", "zipfile"}
    assert heavy(modules) == set()


def test_public_names_need_no_index() -> None:
    modules = loaded("import gatherum\ngatherum.Handler, gatherum.Section, gatherum.hookimpl")
    assert not modules & {"gatherum.shelf", "gatherum.store", "gatherum.config"}
    assert heavy(modules) == set()
