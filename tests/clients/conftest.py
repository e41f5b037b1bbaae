"""What the foreign clients find: a folder that was gathered, and the two servers over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from foreign import need_clients, serving_fixtures
from http_server import Served, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with its shelf."""
    from gatherum import Shelf

    need_clients()
    root = tmp_path_factory.mktemp("gathered")
    (root / "manual.md").write_text("# Manual\n\n## Brakes\n\nThe brake pads wear out.\n", encoding="utf-8")
    (root / "Räder & Öl.md").write_text("# Räder\n\nQuietschende Räder brauchen Öl.\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATHERUM_EMBEDDING_MODEL", "none")
        Shelf.open(root / ".gatherum").add(root)
    return root


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
