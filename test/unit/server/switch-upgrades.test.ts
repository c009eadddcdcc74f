import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { RETIRING } from '../../../src/lib/retiring.js';
import { createLogger } from '../../../src/server/logger.js';
import { createServer } from '../../../src/server/create-server.js';
import { createSwitch } from '../../../src/server/create-switch.js';
import type { Switch } from '../../../src/server/create-switch.js';

const config = { host: '127.0.0.1', port: 0, bodyLimit: 1024, cors: { origin: '*', credentials: false }, proxy: false } as const;

interface Echo {
  readonly app: FastifyInstance;
  readonly told: string[];
}

/** Answers whatever an upgraded connection says by its name and the same again, until it retires and where it says goodbye. */
const echo = async (name: string, saysGoodbye = true): Promise<Echo> => {
  const told: string[] = [];
  const plugin = async (fastify: FastifyInstance): Promise<void> => {
    const upgraded = new Set<{ readonly end: (text: string) => unknown }>();
    fastify.post('/say', async (request) => request.body);
    fastify.server.on('upgrade', (_request, socket, head: Buffer) => {
      upgraded.add(socket);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
      socket.on('data', (data: Buffer) => socket.write(`${name} ${data.toString()}`));
      if (head.length > 0) socket.write(`${name} ${head.toString()}`);
    });
    fastify.server.once(RETIRING, () => {
      told.push('retiring');
      if (saysGoodbye) for (const socket of upgraded) socket.end('bye');
    });
  };
  return { told, app: await createServer({ config, logger: createLogger({ level: 'silent' }), plugins: [plugin] }) };
};

const open: Switch[] = [];
const listen = async (app: FastifyInstance | null): Promise<{ readonly socket: Switch; readonly port: number }> => {
  const socket = createSwitch();
  open.push(socket);
  if (app !== null) await socket.swap(app);
  return { socket, port: (await socket.listen({ host: '127.0.0.1', port: 0 })).port };
};

const request = (port: number, text: string): { readonly socket: Socket; readonly heard: () => string } => {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    heard += data;
  });
  socket.write(text);
  return { socket, heard: () => heard };
};

const upgrade = (port: number, to = 'websocket', rest = '') => request(port, `GET /talk HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${to}\r\n\r\n${rest}`);
const PATIENCE = { timeout: 15_000, interval: 5 };

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

describe('upgraded connections behind the switch', () => {
  it('belong to the application that serves when they are made, which is told when it retires', async () => {
    const [old, next] = [await echo('old'), await echo('new')];
    const { socket, port } = await listen(old.app);
    const first = upgrade(port, 'WebSocket', 'head');
    await expect.poll(first.heard, PATIENCE).toMatch(/ 101 [^]*old head$/);
    const { retired } = await socket.swap(next.app);
    await expect.poll(first.heard, PATIENCE).toMatch(/bye$/);
    await retired;
    expect([old.told, next.told]).toEqual([['retiring'], []]);
    const second = upgrade(port);
    await expect.poll(second.heard, PATIENCE).toMatch(/ 101 /);
    second.socket.write('hello');
    await expect.poll(second.heard, PATIENCE).toMatch(/new hello$/);
  });

  it('do not keep the server from closing, though they never end', async () => {
    const { app } = await echo('deaf', false);
    const { socket, port } = await listen(app);
    const deaf = upgrade(port);
    await expect.poll(deaf.heard, PATIENCE).toMatch(/ 101 /);
    const closed = once(deaf.socket, 'close');
    await socket.close();
    await closed;
  });

  it('are refused where nobody takes them, and while there is no application', async () => {
    const plain = await createServer({ config, logger: createLogger({ level: 'silent' }), plugins: [] });
    const served = await listen(plain);
    const refused = upgrade(served.port);
    await expect.poll(refused.heard, PATIENCE).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[^]*"NotFoundError"/);
    const early = upgrade((await listen(null)).port);
    await expect.poll(early.heard, PATIENCE).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('wait while the switch is paused', async () => {
    const { app } = await echo('app');
    const { socket, port } = await listen(app);
    await socket.pause();
    const waiting = upgrade(port);
    await once(waiting.socket, 'connect');
    expect((await fetch(`http://127.0.0.1:${port}/_health`, { signal: AbortSignal.timeout(100) }).catch(() => null))).toBeNull();
    expect(waiting.heard()).toBe('');
    socket.resume();
    await expect.poll(waiting.heard, PATIENCE).toMatch(/ 101 /);
  });

  it('leave requests that only offer another HTTP as they are, with their bodies and what follows', async () => {
    const { app } = await echo('app');
    const { port } = await listen(app);
    const body = '{"a":1}';
    const offered = request(port, `POST /say HTTP/1.1\r\nhost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 3)}`);
    await once(offered.socket, 'connect');
    offered.socket.write(body.slice(3));
    await expect.poll(offered.heard, PATIENCE).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"a":1\}$/);
    offered.socket.write('GET /_health HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(offered.heard, PATIENCE).toMatch(/HTTP\/1\.1 204 No Content/);
    offered.socket.destroy();
  });
});
