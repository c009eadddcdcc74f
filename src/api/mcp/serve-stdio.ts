import { PassThrough } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './create-mcp-server.js';
import type { McpSession } from './mcp-services.js';

/** A session over the streams of a process. */
export interface StdioSession {
  /** Resolves when the client closes its end. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves one client over any transport. */
export function serveSession(
  session: McpSession,
  transport: Transport,
): { readonly close: () => Promise<void> } {
  return serveStdio(() => createMcpServer(session), { transport, onerror: session.onRejected });
}

/** Serves one client over two streams. Nothing else may write to `output`. */
export function serveStdioSession(
  session: McpSession,
  { input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): StdioSession {
  const [received, sent] = [new PassThrough(), new PassThrough()];
  sent.pipe(output, { end: false });
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve).once('close', resolve);
    output.once('error', () => resolve());
  });
  const { close } = serveSession(session, new StdioServerTransport(input.pipe(received), sent));
  return { ended, close };
}
