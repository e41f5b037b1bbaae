"""Answer an editor's hook from stdin: through the daemon where one runs, else in this process; never an error."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum.shelf import Shelf

_MOST: Final = 1 << 22


def serve_hook(method: str, open_shelf: Callable[[Path], Shelf]) -> int:
    """Answer one payload.

    Args:
        method: ``prompt_hook`` or ``context``.
        open_shelf: Returns the shelf of a folder.
    """
    try:
        payload = json.loads(sys.stdin.buffer.read(_MOST))
        if isinstance(payload, dict) and (answer := _answer(method, payload, open_shelf)):
            sys.stdout.write(json.dumps(answer, ensure_ascii=True) + "\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except Exception:  # noqa: BLE001, S110 - an editor shows every word of a hook that fails, and may stop
        pass
    return 0


def _answer(method: str, payload: Mapping[str, Any], open_shelf: Callable[[Path], Shelf]) -> Any:
    from gatherum.context import service

    folder = payload.get("cwd") or os.environ.get("CLAUDE_PROJECT_DIR") or "."
    shelf = open_shelf(Path(str(folder)))
    run = service.prompt_hook if method == "prompt_hook" else service.context_hook
    return run(shelf, payload)
