import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy. */
export interface Proxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a proxy that forwards requests below a path prefix to `target`, without the prefix, and responds to
 * all others with 404.
 */
export async function startPrefixProxy(prefix: string, target: string): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const { url = '', method = '', headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const onward = request(new URL(url.slice(prefix.length), target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url: `http://127.0.0.1:${port}${prefix}`, close };
}
