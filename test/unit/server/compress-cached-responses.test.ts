import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify as createFastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Grants } from '../../../src/access/access.js';
import {
  cacheEntryOf,
  createCacheHook,
  createResponseCache,
  decorateCacheEntry,
} from '../../../src/api/http/response-cache.js';
import { parseReadQuery } from '../../../src/query/parse/parse-read-query.js';
import { compressResponses } from '../../../src/server/compress-responses.js';
import { access, model } from '../api/rest/rest-endpoint.js';

const TAG = 'api::tag.tag';
const query = parseReadQuery(
  model,
  TAG,
  {},
  {
    limits: { defaultLimit: 25, maxLimit: 100, populateDepth: 5, maxNodes: 50 },
    access: access.readAccessOf({ kind: 'token', tokenId: 1, grants: { kind: 'all' } }),
    action: 'find',
    defaultLocale: 'en',
    paginated: true,
  },
);

/** Compresses to a tenth. */
const WORDS = Array.from({ length: 2000 }, (_, index) => `word ${(index * 7919) % 2000}`).join(' ');
const textOf = (length: number): string => WORDS.slice(0, length);

const GRANTS: Grants = { kind: 'all' };

type Headers = Readonly<Record<string, string>>;

/** A server whose responses are texts as long as the request says, and cached from the second on. */
const createSite = async (maxBytes = 1_000_000) => {
  const revisions = new Map([[TAG, 1]]);
  const cache = createResponseCache({
    model,
    locales: access.locales,
    revisions: { current: () => revisions, close: async () => undefined },
    maxBytes,
    cachesDrafts: false,
    hasMiddleware: () => false,
  });
  const app = createFastify({ exposeHeadRoutes: true });
  onTestFinished(() => app.close());
  decorateCacheEntry(app);
  await compressResponses(app);
  const seen = new Set<unknown>();
  app.addHook('onSend', async (request, _reply, payload) => {
    seen.add(typeof payload);
    return request.headers['x-upper'] === undefined ? payload : String(payload).toUpperCase();
  });
  const preHandler = createCacheHook(cache, ({ url }) => ({ grants: GRANTS, text: url }));
  app.get<{ Params: { length: string } }>('/texts/:length', { preHandler }, async (request, reply) => {
    const entry = cacheEntryOf(request);
    const body = textOf(Number(request.params.length));
    const response = entry?.response ?? entry?.store([query], { body });
    return reply.type('application/json').header('etag', response?.etag).send(body);
  });
  await app.ready();
  return {
    cache,
    seen,
    get: (length: number, headers: Headers, method: 'GET' | 'HEAD' = 'GET') =>
      app.inject({ method, url: `/texts/${length}`, headers }),
  };
};

describe('compressed forms of cached responses', () => {
  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip;q=0.5, br', 'br', brotliDecompressSync],
    ['x-gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ] as const)(
    'are made once for %s, and count for the size of the cache',
    async (accepted, encoding, decode) => {
      const { get, cache, seen } = await createSite();
      for (const length of [2000, 12_000]) {
        const headers = { 'accept-encoding': accepted };
        await get(length, headers);
        const uncompressed = cache.bytes();
        for (const _ of ['made', 'stored']) {
          const { headers: received, rawPayload } = await get(length, headers);
          expect(decode(rawPayload).toString()).toBe(textOf(length));
          expect(received).toMatchObject({
            'content-encoding': encoding,
            'content-length': String(rawPayload.length),
            etag: expect.stringMatching(new RegExp(`^"[\\w-]{27}\\.${encoding}"$`)) as string,
            vary: 'accept-encoding',
          });
          expect(cache.bytes()).toBe(uncompressed + rawPayload.length);
        }
      }
      expect(seen).toEqual(new Set(['string']));
    },
  );

  it.each([
    ['clients that accept none', 12_000, { 'accept-encoding': 'identity' }],
    ['clients that refuse them', 12_000, { 'accept-encoding': 'gzip;q=0, br;q=0' }],
    ['clients that name none', 12_000, {}],
    ['requests without compression', 12_000, { 'accept-encoding': 'gzip', 'x-no-compression': 'true' }],
    ['short texts', 1000, { 'accept-encoding': 'gzip' }],
  ] as const)('are not sent to %s', async (_name, length, headers) => {
    const { get, cache } = await createSite();
    await get(length, headers);
    const uncompressed = cache.bytes();
    for (const _ of [1, 2]) {
      const { headers: received, payload } = await get(length, headers);
      expect(payload).toBe(textOf(length));
      expect(received).not.toHaveProperty('content-encoding');
      expect(received['etag']).toMatch(/^"/);
      expect(received['vary']).toBe(length === 1000 ? undefined : 'accept-encoding');
    }
    expect(cache.bytes()).toBe(uncompressed);
  });

  it('have the same headers where only these are asked for', async () => {
    const { get } = await createSite();
    const headers = { 'accept-encoding': 'br' };
    await get(12_000, headers);
    const whole = await get(12_000, headers);
    const head = await get(12_000, headers, 'HEAD');
    const { date: _date, ...expected } = whole.headers;
    expect(head.headers).toMatchObject(expected);
    expect(head.payload).toBe('');
  });

  it('are not those of what a hook has made of the response', async () => {
    const { get } = await createSite();
    const headers = { 'accept-encoding': 'gzip' };
    for (const _ of ['computed', 'made', 'stored']) await get(12_000, headers);
    const changed = await get(12_000, { ...headers, 'x-upper': 'yes' });
    expect(gunzipSync(changed.rawPayload).toString()).toBe(textOf(12_000).toUpperCase());
  });

  it('are made anew where the cache has no room for them', async () => {
    // One response may take an eighth.
    const { get, cache } = await createSite(8 * (2 * 12_000 + 1000));
    const headers = { 'accept-encoding': 'gzip' };
    await get(12_000, headers);
    const uncompressed = cache.bytes();
    for (const _ of [1, 2]) {
      const { rawPayload } = await get(12_000, headers);
      expect(gunzipSync(rawPayload).toString()).toBe(textOf(12_000));
      expect(cache.bytes()).toBe(uncompressed);
    }
    expect(uncompressed).toBeGreaterThan(0);
  });
});
