import { request as httpRequest, Agent } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/server/logger.js';
import { createServer } from '../../../src/server/create-server.js';
import { createSwitch } from '../../../src/server/create-switch.js';
import type { Switch } from '../../../src/server/create-switch.js';

const config = { host: '127.0.0.1', port: 0, bodyLimit: 1024, cors: { origin: '*', credentials: false }, proxy: false } as const;
const logger = createLogger({ level: 'silent' });

const appThat = (answer: string, wait: () => Promise<void> = async () => undefined): Promise<FastifyInstance> =>
  createServer({
    config,
    logger,
    plugins: [
      async (fastify) => {
        fastify.get('/who', async () => {
          await wait();
          return answer;
        });
      },
    ],
  });

let sockets: Switch[] = [];
const open = async (app: FastifyInstance | null): Promise<{ socket: Switch; base: string; port: number }> => {
  const socket = createSwitch();
  sockets.push(socket);
  if (app !== null) await socket.swap(app);
  const { port } = await socket.listen({ host: '127.0.0.1', port: 0 });
  return { socket, base: `http://127.0.0.1:${port}`, port };
};

afterEach(async () => {
  await Promise.all(sockets.map((socket) => socket.close()));
  sockets = [];
});

const gate = (): { readonly wait: () => Promise<void>; readonly open: () => void } => {
  let release: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { wait: () => promise, open: release };
};

describe('the switch', () => {
  it('lets requests in flight finish in the old app while new ones go to the new app', async () => {
    const held = gate();
    const old = await appThat('old', held.wait);
    const { socket, base } = await open(old);
    const first = fetch(`${base}/who`).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { retired } = await socket.swap(await appThat('new'));
    expect(await (await fetch(`${base}/who`)).text()).toBe('new');
    const swap = vi.fn();
    void retired.then(swap);
    expect(swap).not.toHaveBeenCalled();
    held.open();
    expect(await first).toBe('old');
    await retired;
    await expect(old.inject('/who')).rejects.toThrow();
  });

  it('keeps connections over a swap', async () => {
    const { socket, port } = await open(await appThat('old'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (): Promise<{ text: string; reused: boolean }> =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ port, path: '/who', agent }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve({ text, reused: request.reusedSocket }));
        });
        request.on('error', reject).end();
      });
    expect(await ask()).toEqual({ text: 'old', reused: false });
    await socket.swap(await appThat('new'));
    expect(await ask()).toEqual({ text: 'new', reused: true });
    agent.destroy();
  });

  it('keeps requests waiting while it is paused, and lets them into the new app', async () => {
    const held = gate();
    const { socket, base } = await open(await appThat('old', held.wait));
    const first = fetch(`${base}/who`).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 50));
    const paused = vi.fn();
    const pausing = socket.pause().then(paused);
    const second = fetch(`${base}/who`).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(paused).not.toHaveBeenCalled();
    held.open();
    await pausing;
    expect(await first).toBe('old');
    await socket.swap(await appThat('new'));
    expect(await second).toBe('new');
    await socket.pause();
    const third = fetch(`${base}/who`).then((response) => response.text());
    socket.resume();
    expect(await third).toBe('new');
  });

  it('finishes what is in flight when it closes, and takes nothing new', async () => {
    const held = gate();
    const { socket, base } = await open(await appThat('late', held.wait));
    const answer = fetch(`${base}/who`).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = socket.close();
    await expect(fetch(`${base}/who`)).rejects.toThrow();
    held.open();
    expect(await answer).toBe('late');
    const before = Date.now();
    await closed;
    expect(Date.now() - before).toBeLessThan(2000);
  });

  it('answers 503 with the envelope as long as there is no app', async () => {
    const { base } = await open(null);
    const response = await fetch(`${base}/api/tags`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ data: null, error: { status: 503, name: 'ServiceUnavailableError' } });
  });

  it('says that a port is in use', async () => {
    const { port } = await open(await appThat('first'));
    const second = createSwitch();
    await expect(second.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'server/port-in-use' });
  });

  it('answers what is no HTTP, and headers beyond measure, with the envelope', async () => {
    const { port, base } = await open(await appThat('x'));
    const raw = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text)).on('error', reject);
    });
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(raw).toContain('{"data":null,"error":{"status":400,"name":"ValidationError"');
    const long = await fetch(`${base}/who?x=${'a'.repeat(20_000)}`);
    expect(long.status).toBe(431);
    expect(await long.json()).toMatchObject({ data: null, error: { status: 431 } });
  });
});
