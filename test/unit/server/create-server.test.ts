import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/config/config.js';
import { createError } from '../../../src/errors/catalogue.js';
import { createServer } from '../../../src/server/create-server.js';
import { createLogger } from '../../../src/server/logger.js';

const lines: string[] = [];
const stream = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    lines.push(chunk.toString());
    done();
  },
});

const config: Config['server'] = {
  host: '127.0.0.1',
  port: 0,
  bodyLimit: 2048,
  cors: {
    origin: ['https://site.example', 'https://*.site.example', 'http://localhost:*'],
    credentials: true,
  },
  proxy: false,
};
let app: FastifyInstance;

beforeAll(async () => {
  app = await createServer({
    config,
    logger: createLogger({ level: 'debug', stream }),
    plugins: [
      async (fastify) => {
        fastify.get('/ok', async () => ({ ok: true }));
        fastify.get('/crash', async () => {
          throw new Error('SELECT secret FROM users', { cause: new Error('hidden') });
        });
        fastify.get('/denied', async () => {
          throw createError('request/unauthorized');
        });
        fastify.get('/busy', async () => {
          throw createError('database/busy');
        });
        fastify.get('/busy-images', async () => {
          throw createError('upload/busy');
        });
        fastify.get('/abandoned', async () => {
          throw createError('request/abandoned');
        });
        fastify.get('/log', async (request) => {
          request.log.info(
            {
              password: 'hunter2',
              headers: { authorization: 'Bearer hunter2' },
              user: { password: 'hunter2' },
            },
            'secrets',
          );
          return {};
        });
        fastify.get('/things/:id', async () => ({}));
        fastify.put('/things/:thing', async () => ({}));
        fastify.post('/echo', async (request) => ({ body: request.body ?? 'none' }));
        fastify.delete('/echo', async (request) => ({ body: request.body ?? 'none' }));
      },
    ],
  });
});
afterAll(() => app.close());

const post = (payload: string | Buffer, type = 'application/json') =>
  app.inject({ method: 'POST', url: '/echo', payload, headers: { 'content-type': type } });

