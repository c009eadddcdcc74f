import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Endpoint } from './support/endpoint.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';
import { defined } from '../../../src/lib/assert.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** Returns the paths of a page's files, as a browser at that address resolves them. */
const filesOf = (page: string, address: string): readonly string[] => {
  const base = new URL(
    defined(/<base href="([^"]*)"/.exec(page)?.[1], 'the base address'),
    `http://host${address}`,
  );
  return [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css|ico|svg))"/g)].map(
    ([, file = '']) => new URL(file, base).pathname,
  );
};

describe.each(databases.slice(0, 1))('the playground', (database) => {
  const start = magazineEndpoints(database);
  const visit = (
    { fastify }: Endpoint,
    url: string,
    headers: InjectOptions['headers'] = { accept: BROWSER },
  ) => fastify.inject({ method: 'GET', url, headers });

  it('logs the request of the page, not those of its files', async () => {
    const endpoint = await start({ logLevel: 'info' });
    const page = await visit(endpoint, '/graphql');
    const statuses = await Promise.all(
      filesOf(page.body, '/graphql').map(async (path) => (await visit(endpoint, path)).statusCode),
    );
    expect(statuses.length).toBeGreaterThan(2);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(endpoint.log.map((line) => (JSON.parse(line) as Record<string, unknown>)['path'])).toEqual([
      '/graphql',
    ]);
  });

  it('is served to browsers that open the endpoint, and to no other client', async () => {
    const endpoint = await start();
    const page = await visit(endpoint, '/graphql');
    expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.body).toContain('<app-root>');
    const others = [
      '*/*',
      'application/json',
      'application/json, text/plain, */*',
      'application/json, text/html;q=0.9',
      'text/html;q=0, */*',
      'text/*',
      '',
    ];
    for (const accept of others)
      expect([accept, (await visit(endpoint, '/graphql', { accept })).statusCode]).toEqual([accept, 400]);
    expect((await visit(endpoint, '/graphql', {})).statusCode).toBe(400);
    expect(
      (
        await endpoint.fastify.inject({
          method: 'POST',
          url: '/graphql',
          headers: { accept: BROWSER, authorization: 'full' },
          payload: { query: '{ __typename }' },
        })
      ).json(),
    ).toEqual({ data: { __typename: 'Query' } });
  });

  it('does not replace the response to an operation sent by GET', async () => {
    const endpoint = await start();
    const headers = { accept: BROWSER, authorization: 'full', 'apollo-require-preflight': 'yes' };
    expect((await visit(endpoint, '/graphql?query={__typename}', headers)).json()).toEqual({
      data: { __typename: 'Query' },
    });
    expect((await visit(endpoint, '/graphql?query={__typename}')).statusCode).toBe(400);
    expect(
      (
        await visit(
          endpoint,
          `/graphql?query=${encodeURIComponent('mutation { deleteTag(documentId: "t0") { documentId } }')}`,
          headers,
        )
      ).statusCode,
    ).toBe(405);
    expect((await visit(endpoint, '/graphql?extensions={}')).statusCode).toBe(400);
    expect((await visit(endpoint, '/graphql?from=bookmark')).statusCode).toBe(200);
  });

  it('is served for any credentials of the browser', async () => {
    expect(
      (await visit(await start(), '/graphql', { accept: BROWSER, authorization: 'Basic Zm9vOmJhcg==' }))
        .statusCode,
    ).toBe(200);
  });

  it.each(['/graphql', '/graphql/', '/api/query'])(
    'loads all of its files from below the endpoint (%s)',
    async (address) => {
      const endpoint = await start({ config: { endpoint: address.replace(/\/$/, '') } });
      const { body } = await visit(endpoint, address);
      const files = filesOf(body, address);
      expect(files.length).toBeGreaterThan(10);
      for (const file of files) {
        expect(file).toMatch(new RegExp(`^${address.replace(/\/$/, '')}/playground/`));
        expect([file, (await visit(endpoint, file, {})).statusCode]).toEqual([file, 200]);
      }
      expect(filesOf(body, `/behind/a/proxy${address}`)).toEqual(
        files.map((file) => `/behind/a/proxy${file}`),
      );
    },
  );

  it('lets versioned files be cached forever, and the generated ones never', async () => {
    const endpoint = await start();
    const files = filesOf((await visit(endpoint, '/graphql')).body, '/graphql');
    const [main = ''] = files.filter((file) => file.endsWith('/main.js'));
    const { headers } = await visit(endpoint, main, {});
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript') as string,
      'x-content-type-options': 'nosniff',
    });
    expect((await visit(endpoint, main.replace(/\d+\.\d+\.\d+/, '0.0.1'), {})).statusCode).toBe(404);
    expect((await visit(endpoint, '/graphql/playground/options.js', {})).headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/javascript; charset=utf-8',
    });
  });

  it('serves only its own files, without the sandbox frame', async () => {
    const endpoint = await start();
    const files = filesOf((await visit(endpoint, '/graphql')).body, '/graphql');
    const folder = defined(
      files.find((file) => file.endsWith('/main.js')),
      'main.js',
    ).replace('main.js', '');
    const escapes = [
      '../../package.json',
      '..%2f..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      '..%5c..%5cpackage.json',
      '%2fetc%2fpasswd',
      'assets/../../index.js',
      'main.js%00',
      '.',
      '',
      'assets',
      'nothing.js',
      '%25',
      'iframe-sandbox/index.html',
      '/iframe-sandbox/index.html',
      './iframe-sandbox/index.html',
      'assets/../iframe-sandbox/index.html',
      'iframe-sandbox/sandbox.png',
    ];
    for (const path of escapes) {
      const { statusCode, body } = await visit(endpoint, `${folder}${path}`, {});
      expect([path, statusCode >= 400 && statusCode < 500, body.includes('altair-static')]).toEqual([
        path,
        true,
        false,
      ]);
    }
    expect(endpoint.log).toEqual([]);
  });

  it('forbids content from other origins', async () => {
    const endpoint = await start();
    const page = await visit(endpoint, '/graphql');
    const worker = await visit(
      endpoint,
      defined(
        filesOf(page.body, '/graphql').find((file) => file.endsWith('.js')),
        'a script',
      ),
      {},
    );
    for (const { headers } of [page, worker]) {
      const policy = String(headers['content-security-policy']);
      expect(policy.split('; ')).toContain("default-src 'none'");
      expect(policy).not.toMatch(/https?:|\*|upgrade-insecure/);
    }
  });

  it('opens with a valid query of the first collection type', async () => {
    const endpoint = await start();
    const script = (await visit(endpoint, '/graphql/playground/options.js', {})).body;
    const options = JSON.parse(defined(/\.\.\.(\{.*\}),$/m.exec(script)?.[1], 'the options')) as {
      initialQuery: string;
      persistedSettings: Record<string, unknown>;
    };
    expect(options.initialQuery).toContain(
      'articles(pagination: { limit: 10 }) {\n    documentId\n    title\n',
    );
    const { status, body } = await endpoint.ask(options.initialQuery);
    expect([status, body.errors, Object.keys(body.data ?? {})]).toEqual([200, undefined, ['articles']]);
    expect(options.persistedSettings).toMatchObject({ 'schema.reloadOnStart': true });
  });

  it('opens with a valid query without content-types and with introspection off', async () => {
    const endpoint = await start({ config: { shadowCRUD: false, introspection: false } });
    const script = (await visit(endpoint, '/graphql/playground/options.js', {})).body;
    const options = JSON.parse(defined(/\.\.\.(\{.*\}),$/m.exec(script)?.[1], 'the options')) as {
      initialQuery: string;
      persistedSettings: Record<string, unknown>;
    };
    expect((await endpoint.ask(options.initialQuery)).body).toEqual({ data: { __typename: 'Query' } });
    expect(options.persistedSettings).toMatchObject({ 'schema.reloadOnStart': false });
  });

  it('is off in production unless playgroundAlways is set; introspection stays off', async () => {
    const endpoint = await start({ environment: 'production' });
    const refused = await visit(endpoint, '/graphql');
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([
      400,
      'application/json; charset=utf-8',
    ]);
    expect((await visit(endpoint, '/graphql/playground/options.js')).statusCode).toBe(404);
    const always = await start({ environment: 'production', config: { playgroundAlways: true } });
    expect((await visit(always, '/graphql')).statusCode).toBe(200);
    expect((await always.ask('{ __schema { queryType { name } } }')).status).toBe(400);
    expect((await visit(await start({ config: { playgroundAlways: false } }), '/graphql')).statusCode).toBe(
      200,
    );
  });
});
