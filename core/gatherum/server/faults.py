"""What went wrong, said so that it may be logged."""

from __future__ import annotations

import traceback
from pathlib import Path


def described(error: BaseException) -> str:
    """Return an error's type and place: its message may hold text of a document, which no log ever does."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-3:]]
    return f"{type(error).__name__} at {' > '.join(places) or 'an unknown place'}"