describe('the assembled server', () => {
  it('is healthy without a word', async () => {
    const response = await app.inject('/_health');
    expect([response.statusCode, response.body]).toEqual([204, '']);
  });

  it('says when to try again while it is busy', async () => {
    for (const path of ['/busy', '/busy-images']) {
      const { statusCode, headers } = await app.inject(path);
      expect([path, statusCode, headers['retry-after']]).toEqual([path, 503, '1']);
    }
    expect((await app.inject('/denied')).headers['retry-after']).toBeUndefined();
  });

  it('logs no error where a client has left', async () => {
    lines.length = 0;
    await app.inject('/abandoned');
    const logged = lines.filter((line) => line.includes('"code":"request/abandoned"'));
    expect(logged.map((line) => (JSON.parse(line) as { readonly level: unknown }).level)).toEqual([20]);
  });

  it('sends the same security headers with responses and refusals', async () => {
    const [ok, missing, crash] = [
      await app.inject('/ok'),
      await app.inject('/nowhere'),
      await app.inject('/crash'),
    ];
    for (const { headers } of [ok, missing, crash]) {
      expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
    }
    expect([ok, missing, crash].map(({ headers }) => headers['content-type'])).toEqual(
      Array.from({ length: 3 }, () => 'application/json; charset=utf-8'),
    );
  });

  it('gives every error the one envelope, and faults of the server no details', async () => {
    const missing = await app.inject('/nowhere');
    expect(missing.json()).toEqual({
      data: null,
      error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} },
    });
    const crash = await app.inject('/crash');
    expect(crash.statusCode).toBe(500);
    expect(crash.json()).toEqual({
      data: null,
      error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error', details: {} },
    });
    expect(lines.join('')).toContain('SELECT secret FROM users');
    expect((await app.inject('/denied')).headers['www-authenticate']).toBe('Bearer');
  });

  it('refuses addresses that are no text', async () => {
    const response = await app.inject('/%E0%A4%A');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ data: null, error: { status: 400, name: 'ValidationError' } });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['a long path', `/${'a'.repeat(3000)}`],
    ['a path of many slashes', `/ok${'/'.repeat(3000)}`],
    ['a long parameter', `/things/${'a'.repeat(150)}`],
  ])('refuses %s with 414', async (_what, url) => {
    const response = await app.inject(url);
    expect(response.json()).toMatchObject({ data: null, error: { status: 414, name: 'URITooLongError' } });
    expect(response.statusCode).toBe(414);
  });

  it('responds with 405 to the methods that no route of a path takes', async () => {
    for (const [method, url, allow] of [
      ['POST', '/_health', 'GET, HEAD'],
      ['PUT', '/_ready', 'GET, HEAD'],
      ['PATCH', '/echo', 'DELETE, POST'],
      ['GET', '/echo/', 'DELETE, POST'],
      ['PATCH', '/ok', 'GET, HEAD'],
      ['DELETE', '/things/1', 'GET, HEAD, PUT'],
    ] as const) {
      const response = await app.inject({ method, url, payload: '{', headers: { 'content-type': 'x/y' } });
      expect([method, url, response.statusCode, response.headers['allow']]).toEqual([
        method,
        url,
        405,
        allow,
      ]);
    }
    expect((await app.inject({ method: 'POST', url: '/nowhere' })).statusCode).toBe(404);
  });

  it('returns the id of a request, and a new one for an id that could forge the log', async () => {
    const idOf = async (id: string, url = '/ok') =>
      (await app.inject({ url, headers: { 'x-request-id': id } })).headers['x-request-id'];
    lines.length = 0;
    expect(await idOf('trace:42/a-b_c.d')).toBe('trace:42/a-b_c.d');
    expect(lines.join('')).toContain('"reqId":"trace:42/a-b_c.d"');
    expect(await idOf('broken', '/%E0%A4%A')).toBe('broken');
    for (const id of ['', 'a b', '"},{"', 'é', 'x'.repeat(129)])
      expect(await idOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });

  it.each([
    ['broken JSON', '{"data":', 400, 'ValidationError'],
    ['text after JSON', '{} {}', 400, 'ValidationError'],
    ['a prototype', '{"data":{"__proto__":{"admin":true}}}', 400, 'ValidationError'],
    ['a prototype by another name', '{"constructor":{"prototype":{"admin":true}}}', 400, 'ValidationError'],
    ['more than the limit', JSON.stringify({ data: 'x'.repeat(3000) }), 413, 'PayloadTooLargeError'],
    ['deep nesting', '['.repeat(500) + ']'.repeat(500), 400, 'ValidationError'],
  ])('refuses a body with %s', async (_what, payload, status, name) => {
    const response = await post(payload);
    expect(response.json()).toMatchObject({ data: null, error: { status, name } });
    expect(response.statusCode).toBe(status);
  });

  it('refuses other content types', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
      const response = await post('a=b', type);
      expect([response.statusCode, response.json().error.name]).toEqual([415, 'UnsupportedMediaTypeError']);
    }
  });

  it('takes an empty body for none', async () => {
    const response = await app.inject({
      method: 'DELETE',
      url: '/echo',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.json()).toEqual({ body: 'none' });
    expect((await post('\uFEFF{"a":1}', 'application/json; charset=utf-8')).json()).toEqual({
      body: { a: 1 },
    });
  });

  it('sends security headers and lets in the origins configured, no others', async () => {
    const allowed = await app.inject({ url: '/ok', headers: { origin: 'https://site.example' } });
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://site.example',
      'access-control-allow-credentials': 'true',
      'x-content-type-options': 'nosniff',
    });
    expect(allowed.headers).not.toHaveProperty('x-powered-by');
    for (const origin of ['https://a.site.example', 'https://a.b-c.site.example', 'http://localhost:3000']) {
      const { headers } = await app.inject({ url: '/ok', headers: { origin } });
      expect([origin, headers['access-control-allow-origin']]).toEqual([origin, origin]);
      expect(headers['vary']).toContain('Origin');
    }
    for (const origin of [
      'https://evil.example',
      'https://evilsite.example',
      'https://a.site.example.evil.example',
      'https://evil.example/.site.example',
      'https://aXsite.example',
      'http://a.site.example',
      'https://a.site.example:8443',
      'http://localhost.evil.example',
      'http://localhost:3000.evil.example',
      'null',
    ]) {
      const { headers } = await app.inject({ url: '/ok', headers: { origin } });
      expect([origin, headers['access-control-allow-origin']]).toEqual([origin, undefined]);
    }
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/echo',
      headers: { origin: 'https://site.example', 'access-control-request-method': 'PUT' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT');
  });

  it('logs a line a request, without its query string and without secrets', async () => {
    lines.length = 0;
    await app.inject({
      url: '/log?filters[email]=private@example.com',
      headers: { authorization: 'Bearer hunter2' },
    });
    const text = lines.join('');
    expect(text).toContain('"path":"/log"');
    expect(text).toContain('[removed]');
    expect(text).not.toContain('private@example.com');
    expect(text).not.toContain('hunter2');
  });

  it('does not trust anybody with credentials where every origin may ask', async () => {
    const open = await createServer({
      config: { ...config, cors: { origin: '*', credentials: true } },
      logger: createLogger({ level: 'silent' }),
      plugins: [],
    });
    const response = await open.inject({ url: '/_health', headers: { origin: 'https://any.example' } });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    await open.close();
  });
});
