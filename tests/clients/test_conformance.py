"""The protocol's conformance suite: all that gatherum offers passes, and what it does not offer is known."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from foreign import CLIENTS, PREPARE, run
from http_server import serving

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

BASELINES = CLIENTS / "expected-failures"
SUITES = {
    "0.1.16": ("conformance", "--suite", "all"),
    "2025-11-25": ("conformance-next", "--requirements", "2025-11-25"),
    "2026-07-28": ("conformance-next", "--requirements", "2026-07-28"),
}
WITHOUT_FIXTURES = {
    "2025-11-25": {
        "dns-rebinding-protection",
        "ping",
        "prompts-list",
        "resources-list",
        "server-initialize",
        "server-session-lifecycle",
        "server-sse-multiple-streams",
        "tools-list",
    },
    "2026-07-28": {
        "dns-rebinding-protection",
        "http-header-validation",
        "prompts-list",
        "resources-list",
        "sep-2164-resource-not-found",
        "server-sse-multiple-streams",
        "tools-list",
    },
}
"""Scenarios that ask for no tool, resource or prompt of a certain name."""


def judge(suite: str, url: str, folder: Path, *more: str | Path) -> subprocess.CompletedProcess[str]:
    package, *options = SUITES[suite]
    program = CLIENTS / "node_modules" / package / "dist" / "index.js"
    node = PREPARE.node()
    return run([node, program, "server", "--url", url, *options, "-o", folder, *more], cwd=folder)


def checks(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each check that was made, after the scenario that it belongs to."""
    for file in sorted(folder.glob("*/checks.json")):
        scenario = re.sub(r"-\d{4}-\d\d-\d\dT.*$", "", file.parent.name).removeprefix("server-")
        for check in json.loads(file.read_text(encoding="utf-8")):
            yield scenario, check


def failed(folder: Path, *, scenarios: set[str] | None = None, identity: str = "") -> list[tuple[str, str, str]]:
    return [
        (scenario, check["id"], check.get("errorMessage", ""))
        for scenario, check in checks(folder)
        if check["status"] == "FAILURE" and (scenarios is None or scenario in scenarios) and identity in check["id"]
    ]


@pytest.mark.parametrize("suite", SUITES)
def test_what_is_offered_conforms(suite: str, fixtures_url: str, tmp_path: Path) -> None:
    """The suite fails, too, where something passes that is listed as failing."""
    done = judge(suite, fixtures_url, tmp_path, "--expected-failures", BASELINES / f"{suite}.yml")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert failed(tmp_path, identity="wire-schema") == []


@pytest.mark.parametrize("suite", WITHOUT_FIXTURES)
def test_the_server_as_it_is_served_conforms(suite: str, gathered: Path, tmp_path: Path) -> None:
    with serving(gathered, "--http", "0", "--no-token") as served:
        judge(suite, served.url, tmp_path)
    plain = WITHOUT_FIXTURES[suite]
    assert plain <= {scenario for scenario, _ in checks(tmp_path)}
    assert failed(tmp_path, scenarios=plain) == []
    assert failed(tmp_path, identity="wire-schema") == []
    assert "Traceback" not in served.log


@pytest.mark.parametrize("suite", SUITES)
def test_every_expected_failure_has_a_reason(suite: str) -> None:
    lines = (BASELINES / f"{suite}.yml").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line.startswith("  - ")]
    assert entries
    assert [line for line in entries if not re.fullmatch(r"  - [a-z0-9:-]+ # \S.{10,}", line)] == []
