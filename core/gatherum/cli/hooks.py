"""Answer an editor's hook from stdin: through the daemon, or here where that is switched off; never an error."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum.place import Place

_MOST: Final = 1 << 22
_SECONDS: Final = 0.25
"""How long the daemon has: whoever sent the prompt waits for it."""


def serve_hook(method: str, find: Callable[[Path], Place]) -> int:
    """Answer one payload.

    Args:
        method: ``prompt_hook`` or ``context``.
        find: Returns the place of the shelf of a folder.
    """
    try:
        payload = json.loads(sys.stdin.buffer.read(_MOST))
        if isinstance(payload, dict) and (answer := _answer(method, payload, find)):
            sys.stdout.write(json.dumps(answer, ensure_ascii=True) + "\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except Exception:  # noqa: BLE001, S110 - an editor shows every word of a hook that fails, and may stop
        pass
    return 0


def _answer(method: str, payload: Mapping[str, Any], find: Callable[[Path], Place]) -> Any:
    place = find(Path(str(payload.get("cwd") or os.environ.get("CLAUDE_PROJECT_DIR") or ".")))
    if place.exists and place.settings.server.daemon:
        from gatherum.daemon.client import ask

        # One that does not run yet is started, and answers the next prompt.
        return ask(str(place.folder), method, payload, seconds=_SECONDS, start=True)
    from gatherum.context import service
    from gatherum.shelf import Shelf

    run = service.prompt_hook if method == "prompt_hook" else service.context_hook
    return run(Shelf(place), payload)
