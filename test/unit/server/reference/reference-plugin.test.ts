import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { servesDocs } from '../../../../src/config/config.js';
import { createReferencePlugin } from '../../../../src/server/reference/reference-plugin.js';

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

const start = async (own: readonly string[] = []) => {
  app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const described: object[] = [];
  for (const path of own) app.get(path, async () => 'own');
  await app.register(
    createReferencePlugin({
      prefix: '/content/v1',
      title: 'Nuts & <bolts>',
      createDocument: () => {
        described.push({});
        return { openapi: '3.1.0' };
      },
    }),
  );
  return { server: app, described };
};

const DOCUMENT = '/content/v1/openapi.json';

describe('the reference of the API', () => {
  it('describes the API once, when it is first asked for, and says when nothing has changed', async () => {
    const { server, described } = await start();
    expect(described).toEqual([]);
    const first = await server.inject(DOCUMENT);
    expect([first.statusCode, first.json()]).toEqual([200, { openapi: '3.1.0' }]);
    const etag = String(first.headers.etag);
    const known = await server.inject({ url: DOCUMENT, headers: { 'if-none-match': `W/${etag}` } });
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag]);
    const other = await server.inject({ url: DOCUMENT, headers: { 'if-none-match': '"other"' } });
    expect([other.statusCode, described.length]).toEqual([200, 1]);
  });

  it('has a page that names the document and a script that is kept forever, relative to itself', async () => {
    const { server } = await start();
    const { body, headers } = await server.inject('/docs');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('<title>Nuts &amp; &lt;bolts&gt;: API reference</title>');
    expect(body).toContain('spec-url="./content/v1/openapi.json"');
    const [, script = ''] = /<script src="\.([^"]+)"/.exec(body) ?? [];
    const loaded = await server.inject(script);
    expect(loaded.headers['cache-control']).toContain('immutable');
    expect(loaded.body.length).toBeGreaterThan(1_000_000);
    expect(loaded.body.includes('cdn.redoc.ly')).toBe(false);
    expect(loaded.body.slice(-200)).not.toContain('sourceMappingURL');
    expect((await server.inject('/docs/redoc/other.js')).statusCode).toBe(404);
    expect((await server.inject('/docs/')).body).toContain('spec-url="../content/v1/openapi.json"');
  });

  it('leaves the routes of the project unchanged', async () => {
    const { server } = await start(['/docs', DOCUMENT]);
    for (const url of ['/docs', DOCUMENT]) expect((await server.inject(url)).body).toBe('own');
  });

  it('is shown in development, or as the configuration says', () => {
    const shown = (['development', 'always', 'never'] as const).map((docs) =>
      (['development', 'production'] as const).map((environment) => servesDocs({ docs, environment })),
    );
    expect(shown).toEqual([
      [true, false],
      [true, true],
      [false, false],
    ]);
  });
});
