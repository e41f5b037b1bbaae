"""Questions to calibrate the prompt hook with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatherum.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A prompt with what is known of it.

    Attributes:
        text: The prompt.
        on: Whether the documents answer it.
        path: The documents that do; empty if not known.
        heading: The section that does; "" if not known.
    """

    text: str
    on: bool = True
    path: tuple[str, ...] = ()
    heading: str = ""


def questions_in(file: Path, *, on: bool = True) -> list[Question]:
    """Read questions, one JSON object a line, or prompts, one a line.

    Args:
        file: The file.
        on: Whether the documents answer them, where a line does not say ``"topic": "off"``. If not, a line may be the
            bare prompt.

    Raises:
        ConfigError: A line is neither, or the file cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not on and not line.lstrip().startswith("{"):
            found.append(Question(text=line.strip(), on=False))
            continue
        try:
            row = json.loads(line)
            text = row.get("query") or row.get("question") or row["prompt"]
            paths = row.get("path") or row.get("file") or row.get("relevant") or ()
            heading = row.get("heading") or ""
            if not isinstance(text, str) or not isinstance(heading, str):
                raise TypeError
            wanted = tuple(map(str, (paths,) if isinstance(paths, str) else paths))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ConfigError(
                f"{file}, line {number} is no question", hint='For example: {"question": "…", "path": "a.md"}'
            ) from None
        found.append(Question(text=text, on=on and row.get("topic") != "off", path=wanted, heading=heading))
    return found
