"""The prompts: questions that people ask often, worded so that the assistant uses the tools for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import mcp.types as wire
from mcp import MCPError

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

_LONGEST: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prompt:
    """A prompt with one argument.

    Attributes:
        title: Its name for people.
        description: What it is for.
        argument: The name of its argument.
        meaning: What that is.
        default: What it is where it is not given; "" if it must be.
        text: The wording; ``{}`` is the argument.
    """

    title: str
    description: str
    argument: str
    meaning: str
    text: str
    default: str = ""

    def offer(self, name: str) -> wire.Prompt:
        """Return the prompt as clients see it."""
        argument = wire.PromptArgument(name=self.argument, description=self.meaning, required=not self.default)
        return wire.Prompt(name=name, title=self.title, description=self.description, arguments=[argument])


PROMPTS: Final = {
    "answer": _Prompt(
        title="Answer from my documents",
        description="Answer a question from the gathered documents, with sources.",
        argument="question",
        meaning="The question",
        text=(
            "Answer the question below from my documents. Call search first, then fetch to read around the best hits. "
            "Cite path and locator for each statement. If the strength of the hits is none, say that my documents do "
            "not answer it.\n\nQuestion: {}"
        ),
    ),
    "summarize": _Prompt(
        title="Summarize a document",
        description="Summarize one document, section by section.",
        argument="path",
        meaning="The document's path",
        text=(
            "Summarize the document named below. Call outline for its headings, then fetch to read all of it. Give the "
            "gist in three sentences, then a line for each section with the lines that it stands on.\n\nDocument: {}"
        ),
    ),
    "whats_new": _Prompt(
        title="What is new",
        description="Tell what changed in the gathered documents.",
        argument="since",
        meaning="A date such as 2026-05-17, or 7d for the last seven days",
        default="7d",
        text=(
            "Tell what is new in my documents since the time given below. Call list_documents with sort=modified, and "
            "search with modified:>DATE (or modified:7d for days) for what they say. Group by topic, name the "
            "paths.\n\nSince: {}"
        ),
    ),
}


async def list_prompts(
    _context: ServerRequestContext[Any, Any], _params: wire.PaginatedRequestParams | None
) -> wire.ListPromptsResult:
    """Return the prompts."""
    return wire.ListPromptsResult(prompts=[prompt.offer(name) for name, prompt in PROMPTS.items()])


async def get_prompt(
    _context: ServerRequestContext[Any, Any], params: wire.GetPromptRequestParams
) -> wire.GetPromptResult:
    """Return a prompt with its argument filled in.

    Raises:
        MCPError: There is no such prompt, or its argument is missing, unknown or too long.
    """
    prompt = PROMPTS.get(params.name)
    if prompt is None:
        raise _wrong(f"There is no prompt {params.name[:200]!r}; there are {', '.join(PROMPTS)}.")
    given = params.arguments or {}
    if unknown := sorted(set(given) - {prompt.argument}):
        raise _wrong(f"The prompt {params.name} takes {prompt.argument}, not {unknown[0][:200]!r}.")
    value = given.get(prompt.argument, "").strip() or prompt.default
    if not value:
        raise _wrong(f"The prompt {params.name} needs the argument {prompt.argument}.")
    if len(value) > _LONGEST:
        raise _wrong(f"{prompt.argument} is longer than {_LONGEST} characters.")
    content = wire.TextContent(text=prompt.text.replace("{}", value))
    return wire.GetPromptResult(
        description=prompt.description, messages=[wire.PromptMessage(role="user", content=content)]
    )


def _wrong(message: str) -> MCPError:
    return MCPError(code=wire.INVALID_PARAMS, message=message)
