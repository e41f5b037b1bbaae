"""Takes the steps of a plan with the 2.x Python SDK, and prints what came of each as JSON; see steps.mjs."""

import json
import os
import sys
import warnings

import anyio
import httpx2
import mcp.types as wire
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPDeprecationWarning


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def target(plan):
    if plan["transport"] == "stdio":
        command, *arguments = plan["command"]
        return StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    headers = {"Authorization": f"Bearer {plan['token']}"} if plan["token"] else {}
    return streamable_http_client(plan["url"], http_client=httpx2.AsyncClient(headers=headers, timeout=60))


class Steps:
    def __init__(self):
        self.changed = anyio.Event()
        self.uri = ""

    async def heard(self, message):
        if isinstance(message, wire.ResourceUpdatedNotification):
            self.uri = message.params.uri
            self.changed.set()

    async def pages(self, ask, field):
        found, cursor = [], None
        while True:
            page = await ask(cursor=cursor)
            found += getattr(page, field)
            if not (cursor := page.next_cursor):
                return found

    async def tools(self):
        return [tool.name for tool in await self.pages(self.client.list_tools, "tools")]

    async def call(self, name, arguments=None):
        progress = []

        async def told(done, total, message):
            progress.append({"progress": done, "total": total, "message": message})

        answer = await self.client.call_tool(name, arguments or {}, progress_callback=told)
        return {**plain(answer), "progress": progress}

    async def abort(self, name):
        with anyio.CancelScope() as scope:

            async def told(done, total, message):
                scope.cancel()

            await self.client.call_tool(name, {}, progress_callback=told)
        return "aborted" if scope.cancelled_caught else "answered"

    async def resources(self):
        return [each.uri for each in await self.pages(self.client.list_resources, "resources")]

    async def templates(self):
        ask = self.client.list_resource_templates
        return [each.uri_template for each in await self.pages(ask, "resource_templates")]

    async def read(self, uri):
        return [plain(each) for each in (await self.client.read_resource(uri)).contents]

    async def watch(self, uri, path, text, touch):
        if self.modern:
            async with self.client.listen(resource_subscriptions=[uri]) as stream:
                await anyio.Path(path).write_text(text, encoding="utf-8")
                await self.client.call_tool(touch, {})
                async for event in stream:
                    return event.uri
        await self.client.subscribe_resource(uri)
        await anyio.Path(path).write_text(text, encoding="utf-8")
        await self.client.call_tool(touch, {})
        await self.changed.wait()
        await self.client.unsubscribe_resource(uri)
        return self.uri

    async def prompts(self):
        return [prompt.name for prompt in await self.pages(self.client.list_prompts, "prompts")]

    async def prompt(self, name, arguments=None):
        return [plain(message) for message in (await self.client.get_prompt(name, arguments or {})).messages]

    async def complete(self, ref, argument):
        kind = wire.PromptReference if ref["type"] == "ref/prompt" else wire.ResourceTemplateReference
        return (await self.client.complete(kind.model_validate(ref), argument)).completion.values


async def talk(plan, facts):
    steps = Steps()
    steps.modern = plan["mode"] == "modern"
    mode = "auto" if steps.modern else "legacy"
    async with Client(target(plan), mode=mode, message_handler=steps.heard) as steps.client:
        info = steps.client.server_info
        facts |= {"server": info.name if info else None, "protocol": steps.client.protocol_version}
        for step in plan["steps"]:
            given = dict(step)
            try:
                facts["results"].append(await getattr(steps, given.pop("op"))(**given))
            except MCPError as error:
                facts["results"].append({"error": {"code": error.error.code, "message": error.error.message}})


def main():
    warnings.simplefilter("ignore", MCPDeprecationWarning)  # subscribing, on the revisions that have it
    facts = {"results": []}
    try:
        anyio.run(talk, json.loads(sys.argv[1]), facts)
    except BaseException as error:  # noqa: BLE001 - how it failed is what is asked
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        facts["connection"] = {"message": f"{type(error).__name__}: {error}"}
    print(json.dumps(facts))


main()
