"""What the tools take and answer, as models whose JSON schemas editors are shown."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class Arguments(BaseModel):
    """The base of all arguments: unknown names are refused, so that a typing error is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


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
    path: str = Field(default="", description="Only documents whose path matches this glob")


class FetchArguments(Arguments):
    """What `fetch` takes."""

    id: str = Field(
        min_length=1,
        max_length=4000,
        description="An id or url from search, a path, or path#line to start there",
        validation_alias=AliasChoices("id", "path", "url", "uri"),
    )
    max_lines: int = Field(default=200, ge=1, le=2000, validation_alias=AliasChoices("max_lines", "lines", "limit"))
    context: int = Field(default=0, ge=0, le=50, description="Lines to show before the passage")


class StatusArguments(Arguments):
    """What `status` takes."""

    problems: bool = Field(default=False, description="List the files that could not be read, with reasons")


class Passage(BaseModel):
    """One hit of `search`."""

    id: str = Field(description="Pass it to fetch")
    title: str
    url: str
    path: str
    heading: list[str]
    locator: str = Field(description="The place in the file")
    text: str
    score: float


class Passages(BaseModel):
    """What `search` answers."""

    results: list[Passage]
    strength: Literal["strong", "weak", "none"] = Field(description="Whether the best hit is a match at all")
    more: bool = False
    warnings: list[str] = []


class ShelfStatus(BaseModel):
    """What `status` answers."""

    model_config = ConfigDict(extra="allow")

    documents: int
    chunks: int
    embedded: int
    semantic: bool
    formats: dict[str, int]
    indexed: str
    collections: list[dict[str, Any]]
    problem_files: int
    problems: list[dict[str, Any]] = []
    warnings: list[str] = []


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return a model's JSON schema without the titles that pydantic adds: every client pays for their tokens."""
    schema: dict[str, Any] = _slim(model.model_json_schema(by_alias=False))
    schema.pop("description", None)
    return schema


def _slim(part: Any, *, names: bool = False) -> Any:
    if isinstance(part, dict):
        return {
            key: _slim(value, names=key in ("properties", "$defs"))
            for key, value in part.items()
            if names or key != "title"
        }
    return [_slim(item) for item in part] if isinstance(part, list) else part
