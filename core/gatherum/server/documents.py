"""The documents as resources of the protocol; what is read of them comes from the index, never from the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import anyio
import mcp.types as wire
from mcp import MCPError

from gatherum.collection import qualified
from gatherum.errors import GatherumError, QueryError, ShelfNotFoundError
from gatherum.server.arguments import ListArguments, StatusArguments
from gatherum.server.contents import page_of
from gatherum.server.tools import status, url_of
from gatherum.server.visible import one_line, visible

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from gatherum.results import DocumentInfo
    from gatherum.shelf import Shelf

STATUS: Final = "index://status"
PAGE: Final = 100

_SCHEME: Final = "doc:///"
_SECTION: Final = "?section="
_MARKDOWN: Final = "text/markdown"
_JSON: Final = "application/json"
_CHARS: Final = 1_000_000
_VALUES: Final = 100


class Documents:
    """Lists, reads and completes the documents of one shelf.

    Args:
        shelf: The shelf.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def page(
        self, _: ServerRequestContext[Any, Any], params: wire.PaginatedRequestParams | None
    ) -> wire.ListResourcesResult:
        """Return a page of the documents, newest first; the first page begins with the state of the shelf.

        Raises:
            MCPError: The cursor is none.
        """
        cursor = (params.cursor if params else None) or ""
        try:
            found, following = await anyio.to_thread.run_sync(self._page, cursor, abandon_on_cancel=True)
        except QueryError as error:
            raise MCPError(code=wire.INVALID_PARAMS, message=f"{error.message}.") from None
        resources = [_resource(each) for each in found]
        if not cursor:
            state = wire.Resource(
                uri=STATUS, name="status", title="Shelf status", description="What was gathered.", mime_type=_JSON
            )
            resources.insert(0, state)
        return wire.ListResourcesResult(resources=resources, next_cursor=following or None)

    def _page(self, cursor: str) -> tuple[list[DocumentInfo], str]:
        if len(cursor) > 8000:
            raise QueryError("Invalid cursor; start again without it", hint="")
        asked = ListArguments(sort="modified", limit=PAGE, cursor=cursor)
        try:
            page = page_of(self._shelf, asked)
        except ShelfNotFoundError:
            return [], ""
        return page.documents, page.cursor

    async def templates(
        self, _context: ServerRequestContext[Any, Any], _params: wire.PaginatedRequestParams | None
    ) -> wire.ListResourceTemplatesResult:
        """Return the forms of the documents' addresses."""
        whole = wire.ResourceTemplate(
            uri_template="doc:///{+path}",
            name="document",
            title="Document",
            description="The text of a gathered document, whatever its format.",
            mime_type=_MARKDOWN,
        )
        part = wire.ResourceTemplate(
            uri_template="doc:///{+path}{?section}",
            name="section",
            title="Section of a document",
            description="What is under one heading of a document.",
            mime_type=_MARKDOWN,
        )
        return wire.ListResourceTemplatesResult(resource_templates=[whole, part])

    async def read(
        self, _: ServerRequestContext[Any, Any], params: wire.ReadResourceRequestParams
    ) -> wire.ReadResourceResult:
        """Return the text of a document, or the state of the shelf.

        Raises:
            MCPError: There is no such resource.
        """
        uri = str(params.uri)
        try:
            text, kind = await anyio.to_thread.run_sync(self._content, uri, abandon_on_cancel=True)
        except GatherumError as error:
            message = one_line(f"Resource not found: {error.message}. {error.hint}")
            raise MCPError(code=wire.INVALID_PARAMS, message=message, data={"uri": uri}) from None
        return wire.ReadResourceResult(contents=[wire.TextResourceContents(uri=uri, mime_type=kind, text=text)])

    def _content(self, uri: str) -> tuple[str, str]:
        if uri == STATUS:
            return status(self._shelf, StatusArguments(problems=True)).model_dump_json(), _JSON
        if not uri.startswith(_SCHEME) or len(uri) > 8000:
            raise QueryError(f"{uri[:200]!r} is no address of a document", hint=f"They begin with {_SCHEME}.")
        address, _, section = uri.partition(_SECTION)
        first, lines = self._lines(address, unquote(section)) if section else (None, None)
        reading = self._shelf.read(address, line=first, lines=lines)
        text = reading.text
        if len(text) > _CHARS:
            text = text[:_CHARS].rpartition("\n")[0] or text[:_CHARS]
            rest = reading.start + text.count("\n") + 1
            place = one_line(qualified(reading.collection, reading.path))
            text += f"\n[More follows; the tool fetch reads on with {place}#{rest}.]"
        return visible(text)[0], _MARKDOWN

    def _lines(self, address: str, section: str) -> tuple[int, int]:
        """Return where a heading and what is under it begin, and how many lines that is.

        Raises:
            QueryError: The document has no such heading.
        """
        outline = self._shelf.outline(address)
        wanted = " ".join(section.split()).casefold()
        for at, entry in enumerate(outline.sections):
            if one_line(entry.title).casefold() == wanted:
                following = (each.line for each in outline.sections[at + 1 :] if each.level <= entry.level)
                return entry.line, max(1, next(following, outline.lines + 1) - entry.line)
        raise QueryError(f"the document has no heading {section[:200]!r}", hint="The tool outline shows those it has.")

    async def complete(
        self, _: ServerRequestContext[Any, Any], params: wire.CompleteRequestParams
    ) -> wire.CompleteResult:
        """Return the paths that an argument called path may go on as."""
        if params.argument.name != "path":
            return wire.CompleteResult(completion=wire.Completion(values=[], total=0, has_more=False))
        found = await anyio.to_thread.run_sync(self._paths, params.argument.value, abandon_on_cancel=True)
        completion = wire.Completion(values=found[:_VALUES], total=len(found), has_more=len(found) > _VALUES)
        return wire.CompleteResult(completion=completion)

    def _paths(self, begun: str) -> list[str]:
        """Return the paths that begin so, then those that hold it."""
        try:
            every = [qualified(each.collection, each.path) for each in self._shelf.list_documents()]
        except ShelfNotFoundError:
            return []
        wanted = begun.casefold()
        held = [path for path in every if wanted in path.casefold()]
        return sorted(held, key=lambda path: not path.casefold().startswith(wanted))


def _resource(document: DocumentInfo) -> wire.Resource:
    return wire.Resource(
        uri=url_of(document.path, document.collection),
        name=one_line(qualified(document.collection, document.path)),
        title=one_line(document.title) or None,
        mime_type=_MARKDOWN,
        annotations=wire.Annotations(last_modified=document.modified),
    )
