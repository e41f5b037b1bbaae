"""What the conformance suite and the clients ask of a server beyond documents: its names, texts and behaviour.

The names and texts are those that ``@modelcontextprotocol/conformance`` looks for.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final

import anyio
import mcp.types as wire
from mcp import MCPError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WAV: Final = base64.b64encode(b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0\x80>\0\0\2\0\x10\0data\0\0\0\0").decode()
WATCHED: Final = "test://watched-resource"

NO_ARGUMENTS: Final = {"type": "object", "properties": {}, "additionalProperties": False}
FULL_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

Answer = wire.CallToolResult


def text(*lines: str) -> list[wire.TextContent]:
    return [wire.TextContent(text=line) for line in lines]


def embedded(uri: str, kind: str, body: str) -> wire.EmbeddedResource:
    return wire.EmbeddedResource(resource=wire.TextResourceContents(uri=uri, mime_type=kind, text=body))


IMAGE: Final = wire.ImageContent(data=PNG, mime_type="image/png")
CONTENTS: Final[dict[str, list[Any]]] = {
    "test_simple_text": text("This is a simple text response for testing."),
    "test_image_content": [IMAGE],
    "test_audio_content": [wire.AudioContent(data=WAV, mime_type="audio/wav")],
    "test_embedded_resource": [
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        *text("Multiple content types test:"),
        IMAGE,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
    "json_schema_2020_12_tool": text("ok"),
    "test_logging_tool": text("Nothing is ever logged to the client."),
}

RESOURCES: Final = {
    "test://static-text": wire.TextResourceContents(
        uri="test://static-text",
        mime_type="text/plain",
        text="This is the content of the static text resource.",
    ),
    "test://static-binary": wire.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=PNG),
    WATCHED: wire.TextResourceContents(uri=WATCHED, mime_type="text/plain", text="Watched."),
}

PROMPTS: Final[dict[str, tuple[list[str], Callable[[dict[str, str]], list[Any]]]]] = {
    "test_simple_prompt": ([], lambda given: text("This is a simple prompt for testing.")),
    "test_prompt_with_arguments": (
        ["arg1", "arg2"],
        lambda given: text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"),
    ),
    "test_prompt_with_embedded_resource": (
        ["resourceUri"],
        lambda given: [
            embedded(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."),
            *text("Please process the embedded resource above."),
        ],
    ),
    "test_prompt_with_image": ([], lambda given: [IMAGE, *text("Please analyze the image above.")]),
}


class Behaviour:
    """Tools that do something while they are called, and what they remember of it."""

    def __init__(self) -> None:
        self.waiting = 0
        self.cancelled = 0
        self.tools: dict[str, Callable[[Any], Awaitable[Answer]]] = {
            "test_error_handling": self.fail,
            "test_tool_with_progress": self.progress,
            "test_waiting": self.wait,
            "test_cancelled": self.count,
        }

    async def fail(self, context: Any) -> Answer:
        return Answer(content=text("This tool intentionally returns an error for testing"), is_error=True)

    async def progress(self, context: Any) -> Answer:
        for done in (0, 50, 100):
            await context.session.report_progress(done, 100, f"{done} of 100")
            await anyio.sleep(0.05)
        return Answer(content=text("ok"))

    async def wait(self, context: Any) -> Answer:
        """Say that the call has begun, then wait until it is cancelled."""
        self.waiting += 1
        try:
            await context.session.report_progress(1, 2)
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        finally:
            self.waiting -= 1
        raise AssertionError

    async def count(self, context: Any) -> Answer:
        """Answer once nobody waits any more: clients do not wait for a cancellation to arrive."""
        while self.waiting:
            await anyio.sleep(0.01)
        return Answer(content=text(str(self.cancelled)))

    async def call(self, context: Any, params: wire.CallToolRequestParams) -> Answer | None:
        if params.name in CONTENTS:
            return Answer(content=CONTENTS[params.name])
        tool = self.tools.get(params.name)
        return await tool(context) if tool else None


def offered_tools(behaviour: Behaviour) -> list[wire.Tool]:
    return [
        wire.Tool(
            name=name,
            description="For tests.",
            input_schema=FULL_SCHEMA if name == "json_schema_2020_12_tool" else NO_ARGUMENTS,
        )
        for name in (*CONTENTS, *behaviour.tools)
    ]


def offered_resources() -> list[wire.Resource]:
    return [wire.Resource(uri=uri, name=uri, mime_type=each.mime_type) for uri, each in RESOURCES.items()]


def offered_templates() -> list[wire.ResourceTemplate]:
    return [wire.ResourceTemplate(uri_template="test://template/{id}/data", name="data", mime_type="application/json")]


def offered_prompts() -> list[wire.Prompt]:
    return [
        wire.Prompt(
            name=name,
            description="For tests.",
            arguments=[wire.PromptArgument(name=each, required=True) for each in takes],
        )
        for name, (takes, _) in PROMPTS.items()
    ]


async def read(context: Any, params: wire.ReadResourceRequestParams) -> wire.ReadResourceResult | None:
    uri = str(params.uri)
    head, _, identity = uri.removesuffix("/data").rpartition("/")
    if uri in RESOURCES:
        return wire.ReadResourceResult(contents=[RESOURCES[uri]])
    if head == "test://template":
        body = json.dumps({"id": identity, "templateTest": True, "data": f"Data for ID: {identity}"})
        return wire.ReadResourceResult(
            contents=[wire.TextResourceContents(uri=uri, mime_type="application/json", text=body)]
        )
    return None


async def prompt(context: Any, params: wire.GetPromptRequestParams) -> wire.GetPromptResult | None:
    if params.name not in PROMPTS:
        return None
    takes, make = PROMPTS[params.name]
    given = params.arguments or {}
    if missing := [name for name in takes if name not in given]:
        raise MCPError(code=wire.INVALID_PARAMS, message=f"The prompt needs {', '.join(missing)}.")
    return wire.GetPromptResult(messages=[wire.PromptMessage(role="user", content=each) for each in make(given)])


async def complete(context: Any, params: wire.CompleteRequestParams) -> wire.CompleteResult | None:
    if "test" not in (getattr(params.ref, "uri", "") or getattr(params.ref, "name", "")):
        return None
    values = [value for value in ("paris", "park", "party") if value.startswith(params.argument.value)]
    return wire.CompleteResult(completion=wire.Completion(values=values, total=len(values), has_more=False))
