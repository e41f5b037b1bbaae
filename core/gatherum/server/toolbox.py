"""The tools as the protocol offers and calls them."""

from __future__ import annotations

import inspect
import json
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import anyio
import mcp.types as wire
from mcp import MCPError
from mcp.server import ServerRequestContext
from pydantic import BaseModel, ValidationError

from gatherum.errors import GatherumError
from gatherum.server import contents, roles, tools
from gatherum.server.answers import DocumentList, Passages, RoleContext, ShelfStatus, schema_of
from gatherum.server.arguments import (
    Arguments,
    ContextArguments,
    FetchArguments,
    ListArguments,
    OutlineArguments,
    SearchArguments,
    StatusArguments,
)
from gatherum.server.faults import described
from gatherum.server.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from gatherum.shelf import Shelf

log = logging.getLogger("gatherum")

Context = ServerRequestContext[Any, Any]

_READ_ONLY: Final = wire.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_ROLES: Final = ("Context for a task", roles.get_context, ContextArguments, RoleContext)
_OPENAI: Final = "openai-mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool and how it is offered.

    Attributes:
        name: Its name on the wire.
        title: Its name for people.
        description: What it does, when to use it, what it returns.
        takes: Its arguments.
        gives: Its structured answer; None when it answers with plain text.
        call: What answers a request.
        annotations: What it may do.
    """

    name: str
    title: str
    description: str
    takes: type[Arguments]
    call: Callable[[Context, Any], Awaitable[str | BaseModel]]
    gives: type[BaseModel] | None = None
    annotations: wire.ToolAnnotations = field(default_factory=lambda: _READ_ONLY)

    def offer(self) -> wire.Tool:
        """Return the tool as clients see it."""
        return wire.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schema_of(self.takes),
            output_schema=schema_of(self.gives) if self.gives else None,
            annotations=self.annotations,
        )


class Toolbox:
    """The tools of one shelf.

    Args:
        shelf: The shelf.
        more: Further tools.
        openai: Whether `fetch` answers every client as OpenAI's connectors ask.

    Attributes:
        tools: All of them, always in the same order.
    """

    def __init__(self, shelf: Shelf, more: Iterable[Tool] = (), *, openai: bool = False) -> None:
        every = (
            _reading(shelf, "Search documents", tools.search, SearchArguments, Passages),
            _reading(shelf, "Read a document", tools.fetch, FetchArguments),
            _reading(shelf, "Headings of a document", contents.outline, OutlineArguments),
            _reading(shelf, "List documents", contents.list_documents, ListArguments, DocumentList),
            _reading(shelf, "Shelf status", tools.status, StatusArguments, ShelfStatus),
            *([_reading(shelf, *_ROLES)] if shelf.settings.context.roles else ()),
            *more,
        )
        self.tools: Final = every
        self._tools = {tool.name: tool for tool in every}
        self._offers = {tool.name: tool.offer() for tool in every}
        self._openai = openai

    @property
    def offers(self) -> list[wire.Tool]:
        """The tools as clients see them, always in the same order."""
        return list(self._offers.values())

    def schema(self, name: str) -> Mapping[str, Any] | None:
        """Return the schema of a tool's arguments; None if there is no such tool."""
        return self._offers[name].input_schema if name in self._offers else None

    async def call(self, context: Context, params: wire.CallToolRequestParams) -> wire.CallToolResult:
        """Answer a request.

        Raises:
            MCPError: There is no such tool.
        """
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(code=wire.INVALID_PARAMS, message=f"There is no tool {params.name!r}.")
        try:
            arguments = tool.takes.model_validate(params.arguments or {})
        except ValidationError as error:
            return _failure(_explain(error))
        try:
            answer = await tool.call(context, arguments)
        except GatherumError as error:
            return _failure(one_line(f"{error.message}. {error.hint}"))
        except MCPError:
            raise
        except Exception as error:  # noqa: BLE001 - the conversation goes on
            log.error("the tool %s failed: %s", tool.name, described(error))
            return _failure(f"{tool.name} failed unexpectedly; the server's log says more.")
        if isinstance(answer, BaseModel):
            return _structured(answer.model_dump(mode="json"))
        if isinstance(arguments, FetchArguments) and (self._openai or _client_name(context) == _OPENAI):
            return _openai_document(arguments, answer)
        return wire.CallToolResult(content=[wire.TextContent(text=answer)])


def described_by(function: Callable[..., Any]) -> str:
    """Return a function's docstring on one line."""
    return " ".join(inspect.cleandoc(function.__doc__ or "").split())


def _reading(
    shelf: Shelf,
    title: str,
    run: Callable[[Shelf, Any], str | BaseModel],
    takes: type[Arguments],
    gives: type[BaseModel] | None = None,
) -> Tool:
    """Return a tool that reads the shelf in a thread."""

    async def call(_: Context, arguments: Arguments) -> str | BaseModel:
        return await anyio.to_thread.run_sync(run, shelf, arguments, abandon_on_cancel=True)

    return Tool(name=run.__name__, title=title, description=described_by(run), takes=takes, gives=gives, call=call)


def _structured(data: dict[str, Any]) -> wire.CallToolResult:
    """Give the same twice: some clients show their model the text only, others the structure only."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return wire.CallToolResult(content=[wire.TextContent(text=text)], structured_content=data)


def _failure(message: str) -> wire.CallToolResult:
    return wire.CallToolResult(content=[wire.TextContent(text=message)], is_error=True)


def _explain(error: ValidationError) -> str:
    parts = (f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors())
    return "; ".join(parts)


def _client_name(context: Context) -> str:
    params = context.session.client_params
    return params.client_info.name if params else ""


def _openai_document(arguments: FetchArguments, text: str) -> wire.CallToolResult:
    """Answer in the shape that OpenAI's connectors ask of a tool called fetch."""
    head, _, body = text.partition("\n\n")
    path, _, rest = head.partition(" · lines ")
    title = rest.partition(" · ")[2]
    return _structured({"id": arguments.id, "title": title, "text": body, "url": tools.url_of(path)})
