import { afterEach, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { createAttemptLimiter } from '../../../src/access/accounts/attempts.js';
import type { Config } from '../../../src/config/config.js';
import { createLogger } from '../../../src/server/logger.js';
import { createServer } from '../../../src/server/create-server.js';

const FORWARDED = 'x-forwarded-for';

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** A server with a route that allows three attempts per account, and returns the client's address. */
const start = async (proxy: Config['server']['proxy']): Promise<FastifyInstance> => {
  const hits = new Map<string, number>();
  const counter = {
    hit: async (key: string) => {
      hits.set(key, (hits.get(key) ?? 0) + 1);
      return { hits: hits.get(key) ?? 0, ttl: 1000 };
    },
    subtract: async () => undefined,
  };
  const attempts = createAttemptLimiter(counter, { enabled: true, max: 3, interval: 60 });
  app = await createServer({
    config: { host: '', port: 0, bodyLimit: 2048, cors: { origin: false, credentials: false }, proxy },
    logger: createLogger({ level: 'silent' }),
    plugins: [
      async (fastify) => {
        fastify.post('/sign-in', async ({ ip, body }) => {
          await attempts.begin({ operation: 'login', ip, values: body, caller: null });
          return { ip };
        });
      },
    ],
  });
  return app;
};

const signIn = async (forwardedFor: string, remoteAddress = '127.0.0.1') =>
  (app as FastifyInstance).inject({
    method: 'POST',
    url: '/sign-in',
    remoteAddress,
    headers: { [FORWARDED]: forwardedFor },
    payload: { identifier: 'ann' },
  });

const addressFor = async (forwardedFor: string, remoteAddress?: string): Promise<string> =>
  (await signIn(forwardedFor, remoteAddress)).json<{ ip: string }>().ip;

describe('the address of a client', () => {
  it('is the one that the last of the trusted proxies saw', async () => {
    await start(false);
    expect(await addressFor('10.9.8.7')).toBe('127.0.0.1');
    await start(1);
    expect(await addressFor('1.1.1.1, 203.0.113.9')).toBe('203.0.113.9');
    await start(2);
    expect(await addressFor('1.1.1.1, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9');
    await start(['10.0.0.0/8', '127.0.0.1']);
    expect(await addressFor('1.1.1.1, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9');
    expect(await addressFor('1.1.1.1', '198.51.100.7')).toBe('198.51.100.7');
  });

  it.each([
    ['one hop', 1, '203.0.113.9'],
    ['two hops', 2, '203.0.113.9, 10.0.0.2'],
    ['networks', ['loopback', '10.0.0.0/8'], '203.0.113.9, 10.0.0.2'],
  ] as const)('cannot be invented to pass the limit of attempts behind %s', async (_what, proxy, chain) => {
    await start(proxy);
    const statuses: number[] = [];
    for (let index = 1; index <= 5; index++)
      statuses.push((await signIn(`198.51.100.${index}, ${chain}`)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});
