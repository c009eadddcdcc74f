import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { DRAINING } from '../../../src/lib/http.js';
import { createLogger } from '../../../src/server/logger.js';
import { createServer } from '../../../src/server/create-server.js';
import { createHotSwapServer } from '../../../src/server/create-hot-swap-server.js';
import type { HotSwapServer } from '../../../src/server/create-hot-swap-server.js';

const config = {
  host: '127.0.0.1',
  port: 0,
  bodyLimit: 1024,
  cors: { origin: '*', credentials: false },
  proxy: false,
} as const;

interface EchoApp {
  readonly app: FastifyInstance;
  readonly events: string[];
}

/**
 * Answers whatever an upgraded connection says by its name and the same again, until it retires and where it
 * says goodbye.
 */
const createEchoApp = async (name: string, closesOnDrain = true): Promise<EchoApp> => {
  const events: string[] = [];
  const plugin = async (fastify: FastifyInstance): Promise<void> => {
    const upgraded = new Set<{ readonly end: (text: string) => unknown }>();
    fastify.post('/say', async (request) => request.body);
    fastify.server.on('upgrade', (_request, socket, head: Buffer) => {
      upgraded.add(socket);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
      socket.on('data', (data: Buffer) => socket.write(`${name} ${data.toString()}`));
      if (head.length > 0) socket.write(`${name} ${head.toString()}`);
    });
    fastify.server.once(DRAINING, () => {
      events.push('retiring');
      if (closesOnDrain) for (const socket of upgraded) socket.end('bye');
    });
  };
  return {
    events,
    app: await createServer({ config, logger: createLogger({ level: 'silent' }), plugins: [plugin] }),
  };
};

const servers: HotSwapServer[] = [];
const listen = async (
  app: FastifyInstance | null,
): Promise<{ readonly socket: HotSwapServer; readonly port: number }> => {
  const socket = createHotSwapServer();
  servers.push(socket);
  if (app !== null) await socket.swap(app);
  return { socket, port: (await socket.listen({ host: '127.0.0.1', port: 0 })).port };
};

const connectAndSend = (
  port: number,
  text: string,
): { readonly socket: Socket; readonly received: () => string } => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    received += data;
  });
  socket.write(text);
  return { socket, received: () => received };
};

const upgrade = (port: number, to = 'websocket', rest = '') =>
  connectAndSend(
    port,
    `GET /talk HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${to}\r\n\r\n${rest}`,
  );
const POLL_OPTIONS = { timeout: 15_000, interval: 5 };

afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => each.close()));
});

describe('upgraded connections behind the switch', () => {
  it('belong to the application that served first, which is notified when it retires', async () => {
    const [old, next] = [await createEchoApp('old'), await createEchoApp('new')];
    const { socket, port } = await listen(old.app);
    const first = upgrade(port, 'WebSocket', 'head');
    await expect.poll(first.received, POLL_OPTIONS).toMatch(/ 101 [^]*old head$/);
    const { drained: retired } = await socket.swap(next.app);
    await expect.poll(first.received, POLL_OPTIONS).toMatch(/bye$/);
    await retired;
    expect([old.events, next.events]).toEqual([['retiring'], []]);
    const second = upgrade(port);
    await expect.poll(second.received, POLL_OPTIONS).toMatch(/ 101 /);
    second.socket.write('hello');
    await expect.poll(second.received, POLL_OPTIONS).toMatch(/new hello$/);
  });

  it('do not keep the server from closing, though they never end', async () => {
    const { app } = await createEchoApp('deaf', false);
    const { socket, port } = await listen(app);
    const unresponsive = upgrade(port);
    await expect.poll(unresponsive.received, POLL_OPTIONS).toMatch(/ 101 /);
    const closed = once(unresponsive.socket, 'close');
    await socket.close();
    await closed;
  });

  it('are refused where nobody takes them, and while there is no application', async () => {
    const plain = await createServer({ config, logger: createLogger({ level: 'silent' }), plugins: [] });
    const served = await listen(plain);
    const refused = upgrade(served.port);
    await expect
      .poll(refused.received, POLL_OPTIONS)
      .toMatch(/^HTTP\/1\.1 404 Not Found\r\n[^]*"NotFoundError"/);
    const early = upgrade((await listen(null)).port);
    await expect.poll(early.received, POLL_OPTIONS).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('wait while the switch is paused', async () => {
    const { app } = await createEchoApp('app');
    const { socket, port } = await listen(app);
    await socket.pause();
    const waiting = upgrade(port);
    await once(waiting.socket, 'connect');
    expect(
      await fetch(`http://127.0.0.1:${port}/_health`, { signal: AbortSignal.timeout(100) }).catch(() => null),
    ).toBeNull();
    expect(waiting.received()).toBe('');
    socket.resume();
    await expect.poll(waiting.received, POLL_OPTIONS).toMatch(/ 101 /);
  });

  it('serve requests that only offer another HTTP version over HTTP/1.1, with their bodies', async () => {
    const { app } = await createEchoApp('app');
    const { port } = await listen(app);
    const body = '{"a":1}';
    const offered = connectAndSend(
      port,
      [
        'POST /say HTTP/1.1',
        'host: x',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABk',
        'content-type: application/json',
        `content-length: ${body.length}`,
        '',
        body.slice(0, 3),
      ].join('\r\n'),
    );
    await once(offered.socket, 'connect');
    offered.socket.write(body.slice(3));
    await expect.poll(offered.received, POLL_OPTIONS).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"a":1\}$/);
    offered.socket.write('GET /_health HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(offered.received, POLL_OPTIONS).toMatch(/HTTP\/1\.1 204 No Content/);
    offered.socket.destroy();
  });
});
