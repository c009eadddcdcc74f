import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
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
  /** Calls a tool that must succeed, and returns the body of its response. */
  readonly succeed: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>>;
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
  const call: McpTestClient['call'] = async (tool, args = {}) => {
    const { content, isError = false } = await client.callTool({ name: tool, arguments: args });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { isError, text, body: parse(text) };
  };
  return {
    client,
    call,
    succeed: async (tool, args) => {
      const { isError, body, text } = await call(tool, args);
      expect(isError, text).toBe(false);
      return body;
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
