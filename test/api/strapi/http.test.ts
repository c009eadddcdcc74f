import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { expectDescribedRoutes, expectReplacedRoutes } from './described-routes.js';
import { HTTP_PROJECT } from './http-project.js';
import { error, FORBIDDEN, NOT_FOUND, POLICY_FAILED, RESPONSES } from './http-responses.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Sending {
  /** The name of a token of the site, or a JWT. Default: none. */
  readonly token?: string;
  readonly json?: unknown;
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a path that `fetch` would change, and returns the parsed body. */
const sendTarget = async (base: string, path: string): Promise<unknown> => {
  const [response] = (await once(request(base, { path }).end(), 'response')) as [IncomingMessage];
  return readJson(response);
};

describe.each(databases)("a Strapi project's routes and middlewares, on $name", (database) => {
  let site: Site;
  let jwt = '';
  let tagId = '';

  const send = async (
    method: string,
    path: string,
    { token, json, body, headers }: Sending = {},
  ): Promise<Answer> => {
    const sent = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${site.tokens[token] ?? token}` }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  };
  const get = async (path: string, sending: Sending = {}): Promise<Answer> => send('GET', path, sending);

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: HTTP_PROJECT });
    for (const name of ['b', 'a']) {
      const { body } = await send('POST', '/api/tags', { token: 'full', json: { data: { name } } });
      tagId = (body as { data: { documentId: string } }).data.documentId;
    }
    for (const name of ['low', 'top'])
      await send('POST', '/api/categories?status=published', {
        token: 'full',
        json: { data: { name } },
        headers: { 'x-key': 'open' },
      });
    const account = { username: 'ann', email: 'ann@example.com', password: 'secret-Password1' };
    jwt = ((await send('POST', '/api/auth/local/register', { json: account })).body as { jwt: string }).jwt;
  });
  afterAll(() => site.close());

  it('describes the routes as the commands do, which open nothing', () => expectDescribedRoutes(site));

  it.each(RESPONSES)('responds as the context specifies: $kind', async ({ kind, status, body, type }) => {
    const answer = await get(`/api/tools/respond/${kind}`, { headers: { cookie: 'had=1' } });
    const sentType = answer.headers.get('content-type');
    expect([answer.status, answer.body, type ?? sentType]).toEqual([status, body, sentType]);
  });

  it('sends the headers that the context was given', async () => {
    expect((await get('/api/tools/respond/redirect')).headers.get('location')).toBe('/elsewhere');
    const { headers } = await get('/api/tools/respond/attachment');
    expect(headers.get('content-disposition')).toBe('attachment; filename="report.csv"');
    expect((await get('/api/tools/respond/cookie')).headers.get('set-cookie')).toBe(
      'seen=yes; path=/; httponly',
    );
    expect((await get('/api/tools/respond/send')).headers.get('x-request-id')).toMatch(/^[\w-]+$/);
  });

  it('logs unintended errors of project code, and sends clients no details', () => {
    expect(site.log.filter((line) => line.includes('"msg":"Code of the project failed"')).length).toBe(3);
  });

  it('reads bodies of JSON, forms and text, parameters and the query', async () => {
    const json = await send('POST', '/api/tools/echo?a[b]=1&c', {
      json: { x: [1] },
      headers: { 'x-test': 'T' },
    });
    expect(json.body).toMatchObject({
      body: { x: [1] },
      query: { a: { b: '1' }, c: null },
      header: 'T',
      isJson: true,
      sameContext: true,
    });
    const form = await send('POST', '/api/tools/echo', {
      body: 'a=1&b[c]=2',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.body).toMatchObject({ body: { a: '1', b: { c: '2' } } });
    const text = await send('POST', '/api/tools/echo', {
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.body).toMatchObject({ body: 'hello' });
    expect((await send('PATCH', '/api/tools/echo/A%20B', { json: {} })).body).toMatchObject({
      params: { a: 'A B' },
    });
    expect((await get('/API/tools/rest/a/b/')).body).toMatchObject({ params: { path: 'a/b' } });
  });

  it('refuses bodies that cannot be read before project code sees them', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await send('POST', '/api/tools/echo', { body: '{"a":', headers })).status).toBe(400);
    const large = await send('POST', '/api/tools/echo', { body: `"${'x'.repeat(2_000_000)}"`, headers });
    expect(large.status).toBe(413);
    const broken = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await send('POST', '/api/tools/files', { body: '--x\r\nbroken', headers: broken })).status).toBe(
      400,
    );
  });

  it('reads forms with files', async () => {
    const body = new FormData();
    body.append('title', 'T');
    body.append('files', new Blob(['one'], { type: 'text/plain' }), 'one.txt');
    body.append('files', new Blob(['two!']), '../two.bin');
    expect((await send('POST', '/api/tools/files', { body })).body).toEqual({
      fields: { title: 'T' },
      files: [
        { name: 'one.txt', type: 'text/plain', size: 3, text: 'one' },
        { name: '../two.bin', type: 'application/octet-stream', size: 4, text: 'two!' },
      ],
    });
  });

  it('takes functions and lists of them as handlers, and refuses methods that a path lacks', async () => {
    expect((await get('/api/tools/function')).body).toEqual({ from: 'function' });
    const { body, headers } = await get('/api/tools/array');
    expect([body, headers.get('x-steps')]).toEqual([{ steps: ['one', 'two'] }, 'one,two']);
    expect((await send('HEAD', '/api/tools/function')).status).toBe(200);
    const refused = await send('PUT', '/api/tools/echo');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
    expect(refused.body).toBe('Method Not Allowed');
  });

  it('asks for the permission of an action, a scope, or a credential', async () => {
    expect((await get('/api/tools/secured')).body).toEqual(FORBIDDEN);
    expect((await get('/api/tools/secured', { token: jwt })).body).toEqual(FORBIDDEN);
    expect((await get('/api/tools/secured', { token: 'full' })).body).toEqual({ ok: true });
    expect((await get('/api/tools/signed-in')).status).toBe(401);
    expect((await get('/api/tools/signed-in', { token: 'nonsense' })).body).toEqual(
      error(401, 'UnauthorizedError', 'Missing or invalid credentials'),
    );
    expect((await get('/api/tools/signed-in', { token: jwt })).body).toEqual({ user: 'ann' });
    expect((await get('/api/tools/scoped')).body).toEqual({ ok: true });
    expect((await get('/api/tools/scoped', { token: 'readonly' })).body).toEqual({ ok: true });
  });

  it('lets requests pass where policies return true or nothing', async () => {
    expect((await get('/api/tools/policy?pass=yes')).body).toEqual({ ok: true });
    expect((await get('/api/tools/policy')).body).toEqual(POLICY_FAILED);
    const list = async (key: string): Promise<unknown> =>
      (await get('/api/categories', { headers: { 'x-key': key } })).body;
    expect(await list('open')).toEqual(POLICY_FAILED);
    expect(await list('throw')).toEqual(error(403, 'PolicyError', 'Wrong key', { policy: 'has-key' }));
    expect(await list('nothing')).toMatchObject({ meta: { limited: 'category.category.find /categories' } });
    const refused = await send('POST', '/api/categories', { token: 'tagger', json: { data: { name: 'x' } } });
    expect(refused.body).toEqual(FORBIDDEN);
  });

  it('puts middlewares in front of routes of the core, which see and change what is sent', async () => {
    const { body, headers } = await get('/api/categories', { headers: { 'x-key': 'secret' } });
    expect(body).toMatchObject({
      data: [{ name: 'top' }, { name: 'low' }],
      meta: { limited: 'category.category.find /categories', pagination: { total: 2 } },
    });
    expect(headers.get('x-limited')).toBe('yes');
    expect((await get('/api/categories/aggregate?count')).body).toEqual(POLICY_FAILED);
    expect((await send('POST', '/api/categories/bulk', { token: 'full', json: { data: [] } })).status).toBe(
      405,
    );
    expect((await get('/api/categories/none')).body).toEqual(NOT_FOUND);
  });

  it('puts policies in front of all spellings of a path', async () => {
    for (const path of ['/api/c%61tegories', '/api/categories#x', 'http://example.com/api/categories'])
      expect(await sendTarget(site.server.url, path)).toEqual(POLICY_FAILED);
    expect(await sendTarget(site.server.url, '/api/t%61gs')).toMatchObject({ meta: { own: true } });
    expect(await sendTarget(site.server.url, '/st%6fpped')).toEqual({ stopped: {} });
  });

  it('puts the policies of updates in front of copies to other locales and of versions', async () => {
    const json = { data: { title: 'de' } };
    for (const path of ['/api/articles/x?locale=de', '/api/articles/x/versions/1/restore'])
      expect((await send('POST', path, { token: 'full', json })).body).toEqual(POLICY_FAILED);
    expect((await send('POST', '/api/homepage?locale=de', { token: 'full', json })).status).toBe(405);
  });

  it('serves the actions that a router states, and no others', async () => {
    expect((await get('/api/authors', { token: 'full' })).status).toBe(200);
    expect((await get('/api/authors/x', { token: 'full' })).body).toEqual(NOT_FOUND);
    expect((await get('/api/authors/aggregate?count', { token: 'full' })).status).toBe(200);
    expect((await send('POST', '/api/authors', { token: 'full', json: { data: {} } })).status).toBe(405);
    expect((await send('DELETE', '/api/categories/x', { token: 'full' })).status).toBe(405);
  });

  it('runs controllers and services that extend those of the core', async () => {
    const tags = await get('/api/tags?sort=name:desc&fields=name');
    expect(tags.body).toMatchObject({
      data: [{ name: 'a' }, { name: 'b' }],
      meta: { own: true, pagination: { page: 1, pageSize: 25, pageCount: 1, total: 2 } },
    });
    expect((await get(`/api/tags/${tagId}`)).body).toMatchObject({
      data: { name: 'a', shout: 'A' },
      meta: {},
    });
    expect((await get('/api/tags/none')).body).toEqual(NOT_FOUND);
    expect((await get('/api/tags?filters[nope]=1')).status).toBe(400);
    const part = await get('/api/tags?pagination[start]=1&pagination[limit]=1');
    expect(part.body).toMatchObject({
      data: [{ name: 'b' }],
      meta: { pagination: { start: 1, limit: 1, total: 2 } },
    });
    const popular = await get('/api/tags/popular?filters[nope]=x&sort=nope&fields=name', { token: 'full' });
    expect(popular.body).toMatchObject({ data: [{ name: expect.any(String) }, {}], meta: { popular: true } });
    expect((await get('/api/tags/aggregate?count', { token: 'full' })).status).toBe(405);
  });

  it('holds callers to the limits of their permissions in controllers that are extended', async () => {
    const { context, close } = await openProjectDatabase(site.project);
    const rule = { fields: null, where: { name: 'b' } };
    const role = { role: 'authenticated', uid: 'api::tag.tag', keepOthers: true };
    await setPermissions(context, { ...role, actions: ['find'], rule });
    await close();
    await expect
      .poll(async () => (await get('/api/tags', { token: jwt })).body)
      .toMatchObject({
        data: [{ name: 'b' }],
        meta: { pagination: { total: 1 } },
      });
  });

  it('writes through controllers that are extended', async () => {
    const created = await send('POST', '/api/tags', { token: 'full', json: { data: { name: 'new' } } });
    const { documentId } = (created.body as { data: { documentId: string } }).data;
    const path = `/api/tags/${documentId}`;
    const updated = await send('PUT', path, { token: 'full', json: { data: { name: 'newer' } } });
    expect([created.status, updated.body]).toMatchObject([201, { data: { documentId, name: 'newer' } }]);
    expect((await send('PUT', path, { token: 'full', json: {} })).status).toBe(400);
    const data = { name: 'newest' };
    for (const json of [
      { data, status: 'draft' },
      { data, locale: 'fr' },
      { data: { ...data, locale: 'fr' } },
      { data: { ...data, publishedAt: null } },
    ])
      expect((await send('PUT', path, { token: 'full', json })).status).toBe(400);
    expect((await send('DELETE', `${path}?status=draft`, { token: 'full' })).status).toBe(400);
    expect((await get(path)).body).toMatchObject({ data: { name: 'newer' } });
    expect((await send('DELETE', path, { token: 'full' })).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  it('refuses relations that a caller of whom nothing is known names', async () => {
    const create = (data: object): ReturnType<typeof send> =>
      send('POST', '/api/tags/open', { json: { data } });
    const { status, body } = await create({ name: 'mine' });
    expect(status).toBe(201);
    const { documentId } = (body as { data: { documentId: string } }).data;
    await send('DELETE', `/api/tags/${documentId}`, { token: 'full' });
    expect((await create({ name: 'yours', articles: [] })).body).toMatchObject({
      error: { status: 400, name: 'ValidationError', message: 'Invalid key articles.' },
    });
    expect((await create({ name: 'theirs', nope: 1 })).status).toBe(400);
  });

  it('leaves requests to the next route, and keeps sessions in signed cookies', async () => {
    const count = async (step: number, cookie: string) => {
      const response = await fetch(`${site.server.url}/api/tags/count/${step}`, { headers: { cookie } });
      const set = response.headers.getSetCookie();
      return { body: await response.json(), set, cookie: set.map((each) => each.split(';')[0]).join('; ') };
    };
    const first = await count(2, '');
    expect(first.body).toEqual({ count: 2, steps: ['first'], by: '2' });
    expect(first.set.map((each) => each.split('=')[0])).toEqual(['koa.sess', 'koa.sess.sig']);
    expect((await count(3, first.cookie)).body).toMatchObject({ count: 5 });
    const forged = first.cookie.replace(/sig=(.)/, (_all, letter) => `sig=${letter === '_' ? '-' : '_'}`);
    expect((await count(3, forged)).body).toMatchObject({ count: 3 });
    const ended = await count(0, first.cookie);
    expect(ended.body).toMatchObject({ count: null });
    expect(ended.set[0]).toContain('koa.sess=;');
  });

  it('tries routes in the order of their files, and logs those that are never reached', async () => {
    expect((await get('/api/tags/slug/x-1')).body).toEqual({ params: { name: 'x-1' } });
    for (const path of ['slug/x', 'late']) expect((await get(`/api/tags/${path}`)).body).toEqual(NOT_FOUND);
    const warnings = site.log.filter((line) => line.includes('"level":40'));
    expect(
      warnings.find((line) => line.includes('/api/tags/late of src/api/tag/routes/zz-late.js')),
    ).toContain('is never reached: GET /api/tags/:id of src/api/tag/routes/tag.js comes before it');
    expectReplacedRoutes(site);
    expect(warnings.find((line) => line.includes('/api/tools/missing'))).toContain(
      'There is no handler tool.absent',
    );
    expect((await get('/api/tools/missing')).status).toBe(501);
    expect(warnings.find((line) => line.includes('/api/tools/any/*'))).toContain('cannot be served');
    expect((await get('/api/tools/any/x')).status).toBe(404);
  });

  it('runs the middlewares of the project around every request', async () => {
    const marks = ({ headers }: Answer): readonly (string | null)[] =>
      ['x-used', 'x-before', 'x-file', 'x-after'].map((name) => headers.get(name));
    const all = (status: string): readonly string[] => ['yes', 'stamped', 'by file', status];
    expect(marks(await get('/api/tools/function'))).toEqual(all('200'));
    expect(marks(await get('/api/setting'))).toEqual(all('404'));
    expect(marks(await get('/nothing'))).toEqual(all('404'));
    expect(marks(await get('/api/articles'))).toEqual(all('403'));
    const query = { query: '{ tags { name } }' };
    const answer = await send('POST', '/graphql', { token: 'full', json: query });
    expect(marks(answer)).toEqual(all('200'));
    expect(answer.body).toMatchObject({ data: { tags: [{}, {}] } });
    expect(
      (await get('/api/articles', { token: 'full', headers: { 'x-change': 'yes' } })).body,
    ).toMatchObject({
      data: [],
      changed: true,
    });
    expect(await send('POST', '/stopped', { json: { a: 1 } })).toMatchObject({
      status: 418,
      body: { stopped: { a: 1 } },
    });
  });

  it('warns of middlewares that change the path, which selects no other route', async () => {
    for (const path of ['/v1/tags', '/v1/setting']) expect((await get(path)).status).toBe(404);
    const warnings = site.log.filter((line) => line.includes('A middleware has changed'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('changed GET /v1/tags to GET /api/tags, which has no effect');
  });

  it('serves routes that code adds to the server', async () => {
    expect((await get('/outside')).body).toEqual({ outside: true });
    expect((await get('/inside')).body).toEqual(NOT_FOUND);
    expect((await get('/api/inside')).body).toEqual({ inside: true });
    expect((await get('/router/5')).body).toEqual({ id: '5' });
  });
});
