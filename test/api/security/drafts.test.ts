import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/lib/records.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from './testbed.js';
import type { Testbed, TestResponse, TestUser } from './testbed.js';

const ARTICLE = 'api::article.article';
const CATEGORY = 'api::category.category';
const TAG = 'api::tag.tag';
const SECRET = 'EMBARGOED';

const READ = { find: true, findOne: true } as const;

/** What readers try to get at drafts. Each is refused, or shows what it shows without drafts. */
const REFUSED: readonly string[] = [
  '/api/articles?status=draft',
  '/api/articles/LIVE?status=draft',
  '/api/articles/DRAFT?status=draft',
  '/api/articles?status=draft&locale=*',
  '/api/articles?status=draft&fields=documentId&pagination[withCount]=true',
  '/api/articles/aggregate?status=draft&count=true',
  '/api/articles/aggregate?publicationFilter=modified',
  '/api/articles?publicationFilter=modified',
  '/api/articles?publicationFilter=unmodified',
  '/api/articles?publicationFilter=published-without-draft',
  '/api/articles?hasPublishedVersion=true',
  '/api/homepage?status=draft',
];

const UNHELPFUL: readonly (readonly [path: string, documents: number])[] = [
  [`/api/articles?filters[localizations][title][$startsWith]=${SECRET}`, 0],
  [`/api/articles?filters[localizations][title][$notContains]=${SECRET}&locale=en`, 1],
  [`/api/articles?filters[localizations][publishedAt][$null]=true`, 0],
  [`/api/articles?filters[$not][localizations][title]=${SECRET} fr`, 1],
  [`/api/articles?_q=${SECRET}`, 0],
  [`/api/articles?filters[category][name][$contains]=${SECRET}`, 0],
  [`/api/articles?filters[category][articles][title][$contains]=${SECRET}`, 0],
  [`/api/tags?status=draft&filters[articles][title][$contains]=${SECRET}`, 0],
  ['/api/tags?status=draft&filters[articles][publishedAt][$null]=true', 0],
  [`/api/tags?status=draft&filters[articles][localizations][title][$contains]=${SECRET}`, 0],
  [`/api/tags?status=draft&filters[articles][category][name][$contains]=${SECRET}`, 0],
];

