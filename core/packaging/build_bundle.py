"""Pack ``mcpb/`` into ``dist/gatherum-VERSION.mcpb``, the same bytes every time; print where it is."""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

_HERE = Path(__file__).parent
_FILES = ("manifest.json", "pyproject.toml", "src/server.py")
_ANY = "0.0.0"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def version() -> str:
    """Return the package's version, without importing it."""
    source = (_HERE.parent / "gatherum/__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', source, re.MULTILINE)
    if found is None:
        raise SystemExit("core/gatherum/__init__.py names no version")
    return found[1]


def build(folder: Path) -> Path:
    """Write the bundle into a folder and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    bundle = folder / f"gatherum-{version()}.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _FILES:
            text = (_HERE / "mcpb" / name).read_text(encoding="utf-8").replace(_ANY, version())
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)
    return bundle


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1] if len(sys.argv) > 1 else 'dist'))}\n")
