import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { isRecord } from '../../../src/lib/records.js';

/** The response of a tool. */
export interface ToolResponse {
  readonly isError: boolean;
  readonly text: string;
  /** The parsed text. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A connected client of the SDK. */
export interface McpTestClient {
  readonly client: Client;
  readonly call: (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<ToolResponse>;
  readonly close: () => Promise<void>;
}

const parse = (text: string): ToolResponse['body'] => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

/** Connects a client over any transport. */
export async function connectClient(transport: Transport): Promise<McpTestClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    call: async (tool, args = {}) => {
      const { content, isError = false } = await client.callTool({ name: tool, arguments: args });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return { isError, text, body: parse(text) };
    },
    close: () => client.close(),
  };
}

/** Connects a client to the endpoint of a server. */
export function connectHttp(url: string, token: string): Promise<McpTestClient> {
  return connectClient(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
}
