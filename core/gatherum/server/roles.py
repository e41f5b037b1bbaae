"""The tool that gives an assistant the role it should work in; it is there only where the settings name roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum.context.roles import Work, choose
from gatherum.journal import note
from gatherum.server.answers import Candidate, RoleContext
from gatherum.server.visible import visible

if TYPE_CHECKING:
    from gatherum.server.arguments import ContextArguments
    from gatherum.shelf import Shelf


def get_context(shelf: Shelf, arguments: ContextArguments) -> RoleContext:
    """Get the project's guidance for a piece of work: the role that its files, its kind and its words call for.

    Call this before starting on a task. Returns the role's text, and how sure the choice is.
    """
    chosen = choose(shelf, Work(files=tuple(arguments.files), task=arguments.task, query=arguments.query))
    note(shelf, "mcp", "context", query=arguments.query)
    content, unseen = visible(chosen.content)
    hidden = ["Invisible characters were taken out of the text."] if unseen else []
    return RoleContext(
        role=chosen.role,
        reason=chosen.reason,
        score=chosen.score,
        confidence=chosen.confidence,
        margin=chosen.margin,
        candidates=[
            Candidate(name=each.name, score=each.score, **({} if each.cosine is None else {"cosine": each.cosine}))
            for each in chosen.candidates
        ],
        content=content,
        warnings=[*chosen.problems, *hidden],
    )
