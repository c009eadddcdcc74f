import { request as httpRequest, Agent } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
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
const logger = createLogger({ level: 'silent' });

const createApp = (
  answer: string,
  wait: () => Promise<void> = async () => undefined,
): Promise<FastifyInstance> =>
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

let servers: HotSwapServer[] = [];
const listen = async (
  app: FastifyInstance | null,
): Promise<{ server: HotSwapServer; base: string; port: number }> => {
  const server = createHotSwapServer();
  servers.push(server);
  if (app !== null) await server.swap(app);
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return { server, base: `http://127.0.0.1:${port}`, port };
};

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

interface Latch {
  /** What the route of an app waits for. */
  readonly wait: () => Promise<void>;
  readonly open: () => void;
  /** Resolves when a request has reached the route. */
  readonly reached: Promise<void>;
}

const createSignal = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((onResolved) => {
    resolve = onResolved;
  });
  return { promise, resolve };
};

const createLatch = (): Latch => {
  const [opened, reached] = [createSignal(), createSignal()];
  return {
    wait: () => {
      reached.resolve();
      return opened.promise;
    },
    open: opened.resolve,
    reached: reached.promise,
  };
};

/** Sends a request. `sent` resolves once it has left this process. */
const sendOnce = (port: number): { readonly sent: Promise<void>; readonly text: Promise<string> } => {
  const sent = createSignal();
  const text = new Promise<string>((resolve, reject) => {
    const request = httpRequest({ port, path: '/who' }, (response) => {
      let received = '';
      response
        .on('data', (chunk: Buffer) => (received += chunk.toString()))
        .on('end', () => resolve(received));
    });
    request.on('finish', sent.resolve).on('error', reject).end();
  });
  return { sent: sent.promise, text };
};

describe('the hot-swap server', () => {
  it('lets requests in flight finish in the old app while new ones go to the new app', async () => {
    const latch = createLatch();
    const old = await createApp('old', latch.wait);
    const { server, base } = await listen(old);
    const first = fetch(`${base}/who`).then((response) => response.text());
    await latch.reached;
    const { drained } = await server.swap(await createApp('new'));
    expect(await (await fetch(`${base}/who`)).text()).toBe('new');
    const onDrained = vi.fn();
    void drained.then(onDrained);
    expect(onDrained).not.toHaveBeenCalled();
    latch.open();
    expect(await first).toBe('old');
    await drained;
    await expect(old.inject('/who')).rejects.toThrow();
  });

  it('keeps connections over a swap', async () => {
    const { server, port } = await listen(await createApp('old'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendRequest = (): Promise<{ text: string; reused: boolean }> =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ port, path: '/who', agent }, (response) => {
          let text = '';
          response
            .on('data', (chunk: Buffer) => (text += chunk.toString()))
            .on('end', () => resolve({ text, reused: request.reusedSocket }));
        });
        request.on('error', reject).end();
      });
    expect(await sendRequest()).toEqual({ text: 'old', reused: false });
    await server.swap(await createApp('new'));
    expect(await sendRequest()).toEqual({ text: 'new', reused: true });
    agent.destroy();
  });

  it('keeps requests waiting while it is paused, and sends them to the new app', async () => {
    const latch = createLatch();
    const { server, base, port } = await listen(await createApp('old', latch.wait));
    const first = fetch(`${base}/who`).then((response) => response.text());
    await latch.reached;
    const paused = vi.fn();
    const pausing = server.pause().then(paused);
    const second = sendOnce(port);
    await second.sent;
    expect(paused).not.toHaveBeenCalled();
    latch.open();
    await pausing;
    expect(await first).toBe('old');
    await server.swap(await createApp('new'));
    expect(await second.text).toBe('new');
    await server.pause();
    const third = fetch(`${base}/who`).then((response) => response.text());
    server.resume();
    expect(await third).toBe('new');
  });

  it('finishes requests in flight when it closes, and accepts no new ones', async () => {
    const latch = createLatch();
    const { server, base } = await listen(await createApp('late', latch.wait));
    const answer = fetch(`${base}/who`).then((response) => response.text());
    await latch.reached;
    const closed = server.close();
    await expect(fetch(`${base}/who`)).rejects.toThrow();
    latch.open();
    expect(await answer).toBe('late');
    // Connections that are kept alive would hold it up for longer than the test may take.
    await closed;
  });

  it('responds with 503 and the error envelope as long as there is no app', async () => {
    const { base } = await listen(null);
    const response = await fetch(`${base}/api/tags`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      data: null,
      error: { status: 503, name: 'ServiceUnavailableError' },
    });
  });

  it('reports that a port is in use', async () => {
    const { port } = await listen(await createApp('first'));
    const second = createHotSwapServer();
    await expect(second.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'server/port-in-use',
    });
  });

  it('rejects invalid HTTP and headers that are too long with the error envelope', async () => {
    const { port, base } = await listen(await createApp('x'));
    const raw = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket
        .on('data', (chunk) => (text += chunk.toString()))
        .on('close', () => resolve(text))
        .on('error', reject);
    });
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(raw).toContain('{"data":null,"error":{"status":400,"name":"ValidationError"');
    const long = await fetch(`${base}/who?x=${'a'.repeat(20_000)}`);
    expect(long.status).toBe(431);
    expect(await long.json()).toMatchObject({ data: null, error: { status: 431 } });
  });
});
