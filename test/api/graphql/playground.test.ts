import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Endpoint } from './support/endpoint.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** The addresses of a page's own files, as a browser at that address finds them. */
const filesOf = (page: string, address: string): readonly string[] => {
  const base = new URL(/<base href="([^"]*)"/.exec(page)?.[1] ?? '', `http://host${address}`);
  return [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css|ico|svg))"/g)].map(([, file = '']) => new URL(file, base).pathname);
};

describe.each(databases.slice(0, 1))('the playground', (database) => {
  const start = magazineEndpoints(database);
  const visit = ({ fastify }: Endpoint, url: string, headers: InjectOptions['headers'] = { accept: BROWSER }) => fastify.inject({ method: 'GET', url, headers });

  it('is shown to browsers that open the endpoint, and to nobody else', async () => {
    const endpoint = await start();
    const page = await visit(endpoint, '/graphql');
    expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([200, 'text/html; charset=utf-8', 'no-store']);
    expect(page.body).toContain('<app-root>');
    const others = ['*/*', 'application/json', 'application/json, text/plain, */*', 'application/json, text/html;q=0.9', 'text/html;q=0, */*', 'text/*', ''];
    for (const accept of others) expect([accept, (await visit(endpoint, '/graphql', { accept })).statusCode]).toEqual([accept, 400]);
    expect((await visit(endpoint, '/graphql', {})).statusCode).toBe(400);
    expect((await endpoint.fastify.inject({ method: 'POST', url: '/graphql', headers: { accept: BROWSER, authorization: 'full' }, payload: { query: '{ __typename }' } })).json()).toEqual({ data: { __typename: 'Query' } });
  });

  it('leaves a GET with an operation an operation', async () => {
    const endpoint = await start();
    const headers = { accept: BROWSER, authorization: 'full', 'apollo-require-preflight': 'yes' };
    expect((await visit(endpoint, '/graphql?query={__typename}', headers)).json()).toEqual({ data: { __typename: 'Query' } });
    expect((await visit(endpoint, '/graphql?query={__typename}')).statusCode).toBe(400);
    expect((await visit(endpoint, `/graphql?query=${encodeURIComponent('mutation { deleteTag(documentId: "t0") { documentId } }')}`, headers)).statusCode).toBe(405);
    expect((await visit(endpoint, '/graphql?extensions={}')).statusCode).toBe(400);
    expect((await visit(endpoint, '/graphql?from=bookmark')).statusCode).toBe(200);
  });

  it('is shown whatever credentials a proxy on the way has asked for', async () => {
    expect((await visit(await start(), '/graphql', { accept: BROWSER, authorization: 'Basic Zm9vOmJhcg==' })).statusCode).toBe(200);
  });

  it.each(['/graphql', '/graphql/', '/api/query'])('loads all of its files from below the endpoint (%s)', async (address) => {
    const endpoint = await start({ config: { endpoint: address.replace(/\/$/, '') } });
    const { body } = await visit(endpoint, address);
    const files = filesOf(body, address);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      expect(file).toMatch(new RegExp(`^${address.replace(/\/$/, '')}/playground/`));
      expect([file, (await visit(endpoint, file, {})).statusCode]).toEqual([file, 200]);
    }
    expect(filesOf(body, `/behind/a/proxy${address}`)).toEqual(files.map((file) => `/behind/a/proxy${file}`));
  });

  it('lets files be kept for good, under addresses that change with them, and what is made for the project not at all', async () => {
    const endpoint = await start();
    const files = filesOf((await visit(endpoint, '/graphql')).body, '/graphql');
    const [main = ''] = files.filter((file) => file.endsWith('/main.js'));
    const { headers } = await visit(endpoint, main, {});
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': expect.stringContaining('javascript') as string, 'x-content-type-options': 'nosniff' });
    expect((await visit(endpoint, main.replace(/\d+\.\d+\.\d+/, '0.0.1'), {})).statusCode).toBe(404);
    expect((await visit(endpoint, '/graphql/playground/options.js', {})).headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/javascript; charset=utf-8' });
  });

  it('gives no file that is not its own, and not the frame that would run what strangers send it', async () => {
    const endpoint = await start();
    const files = filesOf((await visit(endpoint, '/graphql')).body, '/graphql');
    const folder = files.find((file) => file.endsWith('/main.js'))?.replace('main.js', '') ?? '';
    const escapes = ['../../package.json', '..%2f..%2fpackage.json', '%2e%2e/%2e%2e/package.json', '..%5c..%5cpackage.json', '%2fetc%2fpasswd', 'assets/../../index.js', 'main.js%00', '.', '', 'assets', 'nothing.js', '%25',
      'iframe-sandbox/index.html', '/iframe-sandbox/index.html', './iframe-sandbox/index.html', 'assets/../iframe-sandbox/index.html', 'iframe-sandbox/sandbox.png'];
    for (const path of escapes) {
      const { statusCode, body } = await visit(endpoint, `${folder}${path}`, {});
      expect([path, statusCode >= 400 && statusCode < 500, body.includes('altair-static')]).toEqual([path, true, false]);
    }
    expect(endpoint.log).toEqual([]);
  });

  it('allows nothing from elsewhere', async () => {
    const endpoint = await start();
    const page = await visit(endpoint, '/graphql');
    const worker = await visit(endpoint, filesOf(page.body, '/graphql').find((file) => file.endsWith('.js')) ?? '', {});
    for (const { headers } of [page, worker]) {
      const policy = String(headers['content-security-policy']);
      expect(policy.split('; ')).toContain("default-src 'none'");
      expect(policy).not.toMatch(/https?:|\*|upgrade-insecure/);
    }
  });

  it('opens with a query of the first collection type that the schema answers', async () => {
    const endpoint = await start();
    const script = (await visit(endpoint, '/graphql/playground/options.js', {})).body;
    const options = JSON.parse(/\.\.\.(\{.*\}),$/m.exec(script)?.[1] ?? '') as { initialQuery: string; persistedSettings: Record<string, unknown> };
    expect(options.initialQuery).toContain('articles(pagination: { limit: 10 }) {\n    documentId\n    title\n');
    const { status, body } = await endpoint.ask(options.initialQuery);
    expect([status, body.errors, Object.keys(body.data ?? {})]).toEqual([200, undefined, ['articles']]);
    expect(options.persistedSettings).toMatchObject({ 'schema.reloadOnStart': true });
  });

  it('opens with a query that is valid also where the schema has no content-types, and asks for no schema that is hidden', async () => {
    const endpoint = await start({ config: { shadowCRUD: false, introspection: false } });
    const script = (await visit(endpoint, '/graphql/playground/options.js', {})).body;
    const options = JSON.parse(/\.\.\.(\{.*\}),$/m.exec(script)?.[1] ?? '') as { initialQuery: string; persistedSettings: Record<string, unknown> };
    expect((await endpoint.ask(options.initialQuery)).body).toEqual({ data: { __typename: 'Query' } });
    expect(options.persistedSettings).toMatchObject({ 'schema.reloadOnStart': false });
  });

  it('is not there in production, unless `playgroundAlways` says so; the schema stays hidden', async () => {
    const endpoint = await start({ environment: 'production' });
    const refused = await visit(endpoint, '/graphql');
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
    expect((await visit(endpoint, '/graphql/playground/options.js')).statusCode).toBe(404);
    const always = await start({ environment: 'production', config: { playgroundAlways: true } });
    expect((await visit(always, '/graphql')).statusCode).toBe(200);
    expect((await always.ask('{ __schema { queryType { name } } }')).status).toBe(400);
    expect((await visit(await start({ config: { playgroundAlways: false } }), '/graphql')).statusCode).toBe(200);
  });
});