describe.each(databases)('drafts and callers who may only find, on $name', (database) => {
  let testbed: Testbed;
  let full: string;
  let reader: TestUser;
  const ids: Record<string, string> = {};

  const request = (path: string, as: string | null = null) =>
    testbed.request('GET', path.replace('DRAFT', ids['draft'] ?? '').replace('LIVE', ids['live'] ?? ''), {
      as,
    });
  const write = async (method: string, path: string, data: object): Promise<string> => {
    const { status, body } = await testbed.request(method, path, { as: full, body: { data } });
    expect([path, status]).toEqual([path, method === 'POST' ? 201 : 200]);
    return String((body as { readonly data: { readonly documentId: string } }).data.documentId);
  };
  const dataOf = ({ body }: TestResponse): unknown => (isRecord(body) ? body['data'] : undefined);

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    full = testbed.site.tokens['full'] ?? '';
    ids['category'] = await write('POST', '/api/categories', { name: 'Open' });
    ids['tag'] = await write('POST', '/api/tags', { name: 'tag' });
    const links = { category: ids['category'], tags: [ids['tag']] };
    ids['live'] = await write('POST', '/api/articles', { title: 'live', ...links });
    ids['draft'] = await write('POST', '/api/articles?status=draft', { title: SECRET, ...links });
    await write('PUT', `/api/articles/${ids['live']}?status=draft`, { title: `${SECRET} live` });
    await write('PUT', `/api/articles/${ids['live']}?status=draft&locale=fr`, { title: `${SECRET} fr` });
    await write('PUT', `/api/categories/${ids['category']}?status=draft`, { name: SECRET });
    await write('PUT', '/api/homepage', { headline: 'Hello' });
    await write('PUT', '/api/homepage?status=draft', { headline: SECRET });
    reader = await testbed.createUser('reader');
    for (const role of ['public', 'authenticated']) {
      await testbed.grant(role, ARTICLE, READ);
      await testbed.grant(role, CATEGORY, READ);
      await testbed.grant(role, TAG, READ);
      await testbed.grant(role, 'api::homepage.homepage', { find: true });
    }
  });
  afterAll(() => testbed.site.close());

  it('refuse to return drafts, and name the permission', async () => {
    for (const path of REFUSED) {
      for (const as of [null, reader.jwt, testbed.site.tokens['readonly'] ?? '']) {
        const { status, body } = await request(path, as);
        expect([path, status, JSON.stringify(body).includes(SECRET)]).toEqual([path, 403, false]);
        expect(JSON.stringify(body)).toContain('findDrafts');
      }
    }
  });

  it('show nothing of drafts by what is filtered, searched, populated and sorted', async () => {
    for (const [path, documents] of UNHELPFUL) {
      const response = await request(path);
      expect([path, response.status, (dataOf(response) as readonly object[] | undefined)?.length]).toEqual([
        path,
        200,
        documents,
      ]);
    }
    for (const path of [
      '/api/articles?populate=*&sort=localizations.title',
      '/api/tags?status=draft&populate[articles][populate]=*',
      '/api/tags?status=draft&populate=articles.localizations,articles.category',
      '/api/tags?publicationFilter=modified&populate=articles',
      '/api/tags?status=draft&sort=articles.title',
    ]) {
      const response = await request(path);
      expect([path, response.status, JSON.stringify(response.body).includes(SECRET)]).toEqual([
        path,
        200,
        false,
      ]);
    }
    const counted = await request('/api/tags?status=draft&populate[articles][count]=true');
    expect(dataOf(counted)).toMatchObject([{ articles: { count: 1 } }]);
  });

  it('behave alike over GraphQL', async () => {
    for (const query of [
      '{ articles(status: DRAFT) { title } }',
      '{ articles_connection(status: DRAFT) { nodes { title } pageInfo { total } } }',
      `{ article(documentId: "${ids['live']}", status: DRAFT) { title } }`,
      '{ articles(hasPublishedVersion: true) { title } }',
      '{ homepage(status: DRAFT) { headline } }',
    ]) {
      const { errors, body } = await testbed.query(query);
      expect([query, errors[0]?.extensions.code, JSON.stringify(body).includes(SECRET)]).toEqual([
        query,
        'FORBIDDEN',
        false,
      ]);
      expect(errors[0]?.message).toContain('findDrafts');
    }
    const nested = await testbed.query(
      '{ tags(status: DRAFT) { name articles { title category { name } localizations { title } } } }',
    );
    expect(nested.data).toEqual({
      tags: [{ name: 'tag', articles: [{ title: 'live', category: { name: 'Open' }, localizations: [] }] }],
    });
  });

  it('keep responses to others separate', async () => {
    const path = `/api/articles?filters[localizations][title][$startsWith]=${SECRET}&sort=title`;
    const asServer = await request(path, full);
    expect(dataOf(asServer)).toHaveLength(1);
    const { status, body } = await testbed.request('GET', path, {
      headers: { 'if-none-match': asServer.headers.get('etag') ?? '' },
    });
    expect([status, dataOf({ status, body } as TestResponse)]).toEqual([200, []]);
    expect(dataOf(await request(path, full))).toHaveLength(1);
  });

  it('are read with the permission, by roles, custom tokens and preview tokens', async () => {
    await testbed.grant('authenticated', ARTICLE, { ...READ, findDrafts: true });
    const drafts = await request('/api/articles?status=draft&sort=title&populate=category', reader.jwt);
    // The category is not granted, so that its published version shows.
    expect(dataOf(drafts)).toMatchObject([
      { title: SECRET, category: { name: 'Open' } },
      { title: `${SECRET} live`, category: { name: 'Open' } },
    ]);
    expect((await request('/api/articles?publicationFilter=modified', reader.jwt)).status).toBe(200);
    await testbed.grant('authenticated', ARTICLE, {
      ...READ,
      findDrafts: { where: { title: { $endsWith: 'live' } }, fields: ['title'] },
    });
    const some = await request('/api/articles?status=draft&populate=*', reader.jwt);
    expect(dataOf(some)).toMatchObject([{ title: `${SECRET} live` }]);
    expect(JSON.stringify(some.body)).not.toContain('category');
    const hidden = await request('/api/articles/DRAFT?status=draft', reader.jwt);
    expect(hidden.status).toBe(404);
    const published = await request('/api/articles?populate=category', reader.jwt);
    expect(dataOf(published)).toMatchObject([{ title: 'live', category: { name: 'Open' } }]);
    await testbed.grant('authenticated', ARTICLE, READ);
  });

  it('return the ids of written drafts to callers who may not read drafts', async () => {
    await testbed.grant('authenticated', ARTICLE, { ...READ, create: true, update: true });
    const send = (method: string, path: string, data: unknown) =>
      testbed.request(method, path, { as: reader.jwt, body: { data } });
    const idsOnly = { id: expect.any(Number) as number, documentId: ids['live'] };
    const changed = await send('PUT', `/api/articles/${ids['live']}?status=draft&populate=*`, {});
    expect([changed.status, dataOf(changed)]).toEqual([200, idsOnly]);
    const bulk = await send('POST', '/api/articles/bulk?status=draft&populate=*', [
      { action: 'update', documentId: ids['live'], data: {} },
    ]);
    expect(dataOf(bulk)).toMatchObject([{ status: 200, data: idsOnly }]);
    expect(JSON.stringify(bulk.body)).not.toContain(SECRET);
    const mutation = await testbed.query(
      'mutation($id: ID!) { updateArticle(documentId: $id, data: {}, status: DRAFT) { documentId title } }',
      { as: reader.jwt, variables: { id: ids['live'] } },
    );
    expect(JSON.stringify(mutation.body)).not.toContain(SECRET);
    const created = await send('POST', '/api/articles?status=draft', { title: 'mine' });
    expect([created.status, Object.keys(dataOf(created) as object)]).toEqual([201, ['id', 'documentId']]);
    await testbed.grant('authenticated', ARTICLE, READ);
  });

  it('show the history of published documents only', async () => {
    await testbed.grant('authenticated', ARTICLE, { ...READ, findVersions: true, restoreVersion: true });
    expect((await request('/api/articles/LIVE/versions', reader.jwt)).status).toBe(200);
    expect((await request('/api/articles/DRAFT/versions', reader.jwt)).status).toBe(404);
    await testbed.grant('authenticated', ARTICLE, READ);
  });
});

describe('api.findIncludesDrafts', () => {
  it('has find and findOne cover drafts, as in Strapi', async () => {
    const [database] = databases;
    if (database === undefined) throw new Error('There is no database');
    const testbed = await createTestbed({ database, api: { findIncludesDrafts: true } });
    try {
      const full = testbed.site.tokens['full'] ?? '';
      await testbed.request('POST', '/api/articles?status=draft', {
        as: full,
        body: { data: { title: SECRET } },
      });
      await testbed.grant('public', ARTICLE, { find: true });
      const { status, body } = await testbed.request('GET', '/api/articles?status=draft');
      expect([status, body]).toMatchObject([200, { data: [{ title: SECRET }] }]);
      const readonly = testbed.site.tokens['readonly'] ?? '';
      expect((await testbed.request('GET', '/api/articles?status=draft', { as: readonly })).status).toBe(200);
    } finally {
      await testbed.site.close();
    }
  });
});
