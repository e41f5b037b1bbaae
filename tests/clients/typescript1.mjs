import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { run } from './steps.mjs';

let spoken;

const transport = ({ transport, command, url, token }) => {
  const made =
    transport === 'stdio'
      ? new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'inherit' })
      : new StreamableHTTPClientTransport(new URL(url), {
          requestInit: { headers: token ? { Authorization: `Bearer ${token}` } : {} },
        });
  made.setProtocolVersion ??= () => {};
  const tell = made.setProtocolVersion.bind(made);
  made.setProtocolVersion = (version) => tell((spoken = version));
  return made;
};

await run(() => new Client({ name: 'typescript1', version: '1' }), transport, {
  protocol: () => spoken,
  call: (client, params, options) => client.callTool(params, undefined, options),
  watch: async (client, uri, seen) => {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => seen(params.uri));
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  },
});
