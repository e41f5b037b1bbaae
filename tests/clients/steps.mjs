// Takes the steps of a plan with a client of either TypeScript SDK, and prints what came of each as JSON.
// The plan is the first argument: {transport, command, url, token, mode, steps}. See tests/shared/foreign.py.

import { writeFile } from 'node:fs/promises';

const told = (error) => ({ error: { code: error.code ?? null, message: String(error.message) } });

const pages = async (ask, field) => {
  const all = [];
  let cursor;
  do {
    const page = await ask(cursor ? { cursor } : undefined);
    all.push(...page[field]);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
};

// `sdk` says what differs between the two: {call(client, params, options), watch(client, uri, told, modern)}.
export const take = (client, sdk, modern) => ({
  tools: async () => (await pages((page) => client.listTools(page), 'tools')).map((tool) => tool.name),
  call: async ({ name, arguments: given = {} }) => {
    const progress = [];
    const answer = await sdk.call(client, { name, arguments: given }, { onprogress: (each) => progress.push(each) });
    return { ...answer, progress };
  },
  abort: async ({ name }) => {
    const stop = new AbortController();
    try {
      await sdk.call(client, { name, arguments: {} }, { onprogress: () => stop.abort('enough'), signal: stop.signal });
      return 'answered';
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      return 'aborted';
    }
  },
  resources: async () => (await pages((page) => client.listResources(page), 'resources')).map((each) => each.uri),
  templates: async () =>
    (await pages((page) => client.listResourceTemplates(page), 'resourceTemplates')).map((each) => each.uriTemplate),
  read: async ({ uri }) => (await client.readResource({ uri })).contents,
  watch: async ({ uri, path, text, touch }) => {
    let seen;
    const event = new Promise((resolve) => (seen = resolve));
    const end = await sdk.watch(client, uri, seen, modern);
    await writeFile(path, text);
    await sdk.call(client, { name: touch, arguments: {} }, {});
    const changed = await event;
    await end();
    return changed;
  },
  prompts: async () => (await pages((page) => client.listPrompts(page), 'prompts')).map((prompt) => prompt.name),
  prompt: async ({ name, arguments: given = {} }) => (await client.getPrompt({ name, arguments: given })).messages,
  complete: async ({ ref, argument }) => (await client.complete({ ref, argument })).completion.values,
});

export const run = async (makeClient, makeTransport, sdk) => {
  const plan = JSON.parse(process.argv[2]);
  const facts = { results: [] };
  try {
    const client = makeClient(plan);
    await client.connect(makeTransport(plan));
    const modern = plan.mode === 'modern';
    facts.server = client.getServerVersion()?.name;
    facts.protocol = sdk.protocol(client);
    const can = take(client, sdk, modern);
    for (const step of plan.steps) facts.results.push(await can[step.op](step).catch(told));
    await client.close();
  } catch (error) {
    Object.assign(facts, { connection: told(error).error });
  }
  console.log(JSON.stringify(facts));
  process.exit(0);
};
