import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenapiDocument } from '../../../src/project/openapi-document.js';
import { restRoutes } from '../../../src/api/rest/routes/rest-routes.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

interface Reply {
  readonly status: number;
  readonly message: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly warning: string | null;
}

interface Body {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly error?: { readonly message: string };
  readonly errors?: readonly { readonly message: string }[];
}

/** Nothing that a client asks for is dropped: what a write does not do, it refuses and names what does. */
describe.each(databases)('what writes refuse on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());

  const send = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { data = null, error, errors } = text === '' ? ({} as Body) : (JSON.parse(text) as Body);
    return {
      status: response.status,
      message: (error ?? errors?.[0])?.message,
      data,
      warning: response.headers.get('warning'),
    };
  };
  const create = async (path: string, data: object, query = ''): Promise<string> => {
    const created = await send('POST', `${path}${query}`, { data });
    expect(created.status).toBe(201);
    return String(created.data?.['documentId']);
  };
  const graphql = (query: string) => send('POST', '/graphql', { query });

  it('refuses another locale in the data of an update, and changes nothing', async () => {
    const id = await create('/api/articles', { title: 'English' });
    const refused = await send('PUT', `/api/articles/${id}`, { data: { title: 'Français', locale: 'fr' } });
    expect(refused).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^Invalid key locale: this write concerns the locale en/) as string,
    });
    expect((await send('GET', `/api/articles/${id}?status=draft`)).data).toMatchObject({ title: 'English' });
    for (const data of [
      { title: 'Français', locale: 'fr' },
      { title: 'Français', locale: null },
    ])
      expect((await send('PUT', `/api/articles/${id}?locale=fr`, { data })).status).toBe(200);
    expect((await send('GET', `/api/articles/${id}`)).data).toMatchObject({ title: 'English' });
    const wrong = await send('PUT', `/api/articles/${id}`, { data: { title: 'x', locale: 7 } });
    expect(wrong).toMatchObject({ status: 400 });
  });

  it('refuses another locale in the data of a single type, and any where there are none', async () => {
    expect((await send('PUT', '/api/homepage', { data: { headline: 'Welcome' } })).status).toBe(200);
    const data = { headline: 'Bienvenue', locale: 'fr' };
    expect((await send('PUT', '/api/homepage', { data })).status).toBe(400);
    expect((await send('GET', '/api/homepage')).data).toMatchObject({ headline: 'Welcome' });
    expect(await send('POST', '/api/categories', { data: { name: 'x', locale: 'fr' } })).toMatchObject({
      status: 400,
      message: 'Invalid key locale: category is not localised.',
    });
  });

  it('says which keys a new localised document does not heed, as recorded', async () => {
    const data = { title: 'Salut', locale: 'fr', publishedAt: null };
    const created = await send('POST', '/api/articles', { data });
    expect(created).toMatchObject({
      status: 201,
      data: { locale: 'en' },
      warning:
        '299 - "Ignored data.locale: send the parameter locale; data.publishedAt: send the parameter status"',
    });
    const agreeing = await send('POST', '/api/articles?locale=fr&status=draft', { data });
    expect(agreeing).toMatchObject({ status: 201, data: { locale: 'fr', publishedAt: null }, warning: null });
  });

  it('creates in the locale that the data of an item of a bulk name, and refuses two', async () => {
    const item = (options: object) => ({ action: 'create', data: { title: 'x', locale: 'fr' }, ...options });
    const written = await send('POST', '/api/articles/bulk', { data: [item({}), item({ locale: 'fr' })] });
    expect(written.data).toMatchObject([{ data: { locale: 'fr' } }, { data: { locale: 'fr' } }]);
    for (const [path, options] of [
      ['/api/articles/bulk', { locale: 'de' }],
      ['/api/articles/bulk?locale=de', {}],
      ['/api/cms/bulk', { type: 'api::article.article', locale: 'de' }],
    ] as const)
      expect(await send('POST', path, { data: [item(options), item(options)] })).toMatchObject({
        status: 400,
        message: expect.stringContaining('Invalid key locale') as string,
      });
    const ids = [
      await create('/api/articles', { title: 'a' }),
      await create('/api/articles', { title: 'b' }),
    ];
    const changes = ids.map((documentId) => ({
      action: 'update',
      documentId,
      data: { title: 'x', locale: 'fr' },
    }));
    expect((await send('POST', '/api/articles/bulk', { data: changes })).status).toBe(400);
  });

  it.each([
    [{ title: 'SECRET' }, { status: 'draft' }],
    [{ title: 'SECRET' }, { locale: 'fr' }],
    [{ title: 'SECRET' }, { populate: '*' }],
    [{ title: 'SECRET' }, { publishedAt: null }],
    [{ title: 'SECRET', status: 'draft' }, {}],
    [{ title: 'SECRET', createdBy: 1 }, {}],
    [{ title: 'SECRET', localizations: [] }, {}],
  ])('refuses %j with %j beside it', async (data, beside) => {
    const id = await create('/api/articles', { title: 'Public' });
    const before = (await send('GET', '/api/articles?status=draft&pagination[pageSize]=1')).data;
    for (const [method, path] of [
      ['POST', '/api/articles'],
      ['PUT', `/api/articles/${id}`],
      ['PUT', '/api/homepage'],
    ] as const) {
      const refused = await send(method, path, { data, ...beside });
      expect(refused).toMatchObject({
        status: 400,
        message: expect.stringMatching(/^Invalid key \w+(?::|\.)/) as string,
      });
    }
    expect((await send('GET', '/api/articles?status=draft&pagination[pageSize]=1')).data).toEqual(before);
  });

  it('takes publishedAt for what it asks, or refuses it', async () => {
    const id = await create('/api/categories', { name: 'live' });
    const { data } = await send('GET', `/api/categories/${id}`);
    const put = (query: string, publishedAt: unknown) =>
      send('PUT', `/api/categories/${id}${query}`, { data: { name: 'next', publishedAt } });
    expect(await put('', null)).toMatchObject({
      status: 400,
      message: expect.stringContaining('Send the parameter status=draft') as string,
    });
    expect((await put('?status=draft', null)).status).toBe(200);
    expect((await send('GET', `/api/categories/${id}`)).data).toMatchObject({ name: 'live' });
    expect((await put('?status=draft', data?.['publishedAt'])).status).toBe(200);
    for (const time of ['2001-01-01T00:00:00.000Z', '2901-01-01T00:00:00.000Z', 'soon', 7, false])
      expect((await put('', time)).status).toBe(400);
    expect((await put('', data?.['publishedAt'])).status).toBe(200);
    expect(await send('POST', '/api/tags', { data: { name: 'x', publishedAt: null } })).toMatchObject({
      status: 400,
      message: expect.stringContaining('tag has none: every write publishes') as string,
    });
    const created = await send('POST', '/api/categories', { data: { name: 'SECRET', publishedAt: null } });
    expect(created.status).toBe(400);
  });

  it('holds mutations and bulks to the same', async () => {
    const id = await create('/api/categories', { name: 'live' });
    const mutations = [
      'createCategory(data: { name: "SECRET", publishedAt: null }) { name }',
      'createArticle(data: { title: "SECRET", publishedAt: null }) { title }',
      'createCategory(data: { name: "SECRET", locale: "fr" }) { name }',
      `updateCategory(documentId: "${id}", data: { name: "SECRET", publishedAt: null }) { name }`,
      'updateHomepage(data: { headline: "SECRET", publishedAt: null }) { headline }',
      'bulkCategories(data: [{ action: CREATE, data: { name: "S", publishedAt: null } }]) { documentId }',
    ];
    for (const mutation of mutations)
      expect((await graphql(`mutation { ${mutation} }`)).message).toMatch(/Invalid key/);
    const drafted = await graphql(
      'mutation { createCategory(status: DRAFT, data: { name: "d", publishedAt: null }) { publishedAt } }',
    );
    expect(drafted.data).toEqual({ createCategory: { publishedAt: null } });
    const item = { action: 'create', data: { name: 'SECRET', publishedAt: null } };
    expect((await send('POST', '/api/categories/bulk', { data: [item, item] })).status).toBe(400);
    const remote = { ...item, type: 'api::category.category', status: 'published' };
    expect((await send('POST', '/api/cms/bulk', { data: [remote, remote] })).status).toBe(400);
    expect((await send('GET', '/api/categories?filters[name]=SECRET')).data).toEqual([]);
  });

  it.each(['draft', 'published', 'nonsense', ''])('deletes nothing with status=%s', async (status) => {
    const id = await create('/api/categories', { name: 'live' });
    await send('PUT', `/api/categories/${id}?status=draft`, { data: { name: 'next' } });
    const refused = await send('DELETE', `/api/categories/${id}?status=${status}`);
    expect(refused).toMatchObject({
      status: 400,
      message: expect.stringContaining('send the action unpublish to POST /api/categories/bulk') as string,
    });
    expect((await send('GET', `/api/categories/${id}`)).data).toMatchObject({ name: 'live' });
    expect((await send('GET', `/api/categories/${id}?status=draft`)).data).toMatchObject({ name: 'next' });
    const single = await send('DELETE', `/api/homepage?status=${status}`);
    expect(single.message).toContain('POST /api/cms/bulk');
    const tag = await create('/api/tags', { name: `tag ${status}` });
    expect((await send('DELETE', `/api/tags/${tag}?status=${status}`)).status).toBe(400);
    const item = { action: 'delete', documentId: id };
    const named = await send('POST', '/api/categories/bulk', { data: [{ ...item, status: 'draft' }] });
    expect(named.status).toBe(400);
    const bulk = await send('POST', '/api/categories/bulk?status=draft', { data: [item] });
    expect(bulk.message).toBe('Invalid parameter status: only the actions create and update accept it.');
    expect((await send('GET', `/api/categories/${id}`)).status).toBe(200);
  });

  it.each([
    ['POST', '/api/tags?nope=1', { data: { name: 'x' } }],
    ['POST', '/api/tags?filters[name]=x', { data: { name: 'x' } }],
    ['PUT', '/api/tags/x?sort=name', { data: {} }],
    ['PUT', '/api/setting?pagination[page]=1', { data: {} }],
    ['DELETE', '/api/tags/x?populate=*', undefined],
    ['DELETE', '/api/tags/x?filters[name]=x', undefined],
    ['DELETE', '/api/tags/x', { data: {} }],
    ['POST', '/api/tags/bulk?filters[name]=x', { data: [] }],
    ['POST', '/api/tags/bulk', { data: [], atomic: false }],
    ['PUT', '/api/articles/x/schedule?status=draft', { data: {} }],
    ['PUT', '/api/articles/x/schedule', { data: {}, locale: 'fr' }],
    ['POST', '/api/articles/x/versions/1/restore?status=draft', undefined],
    ['POST', '/api/articles/x/versions/1/restore', { data: { title: 'x' } }],
    ['POST', '/api/cms/bulk?status=draft', { data: [] }],
    ['POST', '/api/cms/bulk', { data: [], dryRun: true }],
    ['POST', '/api/cms/find', { type: 'api::tag.tag', filters: {} }],
    ['POST', '/api/cms/find', { type: 'api::tag.tag', params: { filter: { name: 'x' } } }],
    ['POST', '/api/cms/find?filters[name]=x', { type: 'api::tag.tag' }],
    ['DELETE', '/api/upload/files/1?force=true', undefined],
    ['POST', '/api/users?status=draft', {}],
    ['PUT', '/api/users/1?nope=1', {}],
    ['POST', '/api/users', { username: 'x', status: 'draft' }],
    ['POST', '/api/users-permissions/roles?nope=1', { name: 'editors' }],
    ['POST', '/api/users-permissions/roles', { name: 'editors', users: [1] }],
    ['POST', '/api/users-permissions/roles', { name: 'editors', description: 7 }],
    ['PUT', '/api/users-permissions/roles/1', { name: 'editors', nope: 1 }],
    ['PUT', '/api/users-permissions/roles/1', { type: 'another' }],
    ['DELETE', '/api/users-permissions/roles/1?nope=1', undefined],
    ['POST', '/api/auth/local/register?nope=1', {}],
  ])('refuses %s %s with %j', async (method, path, body) => {
    expect((await send(method, path, body)).status).toBe(400);
  });

  it('refuses parameters of an upload, and fields that it does not read', async () => {
    const upload = async (query: string, field: string, value = '{}'): Promise<number> => {
      const form = new FormData();
      form.append('files', new Blob(['text'], { type: 'text/plain' }), 'note.txt');
      form.append(field, value);
      const headers = { authorization: `Bearer ${site.tokens['full']}` };
      const url = `${site.server.url}/api/upload${query}`;
      return (await fetch(url, { method: 'POST', headers, body: form })).status;
    };
    expect(await upload('?folder=1', 'fileInfo')).toBe(400);
    expect(await upload('', 'data')).toBe(400);
    expect(await upload('', 'path', 'folder')).toBe(400);
    expect(await upload('', 'fileInfo', '{"folder":1}')).toBe(400);
    expect(await upload('', 'fileInfo', '{"caption":"c","folder":null}')).toBe(201);
    expect(await upload('?id=1', 'refId', 'x')).toBe(400);
  });

  it('refuses numbers that would be rounded, and keeps all others', async () => {
    const post = async (path: string, body: string, type = 'application/json'): Promise<unknown> => {
      const headers = { authorization: `Bearer ${site.tokens['full']}`, 'content-type': type };
      const response = await fetch(`${site.server.url}${path}`, { method: 'POST', headers, body });
      return { status: response.status, body: await response.json() };
    };
    const refused = (path: readonly string[]) => ({
      status: 400,
      body: { error: { name: 'ValidationError', details: { errors: [{ path }] } } },
    });
    const articles = '/api/articles';
    for (const [url, body, path] of [
      [articles, '{"data":{"title":"x","rating":0.12345678901234567891}}', ['rating']],
      [articles, '{"data":{"title":"x","rating":"0.12345678901234567891"}}', ['rating']],
      [articles, '{"data":{"title":"x","score":9007199254740993}}', ['score']],
      [articles, '{"data":{"title":"x","extra":{"snowflake":1234567890123456789}}}', ['extra', 'snowflake']],
      [articles, '{"data":{"title":"x","extra":"[1234567890123456789]"}}', ['extra', '0']],
      [articles, '{"data":{"title":"x","reads":1234567890123456789}}', ['reads']],
      ['/api/cms/bulk', '{"data":[{"data":{"rating":1e400}}]}', ['0', 'data', 'rating']],
    ] as const)
      expect(await post(url, body)).toMatchObject(refused(path));
    const form = 'application/x-www-form-urlencoded';
    expect(await post(articles, 'data[title]=x&data[rating]=0.12345678901234567891', form)).toMatchObject(
      refused(['rating']),
    );
    for (const input of ['rating: 0.12345678901234567891', 'extra: { a: [1234567890123456789] }'])
      expect(
        (await graphql(`mutation { createArticle(data: { title: "x", ${input} }) { title } }`)).message,
      ).toMatch(/would be rounded/);
    const query = 'mutation($data: ArticleInput!) { createArticle(data: $data) { title } }';
    const variables = '{"data":{"title":"x","extra":1234567890123456789}}';
    expect(await post('/graphql', `{"query":"${query}","variables":${variables}}`)).toMatchObject({
      status: 400,
    });
    const kept = '"rating":1.10,"score":1e3,"reads":9007199254740991,"extra":[0.1,4.250,1234567890123456800]';
    expect(await post(articles, `{"data":{"title":"kept",${kept}}}`)).toMatchObject({
      body: {
        data: {
          rating: 1.1,
          score: 1000,
          reads: '9007199254740991',
          extra: [0.1, 4.25, 1234567890123456800],
        },
      },
    });
    const long = 'createArticle(data: { title: "kept", reads: 1234567890123456789 }) { reads }';
    expect((await graphql(`mutation { ${long} }`)).data).toEqual({
      createArticle: { reads: '1234567890123456789' },
    });
  });

  it('takes the parameters that the OpenAPI document states', () => {
    const { paths } = createOpenapiDocument(site.project, []) as unknown as {
      readonly paths: Readonly<
        Record<string, Record<string, { parameters?: readonly { in: string; name: string }[] }>>
      >;
    };
    const writes = restRoutes({ model: site.project.model, prefix: '/api', accounts: { mode: 'refresh' } })
      .filter(({ method }) => method !== 'GET')
      .flatMap(({ method, path, parameters = [] }) => {
        const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
        const stated = (operation?.parameters ?? []).filter((each) => each.in === 'query');
        const others = stated.filter(({ name }) => !parameters.includes(name));
        return operation === undefined
          ? []
          : [`${method} ${path}${others.map(({ name }) => ` ${name}`).join('')}`];
      });
    expect(writes.length).toBeGreaterThan(20);
    expect(writes.filter((line) => line.split(' ').length > 2)).toEqual([]);
  });
});
