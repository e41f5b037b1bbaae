"""The JSON that gatherum prints is described by the schemas in docs/reference/schemas, made from its dataclasses."""

import json
import os
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest
from pydantic import TypeAdapter

from gatherum import Document, Locator, Metadata, Problem, Section
from gatherum.jsonable import jsonable
from gatherum.results import (
    CollectionInfo,
    DocumentInfo,
    Explanation,
    FileLoss,
    FileProblem,
    Hit,
    IndexReport,
    Match,
    Outline,
    OutlineEntry,
    Ranks,
    Reading,
    SearchResult,
    Status,
)

PLACE = Locator.lines(3, 5)
PROBLEM = FileProblem(path="b.md", collection="", code="empty", message="b.md is empty", advice="None.", locator=PLACE)
HIT = Hit(
    id="0" * 24,
    path="a.md",
    collection="",
    title="A",
    heading=("A", "B"),
    kind="prose",
    text="text",
    snippet="text",
    locator=PLACE,
    line=3,
    score=0.1,
    ranks=Ranks(keyword=1, bm25=3.5),
    tokens=1,
)
EXAMPLES = (
    Document(
        path="a.md",
        state="partial",
        format="md",
        handler="markdown",
        metadata=Metadata(title="A", authors=("Ann",), extra={"x": [1, {"y": None}]}),
        sections=(Section(text="text", heading=("A",), level=1, locator=PLACE, language="en"), Section(text="")),
        problems=(Problem(code="partial", message="damaged"), Problem(code="empty", message="x", locator=PLACE)),
    ),
    SearchResult(query="q", mode="hybrid", strength="strong", results=(HIT,), more=True, warnings=("x",)),
    IndexReport(added=1, problems=(PROBLEM,)),
    Status(
        shelf="/s",
        collections=(CollectionInfo(name="a", root="/a", documents=1),),
        documents=1,
        chunks=1,
        embedded=1,
        model="m",
        semantic=True,
        formats={"md": 1},
        problem_files=1,
        indexed="",
        bytes=1,
        version="0",
        problems=(PROBLEM,),
        losses=(FileLoss(path="a.md", collection="", searchable=3, reached=2),),
    ),
    Explanation(
        path="a.md",
        collection="",
        verdict="searchable",
        reason="it was read",
        state="read",
        problems=(PROBLEM,),
        words={"body": 3},
        query="q",
        matches=(Match(id="0" * 24, heading=("A",), locator=PLACE, place=1, ranks=Ranks(keyword=1)),),
        obstacles=("x",),
    ),
    Outline(
        path="a.md",
        collection="",
        title="A",
        lines=9,
        sections=(OutlineEntry(level=1, title="A", heading=("A",), locator=PLACE, line=1, chars=4),),
    ),
    Reading(id="0" * 24, path="a.md", collection="", title="A", text="x", start=1, end=1, lines=1, metadata=Metadata()),
    DocumentInfo(
        id="0" * 24, path="a.md", collection="", title="A", format="md", state="read", bytes=1, modified="", chunks=1
    ),
)
NAMES = [type(example).__name__ for example in EXAMPLES]


def schema(example: object) -> dict[str, object]:
    made = TypeAdapter(type(example)).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_the_schemas_are_in_step(example: object, project: Path, in_step) -> None:
    page = project / f"docs/reference/schemas/{type(example).__name__}.json"
    in_step(page, json.dumps(schema(example), indent=2, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_what_is_printed_fits_its_schema(example: object) -> None:
    wanted = schema(example)
    jsonschema.Draft202012Validator.check_schema(wanted)
    jsonschema.validate(jsonable(example), wanted, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_schemas_name_every_field_and_no_other(example: object) -> None:
    wanted = schema(example)
    assert set(wanted["properties"]) == {field.name for field in fields(example)}  # type: ignore[arg-type, call-overload]
    assert set(jsonable(example)) <= set(wanted["properties"])  # type: ignore[call-overload]


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_what_does_not_fit_is_refused(example: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({}, schema(example)) if "required" in schema(example) else jsonschema.validate(
            {**jsonable(example), "added": "many"}, schema(example)
        )


def test_no_schema_is_left_over(project: Path) -> None:
    assert sorted(path.stem for path in (project / "docs/reference/schemas").glob("*.json")) == sorted(NAMES)


def test_pages_are_compared_in_ci(project: Path, regenerate: bool) -> None:
    assert not (regenerate and "CI" in os.environ)
    assert "GATHERUM_REGENERATE" not in (project / ".ci/run").read_text(encoding="utf-8")
