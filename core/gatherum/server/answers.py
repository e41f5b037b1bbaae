"""What the tools answer, as models whose JSON schemas editors are shown."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


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


class Listed(BaseModel):
    """One document of `list_documents`."""

    path: str = Field(description="Pass it to fetch or outline")
    title: str
    format: str
    modified: str
    bytes: int
    state: str = Field(description="partial: some of it could not be read")


class DocumentList(BaseModel):
    """What `list_documents` answers."""

    documents: list[Listed]
    total: int = Field(description="How many match, on all pages")
    next_cursor: str = Field(default="", description="Pass it as cursor for the next page")
    warnings: list[str] = []


class IndexAnswer(BaseModel):
    """What `index` answers; the numbers are files."""

    state: str = Field(description="waiting, running, done, stopped, or busy: another process is writing")
    job: str
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: int = 0
    failed: int = 0
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


class Candidate(BaseModel):
    """A role that speaks for itself."""

    name: str
    score: int = Field(description="3 for files, 2 for the kind of work, 1 for each word up to 3")
    cosine: float = Field(default=-1, description="Nearness in meaning; -1 where that was not asked")


class RoleContext(BaseModel):
    """What `get_context` answers."""

    role: str = Field(description='The role that holds; "" if none does')
    reason: Literal["rules", "only", "meaning", "score", "default", "none"]
    score: int
    confidence: Literal["high", "medium", "low", "none"]
    margin: int = Field(description="Points ahead of the next role")
    candidates: list[Candidate]
    content: str
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
