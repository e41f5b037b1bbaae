"""What the tools take, as models whose JSON schemas editors are shown."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field


class Arguments(BaseModel):
    """The base of all arguments: unknown names are refused, so that a typing error is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


def _listed(value: Any) -> Any:
    """Take "pdf, docx" for a list: assistants write both."""
    return [name for part in value.split(",") if (name := part.strip())] if isinstance(value, str) else value


Formats = Annotated[
    list[Annotated[str, Field(max_length=40)]],
    BeforeValidator(_listed),
    Field(max_length=20, description="Only these formats, for example docx, pdf"),
]
Glob = Annotated[str, Field(max_length=1000, description="Only documents whose path matches this glob")]
Name = Annotated[str, Field(min_length=1, max_length=4000)]


class SearchArguments(Arguments):
    """What `search` takes."""

    query: str = Field(
        min_length=1,
        max_length=2000,
        description='Words or a question; also "a phrase", -word, path:…, format:docx, kind:table, modified:>2024',
        validation_alias=AliasChoices("query", "q", "question"),
    )
    limit: int = Field(default=8, ge=1, le=50, validation_alias=AliasChoices("limit", "top_k", "k", "n"))
    mode: Literal["hybrid", "keyword", "semantic"] = "hybrid"
    path: Glob = ""
    formats: Formats = []
    collection: str = Field(default="", max_length=255, description="Only this collection; status names them")


class FetchArguments(Arguments):
    """What `fetch` takes."""

    id: Name = Field(
        description="An id or url from search, a path, or path#line to start there",
        validation_alias=AliasChoices("id", "path", "url", "uri"),
    )
    max_lines: int = Field(default=200, ge=1, le=2000, validation_alias=AliasChoices("max_lines", "lines", "limit"))
    context: int = Field(default=0, ge=0, le=50, description="Lines to show before the passage")


class OutlineArguments(Arguments):
    """What `outline` takes."""

    path: Name = Field(
        description="A path, or an id or url from search", validation_alias=AliasChoices("path", "id", "url", "uri")
    )


class ListArguments(Arguments):
    """What `list_documents` takes."""

    path: Glob = ""
    formats: Formats = []
    sort: Literal["path", "modified"] = Field(default="path", description="modified: newest first")
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str = Field(default="", max_length=8000, description="next_cursor of the page before")


class StatusArguments(Arguments):
    """What `status` takes."""

    problems: bool = Field(default=False, description="List the files that could not be read, with reasons")


class IndexArguments(Arguments):
    """What `index` takes."""

    path: str = Field(
        default="", max_length=4000, description="Only this file or folder, of those that are gathered; else all"
    )
    wait_s: int = Field(default=20, ge=0, le=50, description="Seconds to wait for the end")


class ContextArguments(Arguments):
    """What `get_context` takes."""

    files: list[Name] = Field(default=[], max_length=200, description="Files that the work is about")
    task: str = Field(default="", max_length=200, description="The kind of work, for example edit or review")
    query: str = Field(
        default="",
        max_length=2000,
        description="The work in words",
        validation_alias=AliasChoices("query", "q", "question"),
    )
