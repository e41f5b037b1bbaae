"""What was changed in a settings file, kept so that it can be undone to the byte.

There is one small file for each settings file. It holds only what was written and what that took the place of.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from gatherum.install.files import read
from gatherum.install.text import Edit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The changes to one settings file.

    Attributes:
        created: Whether there was no such file before.
        folders: The folders made for it, outermost first.
        edits: What was changed, by what it was for, in order.
    """

    created: bool = False
    folders: tuple[str, ...] = ()
    edits: Mapping[str, Edit]

    def having(self, key: str, edit: Edit | None) -> Receipt:
        """Return it with the last change for a purpose, or with none."""
        others = {name: held for name, held in self.edits.items() if name != key}
        return replace(self, edits={**others, **({key: edit} if edit else {})})


def load(folder: Path, path: Path) -> Receipt | None:
    """Return what is known of a settings file; what cannot be read is not known."""
    try:
        held = json.loads(_file(folder, path).read_text(encoding="utf-8"))
        edits = {name: Edit(**edit) for name, edit in held["edits"].items()}
        return Receipt(created=held["created"], folders=tuple(held["folders"]), edits=edits)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def save(folder: Path, path: Path, receipt: Receipt | None) -> None:
    """Keep what was changed in a settings file, or forget it."""
    file = _file(folder, path)
    if receipt is None:
        file.unlink(missing_ok=True)
        return
    edits = {name: asdict(edit) for name, edit in receipt.edits.items()}
    held = {"file": str(path), "created": receipt.created, "folders": receipt.folders, "edits": edits}
    read(file).write(json.dumps(held, indent=1) + "\n")


def _file(folder: Path, path: Path) -> Path:
    return folder / f"{hashlib.sha256(str(path).encode()).hexdigest()[:24]}.json"
