"""Takes the steps of a plan with the 1.x Python SDK, and prints what came of each as JSON; see steps.mjs."""

import json
import os
import sys
from contextlib import asynccontextmanager

import anyio
import mcp.types as wire
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from pydantic import AnyUrl


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


@asynccontextmanager
async def streams(plan):
    if plan["transport"] == "stdio":
        command, *arguments = plan["command"]
        parameters = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
        async with stdio_client(parameters) as pair:
            yield pair
        return
    headers = {"Authorization": f"Bearer {plan['token']}"} if plan["token"] else {}
    async with streamablehttp_client(plan["url"], headers=headers) as (reading, writing, _):
        yield reading, writing


class Steps:
    def __init__(self, session):
        self.session = session
        self.changed = anyio.Event()
        self.uri = ""

    async def heard(self, message):
        notice = getattr(message, "root", None)
        if isinstance(notice, wire.ResourceUpdatedNotification):
            self.uri = str(notice.params.uri)
            self.changed.set()

    async def pages(self, ask, field):
        found, cursor = [], None
        while True:
            page = await ask(cursor)
            found += getattr(page, field)
            if not (cursor := page.nextCursor):
                return found

    async def tools(self):
        return [tool.name for tool in await self.pages(self.session.list_tools, "tools")]

    async def call(self, name, arguments=None):
        progress = []

        async def told(done, total, message):
            progress.append({"progress": done, "total": total, "message": message})

        answer = await self.session.call_tool(name, arguments or {}, progress_callback=told)
        return {**plain(answer), "progress": progress}

    async def resources(self):
        return [str(each.uri) for each in await self.pages(self.session.list_resources, "resources")]

    async def templates(self):
        ask = self.session.list_resource_templates
        return [each.uriTemplate for each in await self.pages(ask, "resourceTemplates")]

    async def read(self, uri):
        return [plain(each) for each in (await self.session.read_resource(AnyUrl(uri))).contents]

    async def watch(self, uri, path, text, touch):
        await self.session.subscribe_resource(AnyUrl(uri))
        await anyio.Path(path).write_text(text, encoding="utf-8")
        await self.session.call_tool(touch, {})
        await self.changed.wait()
        await self.session.unsubscribe_resource(AnyUrl(uri))
        return self.uri

    async def prompts(self):
        return [prompt.name for prompt in await self.pages(self.session.list_prompts, "prompts")]

    async def prompt(self, name, arguments=None):
        return [plain(message) for message in (await self.session.get_prompt(name, arguments or {})).messages]

    async def complete(self, ref, argument):
        kind = wire.PromptReference if ref["type"] == "ref/prompt" else wire.ResourceTemplateReference
        return (await self.session.complete(kind.model_validate(ref), argument)).completion.values


async def talk(plan, facts):
    async with streams(plan) as (reading, writing):
        steps = Steps(None)
        async with ClientSession(reading, writing, message_handler=steps.heard) as steps.session:
            hello = await steps.session.initialize()
            facts |= {"server": hello.serverInfo.name, "protocol": hello.protocolVersion}
            for step in plan["steps"]:
                given = dict(step)
                try:
                    facts["results"].append(await getattr(steps, given.pop("op"))(**given))
                except McpError as error:
                    facts["results"].append({"error": {"code": error.error.code, "message": error.error.message}})


def main():
    facts = {"results": []}
    try:
        anyio.run(talk, json.loads(sys.argv[1]), facts)
    except BaseException as error:  # noqa: BLE001 - how it failed is what is asked
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        facts["connection"] = {"message": f"{type(error).__name__}: {error}"}
    print(json.dumps(facts))


main()
