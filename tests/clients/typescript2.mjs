import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { run } from './steps.mjs';

const transport = ({ transport, command, url, token }) =>
  transport === 'stdio'
    ? new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: 'inherit' })
    : new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: token ? { Authorization: `Bearer ${token}` } : {} },
      });

const client = ({ mode }) =>
  new Client(
    { name: 'typescript2', version: '1' },
    { versionNegotiation: { mode: mode === 'modern' ? 'auto' : 'legacy' } },
  );

await run(client, transport, {
  protocol: (client) => client.getNegotiatedProtocolVersion(),
  call: (client, params, options) => client.callTool(params, options),
  watch: async (client, uri, seen, modern) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => seen(params.uri));
    if (!modern) {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    }
    const stream = await client.listen({ resourceSubscriptions: [uri] });
    return () => stream.close();
  },
});
