"""What the foreign clients find: a folder that was gathered, and the two servers over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from foreign import gathered_folder, need_clients, serving_fixtures
from http_server import Served, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


FILES = {
    "manual.md": "# Manual\n\n## Brakes\n\nThe brake pads wear out.\n",
    "Räder & Öl.md": "# Räder\n\nQuietschende Räder brauchen Öl.\n",
}


@pytest.fixture(scope="session", autouse=True)
def _sockets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Daemons meet their clients in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        yield


@pytest.fixture(scope="session")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with its shelf, which no test changes."""
    need_clients()
    with gathered_folder(tmp_path_factory.mktemp("gathered"), FILES) as folder:
        yield folder


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Path]:
    """A folder with its shelf, for one test."""
    need_clients()
    with gathered_folder(tmp_path, FILES) as folder:
        yield folder


@pytest.fixture(scope="session")
def locked(gathered: Path) -> Iterator[Served]:
    """``gatherum serve --http``, which asks for its token."""
    with serving(gathered) as served:
        yield served


@pytest.fixture(scope="session")
def fixtures_url(gathered: Path) -> Iterator[str]:
    """The server with fixtures, over HTTP."""
    with serving_fixtures(gathered) as url:
        yield url
