"""Clients that others wrote, let loose on a server: which there are, and how a test has them take its steps."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType

CLIENTS = Path(__file__).parents[1] / "clients"
HANG = 120.0
"""Seconds after which a test gives up; none is decided by how fast something was."""


def _prepare() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prepare", CLIENTS / "prepare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PREPARE = _prepare()


def need_clients() -> None:
    """Skip the test where the clients are not installed; fail it where they must be: GATHERUM_CLIENTS=required."""
    if PREPARE.ready():
        return
    why = "the clients are not installed: run `make clients`"
    if os.environ.get("GATHERUM_CLIENTS") == "required":
        pytest.fail(why)
    pytest.skip(why)


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """A client.

    Attributes:
        program: Its file in tests/clients, without the ending.
        modern: Whether it is to speak the revision without a handshake.
        protocol: The revision that it and the server agree on.
        aborts: Whether it tells the server when a call is given up.
    """

    program: str
    modern: bool = False
    aborts: bool = True

    @property
    def protocol(self) -> str:
        return "2026-07-28" if self.modern else "2025-11-25"

    @property
    def name(self) -> str:
        return f"{self.program}-{'modern' if self.modern else 'legacy'}"

    def command(self) -> list[str]:
        if self.program.startswith("typescript"):
            return [str(PREPARE.node()), str(CLIENTS / f"{self.program}.mjs")]
        python = PREPARE.python1() if self.program == "python1" else sys.executable
        return [str(python), str(CLIENTS / f"{self.program}.py")]

    def take(self, where: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Connect, take the steps, and return what came of them.

        Args:
            where: ``transport`` (stdio or http) with ``command``, or with ``url`` and ``token``.
            steps: Each with ``op``, as in steps.mjs, and its arguments.
        """
        plan = {"command": [], "url": "", "token": "", **where, "steps": list(steps)}
        plan["mode"] = "modern" if self.modern else "legacy"
        done = run([*self.command(), json.dumps(plan)])
        assert done.returncode == 0, done.stderr
        facts: dict[str, Any] = json.loads(done.stdout)
        return facts


FOREIGN = [
    Foreign(program="typescript1"),
    Foreign(program="typescript2"),
    Foreign(program="typescript2", modern=True),
    Foreign(program="python1", aborts=False),
    Foreign(program="python2"),
    Foreign(program="python2", modern=True),
]


def environment() -> dict[str, str]:
    return {**os.environ, "GATHERUM_EMBEDDING_MODEL": "none", "GATHERUM_SERVER_DAEMON": "true"}


def run(command: Sequence[str | Path], **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    given = {"env": environment(), **more}
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False, **given)


def serve_command(project: Path, *options: str) -> list[str]:
    """Return the command line that editors run."""
    return [sys.executable, "-m", "gatherum", "serve", "--project", str(project), *options]


@contextmanager
def gathered_folder(root: Path, files: Mapping[str, str]) -> Iterator[Path]:
    """Make a folder with its shelf; end the daemon that a client may have started for it."""
    from gatherum import Shelf
    from gatherum.daemon.address import address_of
    from gatherum.daemon.ending import end

    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
        Shelf.open(root / ".gatherum").add(root)
    try:
        yield root
    finally:
        end(address_of(str(root / ".gatherum")))


def fixture_command(project: Path, transport: str) -> list[str]:
    """Return the command line of the server with fixtures."""
    return [sys.executable, str(CLIENTS / "fixture_server.py"), str(project), transport]


@contextmanager
def serving_fixtures(project: Path) -> Iterator[str]:
    """Run the server with fixtures over HTTP, and give its URL."""
    with subprocess.Popen(
        fixture_command(project, "http"), stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            found = re.search(r"http://\S+", line)
            assert found is not None, line + process.stderr.read()
            yield found[0]
        finally:
            process.kill()
