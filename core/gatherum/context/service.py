"""Answer what an editor's hooks send, in the form that the editor reads.

Field names are those of Claude Code's hooks: what a hook prints is read as JSON, and of that only
``hookSpecificOutput.additionalContext`` is put before the model.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any, Final

from gatherum.context.hook import answer
from gatherum.context.roles import Work, choose
from gatherum.journal import note

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gatherum.shelf import Shelf

_TASKS: Final = {
    **dict.fromkeys(("Edit", "Write", "MultiEdit", "NotebookEdit"), "edit"),
    **dict.fromkeys(("Read", "Grep", "Glob", "LS"), "read"),
    **dict.fromkeys(("WebFetch", "WebSearch"), "research"),
    "Bash": "run",
}
_TOLD: Final = "told"
_KEPT_SECONDS: Final = 7 * 86_400


def prompt_hook(shelf: Shelf, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a UserPromptSubmit payload; {} for nothing."""
    prompt = payload.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip() or prompt.lstrip().startswith("/"):
        return {}
    return _output("UserPromptSubmit", answer(shelf, prompt))


def context_hook(shelf: Shelf, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a PreToolUse payload with the role that holds; {} for none, or one that the session knows already."""
    if not shelf.settings.context.roles:
        return {}
    chosen = choose(shelf, work_of(payload))
    if not chosen.content:
        return {}
    session = payload.get("session_id")
    digest = hashlib.sha256(f"{chosen.role}\n{chosen.content}".encode()).hexdigest()
    if isinstance(session, str) and session and not _news(shelf.place.folder, session, chosen.role, digest):
        return {}
    note(shelf, "hook", "context", documents=[])
    return _output(
        "PreToolUse", f"Context for the role {chosen.role!r}, from this project's settings:\n\n{chosen.content}"
    )


def work_of(payload: Mapping[str, Any]) -> Work:
    """Return what a PreToolUse payload is about."""
    given = payload.get("tool_input")
    given = given if isinstance(given, dict) else {}
    tool = str(payload.get("tool_name") or "")
    paths = tuple(
        value for key in ("file_path", "notebook_path", "path") if isinstance(value := given.get(key), str) and value
    )
    words = [value for key in ("description", "prompt", "query") if isinstance(value := given.get(key), str)]
    return Work(files=paths, task=_TASKS.get(tool, tool.lower()), query=" ".join(words)[:2000])


def _output(event: str, text: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}} if text else {}


def _news(folder: Path, session: str, role: str, digest: str) -> bool:
    """Tell whether a session was not told this yet, and note that it is; one of several at once is told so."""
    told = folder / _TOLD
    key = hashlib.sha256(f"{session}\n{role}".encode()).hexdigest()[:32]
    file = told / key
    try:
        if file.is_file() and file.read_text(encoding="ascii", errors="replace") == digest:
            return False
        told.mkdir(mode=0o700, parents=True, exist_ok=True)
        _forget(told)
        fresh = told / f"{key}.{time.monotonic_ns()}"
        fresh.write_text(digest, encoding="ascii")
        fresh.replace(file)
    except OSError:
        return True
    return True


def _forget(told: Path) -> None:
    for old in told.iterdir():
        if time.time() - old.stat().st_mtime > _KEPT_SECONDS:
            old.unlink(missing_ok=True)
