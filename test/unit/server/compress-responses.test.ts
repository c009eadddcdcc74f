import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decorateCacheEntry } from '../../../src/api/http/response-cache.js';
import { compressResponses } from '../../../src/server/compress-responses.js';

const LONG = JSON.stringify({ data: 'a text '.repeat(500) });
const GZIP = { 'accept-encoding': 'gzip' };

describe('compressed responses', () => {
  let app: FastifyInstance;
  const seen: unknown[] = [];
  const get = (
    url: string,
    headers: Readonly<Record<string, string>> = GZIP,
    method: 'GET' | 'HEAD' = 'GET',
  ) => app.inject({ method, url, headers });

  beforeAll(async () => {
    app = createFastify({ exposeHeadRoutes: true });
    decorateCacheEntry(app);
    await compressResponses(app);
    await app.register(async (plugin) => {
      plugin.addHook('onSend', async (_request, _reply, payload) => {
        seen.push(typeof payload);
        return payload;
      });
      plugin.get('/long', (_request, reply) =>
        reply.type('application/json').header('etag', '"long"').header('vary', 'Origin').send(LONG),
      );
    });
    app.get('/short', (_request, reply) =>
      reply.type('application/json').header('etag', '"short"').send('{}'),
    );
    app.get('/stream', (_request, reply) =>
      reply
        .type('text/csv')
        .header('content-length', Buffer.byteLength(LONG))
        .send(Readable.from([LONG], { objectMode: false })),
    );
    app.get('/broken', (_request, reply) =>
      reply.type('text/csv').send(
        new Readable({
          read() {
            this.destroy(new Error('disk'));
          },
        }),
      ),
    );
    app.get('/image', (_request, reply) => reply.type('image/png').send(Buffer.from(LONG)));
    app.get('/part', (_request, reply) => reply.code(206).type('text/plain').send(LONG));
    app.get('/as-it-is', (_request, reply) =>
      reply.type('text/plain').header('cache-control', 'public, no-transform').send(LONG),
    );
    app.get('/encoded', (_request, reply) =>
      reply.type('text/plain').header('content-encoding', 'zstd').send(Buffer.from(LONG)),
    );
    app.get('/unchanged', (_request, reply) =>
      reply.header('etag', '"long"').header('vary', 'Accept-Encoding').code(304).send(),
    );
    await app.ready();
  });
  afterAll(() => app.close());

  it('are those of long texts, after project code has seen them', async () => {
    const { headers, rawPayload } = await get('/long');
    expect(gunzipSync(rawPayload).toString()).toBe(LONG);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(rawPayload.length),
      etag: 'W/"long"',
      vary: 'Origin, accept-encoding',
    });
    expect(seen).toEqual(['string']);
  });

  it('are not sent to clients that do not accept them, but caches are notified', async () => {
    const { headers, payload } = await get('/long', {});
    expect(payload).toBe(LONG);
    expect(headers).toMatchObject({ etag: '"long"', vary: 'Origin, accept-encoding' });
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it('have the same headers where only these are asked for', async () => {
    for (const path of ['/long', '/stream']) {
      const [whole, head] = [await get(path), await get(path, GZIP, 'HEAD')];
      const comparable = ({ headers }: typeof head): unknown =>
        ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'].map((name) => headers[name]);
      expect(comparable(head), path).toEqual(comparable(whole));
      expect(head.payload).toBe('');
    }
  });

  it('are streamed where the text is', async () => {
    const { headers, rawPayload } = await get('/stream');
    expect(gunzipSync(rawPayload).toString()).toBe(LONG);
    expect(headers).not.toHaveProperty('content-length');
    const broken = await get('/broken');
    expect([broken.statusCode, broken.headers['content-encoding'], broken.json()]).toMatchObject([
      500,
      undefined,
      { message: 'disk' },
    ]);
  });

  it.each(['/short', '/image', '/part', '/as-it-is', '/encoded'])('are not those of %s', async (path) => {
    const { headers, payload } = await get(path);
    expect(payload).toBe(path === '/short' ? '{}' : LONG);
    expect(headers).not.toHaveProperty('vary');
    expect(headers['content-encoding']).toBe(path === '/encoded' ? 'zstd' : undefined);
  });

  it('keep their digest where nothing has changed', async () => {
    const etagFor = async (known: string): Promise<unknown> =>
      (await get('/unchanged', { ...GZIP, 'if-none-match': known })).headers['etag'];
    expect([await etagFor('W/"long"'), await etagFor('"long"')]).toEqual(['W/"long"', '"long"']);
  });
});
